#import "local-global/contact/steps.wgsl"
#import "local-global/delassus/entry.wgsl"

// The contacts of a local-global iteration (22) where they are many: a round of contact/steps.wgsl is seven dispatches,
//
//     push      Hᵀ of what is multiplied, at the touched vertices
//     share     parts of what that does to each body as a whole
//     respond   where G is not stored, y = S Hᵀ z
//     move      sums of those parts; what moves the touched vertices: a row of G, or a column of S with y
//     measure   contacts, and sums over some of them
//     decide    all sums, and what is next
//     act       contacts do it
//
// As many rounds are encoded as frames of late have taken; once it is done the rest of them has nothing to do, and a step that wants more
// halts, see keep-contacts.wgsl. Every kernel goes through all there is with any number of workgroups, and sums do not depend on that.
// Only one has barriers, in one workgroup: software adapters take long over those.

const WIDE_LANES = 64u;
// Rows that are taken at once: in one block they have the forces of their descendants in common. And touched vertices: they have most of
// their ancestors in common.
const QUAD = 4u;
// contacts that an invocation measures
const MEASURED = 4u;
// z is solved for, and forces and what they move are those of z
const SOLVE_OVER = 5u;

struct WideContacts {
  solving: ContactSolving,
  rounds: u32,
}

@group(0) @binding(8) var<storage, read_write> wide: WideContacts;
@group(0) @binding(9) var<storage, read_write> contactTotals: array<LaneTotals>;
// WIDE_LANES of each node: force and moment
@group(0) @binding(10) var<storage, read_write> nodeShares: array<LaneTotals>;

@compute @workgroup_size(WIDE_LANES)
fn beginWide(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let isWide = control.isWide == 1u;
  if (id.x == 0u) {
    wide = WideContacts();
    wide.solving.stage = select(SOLVE_OVER, SOLVE_JUDGING, isWide);
  }
  if (isWide) {
    for (var n = id.x; n < control.count; n += WIDE_LANES * groups.x) { beginContact(n); }
  }
}

@compute @workgroup_size(WIDE_LANES)
fn push(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  if (wide.solving.stage == SOLVE_OVER) { return; }
  for (var i = id.x; i < control.touched; i += WIDE_LANES * groups.x) { touched[i].force = forceOn(i); }
}

@compute @workgroup_size(WIDE_LANES)
fn share(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  if (wide.solving.stage == SOLVE_OVER) { return; }
  let shares = WIDE_LANES * (contactStep.bodyCount + contactStep.rigidCount);
  for (var s = id.x; s < shares; s += WIDE_LANES * groups.x) {
    nodeShares[s] = shareOf(s / WIDE_LANES, s % WIDE_LANES, WIDE_LANES);
  }
}

@compute @workgroup_size(WIDE_LANES)
fn respondWide(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  if (wide.solving.stage == SOLVE_OVER || control.isStored == 1u) { return; }
  let count = contactStep.vertexCount;
  let quads = (count + QUAD - 1u) / QUAD;
  for (var n = id.x; n < quads; n += WIDE_LANES * groups.x) {
    // the longest rows are the last ones
    respondQuad(QUAD * (quads - 1u - n));
  }
  for (var j = id.x; j < count; j += WIDE_LANES * groups.x) { contactColumns[j].held = heldForce(j); }
}

// y of four rows from one on.
fn respondQuad(j: u32) {
  let rows = min(QUAD, contactStep.vertexCount - j);
  let first = contactColumns[j].first;
  let end = contactColumns[j].end;
  if (rows < QUAD || contactColumns[j + QUAD - 1u].blockEnd != contactColumns[j].blockEnd) {
    for (var k = 0u; k < rows; k++) { contactColumns[j + k].y = columnForce(j + k); }
    return;
  }
  let depth = contactColumns[j].depth;
  var sum0 = vec3f(0.0);
  var sum1 = vec3f(0.0);
  var sum2 = vec3f(0.0);
  var sum3 = vec3f(0.0);
  for (var t = first; t < end; t++) {
    let at = touched[t].at + touched[t].depth - depth;
    let force = touched[t].force;
    sum0 += delassus[at] * force;
    sum1 += delassus[at + 1u] * force;
    sum2 += delassus[at + 2u] * force;
    sum3 += delassus[at + 3u] * force;
  }
  contactColumns[j].y = sum0;
  contactColumns[j + 1u].y = sum1 + besides(j + 1u, first, end);
  contactColumns[j + 2u].y = sum2 + besides(j + 2u, first, end);
  contactColumns[j + 3u].y = sum3 + besides(j + 3u, first, end);
}

// Of a row what is not of a stretch of touched vertices.
fn besides(j: u32, first: u32, end: u32) -> vec3f {
  return columnStretch(j, contactColumns[j].first, first) + columnStretch(j, end, contactColumns[j].end);
}

@compute @workgroup_size(WIDE_LANES)
fn moveWide(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  if (wide.solving.stage == SOLVE_OVER) { return; }
  for (var n = id.x; n * QUAD < control.touched; n += WIDE_LANES * groups.x) { moveQuad(n * QUAD); }
  let nodeCount = contactStep.bodyCount + contactStep.rigidCount;
  for (var k = id.x; k < nodeCount; k += WIDE_LANES * groups.x) {
    var sum = LaneTotals(vec4f(0.0), vec4f(0.0));
    for (var s = WIDE_LANES * k; s < WIDE_LANES * (k + 1u); s++) {
      sum.sums += nodeShares[s].sums;
      sum.most += nodeShares[s].most;
    }
    setNode(k, sum.sums.xyz, sum.most.xyz);
  }
}

// Four touched vertices from one on.
fn moveQuad(i: u32) {
  let body = touched[i].body;
  let count = min(QUAD, control.touched - i);
  if (count < QUAD || touched[i + QUAD - 1u].body != body) {
    for (var k = 0u; k < count; k++) { touched[i + k].moved = movedBy(i + k); }
    return;
  }
  var sum0 = vec3f(0.0);
  var sum1 = vec3f(0.0);
  var sum2 = vec3f(0.0);
  var sum3 = vec3f(0.0);
  let entries = nodes[body].entries;
  if (entries != NO_SLOT) {
    let first = nodes[body].first;
    let size = nodes[body].count;
    var at = entries + i - first;
    for (var j = first; j < first + size; j++) {
      let force = touched[j].force;
      sum0 += delassus[at] * force;
      sum1 += delassus[at + 1u] * force;
      sum2 += delassus[at + 2u] * force;
      sum3 += delassus[at + 3u] * force;
      at += size;
    }
  } else {
    // they are in the order of their columns: what the first and the last share, those between share as well
    let length = sharedLength(touched[i].column, touched[i + 3u].column);
    sum0 = throughColumn(i, length);
    sum1 = throughColumn(i + 1u, length);
    sum2 = throughColumn(i + 2u, length);
    sum3 = throughColumn(i + 3u, length);
    var row = sharedRow(touched[i].column, touched[i + 3u].column);
    let at0 = touched[i].at + touched[i].depth - length;
    let at1 = touched[i + 1u].at + touched[i + 1u].depth - length;
    let at2 = touched[i + 2u].at + touched[i + 2u].depth - length;
    let at3 = touched[i + 3u].at + touched[i + 3u].depth - length;
    for (var k = 0u; k < length;) {
      let end = contactColumns[row].blockEnd;
      let parent = contactColumns[row].parent;
      for (; row < end; row++) {
        let y = contactColumns[row].y;
        sum0 += delassus[at0 + k] * y;
        sum1 += delassus[at1 + k] * y;
        sum2 += delassus[at2 + k] * y;
        sum3 += delassus[at3 + k] * y;
        k++;
      }
      row = parent;
    }
  }
  touched[i].moved = sum0;
  touched[i + 1u].moved = sum1;
  touched[i + 2u].moved = sum2;
  touched[i + 3u].moved = sum3;
}

@compute @workgroup_size(WIDE_LANES)
fn measureWide(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  if (wide.solving.stage >= SOLVE_DONE) { return; }
  let count = control.count;
  let parts = (count + MEASURED - 1u) / MEASURED;
  for (var i = id.x; i < parts; i += WIDE_LANES * groups.x) {
    var totals = LaneTotals(vec4f(0.0), vec4f(0.0));
    for (var n = i; n < count; n += parts) {
      let own = measureContact(n, wide.solving.stage, wide.solving.projections);
      totals.sums += own.sums;
      totals.most = max(totals.most, own.most);
    }
    contactTotals[i] = totals;
  }
}

// By one workgroup.
@compute @workgroup_size(LANES)
fn decideWide(@builtin(local_invocation_index) lane: u32) {
  var own = LaneTotals(vec4f(0.0), vec4f(0.0));
  if (wide.solving.stage < SOLVE_DONE) {
    for (var i = lane; i * MEASURED < control.count; i += LANES) {
      own.sums += contactTotals[i].sums;
      own.most = max(own.most, contactTotals[i].most);
    }
  }
  let totals = laneTotals(lane, own);
  if (lane != 0u || wide.solving.stage == SOLVE_OVER) { return; }
  wide.rounds++;
  let last = wide.solving;
  if (last.stage == SOLVE_DONE) {
    wide.solving.act = ACT_NOT;
    wide.solving.stage = SOLVE_OVER;
  } else {
    wide.solving = decide(last, totals);
    report(last, wide.solving, totals);
  }
}

@compute @workgroup_size(WIDE_LANES)
fn actWide(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  if (wide.solving.stage == SOLVE_OVER) { return; }
  // Most rounds are only this. Two loops instead of a branch: some adapters execute parts of branches that are not taken.
  let isConjugate = wide.solving.act == ACT_CONJUGATE;
  let count = control.count;
  for (var n = id.x; isConjugate && n < count; n += WIDE_LANES * groups.x) {
    multiplyNext(n, goOn(n, wide.solving.alpha, wide.solving.beta));
  }
  for (var n = id.x; !isConjugate && n < count; n += WIDE_LANES * groups.x) { actContact(n, wide.solving); }
}

// After the rounds of an iteration.
@compute @workgroup_size(1)
fn endWide() {
  if (control.isWide == 0u || control.haltedAt != 0u) { return; }
  var rounds = wide.rounds;
  if (wide.solving.stage != SOLVE_OVER) {
    rounds = MORE_ROUNDS;
    control.haltedAt = contactStep.number;
  }
  if (contactStep.isLast == 1u) {
    control.lastRounds = max(control.lastRounds, rounds);
  } else {
    control.rounds = max(control.rounds, rounds);
  }
}
