#import "collision/pose.wgsl"
#import "collision/distance/nearest-of-hull.wgsl"
#import "local-global/detect/features.wgsl"
#import "local-global/detect/own-normals.wgsl"

// The normal of a point of a solid at an edge of an obstacle: twin of rim-normal.ts, which tells why.

// A point is at an edge if it goes by no further beside it than so many thicknesses, and begins no higher above it than RIM_NEAR.
const RIM_BESIDE = 1.0;
const RIM_NEAR = 2.0;
// Two directions of which the cosine is no less are one.
const RIM_SAME = 0.999999;
// Another obstacle covers the nearest point if that is no further from it, and the point a thickness above it nearer than that, in
// thicknesses.
const RIM_COVERED = 0.05;
const RIM_HIDDEN = 0.999;

// In the frame of the obstacle: a plane that bears the point, and where this ends.
struct RimPlane {
  normal: vec3f,
  isRim: bool,
  point: vec3f,
  end: vec3f,
}

// Purpose of a query of the distance.
const RIM_AT_START = 0u;
const RIM_COVER = 1u;
const RIM_ABOVE_COVER = 2u;
const RIM_OF_COVER = 3u;
const RIM_OF_SOLID = 4u;

fn rimPlane(k: u32, own: ContactOwner, start: vec3f, displacement: vec3f, thickness: f32) -> RimPlane {
  var none: RimPlane;
  let pose = poseAtStart(k, contactStep.fraction0);
  let endPose = poseAtEnd(k, contactStep.fraction1);
  let place = rotateBackBy(pose.rotation, start - pose.position);
  let end = rotateBackBy(endPose.rotation, start - endPose.position + displacement);
  let isSolid = own.endFace > own.firstFace;
  var near = vec3f(0.0);
  // nearest point, and a thickness above it, here and in the world
  var edge = vec3f(0.0);
  var edgeInWorld = vec3f(0.0);
  var aboveInWorld = vec3f(0.0);
  var other = pose;
  var j = 0u;
  var which = k;
  var asked = place;
  var stage = RIM_AT_START;
  // One call of the distance for all: see sweep.wgsl. The loop ends by itself; the bound is for inputs that are not numbers.
  for (var left = 2u * contactStep.colliderCount + 4u; left > 0u; left--) {
    var phi = signedDistance(which, asked);
    if (withHulls) {
      if (stage == RIM_AT_START && phi.w > 0.0 && colliders[k].kind == COLLIDER_HULL) {
        phi = nearestOfHull(k, place, phi);
      }
    }
    var wish = vec3f(0.0);
    if (stage == RIM_AT_START) {
      if (!(phi.w > 0.0) || phi.w > RIM_NEAR * thickness + distance(end, place)) { return none; }
      near = phi.xyz;
      edge = place - phi.w * near;
      edgeInWorld = rotateBy(pose.rotation, edge) + pose.position;
      aboveInWorld = edgeInWorld + thickness * rotateBy(pose.rotation, near);
      j = nextCover(k, 0u, edgeInWorld, thickness);
    } else if (stage == RIM_COVER) {
      if (phi.w <= RIM_COVERED * thickness) {
        asked = rotateBackBy(other.rotation, aboveInWorld - other.position);
        stage = RIM_ABOVE_COVER;
        continue;
      }
      j = nextCover(k, j + 1u, edgeInWorld, thickness);
    } else if (stage == RIM_ABOVE_COVER) {
      if (phi.w < RIM_HIDDEN * thickness) {
        wish = rotateBackBy(pose.rotation, rotateBy(other.rotation, phi.xyz));
        stage = RIM_OF_COVER;
      } else {
        j = nextCover(k, j + 1u, edgeInWorld, thickness);
      }
    } else if (dot(phi.xyz, near) < RIM_SAME) {
      let point = asked - phi.w * phi.xyz;
      let height = dot(place - point, phi.xyz);
      let beside = place - point - height * phi.xyz;
      let way = end - place - dot(end - place, phi.xyz) * phi.xyz;
      let size = dot(way, way);
      let part = clamp(-dot(beside, way) / select(1.0, size, size > 0.0), 0.0, 1.0);
      let isOver = length(beside + part * way) <= RIM_BESIDE * thickness;
      return RimPlane(phi.xyz, height > 0.0 && height <= RIM_NEAR * thickness && isOver, point, end);
    } else if (stage == RIM_OF_SOLID) {
      return none;
    } else {
      wish = near;
      stage = RIM_OF_SOLID;
    }
    if (all(wish == vec3f(0.0))) {
      if (j < contactStep.colliderCount) {
        other = poseAtStart(j, contactStep.fraction0);
        which = j;
        asked = rotateBackBy(other.rotation, edgeInWorld - other.position);
        stage = RIM_COVER;
        continue;
      }
      wish = near;
      stage = RIM_OF_SOLID;
    }
    if (stage == RIM_OF_SOLID && !isSolid) { return none; }
    if (isSolid) { wish = nearestDirection(own, pose.rotation, wish); }
    which = k;
    asked = edge + thickness * select(wish, near, all(wish == vec3f(0.0)));
  }
  return none;
}

// The next obstacle from a place on, but for k, that may cover a point.
fn nextCover(k: u32, first: u32, point: vec3f, thickness: f32) -> u32 {
  for (var j = first; j < contactStep.colliderCount; j++) {
    let reach = RIM_COVERED * thickness + colliders[j].slack;
    if (j != k && all(point + reach >= colliders[j].boundsMin) && all(point - reach <= colliders[j].boundsMax)) {
      return j;
    }
  }
  return contactStep.colliderCount;
}

// The direction nearest to another one that is a sum of normals into the solid, zero for none.
fn nearestDirection(own: ContactOwner, rotation: vec4f, near: vec3f) -> vec3f {
  var directions: array<vec3f, OWN_FACES>;
  let count = min(own.endFace - own.firstFace, OWN_FACES);
  for (var i = 0u; i < count; i++) {
    let face = owners[own.firstFace + i].vertices;
    let a = surfaceStart[face.x].xyz;
    let normal = cross(surfaceStart[face.y].xyz - a, surfaceStart[face.z].xyz - a);
    let size = length(normal);
    directions[i] = rotateBackBy(rotation, normal / select(1.0, size, size > 0.0));
  }
  return turnIntoCone(&directions, count, near);
}
