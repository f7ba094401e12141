#import "surface/layout.wgsl"
#import "surface/closest.wgsl"

// Pushes of a pair in a projection; twin of surface-contact.ts, which has the derivation. The importing module supplies startAt, shiftOf,
// pairs, and loads: c of each particle, and after those of all the friction coefficient of its body.

const surfaceRelaxation = 1.3;
const surfaceLeastShare = 0.5;
const surfaceLeastSeparation = 0.001;

struct PairState {
  weights: vec4f,
  normal: vec3f,
  // C if it is negative, else 0 [m]
  violation: f32,
}

fn frictionOf(p: u32) -> f32 {
  return loads[surface.particleCount + p];
}

// Closest points and C, from the normal that was known before.
fn stateOf(j: u32, known: vec3f) -> PairState {
  let v = pairs[j].vertices;
  let origin = startAt(v.x);
  let before = mat4x3f(
    vec3f(0.0), startAt(v.y) - origin, startAt(v.z) - origin, startAt(v.w) - origin,
  );
  let u = mat4x3f(shiftOf(v.x).xyz, shiftOf(v.y).xyz, shiftOf(v.z).xyz, shiftOf(v.w).xyz);
  let relative = mat4x3f(vec3f(0.0), u[1] - u[0], u[2] - u[0], u[3] - u[0]);
  let x = before + relative;
  // They are at least as far apart as along any direction: mostly this is enough.
  if (gapOf(pairs[j].kind, known * x) >= pairs[j].distance) { return PairState(pairs[j].weights, known, 0.0); }
  let weights = closestWeights(pairs[j].kind, x);
  let r = x * weights;
  let apart = length(r);
  // Through one another: they are to go back the way that they came.
  let side = select(1.0, -1.0, dot(known, r) < 0.0);
  var normal = known;
  var gap = dot(normal, r);
  if (apart > surfaceLeastSeparation * pairs[j].distance) {
    normal = side / apart * r;
    gap = side * apart;
  }
  let wanted = min(pairs[j].distance, dot(normal, before * weights) + surface.parting);
  return PairState(weights, normal, min(0.0, gap - wanted));
}

// Impulse for the first primitive of a pair that is too near, times Δt [kg m].
fn impulseOf(j: u32, normal: vec3f) -> vec3f {
  let v = pairs[j].vertices;
  let weights = pairs[j].weights;
  var rowSum = 0.0;
  var largest = 0.0;
  var slip = vec3f(0.0);
  for (var k = 0u; k < 4u; k++) {
    let u = shiftOf(v[k]);
    rowSum += abs(weights[k]) * loads[v[k]] * u.w;
    largest = max(largest, abs(weights[k]) * u.w);
    slip += weights[k] * u.xyz;
  }
  if (rowSum == 0.0) { return vec3f(0.0); }
  rowSum = max(rowSum, surfaceLeastShare * largest);
  let lambda = -pairs[j].violation / rowSum;
  slip -= dot(slip, normal) * normal;
  let way = length(slip);
  var drag = 0.0;
  if (way > 0.0) { drag = min(way / rowSum, sqrt(frictionOf(v.x) * frictionOf(v.w)) * lambda) / way; }
  return lambda * normal - drag * slip;
}
