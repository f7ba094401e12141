#import "fused/table.wgsl"
#import "gpbd/stages/air.wgsl"
#import "gpbd/access/start-of.wgsl"
#import "gpbd/access/velocity-of.wgsl"
#import "gpbd/access/set-clearance.wgsl"

// The data of a body that goes through a frame in one dispatch: the state is in the body's own buffers, and the rest in one scratch buffer.

@group(0) @binding(0) var<storage, read_write> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> velocity: array<vec4f>;
// see finish.wgsl
@group(0) @binding(2) var<storage, read_write> frozenAt: atomic<u32>;
@group(0) @binding(3) var<storage, read_write> clearance: array<f32>;
@group(0) @binding(4) var<storage, read_write> scratch: array<vec4f>;

fn membraneAt(e: u32) -> MembraneElement {
  let at = body.membranes + 2u * e;
  return MembraneElement(table[at].xyz, bitcast<f32>(table[at].w), bitcast<vec4f>(table[at + 1u]));
}

fn bendingCorner(i: u32) -> BendingCorner {
  let corner = table[body.bendings + i];
  return BendingCorner(bitcast<vec3f>(corner.xyz), corner.w);
}

fn tetherAt(i: u32) -> Tether {
  return tetherIn(i);
}

fn pinOf(p: u32) -> vec4f {
  return bitcast<vec4f>(table[body.pins + p]);
}

fn pinLimitOf(p: u32) -> f32 {
  return bitcast<f32>(word(body.pinLimits, p));
}

fn cornersOf(face: u32) -> vec3u {
  return table[body.faces + face].xyz;
}

fn firstFace(p: u32) -> u32 {
  return word(body.faceRows, p);
}

fn faceEntry(i: u32) -> u32 {
  return word(body.faceEntries, i);
}

fn setStart(p: u32, x: vec4f) {
  start[p] = x;
}

fn setVelocity(p: u32, v: vec4f) {
  velocity[p] = v;
}

fn clearanceOf(p: u32) -> f32 {
  return clearance[p];
}

fn proxiesYield() -> f32 {
  return clearance[firstStep.particleCount];
}

fn displacementOf(p: u32) -> vec4f {
  return scratch[p];
}

fn setDisplacement(p: u32, u: vec4f) {
  scratch[p] = u;
}

fn contactOf(p: u32) -> vec4f {
  return scratch[body.contacts + p];
}

fn setContact(p: u32, c: vec4f) {
  scratch[body.contacts + p] = c;
}

fn airOf(p: u32) -> vec3f {
  return scratch[body.particleAirs + p].xyz;
}

fn faceAirOf(face: u32) -> vec3f {
  return scratch[body.faceAirs + face].xyz;
}

fn facePushOf(corner: u32) -> vec4f {
  return scratch[body.facePushes + corner];
}

fn setShare(slot: u32, share: vec3f) {
  scratch[body.shares + slot] = vec4f(share, 0.0);
}

fn firstShare(p: u32) -> u32 {
  return word(rows, p);
}

fn shareAt(i: u32) -> vec4f {
  return scratch[body.shares + word(entries, i)];
}

fn valence(p: u32) -> f32 {
  return f32(word(rows, p + 1u) - word(rows, p));
}
