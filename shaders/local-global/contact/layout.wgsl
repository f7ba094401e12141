// Records of contact: twins of src/solvers/local-global/contact/contact-list.ts and delassus.ts.
//
// u   displacement since the start of the step [m];  z = h² λ [kg m], a normal and two tangential components
// δ   frame · Σ w u − offset: gap of the normal row, slip of the step of the tangential ones [m]
// G   entries of A⁻¹ between touched vertices [1/kg];  W = H A⁻¹ Hᵀ (27)

const NO_SLOT = 0xffffffffu;
const NO_VERTEX = 0xffffffffu;

// Kinds of records: contacts; cables that pull, and such that push too; and further segments of the cable before them, which have
// its force. Records of cables come first, each a segment of its way: towards each other from both ends. See contact/cables.wgsl.
const KIND_CONTACT = 0u;
const KIND_CABLE = 1u;
const KIND_PUSHING_CABLE = 2u;
const KIND_SEGMENT = 3u;

struct SoftContact {
  // NO_VERTEX where there are fewer than four
  vertices: vec4u,
  // places of the vertices among the touched ones
  slots: vec4u,
  weights: vec4f,
  // unit; the second tangent is normal × tangent
  normal: vec3f,
  friction: f32,
  tangent: vec3f,
  // 1 + place of the rigid body that is touched, 0 for none
  proxy: u32,
  offset: vec3f,
  // what names a contact from step to step: whose it is, and with what
  owner: u32,
  z: vec3f,
  other: u32,
  // place of the contact [m]
  point: vec3f,
  // of the first vertex
  body: u32,
  kind: u32,
  // of a cable: how many records it has; e/h² [1/kg]
  segments: u32,
  compliance: f32,
}

// Values of a contact that live within a step.
struct SoftContactWork {
  // δ without contact forces
  free: vec3f,
  delta: vec3f,
  // r (28), or with M⁻¹
  scale: vec3f,
  // W_jj
  diagonal: vec3f,
  // rows that the linear system is solved for: 1, others 0; E; right-hand side, or what the others do at once
  engaged: vec3f,
  compliance: vec3f,
  b: vec3f,
  // of conjugate residuals; `residual` is r there, s = r over the diagonal. See contact/projection.wgsl, too
  inverse: vec3f,
  x: vec3f,
  residual: vec3f,
  s: vec3f,
  p: vec3f,
  ap: vec3f,
  // z before the last step
  before: vec3f,
  // that W is multiplied with, in world axes
  force: vec3f,
}

struct TouchedVertex {
  // N θ = θ × arms
  arms: vec3f,
  vertex: u32,
  // u when the iterations start
  origin: vec3f,
  column: u32,
  // Hᵀ z
  force: vec3f,
  body: u32,
  // A⁻¹ of that; and u before contact
  moved: vec3f,
  // of its contacts in `incidence`
  firstIncidence: u32,
  endIncidence: u32,
  // first value of its column of S in `delassus`, and how many there are; behind them what held vertices take off, see
  // delassus/held.wgsl
  at: u32,
  depth: u32,
  // G of the vertex with itself
  diagonal: f32,
}

// A body, or a rigid body after all those: what moves as a whole.
struct ContactNode {
  // T of a body, inverse inertia of a rigid one
  turn: mat3x3f,
  // of a body: touched vertices; of a rigid body: its contacts in `incidence`
  first: u32,
  count: u32,
  // first entry of G in `delassus`; NO_SLOT where it is not stored
  entries: u32,
  inverseMass: f32,
  // centre of mass of a rigid body [m]
  centre: vec3f,
  // held vertices: the first of them in `heldColumns`, and how many
  firstHeld: u32,
  force: vec3f,
  heldCount: u32,
  moment: vec3f,
  // what these turn and shift
  theta: vec3f,
  shift: vec3f,
  // see rigid-proxy.ts
  support: vec3f,
  blocked: mat3x3f,
}

// State of a step that kernels and host read.
struct ContactControl {
  count: u32,
  // contacts that were found, which may be more than there is room for
  wanted: u32,
  touched: u32,
  // values that `delassus` should have room for, for all of G to be stored; and whether it is
  wantedValues: u32,
  isStored: u32,
  // whether several dispatches a round solve the contacts, and the most rounds that an iteration of the frame has taken so far, the last
  // ones of passes and those before; see contact/wide.wgsl
  isWide: u32,
  rounds: u32,
  lastRounds: u32,
  // Newton steps and projected gradients of all iterations
  steps: u32,
  projections: u32,
  // see ContactResiduals in contact-solver.ts
  complementarity: f32,
  frictionCone: f32,
  stickingSlip: f32,
  cables: f32,
  // pairs of surfaces that the search of this step or one before has found, at most
  wantedPairs: u32,
  // passes of this step so far, and how many of them a step that has halted wants
  passes: u32,
  wantedPasses: u32,
  // whether there is need for the pass that is under way
  isOpen: u32,
  // contacts that the next step remembers
  keptCount: u32,
  // the first step that has found more than there was room for, by its number; 0 for none. See keep-contacts.wgsl
  haltedAt: u32,
  // of the last step
  number: u32,
  generation: u32,
  error: f32,
  // 1 while the steps that follow are of an attempt at the frame that is not needed: they change nothing
  isIdle: u32,
  // whether a step of the attempt left a body deep in an obstacle
  isDeep: u32,
  // parts in which the frame was taken, parts that were needed, and parts that a frame that has halted wants; see trust/judge.wgsl
  parts: u32,
  usedParts: u32,
  wantedParts: u32,
  // frames that were taken again, counted each time
  repeated: u32,
}

// Workgroups for indirect dispatches: one for each touched vertex, and 64 touched vertices or contacts in each. Of the first two either
// `read` or `readMany` is for contact/read.wgsl, the other one zero.
struct ContactGroups {
  eachTouched: vec3u,
  touched: vec3u,
  contacts: vec3u,
  read: vec3u,
  readMany: vec3u,
}

// G of a body is stored where it has no more than this many times the values of columns that products would read in its place.
const ENTRIES_PER_VALUE = 2u;
// From so many touched vertices on one workgroup takes longer than several dispatches a round.
const WIDE_TOUCHED = 256u;
// In place of a number of rounds: more than were encoded.
const MORE_ROUNDS = 0xffffffffu;

// A column of S as products by way of S need it.
struct ContactColumn {
  // of S Hᵀ z
  y: vec3f,
  depth: u32,
  // touched vertices among its descendants and itself
  first: u32,
  end: u32,
  // see SparseColumn
  blockEnd: u32,
  parent: u32,
  // Σ cᵥ fᵥ of the held vertex with this number
  held: vec3f,
}

// Purposes of a detection: the first pass of a step; a later pass, if one is needed; or only a check whether one is needed.
const FIRST_PASS = 0u;
const LATER_PASS = 1u;
const PASS_CHECK = 2u;

// Weight of what is not held that a contact needs: what moves it less is moved without bound by it.
const LEAST_MOVABLE = 1e-3;

// Contacts are looked for again where a body is deeper in another, as a part of its thickness.
const PASS_OVERLAP = 0.1;

// Slots for every substep: for each kind of detection, and for the last iteration.
struct ContactStep {
  fraction0: f32,
  fraction1: f32,
  detection: u32,
  // whether contacts are written, not counted
  writes: u32,
  // contacts are looked for again where a gap is less than minus this [m]
  overlap: f32,
  colliderCount: u32,
  // number of the step, from 1, and how often steps were encoded again
  number: u32,
  generation: u32,
  // room for contacts, for values in `delassus`, and for pairs of surfaces
  capacity: u32,
  valueCapacity: u32,
  pairCapacity: u32,
  // whether there may be more room for values
  mayGrow: u32,
  // whether rounds of contact/wide.wgsl are encoded
  hasRounds: u32,
  vertexCount: u32,
  bodyCount: u32,
  rigidCount: u32,
  newtonIterations: u32,
  constraintIterations: u32,
  // 0 minimum map, 1 Fischer-Burmeister
  ncp: u32,
  isGuarded: u32,
  isLast: u32,
  // owners of contacts: vertices, edges and faces, vertices inside, then what meets other surfaces
  featureOwners: u32,
  innerOwners: u32,
  surfaceOwners: u32,
  usesMass: u32,
  // cables, and their records
  cableCount: u32,
  cableRecords: u32,
  // h [s]
  stepTime: f32,
  // beyond `overlap`, as a part of the thickness of the body
  overlapThicknesses: f32,
  frame: u32,
  // [s]
  frameTime: f32,
  gravity: vec3f,
  // in so many times as many steps; and how many attempts are encoded, in one part, two, four
  parts: u32,
  attempts: u32,
  // whether frames are judged at all
  isJudged: u32,
  // energy that rigid bodies may give [J]
  rigidSupply: f32,
  // of obstacles that yield to nobody; bodies may always move as slowly as the last [m/s]
  ledSpeed: f32,
  slowSpeed: f32,
}

// Of an owner, while contacts are counted: how many it has, and whether one of them is an overlap.
const OWN_COUNT = 0x7fffffffu;
const OWN_OVERLAP = 0x80000000u;

// Owners of contacts that are on one body: a vertex, an edge or a face. Of the surface of a solid with the faces that have all of its
// vertices, which are among the owners or behind them.
struct ContactOwner {
  vertices: vec3u,
  body: u32,
  firstFace: u32,
  endFace: u32,
}

// Of a body.
struct ContactOptions {
  // distance to keep [m], and how far beyond it contacts are taken up [m]
  thickness: f32,
  margin: f32,
  friction: f32,
  // whether there is an inside
  isSolid: u32,
  // of the wind that it feels [m/s]
  windSpeed: f32,
}

fn secondTangent(c: SoftContact) -> vec3f {
  return cross(c.normal, c.tangent);
}

// Of a vector in the world the components that a contact sees, and back.
fn inFrame(c: SoftContact, v: vec3f) -> vec3f {
  return vec3f(dot(c.normal, v), dot(c.tangent, v), dot(secondTangent(c), v));
}

fn outOfFrame(c: SoftContact, z: vec3f) -> vec3f {
  return z.x * c.normal + z.y * c.tangent + z.z * secondTangent(c);
}

// A unit vector across a normal: along the axis that is least along the normal, as ContactList.setNormal has it.
fn tangentOf(n: vec3f) -> vec3f {
  let a = abs(n);
  var axis = vec3f(0.0, 0.0, 1.0);
  if (a.x <= a.y && a.x <= a.z) {
    axis = vec3f(1.0, 0.0, 0.0);
  } else if (a.y <= a.z) {
    axis = vec3f(0.0, 1.0, 0.0);
  }
  return normalize(cross(n, axis));
}

// All owners of a step. In `ownerStart` places of the contacts are followed by those in the list before, which is behind the room for
// contacts: that of the last pass, or of the last step. See keep-contacts.wgsl.
fn ownerCount(step: ContactStep) -> u32 {
  return step.featureOwners + step.surfaceOwners;
}
