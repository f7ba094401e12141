#import "surface/turn-body.wgsl"
#import "gpbd/step-parameters.wgsl"
#import "gpbd/stages/contact.wgsl"
#import "gpbd/stages/particle-near.wgsl"
#import "gpbd/contact/touched-particles.wgsl"
#import "gpbd/contact/particle-surface.wgsl"

// Takes what surfaces have pushed to the bodies, lets obstacles push, and gathers that: three dispatches in one.

@group(1) @binding(0) var<uniform> step: StepParameters;
// see contact.wgsl
@group(0) @binding(5) var<storage, read_write> contact: array<vec4f>;

// No rigid body yields to it.
fn proxiesYield() -> f32 {
  return 0.0;
}

@compute @workgroup_size(64)
fn touchInTurn(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= part.count) { return; }
  giveTurn(p, surfaceShift[(arrayLength(&surfaceShift) >> 1u) + part.first + p].xyz);
  let u = displacement[p];
  // Pins stay at their targets.
  if (step.colliderCount > 0u && u.w != 0.0 && particleIsNear(p, u.xyz)) { _ = touchParticle(p, vec4f(0.0)); }
  takeTurn(p);
}
