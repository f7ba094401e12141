#import "local-global/layout.wgsl"
#import "local-global/trust/balance.wgsl"

// Decides, attempt by attempt, what becomes of a frame: twin of `TrustedFrames.take` in trusted-frames.ts.
//
// The host encodes a frame in one part, or also in two and four, and the GPU runs what it needs of these. If it needs more parts than
// there are, the frame halts: it changes nothing, nor do those after it, until the host has encoded them again with more, as for
// want of room (keep-contacts.wgsl).

@group(0) @binding(5) var<storage, read_write> trust: FrameTrust;
@group(0) @binding(6) var<storage, read_write> control: ContactControl;
@group(0) @binding(7) var<storage, read_write> bodyStates: array<LocalGlobalBodyState>;

// When a frame begins, and its first attempt.
@compute @workgroup_size(1)
fn planFrame() {
  trust.parts = 0u;
  trust.holds = 0u;
  trust.tangledBefore = trust.isTangled;
  trust.repeatedBefore = trust.repeated;
  if (control.haltedAt == 0u) {
    trust.parts = 1u;
    for (var b = 0u; b < contactStep.bodyCount && contactStep.isJudged != 0u; b++) {
      trust.parts = max(trust.parts, accounts[b].parts);
    }
    control.rounds = 0u;
    control.lastRounds = 0u;
    control.usedParts = 0u;
    control.wantedParts = 0u;
  }
  open();
}

// Before the steps of a later attempt.
@compute @workgroup_size(1)
fn openAttempt() {
  open();
}

fn open() {
  trust.restores = 0u;
  control.isDeep = 0u;
  if (control.haltedAt != 0u) {
    // A single attempt runs all the same, and learns how much room it would want.
    control.isIdle = u32(contactStep.attempts > 1u);
    return;
  }
  control.isIdle = u32(trust.parts != contactStep.parts);
  if (control.isIdle == 0u) {
    control.parts = contactStep.parts;
    control.usedParts = contactStep.parts;
  }
}

var<workgroup> found: atomic<u32>;
var<workgroup> restoring: u32;

fn isOpen() -> bool {
  return control.isIdle == 0u && control.haltedAt == 0u && contactStep.isJudged != 0u;
}

// After it: by kinetic energies alone.
@compute @workgroup_size(JUDGE_LANES)
fn judgeMotion(@builtin(local_invocation_index) lane: u32) {
  for (var b = lane; b < contactStep.bodyCount && isOpen(); b += JUDGE_LANES) {
    var verdict = VERDICT_KEPT;
    if (isRoot(b)) { verdict = judge(b, 1.0, false); }
    accounts[b].verdict = verdict;
    if (verdict == VERDICT_ASKS) { atomicStore(&found, 1u); }
  }
  workgroupBarrier();
  if (lane == 0u) {
    let asks = atomicLoad(&found);
    trust.energies = vec3u(asks * ENERGY_GROUPS, 1u, 1u);
    trust.sums = vec3u(asks * contactStep.bodyCount, 1u, 1u);
  }
}

// With elastic energies, where they matter.
@compute @workgroup_size(JUDGE_LANES)
fn decide(@builtin(local_invocation_index) lane: u32) {
  for (var b = lane; b < contactStep.bodyCount && isOpen(); b += JUDGE_LANES) {
    if (accounts[b].verdict == VERDICT_ASKS) { accounts[b].verdict = judge(b, 1.0, true); }
    if (accounts[b].verdict == VERDICT_WRONG) {
      accounts[b].share = 0.5;
      accounts[b].least = 0.0;
      accounts[b].most = 1.0;
      atomicStore(&found, 1u);
    }
  }
  workgroupBarrier();
  if (lane == 0u) {
    conclude(atomicLoad(&found) != 0u);
    if (contactStep.parts == 1u << (contactStep.attempts - 1u)) { close(); }
    restoring = trust.restores;
    trust.copies = vec3u(trust.restores * COPY_GROUPS, 1u, 1u);
  }
  // bodies that turned non-finite in the frame are sound again
  let thaws = workgroupUniformLoad(&restoring) != 0u;
  for (var b = lane; thaws && b < contactStep.bodyCount; b += JUDGE_LANES) {
    if (bodyStates[b].frozenAt == contactStep.frame) { bodyStates[b].frozenAt = 0u; }
  }
}

fn conclude(isWrong: bool) {
  if (control.isIdle != 0u) { return; }
  if (control.haltedAt != 0u) {
    trust.restores = u32(control.haltedAt == contactStep.number);
    giveUp();
  } else if (!isWrong && (control.isDeep == 0u || contactStep.isJudged == 0u)) {
    trust.parts = 0u;
    trust.isTangled = 0u;
  } else if (contactStep.parts < MOST_PARTS && trust.isTangled == 0u) {
    trust.parts = 2u * contactStep.parts;
    trust.restores = 1u;
    trust.repeated += 1u;
  } else {
    trust.parts = 0u;
    trust.isTangled = 1u;
    trust.holds = u32(isWrong);
    control.usedParts = MOST_PARTS;
  }
}

// After the last attempt that is encoded. Only with all of them what is wrong can be held.
fn close() {
  let needs = trust.parts != 0u || (trust.holds != 0u && contactStep.parts < MOST_PARTS);
  if (needs && control.haltedAt == 0u) {
    control.haltedAt = contactStep.number;
    control.wantedParts = MOST_PARTS;
    trust.restores = 1u;
    giveUp();
  }
  control.repeated = trust.repeated;
  control.isIdle = 0u;
}

fn giveUp() {
  trust.parts = 0u;
  trust.holds = 0u;
  trust.isTangled = trust.tangledBefore;
  trust.repeated = trust.repeatedBefore;
}
