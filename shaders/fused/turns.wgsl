#import "fused/pairs/turn-state.wgsl"

// Contact of cloth with itself and with obstacles at the end of a turn in patches: particles stay in the patches' state from turn to turn, so
// that a stage takes all that happens to a particle between two looks at its neighbors.

// of the body, where the next search looks for it
@group(0) @binding(12) var<storage, read_write> bodyStart: array<vec4f>;
@group(0) @binding(13) var<storage, read_write> bodyVelocity: array<vec4f>;
@group(0) @binding(14) var<storage, read_write> bodyClearance: array<f32>;
@group(0) @binding(18) var<storage, read> commonMotion: array<vec4f>;

// whether displacements are in the second half
override isBack: bool = false;
// whether they are still in the state alone
override isOpen: bool = false;

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
  touch(p);
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
