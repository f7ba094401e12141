#import "local-global/contact/layout.wgsl"
#import "local-global/trust/layout.wgsl"

// The account of a cluster, by its root: twin of `EnergyAccount` in trust.ts.

@group(0) @binding(0) var<storage, read_write> accounts: array<BodyAccount>;
// roots, then whether a body touches anything
@group(0) @binding(1) var<storage, read> roots: array<u32>;
@group(0) @binding(2) var<storage, read> proxyRoots: array<u32>;
@group(0) @binding(3) var<storage, read> proxyGiven: array<vec4f>;
@group(0) @binding(4) var<storage, read> contactOptions: array<ContactOptions>;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

const JUDGE_LANES = 64u;

fn isRoot(b: u32) -> bool {
  return b < contactStep.bodyCount && roots[b] == b && isTouched(b);
}

fn isTouched(root: u32) -> bool {
  for (var b = root; b < contactStep.bodyCount; b++) {
    if (roots[b] == root && roots[contactStep.bodyCount + b] != 0u) { return true; }
  }
  return false;
}

fn isOf(p: u32, root: u32) -> bool {
  for (var k = 1u; k <= proxyRoots[PROXY_ROOTS * p]; k++) {
    if (roots[proxyRoots[PROXY_ROOTS * p + k]] == root) { return true; }
  }
  return false;
}

// Whether a cluster has no more energy than it had, and got, with what it gave rigid bodies; and what of it is kinetic, if elastic
// energies are not known.
fn judge(root: u32, share: f32, knowsElastic: bool) -> u32 {
  let dt = contactStep.frameTime;
  var led = contactStep.ledSpeed;
  for (var b = 0u; b < contactStep.bodyCount; b++) { led = max(led, accounts[b].pinWay / dt); }
  var kinetic = 0.0;
  var elastic = 0.0;
  var before = 0.0;
  var sum = 0.0;
  var least = 0.0;
  let slow = contactStep.slowSpeed * contactStep.slowSpeed;
  for (var b = root; b < contactStep.bodyCount; b++) {
    if (roots[b] != root) { continue; }
    let own = accounts[b];
    if (own.isFrozen != 0u) { return VERDICT_WRONG; }
    let speed = max(max(contactStep.ledSpeed, contactOptions[b].windSpeed), own.pinWay / dt);
    sum += (1.0 + ENERGY_GAIN) * (own.kineticStart + 2.0 * own.mass * speed * speed) + own.work;
    least += own.mass * slow;
    kinetic += own.kineticNow;
    elastic += own.elasticNow;
    before += own.elasticStart;
  }
  var given = 0.0;
  for (var p = 0u; p < contactStep.rigidCount; p++) {
    if (isOf(p, root)) {
      let mass = proxyGiven[p].z;
      sum += 2.0 * mass * led * led;
      least += mass * slow;
      given += share * proxyGiven[p].x + share * share * proxyGiven[p].y;
    }
  }
  let most = max(sum, least) - max(-contactStep.rigidSupply, given);
  if (kinetic <= most) { return VERDICT_KEPT; }
  if (!knowsElastic) { return VERDICT_ASKS; }
  return select(VERDICT_WRONG, VERDICT_KEPT, kinetic + elastic <= most + (1.0 + ENERGY_GAIN) * before);
}
