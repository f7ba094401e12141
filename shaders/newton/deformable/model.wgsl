// Deformable bodies of the Newton solver on the GPU: records and buffers. Twin of deformable/fem-body.ts and coupled-solver.ts,
// whose heads explain the symbols.
//
// node     a particle, numbered body after body in the order of elimination; a row of blocks of the matrix
// entry    of the matrix: a block of 3 × 3 numbers, row-major, within the envelope
// contact  three rows: normal and two directions of friction

struct FemStep {
  gravity: vec3f,
  // time step [s]
  h: f32,
  // number of the step in the frame, and time left in the frame when it begins [s]
  substep: u32,
  timeLeft: f32,
  nodes: u32,
  elements: u32,
  bodies: u32,
  entries: u32,
  contacts: u32,
  // rows of the contact problem
  size: u32,
  warmStart: u32,
  // largest change of a velocity that ends the iteration [m/s]
  enough: f32,
  // of the contact problem [m/s]
  tolerance: f32,
  regularization: f32,
  // where the impulses of the last frame and of this begin
  oldImpulses: u32,
  newImpulses: u32,
  // 1: elements are damped
  isDamped: u32,
  safeguard: u32,
  // how fast overlaps are taken back at most [m/s]
  recoverySpeed: f32,
}

// Input of the host for a body in a frame.
struct FemBodyInput {
  firstNode: u32,
  nodeCount: u32,
  gravityFactor: f32,
  // [1/s]
  damping: f32,
  // [kg]
  mass: f32,
}

struct FemNode {
  // target of a fixed node at the end of the frame, or the place to which a spring pulls another node; goal + goalLow
  goal: vec3f,
  mass: f32,
  goalLow: vec3f,
  isFixed: u32,
  body: u32,
  // its number among the particles of all bodies, in the order of the models
  particle: u32,
  // first node of its row of the matrix, last node whose row reaches its column, entry of the row's first block
  firstColumn: u32,
  lastRow: u32,
  firstEntry: u32,
  // of the spring to the goal [N/m], 0 without one
  spring: f32,
}

struct FemNodeState {
  // q⁻ = position + low, and the velocity at the start of the step
  position: vec3f,
  low: vec3f,
  velocity: vec3f,
  // u, ũ
  u: vec3f,
  free: vec3f,
  // g
  imbalance: vec3f,
  // û
  linear: vec3f,
  // Jᵀ p
  push: vec3f,
  // Δu, and the u that it starts from
  change: vec3f,
  kept: vec3f,
  // right-hand side of a linear problem, and its solution
  right: vec3f,
  // 1: it goes to its goal, or its body stands still
  isHeld: u32,
  solution: vec3f,
}

// Corners 1 to 3 with their gradients at rest; those of corner 0 are minus their sum. Of bending the first two
// gradients are springs without length between corners a > b, at a (a - 1)/2 + b [N/m].
struct FemElement {
  corners: vec4u,
  gradient1: vec3f,
  // rest volume [m³]
  volume: f32,
  gradient2: vec3f,
  mu: f32,
  gradient3: vec3f,
  lambda: f32,
  // 3 tetrahedron, 2 triangle, 1 segment, 0 bending
  dimension: u32,
  law: u32,
  // Kelvin-Voigt [s]
  damping: f32,
  // its number in `driven`
  stressAt: u32,
  // what its mass holds against getting flat, times h² [Pa s²]
  inertia: f32,
}

// g of the corners, and h² times the stiffness of two corners a ≥ b, at a (a + 1)/2 + b
struct FemElementWork {
  force: array<vec3f, 4>,
  stiffness: array<mat3x3f, 10>,
}

struct FemBodyControl {
  // elements go without the negative parts of their stiffness
  isProjected: u32,
  // the matrix was not positive as it is
  isFailed: u32,
  // the step is being shortened
  isSearching: u32,
  halvings: u32,
  // slope of the potential along Δu at its start
  slope: f32,
  part: f32,
  // ‖Δu‖, root of the mean square by mass [m/s]
  size: f32,
  // the body turned non-finite: it stands where it was
  isFrozen: u32,
}

struct FemControl {
  state: u32,
  iterations: u32,
  // ‖Δu‖ of the iteration before
  change: f32,
}

// Work of the next passes: a whole iteration, only the evaluation of a shorter step, or nothing any more.
const SOFT_GOES_ON = 0u;
const SOFT_SEARCHES = 1u;
const SOFT_SOLVED = 2u;
// a matrix was not positive: another one first
const SOFT_REPEATS = 3u;

// Steps below this [m/s] are taken as they are.
const SMALL_CHANGE = 1e-4;
// Part of the slope that may be left, with the other sign, where a step ends.
const SLOPE_LEFT = 0.9;
const MOST_HALVINGS = 12u;

@group(1) @binding(1) var<uniform> soft: FemStep;

@group(0) @binding(16) var<storage, read> softBodies: array<FemBodyInput>;
@group(0) @binding(17) var<storage, read> softNodes: array<FemNode>;
@group(0) @binding(18) var<storage, read_write> nodeStates: array<FemNodeState>;
@group(0) @binding(19) var<storage, read> elements: array<FemElement>;
// activation [Pa] and share of the elastic forces
@group(0) @binding(20) var<storage, read> driven: array<vec2f>;
@group(0) @binding(21) var<storage, read_write> elementWorks: array<FemElementWork>;
// h D of two corners, ten an element; empty where nothing is damped
@group(0) @binding(22) var<storage, read_write> dampingBlocks: array<mat3x3f>;
// compressed rows: corners 4 e + a at each node; stiffness blocks at each entry of the matrix, 32 e + 2 pair + transposed
@group(0) @binding(23) var<storage, read> nodeCorners: array<u32>;
@group(0) @binding(24) var<storage, read> entryParts: array<u32>;
// row of each entry, by node
@group(0) @binding(25) var<storage, read> entryRows: array<u32>;
// entries, then the inverse factors of the diagonal blocks
@group(0) @binding(26) var<storage, read_write> matrix: array<f32>;
@group(0) @binding(27) var<storage, read_write> bodyControls: array<FemBodyControl>;
@group(0) @binding(28) var<storage, read_write> softControl: FemControl;

// The end of an iteration: what the next one would change is less than if this one had only fallen by the same factor.
// `start`: largest change of a velocity of rigid bodies [m/s]
fn noteChange(start: f32) {
  var change = start;
  for (var b = 0u; b < soft.bodies; b++) { change = max(change, bodyControls[b].size); }
  // Changes that are small and do not get smaller are rounding.
  let isRounding = softControl.iterations > 0u && change < SMALL_CHANGE && change > 0.5 * softControl.change;
  if (change <= soft.enough || change * change <= soft.enough * softControl.change || isRounding) {
    softControl.state = SOFT_SOLVED;
  }
  softControl.change = change;
  softControl.iterations++;
}

// Diagonal of M: the mass of a node, and h² k of its spring [kg].
fn inertiaOf(i: u32) -> f32 {
  return softNodes[i].mass + soft.h * soft.h * softNodes[i].spring;
}
