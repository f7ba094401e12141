#import "fused/pairs/vertex-pairs.wgsl"

// The stages of resolve.wgsl and bounds.wgsl for such GPUs. Displacements are read from one half of their list and written to the other.

@group(0) @binding(1) var<storage, read> surfaceStart: array<vec4f>;
// w: inverse mass
@group(0) @binding(2) var<storage, read_write> surfaceShift: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> pairs: array<SurfacePair>;
@group(0) @binding(5) var<storage, read> rows: array<u32>;
// see pair-push.wgsl
@group(0) @binding(8) var<storage, read_write> loads: array<f32>;
// see bounds.wgsl
@group(0) @binding(10) var<storage, read> commonMotion: array<vec4f>;
@group(0) @binding(11) var<storage, read_write> gone: array<vec4f>;

// whether displacements are in the second half
override isBack: bool = false;
// whether it is the first projection of a turn: normals are those at its start then, see orientPairs
override isFirst: bool = false;

fn startAt(p: u32) -> vec3f {
  return surfaceStart[p].xyz;
}

fn shiftOf(p: u32) -> vec4f {
  return surfaceShift[select(p, surface.particleCount + p, isBack)];
}

fn setOther(p: u32, u: vec4f) {
  surfaceShift[select(surface.particleCount + p, p, isBack)] = u;
}

@compute @workgroup_size(64)
fn loadVertices(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < surface.particleCount) { findLoad(id.x, isFirst); }
}

@compute @workgroup_size(64)
fn pushVertices(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < surface.particleCount) { setOther(id.x, vec4f(pushed(id.x), shiftOf(id.x).w)); }
}

@compute @workgroup_size(64)
fn slideVertices(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= surface.particleCount) { return; }
  let least = tightestOf(p);
  let u = shiftOf(p);
  if (least.share < 1.0) {
    setOther(p, vec4f(slid(u.xyz, least.share, least.pair), u.w));
  } else {
    setOther(p, u);
  }
}

@compute @workgroup_size(64)
fn limitVertices(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p < surface.particleCount) {
    let u = shiftOf(p);
    setOther(p, vec4f(limited(p, u.xyz, tightestOf(p).share), u.w));
  }
}
