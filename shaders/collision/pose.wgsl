// Twin of src/collision/shape/pose.ts.

#import "collision/bindings.wgsl"

struct Pose {
  position: vec3f,
  rotation: vec4f,
}

fn isMoving(k: u32) -> bool {
  return colliders[k].moving != 0u || colliders[k].proxy != 0u;
}

// Pose of a primitive at the start of the substep, a fraction of the frame; at 1 the frame is over.
fn poseAtStart(k: u32, fraction: f32) -> Pose {
  if (colliders[k].proxy != 0u && fraction < 1.0) {
    return Pose(colliders[k].substepStartPosition, colliders[k].substepStartRotation);
  }
  return poseAtEnd(k, fraction);
}

fn poseAtEnd(k: u32, fraction: f32) -> Pose {
  if (colliders[k].proxy != 0u) { return Pose(colliders[k].substepEndPosition, colliders[k].substepEndRotation); }
  return poseAt(k, fraction);
}

fn poseAt(k: u32, fraction: f32) -> Pose {
  if (colliders[k].moving == 0u) { return Pose(colliders[k].startPosition, colliders[k].startRotation); }
  let position = mix(colliders[k].startPosition, colliders[k].endPosition, fraction);
  return Pose(position, normalize(mix(colliders[k].startRotation, colliders[k].endRotation, fraction)));
}

fn rotateBy(q: vec4f, v: vec3f) -> vec3f {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

fn rotateBackBy(q: vec4f, v: vec3f) -> vec3f {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) - q.w * v);
}
