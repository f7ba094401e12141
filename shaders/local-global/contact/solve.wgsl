#import "local-global/contact/steps.wgsl"

// Solves the contacts of a local-global iteration (22), all in one workgroup and one dispatch: rounds of contact/steps.wgsl.
// contact/wide.wgsl solves them if they are many.

var<workgroup> sharedCounts: vec3u;
var<workgroup> sharedSolving: ContactSolving;

@compute @workgroup_size(LANES)
fn solveContacts(@builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) {
    sharedCounts = vec3u(select(control.count, 0u, control.isWide == 1u), control.touched, control.isStored);
    sharedSolving = ContactSolving();
  }
  let counts = workgroupUniformLoad(&sharedCounts);
  let count = counts.x;
  if (count == 0u) { return; }
  for (var n = lane; n < count; n += LANES) { beginContact(n); }
  storageBarrier();
  loop {
    respond(lane, counts.y, counts.z == 1u);
    let last = workgroupUniformLoad(&sharedSolving);
    if (last.stage == SOLVE_DONE) { break; }
    var own = LaneTotals(vec4f(0.0), vec4f(0.0));
    for (var n = lane; n < count; n += LANES) {
      let contact = measureContact(n, last.stage, last.projections);
      own.sums += contact.sums;
      own.most = max(own.most, contact.most);
    }
    let totals = laneTotals(lane, own);
    if (lane == 0u) {
      let decided = decide(last, totals);
      report(last, decided, totals);
      sharedSolving = decided;
    }
    let next = workgroupUniformLoad(&sharedSolving);
    for (var n = lane; n < count; n += LANES) { actContact(n, next); }
    storageBarrier();
  }
}
