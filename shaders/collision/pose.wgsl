// Twin of src/collision/pose.ts.

#import "collision/bindings.wgsl"

struct Pose {
  position: vec3f,
  rotation: vec4f,
}

// Pose of a primitive at a fraction of the frame.
fn poseAt(k: u32, fraction: f32) -> Pose {
  if (colliders[k].moving == 0u) {
    return Pose(colliders[k].startPosition, colliders[k].startRotation);
  }
  let position = mix(colliders[k].startPosition, colliders[k].endPosition, fraction);
  return Pose(position, normalize(mix(colliders[k].startRotation, colliders[k].endRotation, fraction)));
}

fn rotateBy(q: vec4f, v: vec3f) -> vec3f {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

fn rotateBackBy(q: vec4f, v: vec3f) -> vec3f {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) - q.w * v);
}
