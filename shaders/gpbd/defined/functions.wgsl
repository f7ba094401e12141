#import "math/logarithm.wgsl"
#import "math/sine-cosine.wgsl"

// What expressions of users call (src/materials/defined-energy/wgsl.ts).

// ln x, x > 0
fn logarithm(x: f32) -> f32 {
  if (abs(x - 1.0) < 0.35) {
    return log1p(x - 1.0);
  }
  return log(x);
}
