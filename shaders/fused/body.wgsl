#import "gpbd/step-parameters.wgsl"
#import "gpbd/cloth/membrane-solve.wgsl"
#import "gpbd/cloth/sheet-bending-solve.wgsl"
#import "gpbd/stages/air.wgsl"
#import "gpbd/stages/contact.wgsl"
#import "gpbd/stages/face-contact.wgsl"
#import "gpbd/stages/finish.wgsl"
#import "gpbd/stages/gather.wgsl"
#import "gpbd/stages/near.wgsl"
#import "gpbd/stages/predict.wgsl"
#import "tethers/hold.wgsl"

// The data of a body that goes through a frame in one dispatch. A shader may have eight storage buffers: so the state is in the body's own
// ones, all constants are in one table, and the rest is in one scratch buffer.

struct FusedBody {
  membraneCoefficients: vec4f,
  membraneDamping: f32,
  bendingDamping: f32,
  // see TetherParameters
  slack: f32,
  rest: f32,
  // first entries in the table: of four numbers each
  membranes: u32,
  membraneRows: u32,
  membraneEntries: u32,
  membraneColors: u32,
  bendings: u32,
  bendingRows: u32,
  bendingEntries: u32,
  bendingColors: u32,
  faces: u32,
  faceRows: u32,
  faceEntries: u32,
  pins: u32,
  pinLimits: u32,
  tethers: u32,
  substepTable: u32,
  // first entries in the scratch buffer; displacements come first
  contacts: u32,
  shares: u32,
  facePushes: u32,
  faceAirs: u32,
  particleAirs: u32,
  // 1 where all are swept at once
  membraneColorCount: u32,
  bendingColorCount: u32,
  bendingInterval: u32,
  substeps: u32,
  // 0 without air
  airInterval: u32,
  contactPasses: u32,
  // 0 or 1
  hasTethers: u32,
}

@group(0) @binding(0) var<storage, read_write> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> velocity: array<vec4f>;
// see finish.wgsl
@group(0) @binding(2) var<storage, read_write> frozenAt: atomic<u32>;
@group(0) @binding(3) var<storage, read_write> clearance: array<f32>;
@group(0) @binding(4) var<storage, read_write> scratch: array<vec4f>;
@group(0) @binding(5) var<storage, read> table: array<vec4u>;
@group(0) @binding(6) var<uniform> body: FusedBody;
// of the first substep
@group(0) @binding(7) var<uniform> firstStep: StepParameters;

// Uniforms in other kernels.
var<private> step: StepParameters;
var<private> range: ElementRange;
var<private> material: MembraneMaterial;
var<private> parameters: TetherParameters;
// of the elements that are swept: first entries of their incidence
var<private> rows: u32;
var<private> entries: u32;

// The numbers from an entry of the table on, four an entry.
fn word(first: u32, i: u32) -> u32 {
  return table[first + (i >> 2u)][i & 3u];
}

fn membraneAt(e: u32) -> MembraneElement {
  let at = body.membranes + 2u * e;
  return MembraneElement(table[at].xyz, bitcast<f32>(table[at].w), bitcast<vec4f>(table[at + 1u]));
}

fn bendingCorner(i: u32) -> BendingCorner {
  let corner = table[body.bendings + i];
  return BendingCorner(bitcast<vec3f>(corner.xyz), corner.w);
}

fn bendingDamping() -> f32 {
  return body.bendingDamping;
}

fn tetherAt(i: u32) -> Tether {
  return Tether(bitcast<i32>(word(body.tethers, 2u * i)), bitcast<f32>(word(body.tethers, 2u * i + 1u)));
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

// A single iteration starts from nothing and keeps nothing.
fn trackedOf(_slot: u32) -> vec3f {
  return vec3f(0.0);
}

fn setTracked(_slot: u32, _d: vec3f) {
}

// Takes the parameters that differ from one substep to the next.
fn beginSubstep(substep: u32) {
  let shares = bitcast<vec4f>(table[body.substepTable + 2u * substep]);
  step.pinShare = shares.x;
  step.gripShare = shares.y;
  step.fractionStart = shares.z;
  step.fractionEnd = shares.w;
  step.obstacleMotion = bitcast<f32>(table[body.substepTable + 2u * substep + 1u].x);
}
