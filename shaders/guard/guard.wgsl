#import "gpbd/step.wgsl"
#import "guard/guard-state.wgsl"
#import "guard/body-sums.wgsl"
#import "guard/lead.wgsl"
#import "collision/proxy-states.wgsl"

// Keeps solids from gaining energy out of nothing: twin of cpu-guard.ts and cpu-account.ts. Between the last projection of a substep and finish.wgsl; sums
// are taken in an order that never changes, so that runs are bit-identical.

// xyz: x − x⁻ [m]; w: inverse mass over 1 + Δt damping [1/kg], 0 when pinned
@group(0) @binding(0) var<storage, read> displacement: array<vec4f>;
@group(0) @binding(1) var<storage, read> velocity: array<vec4f>;
// displacement of each particle by contact in this substep, and by that of its faces [m]
@group(0) @binding(2) var<storage, read> contact: array<vec4f>;
// acceleration by the air [m/s²]
@group(0) @binding(3) var<storage, read> particleAir: array<vec4f>;
// of the body, or of all that step together
@group(0) @binding(4) var<storage, read_write> guard: GuardState;
@group(0) @binding(5) var<storage, read_write> guardSums: array<BodySums>;
// of each proxy
@group(0) @binding(6) var<storage, read_write> pushes: array<ProxyPush>;
// of each element [J]
@group(0) @binding(7) var<storage, read> energies: array<f32>;
// w: inverse mass [1/kg]
@group(0) @binding(8) var<storage, read> pins: array<vec4f>;
// of all that the body steps together with
@group(0) @binding(9) var<storage, read_write> account: GuardState;
@group(0) @binding(10) var<storage, read_write> owned: Owned;
@group(0) @binding(11) var<storage, read_write> ownedByAll: Owned;

// Whether surfaces may touch: places are those that are free of each other then, and stay, however far they are.
override touches: bool = false;
// Whether the body is the first of those that step together.
override isFirst: bool = false;

// Part of B by which a substep may go beyond it unnoticed: rounding of f32, and of what is right; as in energy-guard.ts.
const GUARD_SLACK = 1e-3;
// As far as this part of its thickness a body may be lifted by what it begins inside of; as there.
const GUARD_LIFT = 0.25;
// With so many times its weight a soft body is lifted by what lies on the ground and is moved out of it; as there.
const LIFT_WEIGHTS = 2.0;
const guardLanes = 128u;

var<workgroup> laneSums: array<BodySums, guardLanes>;
// what contact adds to that by the proxies
var<workgroup> laneHanded: array<vec3f, guardLanes>;
var<workgroup> laneOwned: array<vec2f, guardLanes>;
// impulse, and angular impulse about the world's origin, that proxies lose
var<workgroup> laneTaken: array<array<vec3f, 2>, guardLanes>;
var<workgroup> found: f32;

fn addSums(a: BodySums, b: BodySums) -> BodySums {
  return BodySums(
    a.kinetic + b.kinetic,
    a.supply + b.supply,
    a.weight + b.weight,
    a.leeway + b.leeway,
    a.work + b.work,
    a.outer + b.outer,
    a.led + b.led,
  );
}

// The motion of a particle in the substep, and what drives it from outside.
struct GuardedMotion {
  mass: f32,
  // inverse mass [1/kg]
  inverse: f32,
  // velocity that it came with, and its change [m/s]
  before: vec3f,
  change: vec3f,
  // [m/s²]
  force: vec3f,
  // by gravity in the substep [m/s]
  fall: f32,
}

fn motionOf(p: u32, u: vec4f) -> GuardedMotion {
  let before = step.decay * (velocity[p].xyz + step.h * step.gravity);
  var force = step.gravity;
  if (step.airDensity > 0.0) {
    force += particleAir[p].xyz;
  }
  return GuardedMotion(
    step.decay / u.w, u.w / step.decay, before, u.xyz / step.h - before, force, step.h * length(step.gravity),
  );
}

// As far as a particle may go with so much energy in the body.
fn reachOf(m: GuardedMotion, energy: f32) -> f32 {
  return guardReach(energy, m.inverse, step.h, m.fall + step.h * length(m.force - step.gravity), step.pushSpeed);
}

// `supply`: the work of the forces; `outer` and `led`: of bodies that pins lead.
fn sumsOf(p: u32, m: GuardedMotion, supply: f32, outer: f32, led: vec3f) -> BodySums {
  var given = supply;
  if (step.ledSpeed > 0.0) {
    given += step.ledSpeed * m.mass / step.h * (length(contact[p].xyz) + length(contact[step.particleCount + p].xyz));
  }
  return BodySums(
    m.mass * vec3f(0.5 * dot(m.before, m.before), dot(m.before, m.change), 0.5 * dot(m.change, m.change)),
    given,
    m.mass * m.fall,
    m.mass * m.fall * (m.fall + GUARD_LIFT * step.thickness / step.h),
    0.0,
    outer,
    led,
  );
}

fn particleSums(p: u32) -> BodySums {
  let u = displacement[p];
  if (u.w == 0.0) {
    return BodySums();
  }
  let m = motionOf(p, u);
  let within = select(min(1.0, reachOf(m, guard.budget) / max(length(u.xyz), 1e-30)), 1.0, touches);
  return sumsOf(p, m, m.mass * dot(m.force, u.xyz) * within, 0.0, vec3f(0.0));
}

fn chunks() -> u32 {
  return (step.particleCount + GUARD_CHUNK - 1u) / GUARD_CHUNK;
}

@compute @workgroup_size(64)
fn sumParticles(@builtin(global_invocation_id) id: vec3u) {
  let count = chunks();
  if (id.x >= count) {
    return;
  }
  var sums: BodySums;
  for (var p = id.x; p < step.particleCount; p += count) {
    sums = addSums(sums, particleSums(p));
  }
  guardSums[id.x] = sums;
}

// Of a proxy: E grows by a β + c β²; z: what may lift the body, of its weight [m/s]. As addProxy in energy-guard.ts.
fn proxySums(i: u32) -> vec3f {
  let proxy = &proxies[i];
  let state = &proxyStates[i];
  let push = pushes[i];
  if (dot(push.impulse, push.impulse) == 0.0) {
    return vec3f(0.0);
  }
  let centre = centreAt(i, step.fractionEnd) + state.offset;
  let turn = push.angularImpulse - cross(centre, push.impulse);
  let free = freeOf(proxy.support, push.impulse);
  let along = dot(free, state.velocity) + min(dot(free, proxy.velocity), dot(free, proxy.endVelocity));
  let around = dot(turn, state.spin) + min(dot(turn, proxy.spin), dot(turn, proxy.endSpin));
  let borne = 1.0 - proxy.mobility * (1.0 - dot(proxy.support, proxy.support));
  return vec3f(
    max(along, proxy.mobility * along) + max(around, proxy.turning * around),
    0.5 * proxy.mobility * proxy.inverseMass * (dot(free, free) - dot(free, blockedOf(i) * free))
      + 0.5 * proxy.turning * dot(turn, inverseInertiaOf(i) * turn),
    LIFT_WEIGHTS * borne * length(proxy.velocity),
  );
}

fn energyAt(e: vec3f, share: f32) -> f32 {
  return e.x + share * (e.y + share * e.z);
}

// The largest β in [0, 1] with E(β) within the limit; where there is none, that of the least E.
fn shareOf(e: vec3f, limit: f32) -> f32 {
  if (!(energyAt(e, 1.0) > limit)) {
    return 1.0;
  }
  if (!(e.z > 0.0)) {
    return 0.0;
  }
  let least = clamp(-e.y / (2.0 * e.z), 0.0, 1.0);
  let room = e.y * e.y + 4.0 * e.z * (limit - e.x);
  return select(least, min(1.0, max(least, (sqrt(max(room, 0.0)) - e.y) / (2.0 * e.z))), room > 0.0);
}

// Decides for a substep; returns the share.
fn balance(sums: BodySums, toProxies: vec3f) -> f32 {
  guard.scale = 1.0;
  guard.share = 1.0;
  guard.had = 1e25;
  if (guard.budget >= NO_BUDGET) {
    return 1.0;
  }
  let beside = max(0.0, guard.budget + guard.shift);
  let had = liftOf(beside, guard.stored);
  guard.lent += had - beside;
  if (!touches) {
    guard.had = had;
  }
  let given = had + sums.supply + guard.work + toProxies.z * sums.weight;
  let most = given + GUARD_SLACK * had + sums.leeway;
  let handed = vec3f(0.0, toProxies.x + sums.work + sums.outer, toProxies.y);
  let e = sums.kinetic + handed + vec3f(0.5 * sums.led.x - sums.led.y, -sums.led.z, 0.0);
  // Energy that comes of nothing is taken off twice, so that it calms down.
  let surplus = max(0.0, energyAt(e, 1.0) - most);
  let share = shareOf(e, most - surplus);
  let total = energyAt(e, share);
  let gone = energyAt(handed, share);
  if (total > most) {
    guard.scale = sqrt(max(0.0, most - gone) / (total - gone));
  }
  guard.budget = max(0.0, max(given - surplus, min(given, total)) - gone)
    + 0.5 * sums.led.x + guard.scale * (sums.led.y + share * sums.led.z - sums.led.x);
  guard.shift = 0.0;
  guard.work = 0.0;
  guard.share = share;
  guard.guarded += select(0u, 1u, share < 1.0);
  return share;
}

// Way of the center of a proxy in the substep, before it yields: as in moveProxies.
fn wayOf(i: u32) -> vec3f {
  let proxy = &proxies[i];
  let all = proxy.drift + proxy.frameTime * proxy.acceleration;
  return step.h * (proxy.velocity + proxyStates[i].velocity + select(vec3f(0.0), all, step.fractionEnd == 1.0));
}

// Adds up what proxies take from the body, see FreeSpin.push in cpu/free-spin.ts, which has the idea.
fn sumTaken(lane: u32) {
  var taken: array<vec3f, 2>;
  for (var i = lane; i < arrayLength(&proxyStates); i += guardLanes) {
    let push = pushes[i];
    taken[0] += push.impulse;
    taken[1] += push.angularImpulse - cross(wayOf(i), push.impulse);
  }
  laneTaken[lane] = taken;
}

// In the first lane, when the share is known.
fn turnBy() {
  var taken: array<vec3f, 2>;
  for (var i = 0u; i < guardLanes; i++) {
    taken[0] += laneTaken[i][0];
    taken[1] += laneTaken[i][1];
  }
  let push = -guard.share * taken[0];
  guard.turned = step.decay * guard.turned - guard.share * taken[1] - cross(guard.center, push);
  guard.mean = step.decay * (guard.mean + step.h * step.gravity) + push / guard.mass;
  guard.center += step.h * guard.mean;
}

fn decide(lane: u32, own: BodySums) {
  var handed = vec3f(0.0);
  if (hasProxies) {
    for (var i = lane; i < arrayLength(&proxyStates); i += guardLanes) {
      handed += proxySums(i);
    }
    if (!touches) {
      sumTaken(lane);
    }
  }
  laneSums[lane] = own;
  laneHanded[lane] = handed;
  workgroupBarrier();
  if (lane == 0u) {
    var sums: BodySums;
    handed = vec3f(0.0);
    for (var i = 0u; i < guardLanes; i++) {
      sums = addSums(sums, laneSums[i]);
      handed += laneHanded[i];
    }
    found = balance(sums, handed);
    if (hasProxies && !touches && guard.mass > 0.0) {
      turnBy();
    }
  }
  if (hasProxies) {
    workgroupBarrier();
    for (var i = lane; i < arrayLength(&proxyStates); i += guardLanes) {
      yieldTo(i, found * pushes[i].impulse, found * pushes[i].angularImpulse, step.fractionEnd, step.h);
      pushes[i] = ProxyPush();
    }
  }
}

override hasProxies: bool = true;

@compute @workgroup_size(128)
fn guardFew(@builtin(local_invocation_index) lane: u32) {
  var sums: BodySums;
  for (var p = lane; p < step.particleCount; p += guardLanes) {
    sums = addSums(sums, particleSums(p));
  }
  decide(lane, sums);
}

// After sumParticles, of one body or of all that step together.
@compute @workgroup_size(128)
fn guardMany(@builtin(local_invocation_index) lane: u32) {
  var sums: BodySums;
  for (var i = lane; i < arrayLength(&guardSums); i += guardLanes) {
    sums = addSums(sums, guardSums[i]);
  }
  decide(lane, sums);
}

// Kinetic energy and elastic one, in the first lane; the second is NO_BUDGET where it is not known.
fn weighed(lane: u32) -> vec2f {
  var own = vec2f(0.0);
  for (var p = lane; p < step.particleCount; p += guardLanes) {
    let inverse = pins[p].w;
    let v = velocity[p].xyz;
    own.x += select(0.5 * dot(v, v) / inverse, 0.0, inverse <= 0.0);
  }
  for (var e = lane; e < arrayLength(&energies); e += guardLanes) {
    own.y = min(NO_BUDGET, own.y + energies[e]);
  }
  laneOwned[lane] = own;
  workgroupBarrier();
  var all = vec2f(0.0);
  if (lane == 0u) {
    for (var i = 0u; i < guardLanes; i++) {
      all = min(vec2f(NO_BUDGET), all + laneOwned[i]);
    }
  }
  return all;
}

// Of a body by itself, between frames: B is no more than there is.
@compute @workgroup_size(128)
fn settleGuard(@builtin(local_invocation_index) lane: u32) {
  let own = weighed(lane);
  if (lane == 0u) {
    var budget = guard.budget;
    // As `keep` in energy-guard.ts.
    if (budget < NO_BUDGET && own.y >= NO_BUDGET) {
      budget = max(budget - guard.lent, min(budget, own.x));
    } else if (budget < NO_BUDGET && lead.drive > 0.0) {
      budget = (sqrt(max(0.0, budget)) + lead.drive) * (sqrt(max(0.0, budget)) + lead.drive);
    }
    guard.budget = min(budget, own.x + own.y);
    guard.stored = own.y;
    guard.lent = 0.0;
  }
}

// Bodies that step together put what they have into one account.
@compute @workgroup_size(1)
fn enterAccount() {
  if (isFirst) {
    account = GuardState();
    ownedByAll = Owned();
  }
  account.budget = min(NO_BUDGET, account.budget + guard.budget);
}

// After the frame, of each of them: what there is.
@compute @workgroup_size(128)
fn weighAccount(@builtin(local_invocation_index) lane: u32) {
  let own = weighed(lane);
  if (lane == 0u) {
    owned.kinetic = own.x;
    owned.elastic = own.y;
    ownedByAll.kinetic += own.x;
    if (own.y < NO_BUDGET) {
      ownedByAll.elastic += own.y;
    } else {
      ownedByAll.unknown += 1.0;
    }
  }
}

// Then: each takes its own with it. As `divide` in energy-guard.ts.
@compute @workgroup_size(1)
fn leaveAccount() {
  guard.guarded += account.guarded;
  guard.stored = owned.elastic;
  if (account.budget >= NO_BUDGET) {
    guard.budget = min(NO_BUDGET, owned.kinetic + owned.elastic);
    return;
  }
  let share = select(1.0, account.budget / ownedByAll.kinetic, ownedByAll.kinetic > account.budget);
  let left = max(0.0, account.budget - share * ownedByAll.kinetic);
  let part = select(1.0, left / ownedByAll.elastic, ownedByAll.elastic > left);
  var elastic = part * owned.elastic;
  if (owned.elastic >= NO_BUDGET) {
    elastic = max(0.0, left - part * ownedByAll.elastic) / ownedByAll.unknown;
  }
  guard.budget = share * owned.kinetic + elastic;
}
