#import "newton/deformable/model.wgsl"

// Contacts of deformable bodies, and the rows that the contact problem has for each.

struct FemContact {
  // up to three nodes with their weights; those without one repeat the first
  nodes: vec3u,
  body: u32,
  weights: vec3f,
  friction: f32,
  // unit normal, out of what is touched
  normal: vec3f,
  // number of the same contact in the last frame's impulses, or NO_CONTACT
  previous: u32,
  // where the node is when the gap is closed, at the start of the frame: anchor + anchorLow
  anchor: vec3f,
  // first of its blocks in `columns`, which begin with its first node
  column: u32,
  anchorLow: vec3f,
  firstNode: u32,
  // velocity of what is touched, where that is no rigid body
  speed: vec3f,
  // place of the rigid body, or NO_CONTACT; normal and anchor are then in the frame of its principal axes
  place: u32,
}

const NO_CONTACT = 0xffffffffu;

struct FemContactWork {
  // n, t₁, t₂
  directions: mat3x3f,
  // at the start of the step [m]
  gap: f32,
  // friction before the step [N s]
  anchor: vec2f,
  // from the centre of mass of the rigid body [m]
  arm: vec3f,
}

struct FemContactRow {
  // p [N s], b and v [m/s], φ [m/s]
  impulse: f32,
  bias: f32,
  speed: f32,
  residual: f32,
  // Δp, W Δp, and what to go back to
  change: f32,
  response: f32,
  kept: f32,
  keptSpeed: f32,
  best: f32,
  // µ of a contact's normal row
  friction: f32,
  // Γ and bounds of a joint's row
  compliance: f32,
  lower: f32,
  upper: f32,
  kind: u32,
  // takes part in the linear problem: as which unknown; and, of that number, which row it is
  isActive: u32,
  unknown: u32,
  listed: u32,
}

const ROW_NORMAL = 0u;
const ROW_SLIDE1 = 1u;
const ROW_SLIDE2 = 2u;
const ROW_JOINT = 3u;
// of joints that have fewer than three
const ROW_ABSENT = 4u;

@group(0) @binding(30) var<storage, read> contacts: array<FemContact>;
@group(0) @binding(31) var<storage, read_write> contactWorks: array<FemContactWork>;
// world axes, four numbers each: those of the last frame and of this, in turn
@group(0) @binding(32) var<storage, read_write> softImpulses: array<vec4f>;
// L⁻¹ Jᵀ: nine numbers a node, three for each row of a contact
@group(0) @binding(33) var<storage, read_write> columns: array<f32>;
// W, size × size, then room for the linear problem
@group(0) @binding(34) var<storage, read_write> delassus: array<f32>;
@group(0) @binding(35) var<storage, read_write> contactRows: array<FemContactRow>;
// compressed rows: 4 c + corner at each node
@group(0) @binding(36) var<storage, read> nodeContacts: array<u32>;

// Part of an overlap that a step takes back.
const SOFT_RECOVERY = 0.25;

// Bias of a gap: how fast it may close, or has to open.
fn gapSpeed(gap: f32) -> f32 {
  return select(max(SOFT_RECOVERY * gap / soft.h, -soft.recoverySpeed), gap / soft.h, gap >= 0.0);
}
