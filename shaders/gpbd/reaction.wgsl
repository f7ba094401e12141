#import "gpbd/step.wgsl"

// Hands the displacements by reactive obstacles back to them as impulses: twin of returnReactions in
// src/collision/contact-reaction.ts. One workgroup for each such obstacle sums over all particles in a fixed order, so that
// runs are bit-identical.

// Impulse [N s] and angular impulse about the world's origin [N m s] that an obstacle was given.
struct ColliderReaction {
  impulse: vec3f,
  angularImpulse: vec3f,
}

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read> displacement: array<vec4f>;
// xyz: displacement by a reactive obstacle in this substep [m]; w: 1 + its place in colliderReactions, 0 for none
@group(0) @binding(12) var<storage, read_write> reaction: array<vec4f>;
@group(0) @binding(13) var<storage, read_write> colliderReactions: array<ColliderReaction>;

const lanes = 64u;
var<workgroup> impulses: array<vec3f, lanes>;
var<workgroup> angularImpulses: array<vec3f, lanes>;

@compute @workgroup_size(64)
fn returnReactions(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let owner = f32(group.x + 1u);
  var impulse = vec3f(0.0);
  var angularImpulse = vec3f(0.0);
  for (var p = lane; p < step.particleCount; p += lanes) {
    let given = reaction[p];
    if (given.w != owner) {
      continue;
    }
    reaction[p] = vec4f(0.0);
    let u = displacement[p];
    if (u.w == 0.0) {
      continue;
    }
    let j = -given.xyz / (step.h * u.w);
    impulse += j;
    angularImpulse += cross(start[p].xyz + u.xyz, j);
  }
  impulses[lane] = impulse;
  angularImpulses[lane] = angularImpulse;
  for (var half = lanes / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      impulses[lane] += impulses[lane + half];
      angularImpulses[lane] += angularImpulses[lane + half];
    }
  }
  if (lane == 0u) {
    colliderReactions[group.x].impulse += impulses[0];
    colliderReactions[group.x].angularImpulse += angularImpulses[0];
  }
}
