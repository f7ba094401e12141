// Twin of src/collision/distance/deepest-point.ts.

#import "collision/distance/signed-distance.wgsl"
#import "collision/distance/triangle.wgsl"

const DEEPEST_STEPS = 10u;
const DEEPEST_SHRINK = 0.7;
const DEEPEST_FLAT = 1e-3;

// Barycentric coordinates of the deepest point of a triangle in the frame of the primitive, or of a vertex where no point
// is deeper than it needs: where the centroid is above clearance, or, for a convex primitive, the whole triangle is above
// convexClearance by a tangent.
fn deepestPoint(
  k: u32,
  a: vec3f,
  b: vec3f,
  c: vec3f,
  radius: f32,
  clearance: f32,
  convexClearance: f32,
) -> vec3f {
  let vertex = vec3f(1.0, 0.0, 0.0);
  let product = cross(b - a, c - a);
  let area = length(product);
  let normal = select(vec3f(0.0), product / area, area > 0.0);
  var p = (a + b + c) / 3.0;
  var barycentric = vec3f(1.0 / 3.0);
  var lowest = 1e30;
  var best = barycentric;
  var step = radius;
  for (var i = 0u; i <= DEEPEST_STEPS; i++) {
    let phi = signedDistance(k, p);
    let rise = min(dot(phi.xyz, a - p), min(dot(phi.xyz, b - p), dot(phi.xyz, c - p)));
    if ((i == 0u && phi.w > clearance) || (isConvex(k) && phi.w + rise > convexClearance)) { return vertex; }
    if (phi.w < lowest) {
      lowest = phi.w;
      best = barycentric;
    }
    let along = phi.xyz - dot(phi.xyz, normal) * normal;
    let slope = length(along);
    if (slope < DEEPEST_FLAT) { break; }
    var way = (-step / slope) * along;
    // If an edge is in the way, a whole step along it; one call, see sweep.wgsl.
    for (var attempt = 0u; attempt < 2u; attempt++) {
      let aim = p + way;
      let closest = closestToOrigin(a - aim, b - aim, c - aim);
      barycentric = closest.barycentric;
      way += closest.point;
      let moved = length(way);
      if (moved < DEEPEST_FLAT * step || moved > 0.99 * step || attempt == 1u) { break; }
      way *= step / moved;
    }
    p += way;
    step *= DEEPEST_SHRINK;
  }
  return best;
}

// Signed distances of convex primitives are convex functions, which lie above their tangents.
fn isConvex(k: u32) -> bool {
  let kind = colliders[k].kind;
  return kind != COLLIDER_GRID && kind != COLLIDER_HEIGHTFIELD;
}
