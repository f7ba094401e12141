// Whether a frame can be trusted, and what becomes of one that cannot: twin of trust.ts and trusted-frames.ts in
// src/solvers/local-global, with the same constants. See gpu/trust/trust-stage.ts for the order of the kernels.

// Part of the energy that there is by which a frame may gain.
const ENERGY_GAIN = 0.02;
// A frame is taken in so many times as many steps at most.
const MOST_PARTS = 4u;
// Angle of a body in a step above which the frame is divided [rad].
const FAR_TURN = 0.4;
// Deeper in an obstacle than this a step is too long, as a part of the thickness.
const DEEP_THICKNESSES = 2.0;
// Halvings that find the part of a frame that is kept.
const HOLD_HALVINGS = 12u;

// Verdicts on a cluster.
const VERDICT_KEPT = 0u;
// more kinetic energy than there may be: elastic energies matter
const VERDICT_ASKS = 1u;
const VERDICT_WRONG = 2u;

// Of the frame that is under way.
struct FrameTrust {
  // parts in which it is to be taken next; 0 once it is done
  parts: u32,
  // shorter steps did not help in the last frame: they are not tried in this one
  isTangled: u32,
  // the frame goes back to its start
  restores: u32,
  // a part of what the frame did is taken back
  holds: u32,
  // frames that were taken again, counted each time
  repeated: u32,
  // both as they were when the frame began, for one that halts
  tangledBefore: u32,
  repeatedBefore: u32,
  // workgroups for indirect dispatches: for elastic energies and the sums of bodies where they matter, and to go back to the start
  energies: vec3u,
  sums: vec3u,
  copies: vec3u,
}

const ENERGY_GROUPS = 64u;
const COPY_GROUPS = 256u;

// A body where the frame begins, and where it has come to. The energies of clusters are at the root of each: the least of its bodies.
struct BodyAccount {
  // centre of mass, from `origin` [m]
  middle: vec3f,
  // [kg]
  mass: f32,
  // the first vertex [m]
  origin: vec3f,
  // [J]
  kineticStart: f32,
  // velocity of the centre of mass [m/s]
  mean: vec3f,
  // longest way of a held vertex in the frame [m]
  pinWay: f32,
  // angular momentum about the centre of mass [kg m²/s]
  moment: vec3f,
  // parts that its turning asks for
  parts: u32,
  // of the tensor of inertia [kg m²]: xx, yy, zz, and −Σ m yz, xz, xy
  inertia: vec3f,
  kineticNow: f32,
  products: vec3f,
  // of gravity in the frame [J]
  work: f32,
  elasticStart: f32,
  elasticNow: f32,
  isFrozen: u32,
  verdict: u32,
  // of the cluster, as a rigid body: centre from `origin` [m], velocity of it [m/s], [rad/s]
  clusterMiddle: vec3f,
  // part of the frame that is left, and the bounds of the search for it
  share: f32,
  clusterMean: vec3f,
  least: f32,
  clusterSpin: vec3f,
  most: f32,
}

// Elements of a term of a body.
struct TermRange {
  firstElement: u32,
  elementCount: u32,
  body: u32,
}

// Numbers that a rigid body has in `proxyRoots`.
const PROXY_ROOTS = 8u;
