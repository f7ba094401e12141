#import "gpbd/step.wgsl"
#import "gpbd/guard-state.wgsl"
#import "collision/proxy-states.wgsl"

// Keeps a solid from gaining energy out of nothing: twin of cpu-guard.ts. Between the last projection of a substep and finish.wgsl; sums
// are taken in an order that never changes, so that runs are bit-identical.

// xyz: x − x⁻ [m]; w: inverse mass over 1 + Δt damping [1/kg], 0 when pinned
@group(0) @binding(0) var<storage, read> displacement: array<vec4f>;
@group(0) @binding(1) var<storage, read> velocity: array<vec4f>;
// displacement by contact in this substep [m]
@group(0) @binding(2) var<storage, read> contact: array<vec4f>;
// acceleration by the air [m/s²]
@group(0) @binding(3) var<storage, read> particleAir: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> guard: GuardState;
@group(0) @binding(5) var<storage, read_write> guardSums: array<BodySums>;
// of each proxy
@group(0) @binding(6) var<storage, read> pushes: array<ProxyPush>;
// of each element [J]
@group(0) @binding(7) var<storage, read> energies: array<f32>;
// w: inverse mass [1/kg]
@group(0) @binding(8) var<storage, read> pins: array<vec4f>;

// Part of B by which a substep may go beyond it unnoticed: rounding of f32, and of what is right; as in energy-guard.ts.
const GUARD_SLACK = 1e-3;
// As far as this part of its thickness a body may be lifted by what it begins inside of; as there.
const GUARD_LIFT = 0.25;
// With so many times its weight a soft body is lifted by what lies on the ground and is moved out of it; as there.
const LIFT_WEIGHTS = 2.0;
// Particles of an invocation, where a body has many.
const GUARD_CHUNK = 16u;
const guardLanes = 64u;

struct BodySums {
  // ½ Σ m |ṽ|², Σ m ṽ·Δv, ½ Σ m |Δv|² [J]
  kinetic: vec3f,
  // work of gravity, air and obstacles [J]
  supply: f32,
  // Σ m [kg]
  mass: f32,
}

var<workgroup> laneSums: array<BodySums, guardLanes>;
// what contact adds to that by the proxies
var<workgroup> laneHanded: array<vec3f, guardLanes>;
var<workgroup> laneEnergies: array<f32, guardLanes>;
var<workgroup> found: f32;

fn addSums(a: BodySums, b: BodySums) -> BodySums {
  return BodySums(a.kinetic + b.kinetic, a.supply + b.supply, a.mass + b.mass);
}

fn particleSums(p: u32) -> BodySums {
  let u = displacement[p];
  if (u.w == 0.0) {
    return BodySums();
  }
  let mass = step.decay / u.w;
  let before = step.decay * (velocity[p].xyz + step.h * step.gravity);
  let change = u.xyz / step.h - before;
  var force = step.gravity;
  if (step.airDensity > 0.0) {
    force += particleAir[p].xyz;
  }
  let reach = guardReach(guard.budget, u.w / step.decay, step.h, step.h * (length(step.gravity) + length(force - step.gravity)), step.pushSpeed);
  var supply = mass * dot(force, u.xyz) * min(1.0, reach / max(length(u.xyz), 1e-30));
  if (step.ledSpeed > 0.0) {
    supply += step.ledSpeed * mass / step.h * length(contact[p].xyz);
  }
  return BodySums(
    mass * vec3f(0.5 * dot(before, before), dot(before, change), 0.5 * dot(change, change)),
    supply,
    mass,
  );
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

// What a proxy gets: E grows by a β + c β²; z: what may lift the body, of its weight [m/s]. As addProxy in energy-guard.ts.
fn proxySums(i: u32) -> vec3f {
  let proxy = proxies[i];
  let state = proxyStates[i];
  let push = pushes[i];
  if (dot(push.impulse, push.impulse) == 0.0) {
    return vec3f(0.0);
  }
  let centre = centreAt(proxy, step.fractionEnd) + state.offset;
  let turn = push.angularImpulse - cross(centre, push.impulse);
  let free = freeOf(proxy.support, push.impulse);
  let along = dot(free, state.velocity) + min(dot(free, proxy.velocity), dot(free, proxy.endVelocity));
  let around = dot(turn, state.spin) + min(dot(turn, proxy.spin), dot(turn, proxy.endSpin));
  let borne = 1.0 - proxy.mobility * (1.0 - dot(proxy.support, proxy.support));
  return vec3f(
    max(along, proxy.mobility * along) + max(around, proxy.turning * around),
    0.5 * proxy.mobility * proxy.inverseMass * (dot(free, free) - dot(free, blockedOf(proxy) * free))
      + 0.5 * proxy.turning * dot(turn, inverseInertiaOf(proxy) * turn),
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
  guard.had = guard.budget;
  guard.scale = 1.0;
  guard.share = 1.0;
  if (guard.budget >= NO_BUDGET) {
    return 1.0;
  }
  let fall = step.h * length(step.gravity);
  let given = guard.budget + sums.supply + toProxies.z * sums.mass * fall;
  let most = given + GUARD_SLACK * guard.budget + sums.mass * fall * (fall + GUARD_LIFT * step.thickness / step.h);
  let handed = vec3f(0.0, toProxies.xy);
  let e = sums.kinetic + handed;
  // What it makes of nothing is taken off twice, so that it calms down.
  let surplus = max(0.0, energyAt(e, 1.0) - most);
  let share = shareOf(e, most - surplus);
  let total = energyAt(e, share);
  let gone = energyAt(handed, share);
  if (total > most) {
    guard.scale = sqrt(max(0.0, most - gone) / (total - gone));
  }
  guard.budget = max(0.0, max(given - surplus, min(given, total)) - gone);
  guard.share = share;
  guard.guarded += select(0u, 1u, share < 1.0);
  return share;
}

fn decide(lane: u32, own: BodySums) {
  var handed = vec3f(0.0);
  if (hasProxies) {
    for (var i = lane; i < arrayLength(&proxyStates); i += guardLanes) {
      handed += proxySums(i);
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
  }
  if (hasProxies) {
    workgroupBarrier();
    for (var i = lane; i < arrayLength(&proxyStates); i += guardLanes) {
      yieldTo(i, found * pushes[i].impulse, found * pushes[i].angularImpulse, step.fractionEnd, step.h);
    }
  }
}

override hasProxies: bool = true;

@compute @workgroup_size(64)
fn guardFew(@builtin(local_invocation_index) lane: u32) {
  var sums: BodySums;
  for (var p = lane; p < step.particleCount; p += guardLanes) {
    sums = addSums(sums, particleSums(p));
  }
  decide(lane, sums);
}

// After sumParticles.
@compute @workgroup_size(64)
fn guardMany(@builtin(local_invocation_index) lane: u32) {
  var sums: BodySums;
  for (var i = lane; i < chunks(); i += guardLanes) {
    sums = addSums(sums, guardSums[i]);
  }
  decide(lane, sums);
}

// At the start of a frame: B is no more than there is.
@compute @workgroup_size(64)
fn beginGuard(@builtin(local_invocation_index) lane: u32) {
  var own = 0.0;
  for (var p = lane; p < step.particleCount; p += guardLanes) {
    let inverse = pins[p].w;
    let v = velocity[p].xyz;
    own += select(0.5 * dot(v, v) / inverse, 0.0, inverse <= 0.0);
  }
  for (var e = lane; e < arrayLength(&energies); e += guardLanes) {
    own = min(NO_BUDGET, own + energies[e]);
  }
  laneEnergies[lane] = own;
  workgroupBarrier();
  if (lane == 0u) {
    var held = 0.0;
    for (var i = 0u; i < guardLanes; i++) {
      held = min(NO_BUDGET, held + laneEnergies[i]);
    }
    if (held < guard.budget) {
      guard.budget = held;
    }
  }
}
