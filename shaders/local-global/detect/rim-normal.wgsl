#import "collision/pose.wgsl"
#import "collision/distance/signed-distance.wgsl"
#import "local-global/detect/features.wgsl"

// The normal of a point of a solid at an edge of an obstacle: twin of rim-normal.ts, which tells why.

// A point is at an edge if it goes by no further beside it than so many thicknesses, and begins no higher above it than RIM_NEAR.
const RIM_BESIDE = 1.0;
const RIM_NEAR = 2.0;
// Two directions of which the cosine is no less are one.
const RIM_SAME = 0.999999;
// Rounds over the faces at a point, fewer if one changes less than this; and faces that count.
const RIM_ROUNDS = 16u;
const RIM_SETTLED = 1e-7;
const RIM_FACES = 32u;

// In the frame of the obstacle: a plane that bears the point, and where this ends.
struct RimPlane {
  normal: vec3f,
  isRim: bool,
  point: vec3f,
  end: vec3f,
}

fn rimPlane(k: u32, own: ContactOwner, start: vec3f, displacement: vec3f, thickness: f32) -> RimPlane {
  var none: RimPlane;
  let pose = poseAtStart(k, contactStep.fraction0);
  let endPose = poseAtEnd(k, contactStep.fraction1);
  let place = rotateBackBy(pose.rotation, start - pose.position);
  let end = rotateBackBy(endPose.rotation, start - endPose.position + displacement);
  var near = vec3f(0.0);
  var asked = place;
  // One call of the distance for both: see sweep.wgsl.
  for (var n = 0u; n < 2u; n++) {
    let phi = signedDistance(k, asked);
    if (n == 0u) {
      if (!(phi.w > 0.0) || phi.w > RIM_NEAR * thickness + distance(end, place)) {
        return none;
      }
      near = phi.xyz;
      let direction = nearestDirection(own, pose.rotation, near);
      if (all(direction == vec3f(0.0)) || dot(direction, near) >= RIM_SAME) {
        return none;
      }
      asked = place - phi.w * near + thickness * direction;
    } else if (dot(phi.xyz, near) < RIM_SAME) {
      let point = asked - phi.w * phi.xyz;
      let height = dot(place - point, phi.xyz);
      let beside = place - point - height * phi.xyz;
      let way = end - place - dot(end - place, phi.xyz) * phi.xyz;
      let size = dot(way, way);
      let part = clamp(-dot(beside, way) / select(1.0, size, size > 0.0), 0.0, 1.0);
      let isOver = length(beside + part * way) <= RIM_BESIDE * thickness;
      return RimPlane(phi.xyz, height > 0.0 && height <= RIM_NEAR * thickness && isOver, point, end);
    }
  }
  return none;
}

// The direction nearest to another one that is a sum of normals into the solid, zero for none.
fn nearestDirection(own: ContactOwner, rotation: vec4f, near: vec3f) -> vec3f {
  var shares: array<f32, RIM_FACES>;
  let count = min(own.endFace - own.firstFace, RIM_FACES);
  var rest = near;
  for (var round = 0u; round < RIM_ROUNDS; round++) {
    var most = 0.0;
    for (var i = 0u; i < count; i++) {
      let face = owners[own.firstFace + i].vertices;
      let a = surfaceStart[face.x].xyz;
      let normal = cross(surfaceStart[face.y].xyz - a, surfaceStart[face.z].xyz - a);
      let size = length(normal);
      let inward = rotateBackBy(rotation, normal / select(1.0, size, size > 0.0));
      let change = max(-shares[i], dot(rest, inward));
      shares[i] += change;
      rest -= change * inward;
      most = max(most, abs(change));
    }
    if (most <= RIM_SETTLED) {
      break;
    }
  }
  let sum = near - rest;
  let size = length(sum);
  return select(vec3f(0.0), sum / size, size > 0.0);
}
