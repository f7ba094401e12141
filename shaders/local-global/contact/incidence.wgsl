#import "local-global/contact/layout.wgsl"

// Which contacts each vertex and each rigid body is in: compressed rows by columns, rigid bodies after those; those of vertices are filled in
// any order and then sorted, so that sums over them are the same always. One workgroup, since every stage needs all of the one before.

const ROW_LANES = 256u;

@group(0) @binding(0) var<storage, read> contacts: array<SoftContact>;
@group(0) @binding(1) var<storage, read> control: ContactControl;
// column and body
@group(0) @binding(2) var<storage, read> vertices: array<vec2u>;
// counts, then where each row begins
@group(0) @binding(3) var<storage, read_write> rowStart: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> rowFill: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> incidence: array<u32>;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

var<workgroup> rowSums: array<u32, ROW_LANES>;

@compute @workgroup_size(ROW_LANES)
fn listRows(@builtin(local_invocation_index) lane: u32) {
  let rows = contactStep.vertexCount + contactStep.rigidCount;
  for (var r = lane; r <= rows; r += ROW_LANES) {
    atomicStore(&rowStart[r], 0u);
    atomicStore(&rowFill[r], 0u);
  }
  storageBarrier();
  for (var n = lane; n < control.count; n += ROW_LANES) {
    for (var i = 0u; i < 4u; i++) {
      let v = contacts[n].vertices[i];
      if (v != NO_VERTEX) { atomicAdd(&rowStart[vertices[v].x], 1u); }
    }
  }
  // rigid bodies may have very many: in their order at once
  for (var p = lane; p < contactStep.rigidCount; p += ROW_LANES) {
    var own = 0u;
    for (var n = 0u; n < control.count; n++) { own += u32(contacts[n].proxy == p + 1u); }
    atomicStore(&rowStart[contactStep.vertexCount + p], own);
  }
  storageBarrier();
  let stretch = (rows + ROW_LANES - 1u) / ROW_LANES;
  let first = min(rows, lane * stretch);
  let end = min(rows, first + stretch);
  var sum = 0u;
  for (var r = first; r < end; r++) { sum += atomicLoad(&rowStart[r]); }
  rowSums[lane] = sum;
  workgroupBarrier();
  for (var reach = 1u; reach < ROW_LANES; reach *= 2u) {
    var before = 0u;
    if (lane >= reach) { before = rowSums[lane - reach]; }
    workgroupBarrier();
    rowSums[lane] += before;
    workgroupBarrier();
  }
  var total = rowSums[lane] - sum;
  for (var r = first; r < end; r++) {
    let own = atomicLoad(&rowStart[r]);
    atomicStore(&rowStart[r], total);
    total += own;
  }
  if (lane == ROW_LANES - 1u) { atomicStore(&rowStart[rows], total); }
  storageBarrier();
  for (var n = lane; n < control.count; n += ROW_LANES) {
    for (var i = 0u; i < 4u; i++) {
      let v = contacts[n].vertices[i];
      if (v != NO_VERTEX) {
        let r = vertices[v].x;
        incidence[atomicLoad(&rowStart[r]) + atomicAdd(&rowFill[r], 1u)] = 4u * n + i;
      }
    }
  }
  for (var p = lane; p < contactStep.rigidCount; p += ROW_LANES) {
    var at = atomicLoad(&rowStart[contactStep.vertexCount + p]);
    for (var n = 0u; n < control.count; n++) {
      if (contacts[n].proxy == p + 1u) {
        incidence[at] = n;
        at++;
      }
    }
  }
  storageBarrier();
  for (var r = lane; r < contactStep.vertexCount; r += ROW_LANES) {
    sortRow(atomicLoad(&rowStart[r]), atomicLoad(&rowStart[r + 1u]));
  }
}

fn sortRow(first: u32, end: u32) {
  for (var i = first + 1u; i < end; i++) {
    let entry = incidence[i];
    var k = i;
    while (k > first && incidence[k - 1u] > entry) {
      incidence[k] = incidence[k - 1u];
      k--;
    }
    incidence[k] = entry;
  }
}
