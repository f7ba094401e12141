// Twin of src/collision/sweep.ts, which tells how and why. Points go by x⁻ and the displacement x - x⁻, which keeps the
// small differences that contact is about out of the large coordinates.

#import "collision/bindings.wgsl"
#import "collision/pose.wgsl"
#import "collision/signed-distance.wgsl"

const TOUCHING = 0.05;
const SAME_SIDE = 0.7;
const MOST_STEPS = 64u;
const LEAST_STEP_OF_THICKNESS = 0.125;
const BISECTIONS = 4u;

struct SweepContact {
  normal: vec3f,
  push: f32,
  surfaceDisplacement: vec3f,
  touching: bool,
}

fn noContact() -> SweepContact {
  return SweepContact(vec3f(0.0), 0.0, vec3f(0.0), false);
}

// Whether the path, grown by the thickness, is clear of the box of the primitive.
fn pathMisses(k: u32, start: vec3f, displacement: vec3f, thickness: f32) -> bool {
  let end = start + displacement;
  let reach = vec3f((1.0 + TOUCHING) * thickness);
  return !(all(min(start, end) - reach <= colliders[k].boundsMax) && all(max(start, end) + reach >= colliders[k].boundsMin));
}

fn sweepContact(
  k: u32,
  start: vec3f,
  displacement: vec3f,
  thickness: f32,
  fraction0: f32,
  fraction1: f32,
) -> SweepContact {
  if (pathMisses(k, start, displacement, thickness)) {
    return noContact();
  }
  let moving = colliders[k].moving != 0u;
  let pose0 = poseAt(k, fraction0);
  var pose1 = pose0;
  let p0 = rotateBackBy(pose0.rotation, start - pose0.position);
  var way = rotateBackBy(pose0.rotation, displacement);
  if (moving) {
    pose1 = poseAt(k, fraction1);
    way = rotateBackBy(pose1.rotation, start - pose1.position + displacement) - p0;
  }
  let p1 = p0 + way;
  let pathLength = length(way);
  let phi1 = signedDistance(k, p1);
  if (phi1.w > pathLength + (1.0 + TOUCHING) * thickness) {
    return noContact();
  }
  var entry = PathEntry(vec3f(0.0), vec4f(0.0), false);
  if (phi1.w <= pathLength) {
    entry = findEntry(k, p0, way, pathLength, phi1, thickness);
  }
  var normal = phi1.xyz;
  var push = thickness - phi1.w;
  // from p1 to the surface point below the contact
  var toSurface = -phi1.w * normal;
  if (entry.found) {
    let move = pushBack(k, p1, entry, thickness);
    push = length(move);
    if (push == 0.0) {
      return noContact();
    }
    normal = move / push;
    toSurface = move - thickness * normal;
  } else if (push < -TOUCHING * thickness) {
    return noContact();
  }
  var surfaceDisplacement = vec3f(0.0);
  if (moving) {
    let surface = p1 + toSurface;
    let turned = rotateBy(pose1.rotation, surface) - rotateBy(pose0.rotation, surface);
    surfaceDisplacement = turned + (pose1.position - pose0.position);
  }
  return SweepContact(rotateBy(pose1.rotation, normal), max(push, 0.0), surfaceDisplacement, true);
}

struct PathEntry {
  point: vec3f,
  // normal and φ there
  phi: vec4f,
  // whether p1 must be brought back to this side
  found: bool,
}

fn findEntry(k: u32, p0: vec3f, way: vec3f, pathLength: f32, phi1: vec4f, thickness: f32) -> PathEntry {
  var entry = PathEntry(p0, signedDistance(k, p0), true);
  let phi0 = entry.phi.w;
  if (phi0 > 0.0) {
    if (phi1.w > 0.0 && phi0 + phi1.w > pathLength) {
      entry.found = false;
      return entry;
    }
    entry = followPath(k, p0, way, pathLength, phi0, phi1.w, thickness);
  }
  entry.found = entry.found && dot(entry.phi.xyz, phi1.xyz) < SAME_SIDE;
  return entry;
}

// Conservative advancement along the path.
fn followPath(k: u32, p0: vec3f, way: vec3f, pathLength: f32, phi0: f32, phi1: f32, thickness: f32) -> PathEntry {
  let least = max(LEAST_STEP_OF_THICKNESS * thickness, pathLength / f32(MOST_STEPS)) / pathLength;
  var outside = 0.0;
  var inside = 0.0;
  var phi = phi0;
  for (var i = 0u; i < MOST_STEPS && inside == 0.0; i++) {
    let t = outside + max(phi / pathLength, least);
    if (t >= 1.0) {
      if (phi1 > 0.0) {
        return PathEntry(p0, vec4f(0.0), false);
      }
      inside = 1.0;
    } else {
      phi = signedDistance(k, p0 + t * way).w;
      if (phi <= 0.0) {
        inside = t;
      } else {
        outside = t;
      }
    }
  }
  for (var i = 0u; i < BISECTIONS; i++) {
    let middle = 0.5 * (outside + inside);
    if (signedDistance(k, p0 + middle * way).w <= 0.0) {
      inside = middle;
    } else {
      outside = middle;
    }
  }
  let point = p0 + outside * way;
  return PathEntry(point, signedDistance(k, point), true);
}

// The way from p1 to the near side of the tangent plane at the entry, then twice out of the solid.
fn pushBack(k: u32, p1: vec3f, entry: PathEntry, thickness: f32) -> vec3f {
  let height = entry.phi.w - thickness + dot(entry.phi.xyz, p1 - entry.point);
  var move = max(-height, 0.0) * entry.phi.xyz;
  for (var i = 0u; i < 2u; i++) {
    let phi = signedDistance(k, p1 + move);
    if (phi.w >= thickness) {
      break;
    }
    move += (thickness - phi.w) * phi.xyz;
  }
  return move;
}
