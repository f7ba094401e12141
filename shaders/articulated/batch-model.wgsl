// A mechanism as flat records, for many copies of it in one dispatch: twin of src/articulated/model.ts.

struct BatchParameters {
  // [m/s²]
  gravity: vec3f,
  // [s]
  timeStep: f32,
  linkCount: u32,
  dofCount: u32,
  worldCount: u32,
  // worlds of this dispatch: the first, and how many places the scratch memory has
  firstWorld: u32,
  lanes: u32,
  // steps to take
  steps: u32,
  // numbers of scratch memory for each world
  scratchSize: u32,
  // link that positions are counted from, the heaviest
  referenceLink: u32,
  // rows of `variations` from which on numbers of each world stand in the place of those of the model, −1: none
  gravityRow: i32,
  massRow: i32,
  frictionRow: i32,
  dampingRow: i32,
  armatureRow: i32,
  gainRow: i32,
  // LIMITS_OFF, LIMITS_REACHED or LIMITS_AHEAD
  limits: u32,
  // rows of `states`
  stateRows: u32,
  // motors and servos
  driveCount: u32,
  // records of `touches`
  touchCount: u32,
  // first number of scratch memory for rows of constraints, and how many a row has
  rowStart: u32,
  rowSize: u32,
  // and for contacts
  contactStart: u32,
  // how often the forces of all rows are improved, at most
  sweeps: u32,
  // part of the violation of a limit or contact that a step removes
  correction: f32,
  // normal speed below which a contact does not bounce [m/s]
  bounceThreshold: f32,
  // turns of a step [rad]: the least that is not steady, the least that is not calm, the longest of a part; and how many parts it has at
  // most, see src/articulated/step/pace.ts
  turns: vec4f,
  // levels of links and of degrees of freedom below the world, and rounds in which rows of the mass matrix are eliminated
  linkLevels: u32,
  dofLevels: u32,
  dofRounds: u32,
  // first number of `variations` of the ways to the world: for each row of the mass matrix, the coordinates of its entries
  ways: u32,
}

struct BatchLink {
  // columns of the rotation from the joint frame to the parent; its origin there [m]
  parentX: vec3f,
  mass: f32,
  parentY: vec3f,
  // −1: the world
  parent: i32,
  parentZ: vec3f,
  firstSegment: u32,
  parentPosition: vec3f,
  endSegment: u32,
  // the same from the joint frame to the link
  childX: vec3f,
  firstDof: u32,
  childY: vec3f,
  endDof: u32,
  childZ: vec3f,
  // not of this link: one of the list of links level after level, and where this level of it ends
  levelLink: u32,
  childPosition: vec3f,
  levelEnd: u32,
  centerOfMass: vec3f,
  // the last link on this one, and the one before this one on the same parent, −1: none
  lastChild: i32,
  // about the centre of mass [kg m²]: xx, yy, zz; xy, xz, yz
  inertiaDiagonal: vec3f,
  sibling: i32,
  inertiaOffDiagonal: vec3f,
  // 1: its turning counts for how many parts a step has
  turning: u32,
}

// See src/articulated/joints/segments.ts.
struct BatchSegment {
  axis: vec3f,
  pitch: f32,
  kind: u32,
  dof: u32,
  // of a rotation vector: ROTATION_BOUND, or how its link is free
  freedom: u32,
  // of a free rotation: inertia in the axes that turn [kg m²], about the centre of mass or the joint; xx, yy, zz; xy, xz, yz
  inertiaDiagonal: vec3f,
  inertiaOffDiagonal: vec3f,
  // and its inverse
  inverseDiagonal: vec3f,
  inverseOffDiagonal: vec3f,
  // centre of mass less the joint, in those axes
  centre: vec3f,
}

struct BatchDof {
  // of the mass matrix' row in the scratch memory: the diagonal, then the ancestors, nearest first
  row: u32,
  // the one above, −1: none; and how many are above
  parent: i32,
  depth: u32,
  // 1: stepped with the rotation vector that it belongs to
  turned: u32,
  stiffness: f32,
  restPosition: f32,
  damping: f32,
  armature: f32,
  lower: f32,
  upper: f32,
  // impulses of its limits in `states`, 2 rows
  limitRow: u32,
  // of its motor or servo: row of the input in `controls`, 0: none
  inputRow: u32,
  // force on the coordinate for an input of one; force at zero, and its change with the coordinate and its velocity
  gain: f32,
  // not of this one: one of the list level after level, where this level of it ends, and the same of rounds
  levelDof: u32,
  levelEnd: u32,
  roundDof: u32,
  bias: vec3f,
  roundEnd: u32,
  // least and greatest input, then force
  range: vec4f,
  // of a slide that counts for the parts of a step: the link with mass behind it, and the one before it, −1: none; and mean square distance of
  // the mass behind it from its centre [m²]
  slide: vec3f,
}

// Shapes that may touch: a point of a link, rounded by a radius, and a plane of the ground; or a sphere, capsule or hull of a link and one of another
// link or of the world.
struct BatchTouch {
  // in the link's axes [m]; of a hull the middle
  position: vec3f,
  radius: f32,
  // second end of a capsule
  end: vec3f,
  kind: u32,
  normal: vec3f,
  // of the plane along the normal [m]
  height: f32,
  // first direction of friction
  tangent: vec3f,
  friction: f32,
  // of the other link: start and end, or middle of a hull, in its axes
  otherStart: vec3f,
  otherRadius: f32,
  otherEnd: vec3f,
  restitution: f32,
  // tables of hulls in `variations`
  hull: u32,
  otherHull: u32,
  // −1: the world
  link: i32,
  other: i32,
  // impulses along the normal and two tangents in `states`, 3 rows for each contact; and how many contacts there may be
  row: u32,
  slots: u32,
  // last degree of freedom that moves the link, and the other one; and the last one that moves both, −1: none
  dof: i32,
  otherDof: i32,
  join: i32,
  // how many degrees of freedom move the first link alone, and the other one alone
  branch: u32,
  otherBranch: u32,
}

// Kinds of `BatchTouch`: a plane, or a sum of what the shapes are beside spheres.
const TOUCH_SEGMENT = 1u;
const TOUCH_OTHER_SEGMENT = 2u;
const TOUCH_HULL = 4u;
const TOUCH_PLANE = 8u;
// two hulls, and whether the first is the second one of its pair
const TOUCH_HULLS = 16u;
const TOUCH_SECOND = 32u;

// a limit of a coordinate that has none
const unlimited = 1e30;

const LIMITS_OFF = 0u;
const LIMITS_REACHED = 1u;
const LIMITS_AHEAD = 2u;

const SEGMENT_TURN = 0u;
const SEGMENT_SLIDE = 1u;
const SEGMENT_SCREW = 2u;
const SEGMENT_ROTATION_VECTOR = 3u;

// Rotations of links that something else holds or hangs on, of those on a ball joint, and of those on a free joint.
const ROTATION_BOUND = 0u;
const ROTATION_BALL = 1u;
const ROTATION_FREE = 2u;
