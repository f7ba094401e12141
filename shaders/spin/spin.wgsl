#import "gpbd/step.wgsl"
#import "math/factor3.wgsl"
#import "guard/guard-state.wgsl"

// Angular momentum of bodies that nothing holds or touches in a frame: twin of cpu/free-spin.ts and guard/spin.ts, which have the idea. A
// workgroup sums up the body, in an order that never changes, about its first particle and relative to the velocity of that.

// Motion that the body should have at the end of the frame.
struct FreeSpin {
  // about its center [N m s]
  angular: vec3f,
  // beside that of its center [J]
  energy: f32,
  // elastic energy at the start of the frame, of a solid [J]
  stored: f32,
}

// Of a solid: it gets no energy that is not there.
override isBound: bool = false;

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> velocity: array<vec4f>;
// w: inverse mass [1/kg]
@group(0) @binding(2) var<storage, read> pins: array<vec4f>;
// acceleration by the air [m/s²]
@group(0) @binding(3) var<storage, read> particleAir: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> spin: FreeSpin;
@group(0) @binding(5) var<uniform> frozenAt: u32;
// of a solid: it may have the energy that it gets back
@group(0) @binding(6) var<storage, read_write> guard: GuardState;

const spinLanes = 128u;
// As in free-spin.ts: a loss that rounding may be.
const SPIN_ROUNDING = 1e-6;

// Sums over particles at r that have the velocity u: Σ m r, Σ m; Σ m u, Σ m u²; Σ m r × u, Σ m a; then those of the squares and of the products
// of coordinates; Σ m s × a with the acceleration a at s.
alias Sums = array<vec4f, 6>;

var<workgroup> sums: array<Sums, spinLanes>;

// half: of the time from which on a counts [s]
fn sumUp(lane: u32, half: f32) {
  let x0 = start[0].xyz;
  let v0 = velocity[0].xyz;
  var own: Sums;
  for (var p = lane; p < step.particleCount; p += spinLanes) {
    let m = 1.0 / pins[p].w;
    let r = start[p].xyz - x0;
    let u = velocity[p].xyz - v0;
    var a = vec3f(0.0);
    if (half > 0.0) { a = m * particleAir[p].xyz; }
    own[0] += m * vec4f(r, 1.0);
    own[1] += m * vec4f(u, dot(u, u));
    own[2] += vec4f(m * cross(r, u), a.x);
    own[3] += vec4f(m * r * r, a.y);
    own[4] += vec4f(m * r * r.yzx, a.z);
    own[5] += vec4f(cross(r + half * u, a), 0.0);
  }
  sums[lane] = own;
  for (var stride = spinLanes / 2u; stride > 0u; stride /= 2u) {
    workgroupBarrier();
    if (lane < stride) {
      for (var k = 0u; k < 6u; k++) { sums[lane][k] += sums[lane + stride][k]; }
    }
  }
  workgroupBarrier();
}

// The motion of the body.
struct Motion {
  mass: f32,
  // of its center
  center: vec3f,
  velocity: vec3f,
  // about that, and beside its motion
  angular: vec3f,
  energy: f32,
  inertia: mat3x3f,
  // bound of Σ m |r| |v| [N m s]
  scale: f32,
}

fn motion() -> Motion {
  let all = sums[0];
  let m = all[0].w;
  let c = all[0].xyz / m;
  let v = all[1].xyz / m;
  let squares = all[3].xyz - m * c * c;
  let products = all[4].xyz - m * c * c.yzx;
  let extent = dot(squares, vec3f(1.0));
  let energy = 0.5 * (all[1].w - m * dot(v, v));
  let mean = v + velocity[0].xyz;
  // Ropes may be straight.
  let diagonal = (1.0 + 1e-6) * extent - squares;
  let inertia = mat3x3f(
    diagonal.x, -products.x, -products.z, -products.x, diagonal.y, -products.y, -products.z, -products.y, diagonal.z,
  );
  return Motion(
    m, c, v, all[2].xyz - m * cross(c, v), energy, inertia, sqrt(extent * (2.0 * energy + m * dot(mean, mean))),
  );
}

// At the start of a frame, and of each interval of the air.
@compute @workgroup_size(128)
fn noteSpin(@builtin(local_invocation_index) lane: u32) {
  let blows = step.airDensity > 0.0;
  let part = step.fractionEnd - step.fractionStart;
  var count = u32(round((1.0 - step.fractionStart) / part));
  if (blows) { count = min(count, u32(round(step.airInterval / step.h))); }
  let half = select(0.0, 0.5 * f32(count) * step.h, blows);
  sumUp(lane, half);
  if (lane != 0u) { return; }
  let m = motion();
  if (step.fractionStart == 0.0) {
    spin = FreeSpin(m.angular, m.energy, guard.stored);
    guard.mass = m.mass;
    guard.center = start[0].xyz + m.center;
    guard.mean = velocity[0].xyz + m.velocity;
    guard.turned = vec3f(0.0);
  }
  let push = vec3f(sums[0][2].w, sums[0][3].w, sums[0][4].w);
  let torque = sums[0][5].xyz - cross(m.center + half * m.velocity, push);
  for (var k = 0u; k < count; k++) {
    spin.angular = step.decay * (spin.angular + step.h * torque);
    spin.energy *= step.decay * step.decay;
  }
}

// At its end.
@compute @workgroup_size(128)
fn returnSpin(@builtin(local_invocation_index) lane: u32) {
  sumUp(lane, 0.0);
  let m = motion();
  let x0 = start[0].xyz + m.center;
  let mean = velocity[0].xyz + m.velocity;
  storageBarrier();
  let wanted = spin.angular + guard.turned;
  let missing = wanted - m.angular;
  if (frozenAt != 0xffffffffu || !(length(missing) > SPIN_ROUNDING * m.scale)) { return; }
  let factor = factor3(m.inertia);
  let turn = solveFactor3(factor, missing);
  // of all as one, with the angular momentum that there has to be
  let whole = solveFactor3(factor, wanted);
  let gained = dot(turn, m.angular + 0.5 * missing);
  let beside = m.energy + gained - 0.5 * dot(whole, wanted);
  // A blow may take energy, which is not given back.
  let isKnown = isBound && max(spin.stored, guard.stored) < NO_BUDGET;
  let released = select(0.0, spin.stored - guard.stored, isKnown);
  let allowed = select(max(0.0, spin.energy + released - m.energy), 0.0, any(guard.turned != vec3f(0.0)));
  let excess = gained - allowed;
  if (isBound && excess > beside) { return; }
  var less = 0.0;
  if (excess > 0.0) { less = 1.0 - sqrt(max(0.0, 1.0 - excess / max(beside, 1e-30))); }
  if (lane == 0u) { guard.budget += gained - (1.0 - (1.0 - less) * (1.0 - less)) * beside; }
  for (var p = lane; p < step.particleCount; p += spinLanes) {
    let r = start[p].xyz - x0;
    let v = velocity[p].xyz + cross(turn, r);
    velocity[p] = vec4f(v - less * (v - mean - cross(whole, r)), 0.0);
  }
}
