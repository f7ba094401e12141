#import "fused/pairs/vertex-pairs.wgsl"
#import "surface/turn.wgsl"
#import "gpbd/access/body-surface.wgsl"
#import "gpbd/stages/contact.wgsl"
#import "gpbd/stages/particle-near.wgsl"
#import "gpbd/stages/finish.wgsl"

// Particles of cloth that stays in the state of its patches from turn to turn. The importing module supplies also shiftOf and commonMotion.

@group(1) @binding(0) var<uniform> step: StepParameters;
// see patches.wgsl; after the displacements what obstacles have moved
@group(0) @binding(3) var<storage, read_write> state: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> surfaceStart: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> surfaceShift: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> pairs: array<SurfacePair>;
@group(0) @binding(5) var<storage, read> rows: array<u32>;
@group(0) @binding(8) var<storage, read_write> loads: array<f32>;
@group(0) @binding(19) var<storage, read_write> gone: array<vec4f>;
@group(0) @binding(15) var<storage, read_write> frozenAt: atomic<u32>;
@group(0) @binding(16) var<storage, read> pins: array<vec4f>;
@group(0) @binding(17) var<storage, read> pinLimits: array<f32>;

fn startOf(p: u32) -> vec4f {
  return state[2u * p];
}

fn setStart(p: u32, x: vec4f) {
  state[2u * p] = x;
}

fn clearanceOf(p: u32) -> f32 {
  return state[2u * p + 1u].w;
}

fn setClearance(p: u32, value: f32) {
  state[2u * p + 1u].w = value;
}

fn velocityOf(p: u32) -> vec4f {
  return state[2u * p + 1u];
}

fn setVelocity(p: u32, v: vec4f) {
  state[2u * p + 1u] = vec4f(v.xyz, clearanceOf(p));
}

fn displacementOf(p: u32) -> vec4f {
  return state[2u * surface.particleCount + p];
}

fn setDisplacement(p: u32, u: vec4f) {
  state[2u * surface.particleCount + p] = u;
}

fn contactOf(p: u32) -> vec4f {
  return state[3u * surface.particleCount + p];
}

fn setContact(p: u32, c: vec4f) {
  state[3u * surface.particleCount + p] = c;
}

// No rigid body yields to it.
fn proxiesYield() -> f32 {
  return 0.0;
}

fn pinOf(p: u32) -> vec4f {
  return pins[p];
}

fn pinLimitOf(p: u32) -> f32 {
  return pinLimits[p];
}

fn startAt(p: u32) -> vec3f {
  return surfaceStart[p].xyz;
}

fn turned(p: u32) -> vec3f {
  return startOf(p).xyz - startAt(p) + displacementOf(p).xyz;
}

fn touch(p: u32) {
  let u = displacementOf(p);
  // Pins stay at their targets.
  if (step.colliderCount > 0u && u.w != 0.0 && particleIsNear(p, u.xyz)) {
    _ = touchParticle(p, vec4f(0.0));
  }
}
