// Records of the local-global solver: twins of the state of a body in src/solvers/local-global. All bodies of a group are one
// after the other in every buffer; src/solvers/local-global/gpu/buffers.ts lists the buffers.
//
// vertex  number in the models' order;  column  number in the order of elimination, of S and of y = S r
// q⁻ start of the step, d = q − q⁻, q̃ prediction;  h time step [s];  z = h² λ [kg m]

const NO_COLUMN = 0xffffffffu;

// Fourth number of `pins`: 0 for a free vertex, or the way in which it is held.
const HELD_EXACTLY = 1.0;
const HELD_SOFTLY = 2.0;

// Parameters of a substep; the host writes one slot for every substep of a frame.
struct LocalGlobalStep {
  // [m/s²]
  gravity: vec3f,
  // time step h [s]
  h: f32,
  // how far held vertices go towards their targets: 1 / substeps left
  pinShare: f32,
  vertexCount: u32,
  bodyCount: u32,
  frame: u32,
  // part of a correction that becomes velocity, see `FrameInput.pace`
  pace: f32,
}

// Rows whose values of S are in one buffer: whole quads, see quads.wgsl.
struct ValueRange {
  firstRow: u32,
  endRow: u32,
  // columns of all bodies
  columnCount: u32,
  // pieces of S b that are of these rows
  firstPiece: u32,
  endPiece: u32,
  // pieces of Sᵀ y, of all rows; if only held vertices are wanted, of their columns
  backwardPieces: u32,
  // held vertices of all bodies
  pinCount: u32,
}

// Input of the host for a body.
struct LocalGlobalBody {
  // vertices and columns have the same numbers
  firstVertex: u32,
  vertexCount: u32,
  // in `pinned` and `pinForces`, ascending in columns
  firstPin: u32,
  pinCount: u32,
  // of (E A⁻¹ Eᵀ + C)⁻¹, pinCount × pinCount
  firstPinEntry: u32,
  gravityFactor: f32,
  // [1/s]
  damping: f32,
}

// The rotation of a body as a whole, see turning.ts, and whether it is sound.
struct LocalGlobalBodyState {
  // middle of the body when its iterations start, counted from `start` of its first vertex [m]
  middle: vec3f,
  // 0: the body cannot be turned as a whole
  isTurned: u32,
  // T [1/(kg m²)]
  turn: mat3x3f,
  // θ since the last local step: what the rotation of the whole adds, then what contact adds
  theta: vec3f,
  // frame in which it turned non-finite, 0 while it is sound; then it stands
  frozenAt: u32,
  // torque of contact forces about q less that about x: contact writes it before `forward` of an iteration [kg m²]
  lag: vec3f,
  // what θ answers [kg m²]
  moment: vec3f,
  // Θ: sum of all θ of the step before the last local step
  turned: vec3f,
  // 1 while steps are to change nothing, see keep-contacts.wgsl
  isHalted: u32,
  // 1 where contacts or cables take part in the step
  isTouched: u32,
}

// A column j of S, and row j. The column has entries at its ancestors, itself first. Row i has entries in the columns
// first(i) … i, without gaps: that at column j is values[at(i) + 4 j], modulo 2³².
struct SparseColumn {
  // place in the buffer of the row's values, as if there was a column 0
  at: u32,
  // ancestors, with itself
  depth: u32,
  // first descendant
  first: u32,
  // the column after its block, all of which are ancestors of j from j on, and after those `parent`
  blockEnd: u32,
  // NO_COLUMN for none
  parent: u32,
  vertex: u32,
  body: u32,
}
