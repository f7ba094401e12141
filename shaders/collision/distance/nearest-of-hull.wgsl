// Twin of src/collision/distance/nearest-of-hull.ts.

#import "collision/distance/signed-distance.wgsl"

// Planes that meet at the nearest point, rounds over them, and the part of the distance from a hull up to which a point is on it.
const HULL_NEAREST_PLANES = 4u;
const HULL_NEAREST_ROUNDS = 24u;
const HULL_ON = 1e-4;

// told: what the planes tell at a point outside, in the frame of the hull
fn nearestOfHull(k: u32, point: vec3f, told: vec4f) -> vec4f {
  var planes: array<vec4f, HULL_NEAREST_PLANES>;
  var nearest = point;
  var next = told;
  for (var count = 1u; count <= HULL_NEAREST_PLANES; count++) {
    planes[count - 1u] = vec4f(next.xyz, dot(next.xyz, nearest) - next.w);
    var shares: array<f32, HULL_NEAREST_PLANES>;
    nearest = point;
    for (var round = 0u; round < HULL_NEAREST_ROUNDS; round++) {
      for (var i = 0u; i < count; i++) {
        let plane = planes[i];
        let change = max(-shares[i], dot(plane.xyz, nearest) - plane.w);
        shares[i] += change;
        nearest -= change * plane.xyz;
      }
    }
    next = hullDistance(nearest, colliders[k].dataOffset, u32(colliders[k].size.x));
    if (next.w <= HULL_ON * told.w) {
      if (count == 1u) { return told; }
      break;
    }
  }
  let away = point - nearest;
  let size = length(away);
  return vec4f(away / size, size);
}
