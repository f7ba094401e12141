#import "local-global/global/sparse.wgsl"
#import "local-global/contact/layout.wgsl"

// Part of A⁻¹ between touched vertices that held vertices take away: twin of PinSolver.column,
//
//     (A_p⁻¹)ᵥᵥ' = (A⁻¹)ᵥᵥ' − cᵥ · cᵥ',   cᵥ = L⁻¹ E A⁻¹ eᵥ,   E A⁻¹ Eᵀ + C = L Lᵀ
//
// E picks the held vertices, in the models' order. cᵥ stands in `delassus` behind the column of S of a touched vertex. A workgroup
// has one of those.

@group(0) @binding(2) var<storage, read> touched: array<TouchedVertex>;
@group(0) @binding(3) var<storage, read> nodes: array<ContactNode>;
// of held vertices, body by body
@group(0) @binding(4) var<storage, read> heldColumns: array<u32>;
@group(0) @binding(5) var<storage, read_write> delassus: array<f32>;
// L⁻¹ of each body, column by column
@group(0) @binding(6) var<storage, read> heldRoots: array<f32>;
@group(0) @binding(7) var<storage, read> bodies: array<LocalGlobalBody>;

const HELD_LANES = 64u;

// E A⁻¹ eᵥ: what the columns of S share. Runs for each buffer of values.
@compute @workgroup_size(HELD_LANES)
fn readHeld(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let own = touched[group.x];
  let firstHeld = nodes[own.body].firstHeld;
  for (var p = lane; p < nodes[own.body].heldCount; p += HELD_LANES) {
    let j = heldColumns[firstHeld + p];
    var row = sharedRow(j, own.column);
    var sum = 0.0;
    if (row != NO_COLUMN) {
      var at = own.at + own.depth - columns[row].depth;
      while (row != NO_COLUMN) {
        if (isHere(row)) { sum += entryOf(row, j) * delassus[at]; }
        at++;
        row = rowAfter(row);
      }
    }
    if (range.firstRow > 0u) { sum += delassus[own.at + own.depth + p]; }
    delassus[own.at + own.depth + p] = sum;
  }
}

// L⁻¹ of that in its place: from the last on, as L⁻¹ is a lower triangle.
@compute @workgroup_size(HELD_LANES)
fn solveHeld(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = touched[group.x].body;
  let first = touched[group.x].at + touched[group.x].depth;
  let count = nodes[body].heldCount;
  let root = bodies[body].firstPinEntry;
  let tiles = (count + HELD_LANES - 1u) / HELD_LANES;
  for (var tile = tiles; tile > 0u; tile--) {
    let row = (tile - 1u) * HELD_LANES + lane;
    var sum = 0.0;
    if (row < count) {
      for (var p = 0u; p <= row; p++) { sum += heldRoots[root + p * count + row] * delassus[first + p]; }
    }
    storageBarrier();
    if (row < count) { delassus[first + row] = sum; }
  }
}
