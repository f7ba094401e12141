#import "fused/vertex-pairs.wgsl"
#import "surface/turn.wgsl"
#import "gpbd/stages/contact.wgsl"
#import "gpbd/stages/particle-near.wgsl"
#import "gpbd/stages/finish.wgsl"

// Contact of cloth with itself and with obstacles at the end of a turn in patches: particles stay in the patches' state from turn to turn, so
// that a stage takes all that happens to a particle between two looks at its neighbors.

@group(1) @binding(0) var<uniform> step: StepParameters;
// see patches.wgsl; after the displacements what obstacles have moved
@group(0) @binding(3) var<storage, read_write> state: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> surfaceStart: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> surfaceShift: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> pairs: array<SurfacePair>;
@group(0) @binding(5) var<storage, read> rows: array<u32>;
@group(0) @binding(8) var<storage, read_write> loads: array<f32>;
@group(0) @binding(18) var<storage, read> commonMotion: array<vec4f>;
@group(0) @binding(19) var<storage, read_write> gone: array<vec4f>;
// of the body, where the next search looks for it
@group(0) @binding(12) var<storage, read_write> bodyStart: array<vec4f>;
@group(0) @binding(13) var<storage, read_write> bodyVelocity: array<vec4f>;
@group(0) @binding(14) var<storage, read_write> bodyClearance: array<f32>;
@group(0) @binding(15) var<storage, read_write> frozenAt: atomic<u32>;
@group(0) @binding(16) var<storage, read> pins: array<vec4f>;
@group(0) @binding(17) var<storage, read> pinLimits: array<f32>;

// whether displacements are in the second half
override isBack: bool = false;
// whether they are still in the state alone
override isOpen: bool = false;

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

fn shiftOf(p: u32) -> vec4f {
  if (isOpen) {
    return vec4f(turned(p), displacementOf(p).w);
  }
  return surfaceShift[select(p, surface.particleCount + p, isBack)];
}

@compute @workgroup_size(64)
fn openTurn(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p < surface.particleCount) {
    findLoad(p, true);
    surfaceShift[p] = shiftOf(p);
    setContact(p, vec4f(0.0));
  }
}

// A projection ends: surfaces push, and then obstacles.
@compute @workgroup_size(64)
fn pushInTurn(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= surface.particleCount) {
    return;
  }
  giveTurn(p, pushed(p));
  let u = displacementOf(p);
  // Pins stay at their targets.
  if (step.colliderCount > 0u && u.w != 0.0 && particleIsNear(p, u.xyz)) {
    _ = touchParticle(p);
  }
  surfaceShift[select(surface.particleCount + p, p, isBack)] = vec4f(turned(p), displacementOf(p).w);
}

@compute @workgroup_size(64)
fn limitTurn(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p < surface.particleCount) {
    giveTurn(p, limited(p, shiftOf(p).xyz, tightestOf(p).share));
  }
}

// The next turn begins where this one ends.
@compute @workgroup_size(64)
fn closeTurn(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= surface.particleCount) {
    return;
  }
  finishParticle(p);
  bodyStart[p] = startOf(p);
  surfaceStart[p] = startOf(p);
  let v = state[2u * p + 1u];
  bodyVelocity[p] = vec4f(v.xyz, 0.0);
  bodyClearance[p] = v.w;
}
