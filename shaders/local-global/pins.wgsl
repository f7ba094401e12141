#import "local-global/sparse.wgsl"
#import "local-global/sum.wgsl"

// Held vertices exactly: twin of pin-solver.ts, with the inverse of E A⁻¹ Eᵀ in place of its factor.

@group(0) @binding(2) var<storage, read_write> y: array<vec4f>;
// columns of held vertices, ascending
@group(0) @binding(3) var<storage, read> pinned: array<u32>;
// by how much each misses its place [m]
@group(0) @binding(4) var<storage, read_write> gaps: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> pinForces: array<vec4f>;
@group(0) @binding(6) var<storage, read> pinInverse: array<f32>;
@group(0) @binding(7) var<storage, read> bodies: array<LocalGlobalBody>;
@group(0) @binding(8) var<storage, read> start: array<vec4f>;
@group(0) @binding(9) var<storage, read> displacement: array<vec4f>;
@group(0) @binding(10) var<storage, read> pins: array<vec4f>;
@group(1) @binding(0) var<uniform> step: LocalGlobalStep;

// (S eⱼ)ᵀ y, of the rows that are here: A⁻¹ r at a vertex. Every invocation has to call it.
fn readColumn(j: u32, lane: u32) -> vec3f {
  let column = columns[j];
  var sum = vec3f(0.0);
  if (lane < column.depth) {
    var row = ancestor(j, lane);
    for (var k = lane; k < column.depth; k += SUM_WIDTH) {
      if (isHere(row)) {
        sum += entryOf(row, j) * y[row].xyz;
      }
      if (k + SUM_WIDTH < column.depth) {
        row = ancestor(row, SUM_WIDTH);
      }
    }
  }
  return workgroupSum(sum, lane);
}

// Gaps of held vertices to where they are to go in this step.
@compute @workgroup_size(SUM_WIDTH)
fn readPins(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let j = pinned[group.x];
  let moved = readColumn(j, lane);
  if (lane == 0u) {
    var gap = gaps[group.x].xyz;
    if (range.firstRow == 0u) {
      let v = columns[j].vertex;
      gap = step.pinShare * (pins[v].xyz - start[v].xyz) - displacement[v].xyz;
    }
    gaps[group.x] = vec4f(gap - moved, 0.0);
  }
}

// The same for held vertices that stay.
@compute @workgroup_size(SUM_WIDTH)
fn readStillPins(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let moved = readColumn(pinned[group.x], lane);
  if (lane == 0u) {
    gaps[group.x] = vec4f(select(gaps[group.x].xyz, vec3f(0.0), range.firstRow == 0u) - moved, 0.0);
  }
}

// f = (E A⁻¹ Eᵀ)⁻¹ gaps
@compute @workgroup_size(SUM_WIDTH)
fn solvePins(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[columns[pinned[group.x]].body];
  let line = body.firstPinEntry + (group.x - body.firstPin) * body.pinCount;
  var sum = vec3f(0.0);
  for (var k = lane; k < body.pinCount; k += SUM_WIDTH) {
    sum += pinInverse[line + k] * gaps[body.firstPin + k].xyz;
  }
  let force = workgroupSum(sum, lane);
  if (lane == 0u) {
    pinForces[group.x] = vec4f(force, 0.0);
  }
}

// y += S Eᵀ f: a row gathers from the held ones of its descendants.
@compute @workgroup_size(64)
fn addPins(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x + range.firstRow;
  if (i >= range.endRow) {
    return;
  }
  let row = columns[i];
  let body = bodies[row.body];
  // the first that is not before the row's first column
  var low = body.firstPin;
  var high = body.firstPin + body.pinCount;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (pinned[middle] < row.first) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  var sum = vec3f(0.0);
  for (var k = low; k < body.firstPin + body.pinCount; k++) {
    let j = pinned[k];
    if (j > i) {
      break;
    }
    sum += values[row.at + 4u * j] * pinForces[k].xyz;
  }
  y[i] += vec4f(sum, 0.0);
}
