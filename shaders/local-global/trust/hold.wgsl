#import "local-global/layout.wgsl"
#import "local-global/trust/balance.wgsl"
#import "local-global/trust/spin.wgsl"

// Takes back so much of what a frame did to a cluster that it keeps to its account: twin of `EnergyAccount.hold` in trust.ts. Nothing is
// left of it where all of them move on as one rigid body would, with the momentum that they had.

@group(0) @binding(5) var<storage, read> bodies: array<LocalGlobalBody>;

// One workgroup: the rigid motion of each wrong cluster.
@compute @workgroup_size(JUDGE_LANES)
fn beginHold(@builtin(local_invocation_index) lane: u32) {
  for (var root = lane; root < contactStep.bodyCount; root += JUDGE_LANES) {
    if (roots[root] == root && accounts[root].verdict == VERDICT_WRONG) { moveRigidly(root); }
  }
}

fn moveRigidly(root: u32) {
  let origin = accounts[root].origin;
  var mass = 0.0;
  var middle = vec3f(0.0);
  var mean = vec3f(0.0);
  for (var b = root; b < contactStep.bodyCount; b++) {
    if (roots[b] == root) {
      let own = accounts[b];
      mass += own.mass;
      middle += own.mass * (own.origin - origin + own.middle);
      mean += own.mass * own.mean;
    }
  }
  middle /= mass;
  mean /= mass;
  var moment = vec3f(0.0);
  var inertia = vec3f(0.0);
  var products = vec3f(0.0);
  for (var b = root; b < contactStep.bodyCount; b++) {
    if (roots[b] == root) {
      let own = accounts[b];
      let arm = own.origin - origin + own.middle - middle;
      moment += own.moment + own.mass * cross(arm, own.mean - mean);
      inertia += own.inertia + own.mass * (vec3f(dot(arm, arm)) - arm * arm);
      products += own.products - own.mass * arm.yxx * arm.zzy;
    }
  }
  let spin = spinOf(inertia, products, moment);
  for (var b = root; b < contactStep.bodyCount; b++) {
    if (roots[b] == root) {
      accounts[b].clusterMiddle = middle - (accounts[b].origin - origin);
      accounts[b].clusterMean = mean + contactStep.frameTime * bodies[b].gravityFactor * contactStep.gravity;
      accounts[b].clusterSpin = spin;
      accounts[b].verdict = VERDICT_WRONG;
      accounts[b].share = accounts[root].share;
    }
  }
}

// One workgroup, after energies for `share`.
@compute @workgroup_size(JUDGE_LANES)
fn halve(@builtin(local_invocation_index) lane: u32) {
  for (var root = lane; root < contactStep.bodyCount; root += JUDGE_LANES) {
    if (roots[root] == root && accounts[root].verdict == VERDICT_WRONG) {
      if (judge(root, accounts[root].share, true) == VERDICT_KEPT) {
        accounts[root].least = accounts[root].share;
      } else {
        accounts[root].most = accounts[root].share;
      }
      share(root, 0.5 * (accounts[root].least + accounts[root].most));
    }
  }
}

// One workgroup, after the last halving.
@compute @workgroup_size(JUDGE_LANES)
fn endHold(@builtin(local_invocation_index) lane: u32) {
  for (var root = lane; root < contactStep.bodyCount; root += JUDGE_LANES) {
    if (roots[root] == root && accounts[root].verdict == VERDICT_WRONG) { share(root, accounts[root].least); }
  }
}

fn share(root: u32, part: f32) {
  for (var b = root; b < contactStep.bodyCount; b++) {
    if (roots[b] == root) { accounts[b].share = part; }
  }
}
