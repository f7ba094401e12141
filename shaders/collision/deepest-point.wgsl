// Twin of src/collision/deepest-point.ts.

#import "collision/signed-distance.wgsl"
#import "collision/triangle.wgsl"

const DEEPEST_STEPS = 10u;
const DEEPEST_SHRINK = 0.7;
const DEEPEST_FLAT = 1e-3;

// Barycentric coordinates of the deepest point; corners in the frame of the primitive.
fn deepestPoint(k: u32, a: vec3f, b: vec3f, c: vec3f, centroid: vec3f, phiAtCentroid: vec4f, radius: f32) -> vec3f {
  let product = cross(b - a, c - a);
  let area = length(product);
  let normal = select(vec3f(0.0), product / area, area > 0.0);
  var p = centroid;
  var phi = phiAtCentroid;
  var lowest = phi.w;
  var best = vec3f(1.0 / 3.0);
  var step = 0.5 * radius;
  for (var i = 0u; i < DEEPEST_STEPS; i++) {
    let along = phi.xyz - dot(phi.xyz, normal) * normal;
    let slope = length(along);
    if (slope < DEEPEST_FLAT) {
      break;
    }
    let target_ = p - (step / slope) * along;
    let closest = closestToOrigin(a - target_, b - target_, c - target_);
    p = closest.point + target_;
    phi = signedDistance(k, p);
    if (phi.w < lowest) {
      lowest = phi.w;
      best = closest.barycentric;
    }
    step *= DEEPEST_SHRINK;
  }
  return best;
}
