#import "gpbd/step.wgsl"
#import "gpbd/contact/work-list.wgsl"
#import "gpbd/stages/contact.wgsl"
#import "gpbd/stages/particle-near.wgsl"
#import "gpbd/contact/touched-particles.wgsl"
#import "gpbd/contact/particle-surface.wgsl"
#import "gpbd/contact/anchor-place.wgsl"

// Contact and friction of the particles that near-obstacles.wgsl listed, or of all.

// w: how much less distance than the thickness the particle keeps, see overlap.ts
@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> clearance: array<f32>;
// xyz: displacement by contact in this substep; w: accumulated normal push [m]; see anchor-place.wgsl
@group(0) @binding(4) var<storage, read_write> contact: array<vec4f>;
// see reaction.wgsl
@group(0) @binding(12) var<storage, read_write> reaction: array<vec4f>;

fn proxiesYield() -> f32 {
  return clearance[step.particleCount];
}

fn resolve(p: u32) {
  let touched = touchParticle(p, contact[anchorPlace(p)]);
  let given = touched.reaction;
  if (given.w != 0.0) {
    reaction[p] = vec4f(reaction[p].xyz + given.xyz, given.w);
  }
  if (touched.anchor.w != 0.0) {
    contact[anchorPlace(p)] = touched.anchor;
  }
}

@compute @workgroup_size(64)
fn contacts(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < atomicLoad(&workList.count)) {
    resolve(workList.items[id.x]);
  }
}

// In one dispatch, in place of three: particles that are far from obstacles end at once.
@compute @workgroup_size(64)
fn nearContacts(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < step.particleCount) {
    resolveNear(id.x);
  }
}

fn resolveNear(p: u32) {
  // Pins stay at their targets, and a carried particle goes with its body.
  let u = displacement[p];
  if (u.w == 0.0 || reaction[p].w < 0.0) {
    return;
  }
  if (particleIsNear(p, u.xyz)) {
    resolve(p);
  }
}
