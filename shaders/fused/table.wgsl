#import "gpbd/step-parameters.wgsl"
#import "gpbd/cloth/membrane-solve.wgsl"
#import "gpbd/cloth/sheet-bending-solve.wgsl"
#import "gpbd/access/body-surface.wgsl"
#import "gpbd/stages/contact.wgsl"
#import "gpbd/stages/face-contact.wgsl"
#import "gpbd/stages/finish.wgsl"
#import "gpbd/stages/gather.wgsl"
#import "gpbd/stages/near.wgsl"
#import "gpbd/stages/predict.wgsl"
#import "tethers/hold.wgsl"

// The constants of a frame of a body that takes several stages in one dispatch. A shader may have eight storage buffers: so all are in
// one table.

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
}

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

fn bendingDamping() -> f32 {
  return body.bendingDamping;
}

fn tetherIn(i: u32) -> Tether {
  return Tether(bitcast<i32>(word(body.tethers, 2u * i)), bitcast<f32>(word(body.tethers, 2u * i + 1u)));
}

// Takes the parameters that all substeps share.
fn beginFrame() {
  step = firstStep;
  material = MembraneMaterial(body.membraneCoefficients, body.membraneDamping);
  parameters = TetherParameters(body.slack, body.rest, firstStep.particleCount);
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

// A single iteration starts from nothing and keeps nothing.
fn trackedOf(_slot: u32) -> vec3f {
  return vec3f(0.0);
}

fn setTracked(_slot: u32, _d: vec3f) {
}
