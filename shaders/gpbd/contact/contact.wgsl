#import "gpbd/step.wgsl"
#import "gpbd/contact/work-list.wgsl"
#import "collision/contact/particle-contact.wgsl"

// Contact and friction of the particles that near-obstacles.wgsl listed.

// w: how much less distance than the thickness the particle keeps, see overlap.ts
@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> clearance: array<f32>;
// xyz: displacement by contact in this substep; w: accumulated normal push [m]
@group(0) @binding(4) var<storage, read_write> contact: array<vec4f>;
// see reaction.wgsl
@group(0) @binding(12) var<storage, read_write> reaction: array<vec4f>;

@compute @workgroup_size(64)
fn contacts(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= atomicLoad(&workList.count)) {
    return;
  }
  let p = workList.items[id.x];
  let before = displacement[p];
  let origin = start[p];
  let result = resolveParticleContact(
    step.colliderCount, origin.xyz, before.xyz, contact[p], step.thickness - origin.w, step.friction, step.fractionStart,
    step.fractionEnd, before.w,
  );
  displacement[p] = vec4f(result.displacement, before.w);
  contact[p] = result.contact;
  clearance[p] = result.clearance;
  if (result.reaction.w != 0.0) {
    reaction[p] = vec4f(reaction[p].xyz + result.reaction.xyz, result.reaction.w);
  }
}
