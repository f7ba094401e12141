#import "tethers/hold.wgsl"

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
// of each particle TETHERS, nearest first
@group(0) @binding(2) var<storage, read> tethers: array<Tether>;
@group(0) @binding(3) var<uniform> parameters: TetherParameters;

fn startOf(p: u32) -> vec4f {
  return start[p];
}

fn tetherAt(i: u32) -> Tether {
  return tethers[i];
}

fn displacementOf(p: u32) -> vec4f {
  return displacement[p];
}

fn setDisplacement(p: u32, u: vec4f) {
  displacement[p] = u;
}

@compute @workgroup_size(64)
fn holdTethers(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < parameters.particleCount) { holdParticle(id.x); }
}
