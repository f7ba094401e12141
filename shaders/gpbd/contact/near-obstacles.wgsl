#import "gpbd/step.wgsl"
#import "gpbd/cloth/faces.wgsl"
#import "gpbd/cloth/corners.wgsl"
#import "gpbd/read-particles.wgsl"
#import "gpbd/contact/read-clearance.wgsl"
#import "gpbd/contact/work-list-append.wgsl"
#import "gpbd/contact/face-pushes.wgsl"
#import "gpbd/stages/near.wgsl"

// All particles and faces that may touch an obstacle go on a list for the contact kernels.

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
// the last, after those of the particles: how far proxies have yielded, see move-proxies.wgsl [m]
@group(0) @binding(2) var<storage, read> clearance: array<f32>;
// see reaction.wgsl
@group(0) @binding(12) var<storage, read_write> reaction: array<vec4f>;

// Pins stay at their targets, and a carried particle goes with its body.
fn mayTouch(p: u32) -> bool {
  return p < step.particleCount && displacement[p].w != 0.0 && reaction[p].w >= 0.0;
}

fn takeFacePush(p: u32) {
  let push = pushByFaces(p);
  displacement[p] += vec4f(push.xyz, 0.0);
  contact[step.particleCount + p] += push;
  if (push.w != 0.0) { reaction[p] = vec4f(reaction[p].xyz + push.xyz, push.w); }
}

@compute @workgroup_size(64)
fn particles(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (!mayTouch(p)) { return; }
  if (particleIsNear(p, displacement[p].xyz)) { appendToList(p); }
}

@compute @workgroup_size(64)
fn takeFacePushes(@builtin(global_invocation_id) id: vec3u) {
  if (mayTouch(id.x)) { takeFacePush(id.x); }
}

@compute @workgroup_size(64)
fn faceList(@builtin(global_invocation_id) id: vec3u) {
  let face = id.x;
  if (face >= step.faceCount) { return; }
  if (faceIsNear(face)) {
    appendToList(face);
    return;
  }
  clearFacePushes(face);
}
