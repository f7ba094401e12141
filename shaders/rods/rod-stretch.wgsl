#import "gpbd/step.wgsl"

// Stretch of rods, all edges of a chain at once; twin of rod-stretch.ts. A workgroup solves a piece of the chain by parallel cyclic
// reduction: in each round every row takes those at a distance out of itself, and the distance doubles.

struct StretchEdge {
  vertices: vec2u,
  restLength: f32,
  // α [m/N]
  compliance: f32,
}

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
@group(0) @binding(2) var<storage, read> stretchEdges: array<StretchEdge>;
// λ of each edge [N s²]
@group(0) @binding(3) var<storage, read_write> tensions: array<f32>;

const stretchBlock = 512u;
const stretchLanes = 64u;
const rowsPerLane = 8u;
// As in rod-stretch.ts
const mostLeft = 0.01;
const mostPasses = 4u;

// Rows: before xₑ₋ₛ + own xₑ + after xₑ₊ₛ = right, and the second right-hand side of a ring. Then n Δλ in the first three.
var<workgroup> before: array<f32, stretchBlock>;
var<workgroup> own: array<f32, stretchBlock>;
var<workgroup> after: array<f32, stretchBlock>;
var<workgroup> right: array<f32, stretchBlock>;
var<workgroup> corner: array<f32, stretchBlock>;
// Whether a lane has an edge at which much is left, and whether any has
var<workgroup> open: array<u32, stretchLanes>;
var<workgroup> isOpen: u32;

// From the first end of an edge to the second; w: the length.
fn directed(edge: StretchEdge) -> vec4f {
  let d = (start[edge.vertices.y].xyz - start[edge.vertices.x].xyz)
    + (displacement[edge.vertices.y].xyz - displacement[edge.vertices.x].xyz);
  let size = length(d);
  if (size > 0.0) { return vec4f(d / size, size); }
  return vec4f(1.0, 0.0, 0.0, 0.0);
}

// range.first: 0 for pieces at even places, 1 for the others; range.count: all edges.
@compute @workgroup_size(64)
fn stretch(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
  let base = (2u * group.x + range.first) * stretchBlock;
  let count = min(stretchBlock, range.count - base);
  let hh = step.h * step.h;
  let last = stretchEdges[base + count - 1u];
  let isRing = range.count > 2u && count == range.count && last.vertices.y == stretchEdges[base].vertices.x;
  var n: array<vec3f, rowsPerLane>;
  for (var turn = 0u; turn < mostPasses; turn++) {
    let isFirst = turn == 0u && range.loadTracked == 0u;
    var isLeft = false;
    for (var k = 0u; k < rowsPerLane; k++) {
      let e = k * stretchLanes + lane;
      if (e >= count) { break; }
      let edge = stretchEdges[base + e];
      let along = directed(edge);
      n[k] = along.xyz;
      let w = hh * vec2f(displacement[edge.vertices.x].w, displacement[edge.vertices.y].w);
      let gram = w.x + w.y;
      let isFree = gram > 0.0;
      let tension = select(tensions[base + e], 0.0, isFirst);
      own[e] = select(1.0, gram + edge.compliance, isFree);
      right[e] = select(0.0, edge.restLength - along.w - edge.compliance * tension, isFree);
      isLeft = isLeft || abs(right[e]) > mostLeft * edge.restLength;
      var lower = 0.0;
      var upper = 0.0;
      if (e > 0u) { lower = -w.x * dot(n[k], directed(stretchEdges[base + e - 1u]).xyz); }
      if (e + 1u < count) { upper = -w.y * dot(n[k], directed(stretchEdges[base + e + 1u]).xyz); }
      before[e] = lower;
      after[e] = upper;
      corner[e] = 0.0;
    }
    open[lane] = select(0u, 1u, isLeft);
    workgroupBarrier();
    if (lane == 0u) {
      isOpen = select(0u, 1u, turn == 0u);
      for (var k = 0u; k < stretchLanes; k++) { isOpen |= open[k]; }
    }
    if (workgroupUniformLoad(&isOpen) == 0u) { break; }
    // Coupling of the ends of a ring, and its ratio to the first entry of the diagonal
    var ring = 0.0;
    var share = 0.0;
    if (isRing) {
      ring = -hh * displacement[last.vertices.y].w * dot(directed(last).xyz, directed(stretchEdges[base]).xyz);
      share = ring / own[0];
    }
    workgroupBarrier();
    if (ring != 0.0 && lane == 0u) {
      own[count - 1u] += ring * share;
      corner[0] = -own[0];
      corner[count - 1u] = ring;
      own[0] = 2.0 * own[0];
    }
    workgroupBarrier();
    for (var distance = 1u; distance < count; distance *= 2u) {
      var row: array<vec4f, rowsPerLane>;
      var second: array<f32, rowsPerLane>;
      for (var k = 0u; k < rowsPerLane; k++) {
        let e = k * stretchLanes + lane;
        if (e >= count) { break; }
        var next = vec4f(0.0, own[e], 0.0, right[e]);
        var nextCorner = corner[e];
        if (e >= distance) {
          let other = e - distance;
          let factor = before[e] / own[other];
          next -= factor * vec4f(before[other], after[other], 0.0, right[other]);
          nextCorner -= factor * corner[other];
        }
        if (e + distance < count) {
          let other = e + distance;
          let factor = after[e] / own[other];
          next -= factor * vec4f(0.0, before[other], after[other], right[other]);
          nextCorner -= factor * corner[other];
        }
        row[k] = next;
        second[k] = nextCorner;
      }
      workgroupBarrier();
      for (var k = 0u; k < rowsPerLane; k++) {
        let e = k * stretchLanes + lane;
        if (e >= count) { break; }
        before[e] = row[k].x;
        own[e] = row[k].y;
        after[e] = row[k].z;
        right[e] = row[k].w;
        corner[e] = second[k];
      }
      workgroupBarrier();
    }
    var part = 0.0;
    if (ring != 0.0) {
      let final_ = count - 1u;
      part = (right[0] / own[0] - share * right[final_] / own[final_])
        / (1.0 + corner[0] / own[0] - share * corner[final_] / own[final_]);
    }
    var change: array<f32, rowsPerLane>;
    for (var k = 0u; k < rowsPerLane; k++) {
      let e = k * stretchLanes + lane;
      if (e >= count) { break; }
      change[k] = (right[e] - part * corner[e]) / own[e];
    }
    workgroupBarrier();
    for (var k = 0u; k < rowsPerLane; k++) {
      let e = k * stretchLanes + lane;
      if (e >= count) { break; }
      let tension = select(tensions[base + e], 0.0, isFirst);
      tensions[base + e] = tension + change[k];
      let push = change[k] * n[k];
      before[e] = push.x;
      own[e] = push.y;
      after[e] = push.z;
    }
    workgroupBarrier();
    // Each row moves the particle at its end, the first the one at its start, too.
    for (var k = 0u; k < rowsPerLane; k++) {
      let e = k * stretchLanes + lane;
      if (e >= count) { break; }
      var pull = vec3f(before[e], own[e], after[e]);
      let first = pull;
      if (e + 1u < count) {
        pull -= vec3f(before[e + 1u], own[e + 1u], after[e + 1u]);
      } else if (isRing) {
        pull -= vec3f(before[0], own[0], after[0]);
      }
      let vertices = stretchEdges[base + e].vertices;
      let u = displacement[vertices.y];
      displacement[vertices.y] = u + vec4f(hh * u.w * pull, 0.0);
      if (e == 0u && !isRing) {
        let v = displacement[vertices.x];
        displacement[vertices.x] = v - vec4f(hh * v.w * first, 0.0);
      }
    }
    storageBarrier();
    workgroupBarrier();
  }
}
