// The account of a guard; src/solvers/gpbd/guard/energy-guard.ts has the idea and the formulas.

// More than any energy [J].
const NO_BUDGET = 1e38;

// Size of a GuardState in bytes. Pages without solids do not load what its fields are.
const GUARD_BYTES = 96u;

struct GuardState {
  // B [J]; NO_BUDGET or more while nothing is known of it
  budget: f32,
  // β, the part of the impulses of this substep that the body may have
  share: f32,
  // part of the velocities that is left where no share will do
  scale: f32,
  // B before this substep [J]
  had: f32,
  // substeps that were held back
  guarded: u32,
  // Σ m (½ u² − u·ṽ), by which B is larger as seen from pins that move, see pin-motion.ts [J]
  shift: f32,
  // what `liftOf` has added in the frame [J]
  lent: f32,
  // elastic energy at the end of the last frame [J]; NO_BUDGET where it is not known
  stored: f32,
  // work of pulls and pressure in the substep [J]
  work: f32,
  // volume inside when it was last looked at [m³]
  volume: f32,
  // of a body whose angular momentum spin.wgsl keeps in the frame: its mass [kg], 0 before the first one, its center, the velocity of that, and the
  // angular momentum about it that rigid bodies have given [N m s]
  mass: f32,
  center: vec3f,
  mean: vec3f,
  turned: vec3f,
}

// No particle moves further in a substep h than it could if it had all of the energy, and fell, and obstacles pushed it [m].
// inverse: inverse mass [1/kg]; fallen: velocity that gravity gives in the substep; pushed: speed of obstacles [m/s]
fn guardReach(had: f32, inverse: f32, h: f32, fallen: f32, pushed: f32) -> f32 {
  return h * (sqrt(2.0 * had * inverse) + fallen + pushed);
}

// Contact of a substep gives a proxy an impulse [N s] and an angular impulse about the world's origin [N m s].
struct ProxyPush {
  impulse: vec3f,
  angularImpulse: vec3f,
}
