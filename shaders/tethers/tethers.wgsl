#import "tethers/hold.wgsl"
#import "gpbd/read-particles.wgsl"
#import "gpbd/access/set-displacement.wgsl"

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
// of each particle TETHERS, nearest first
@group(0) @binding(2) var<storage, read> tethers: array<Tether>;
@group(0) @binding(3) var<uniform> parameters: TetherParameters;

fn tetherAt(i: u32) -> Tether {
  return tethers[i];
}

@compute @workgroup_size(64)
fn holdTethers(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < parameters.particleCount) { holdParticle(id.x); }
}
