#import "math/finite.wgsl"

// Positions with a second word for what rounding leaves over.

struct PreciseVector {
  position: vec3f,
  low: vec3f,
}

// x + d, and what rounding leaves over (Knuth's sum)
fn moved(position: vec3f, low: vec3f, d: vec3f) -> PreciseVector {
  let change = d + low;
  let sum = position + change;
  let part = sum - position;
  return PreciseVector(sum, (position - (sum - part)) + (change - part));
}
