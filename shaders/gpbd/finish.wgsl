#import "gpbd/step.wgsl"
#import "gpbd/read-particles.wgsl"
#import "gpbd/contact/read-clearance.wgsl"
#import "gpbd/stages/finish.wgsl"
#import "gpbd/access/velocity-of.wgsl"
#import "gpbd/access/set-clearance.wgsl"

@group(0) @binding(0) var<storage, read_write> start: array<vec4f>;
@group(0) @binding(1) var<storage, read> displacement: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> velocity: array<vec4f>;
// first frame with a displacement that was not finite; 0xffffffff while there is none
@group(0) @binding(3) var<storage, read_write> frozenAt: atomic<u32>;

// lower bound of the distance to every obstacle [m]; the last: how far proxies have yielded, see move-proxies.wgsl
@group(0) @binding(4) var<storage, read_write> clearance: array<f32>;

// see predict.wgsl
@group(0) @binding(5) var<storage, read> pins: array<vec4f>;
// no pin pulls harder than this [N]; 0 where it holds exactly, and where there is none
@group(0) @binding(6) var<storage, read> pinLimits: array<f32>;

fn setStart(p: u32, x: vec4f) {
  start[p] = x;
}

fn setVelocity(p: u32, v: vec4f) {
  velocity[p] = v;
}

fn pinOf(p: u32) -> vec4f {
  return pins[p];
}

fn pinLimitOf(p: u32) -> f32 {
  return pinLimits[p];
}

@compute @workgroup_size(64)
fn finish(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < step.particleCount) { finishParticle(id.x); }
}
