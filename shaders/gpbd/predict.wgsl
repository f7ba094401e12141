#import "gpbd/step.wgsl"
#import "gpbd/stages/predict.wgsl"
#import "gpbd/contact/anchor-place.wgsl"
#import "gpbd/access/start-of.wgsl"
#import "gpbd/access/set-displacement.wgsl"
#import "gpbd/access/velocity-of.wgsl"

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
@group(0) @binding(2) var<storage, read> velocity: array<vec4f>;
// xyz: where a pinned particle is to be at the end of the frame [m]; w: inverse mass [1/kg], 0 when pinned
@group(0) @binding(3) var<storage, read> pins: array<vec4f>;
// xyz: displacement by contact in this substep; w: accumulated normal push [m]. After those of the particles: what face-contact.wgsl adds
@group(0) @binding(4) var<storage, read_write> contact: array<vec4f>;
// acceleration by the air [m/s²], see air.wgsl
@group(0) @binding(5) var<storage, read> particleAir: array<vec4f>;

fn pinOf(p: u32) -> vec4f {
  return pins[p];
}

fn airOf(p: u32) -> vec3f {
  return particleAir[p].xyz;
}

fn setContact(p: u32, c: vec4f) {
  contact[p] = c;
  contact[step.particleCount + p] = vec4f(0.0);
  // An anchor that the last substep has not set is gone.
  let anchor = contact[anchorPlace(p)].w;
  if (anchor != 0.0) { contact[anchorPlace(p)].w = min(0.0, -anchor); }
}

@compute @workgroup_size(64)
fn predict(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < step.particleCount) { predictParticle(id.x); }
}
