// Rigid bodies, contacts and joints as flat records: twin of src/solvers/newton in f32.
//
// q = (x, θ)  pose of the centre of mass and the principal axes; u = (ẋ, ω) velocity in world axes
// p = h λ     impulses
// block       up to three rows of J between the same two bodies: a contact (normal, two directions of friction), or rows of
//             a joint. An invocation works on a block.
// place       of a body: its record in `inputs` and `states`; local: its number within its island

// Input of the host for a body in a frame.
struct BodyInput {
  // [N]
  force: vec3f,
  inverseMass: f32,
  // [N m]
  torque: vec3f,
  linearDamping: f32,
  // principal moments [kg m²]; all 0: nothing turns the body
  inertia: vec3f,
  angularDamping: f32,
  inverseInertia: vec3f,
  gravityFactor: f32,
  // pose to take over before the frame, if flags say so
  position: vec3f,
  flags: u32,
  rotation: vec4f,
  // the part of the position that f32 has no room for; see BodyState
  low: vec3f,
  // to be added before the frame
  velocityChange: vec3f,
  maxSpeed: f32,
  spinChange: vec3f,
  maxSpin: f32,
}

const BODY_DYNAMIC = 1u;
const BODY_KINEMATIC = 2u;
const BODY_PLACED = 4u;
// velocities are set instead of changed
const BODY_LAUNCHED = 8u;
// something pushes it or may do so: it belongs to an island with blocks
const BODY_IN_ISLAND = 16u;

struct BodyState {
  position: vec3f,
  // 1 where the velocity turned non-finite: the body stands where it was
  broken: f32,
  rotation: vec4f,
  // x = position + low: the next f32 after 3 m is 2e-7 m away, which in a step is a speed that never comes to rest
  low: vec3f,
  velocity: vec3f,
  inverseMass: f32,
  spin: vec3f,
  // 1 for a body that goes its way whatever pushes it: its pose is that at the start of the frame
  isKinematic: f32,
  // inverse inertia in world axes at the end of the free motion: 0 for whatever cannot be pushed
  inverseInertia: mat3x3f,
}

struct Block {
  // where the contact is on each body, in the frame of its principal axes, or, with `BLOCK_ROUND`, in world axes from its
  // centre [m]
  anchorA: vec3f,
  placeA: u32,
  anchorB: vec3f,
  placeB: u32,
  // unit normal from A to B: in the frame of A, B, or the world, as `kind` says
  normal: vec3f,
  kind: u32,
  friction: f32,
  restitution: f32,
  // blocks of one colour share no dynamic body
  colour: u32,
  // contact: number of the same contact in the last frame's impulses / 4, or NONE
  previous: u32,
  // numbers of the bodies in the island, NONE for those that nothing pushes
  localA: u32,
  localB: u32,
  // joint rows: the joint and the first of up to three rows
  joint: u32,
  firstRow: u32,
  rowCount: u32,
}

const NONE = 0xffffffffu;

const BLOCK_NORMAL_A = 0u;
const BLOCK_NORMAL_B = 1u;
const BLOCK_EDGES = 2u;
const BLOCK_ROUND = 3u;
const BLOCK_JOINT = 4u;
// a contact of a deformable body, see deformable/contact-model.wgsl; what it touches is body A
const BLOCK_SOFT = 5u;

// See joints/frame-joint.ts.
struct JointFrames {
  pivotA: vec3f,
  placeA: u32,
  turnA: vec4f,
  pivotB: vec3f,
  placeB: u32,
  turnB: vec4f,
  // the rotation that is free when the other two are locked; 3: none locked or limited so; −1: all locked
  freeAngle: i32,
}

// g(u, p) = s C/h + (1 − s) J u − v̂ + Γ p within bounds: see rows.ts.
struct JointRow {
  // 0 to 2 translation, 3 to 5 rotation, 6 distance
  axis: u32,
  form: u32,
  // C = sign (value − reference)
  reference: f32,
  sign: f32,
  share: f32,
  compliance: f32,
  goal: f32,
  lower: f32,
  upper: f32,
  // where its impulse of the last frame is, or NONE
  previous: u32,
  // 1 or −1 for the lock or a limit of a translation, whose force stiffens rotations; else 0
  load: f32,
}

// how a rotation is measured
const ROW_TWIST = 0u;
const ROW_SMALL = 1u;
const ROW_LEAN = 2u;
// a motor's: the shorter way round
const ROW_WRAPPED = 3u;

// An island is a head of eight numbers at the start of `lists`: where its places are, how many bodies, its first block and
// how many, the number of colours, whether anything in it bounces, how many rows of joints, and its number among the reports.
//
// `lists` at the places: places of the bodies; then bodyCount + 1 ends of their stretches of incidences, in `lists`; those are
// 2 × number of the block in the island + 1 for body B.
const ISLAND_PLACES = 0u;
const ISLAND_BODIES = 1u;
const ISLAND_FIRST_BLOCK = 2u;
const ISLAND_BLOCKS = 3u;
const ISLAND_COLOURS = 4u;
const ISLAND_BOUNCES = 5u;
const ISLAND_ROWS = 6u;
const ISLAND_REPORT = 7u;
const ISLAND_SIZE = 8u;

struct NewtonStep {
  gravity: vec3f,
  // time step [s]
  h: f32,
  substeps: u32,
  newtonIterations: u32,
  linearIterations: u32,
  linearTolerance: f32,
  // minimum map 0, Fischer-Burmeister 1
  ncp: u32,
  // effective mass 0, time step 1, identity 2
  preconditioner: u32,
  regularization: f32,
  damping: f32,
  tolerance: f32,
  recoverySpeed: f32,
  restitutionThreshold: f32,
  warmStart: u32,
  safeguard: u32,
  // where the impulses of the last frame and of this begin
  oldImpulses: u32,
  newImpulses: u32,
  bodyCount: u32,
  // the first island of this dispatch
  firstIsland: u32,
  // residuals kept for each island, 0: none
  reportSize: u32,
  // part of an overlap that a step takes back
  recovery: f32,
  // of large islands: number of the step in the frame, and colour of the blocks that a sweep is for
  substep: u32,
  colour: u32,
}

@group(1) @binding(0) var<uniform> step: NewtonStep;
