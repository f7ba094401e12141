#import "local-global/step/cayley.wgsl"
#import "local-global/layout.wgsl"
#import "local-global/global/sum.wgsl"

// The rotation of a body as a whole: twin of turning.ts, with its symbols. Sums over a body are those of one workgroup, in a
// fixed order.

@group(0) @binding(0) var<storage, read> bodies: array<LocalGlobalBody>;
@group(0) @binding(1) var<storage, read_write> bodyStates: array<LocalGlobalBodyState>;
@group(0) @binding(2) var<storage, read> start: array<vec4f>;
@group(0) @binding(3) var<storage, read> displacement: array<vec4f>;
// q̃ − q⁻ and mass
@group(0) @binding(4) var<storage, read> predicted: array<vec4f>;
// x by vertices: where iterations start, from the body's middle
@group(0) @binding(5) var<storage, read_write> x: array<vec4f>;
// M x and (A − M) x by columns
@group(0) @binding(6) var<storage, read_write> momentum: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> resistance: array<vec4f>;
// column and body
@group(0) @binding(8) var<storage, read> vertices: array<vec2u>;
// A without its diagonal by vertices, in compressed rows: column is a vertex
@group(0) @binding(9) var<storage, read> matrixOffsets: array<u32>;
struct MatrixEntry {
  vertex: u32,
  value: f32,
}
@group(0) @binding(10) var<storage, read> matrixEntries: array<MatrixEntry>;
// N θ = θ × arms, by vertices
@group(0) @binding(11) var<storage, read> arms: array<vec4f>;
@group(0) @binding(12) var<storage, read> pinned: array<u32>;
@group(0) @binding(13) var<storage, read> pinForces: array<vec4f>;
@group(0) @binding(14) var<storage, read> columns: array<SparseColumn>;
// S M x, by columns
@group(0) @binding(15) var<storage, read> momenta: array<vec4f>;
@group(0) @binding(16) var<storage, read_write> y: array<vec4f>;
// S Z θ = θ × turnForces, by columns
@group(0) @binding(17) var<storage, read> turnForces: array<vec4f>;
@group(1) @binding(0) var<uniform> step: LocalGlobalStep;

// From q⁻ of the body's first vertex, so that no digits go to where the body is.
fn place(i: u32, firstVertex: u32) -> vec3f {
  return (start[i].xyz - start[firstVertex].xyz) + displacement[i].xyz;
}

@compute @workgroup_size(SUM_WIDTH)
fn findMiddles(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[group.x];
  var sum = vec3f(0.0);
  for (var k = lane; k < body.vertexCount; k += SUM_WIDTH) { sum += place(body.firstVertex + k, body.firstVertex); }
  let total = workgroupSum(sum, lane);
  if (lane == 0u) {
    bodyStates[group.x].middle = total / f32(body.vertexCount);
    bodyStates[group.x].theta = vec3f(0.0);
    bodyStates[group.x].turned = vec3f(0.0);
    bodyStates[group.x].lag = vec3f(0.0);
    bodyStates[group.x].isTouched = 0u;
  }
}

@compute @workgroup_size(64)
fn placeVertices(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= step.vertexCount) { return; }
  let v = vertices[i];
  let found = place(i, bodies[v.y].firstVertex) - bodyStates[v.y].middle;
  x[i] = vec4f(found, 0.0);
  momentum[v.x] = vec4f(predicted[i].w * found, 0.0);
}

// Rows of A − M add up to zero.
@compute @workgroup_size(64)
fn resistTurning(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= step.vertexCount) { return; }
  let own = x[i].xyz;
  var sum = vec3f(0.0);
  for (var k = matrixOffsets[i]; k < matrixOffsets[i + 1u]; k++) {
    let entry = matrixEntries[k];
    sum += entry.value * (x[entry.vertex].xyz - own);
  }
  resistance[vertices[i].x] = vec4f(sum, 0.0);
}

// a bᵀ; columns of the result are those of b
fn outer(a: vec3f, b: vec3f) -> mat3x3f {
  return mat3x3f(a * b.x, a * b.y, a * b.z);
}

// T⁻¹ = tr D − D with the symmetric part of D = Σ m x armᵀ − Σ x µᵀ
@compute @workgroup_size(SUM_WIDTH)
fn invertTurns(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[group.x];
  var sum = mat3x3f();
  for (var k = lane; k < body.vertexCount; k += SUM_WIDTH) {
    let i = body.firstVertex + k;
    sum += outer(predicted[i].w * x[i].xyz, arms[i].xyz);
  }
  for (var k = lane; k < body.pinCount; k += SUM_WIDTH) {
    let pin = body.firstPin + k;
    sum += outer(-x[columns[pinned[pin]].vertex].xyz, pinForces[pin].xyz);
  }
  var d = mat3x3f();
  for (var c = 0u; c < 3u; c++) {
    d[c] = workgroupSum(sum[c], lane);
    workgroupBarrier();
  }
  if (lane != 0u) { return; }
  let a = d[1][1] + d[2][2];
  let b = -0.5 * (d[0][1] + d[1][0]);
  let c = -0.5 * (d[0][2] + d[2][0]);
  let e = d[0][0] + d[2][2];
  let f = -0.5 * (d[1][2] + d[2][1]);
  let g = d[0][0] + d[1][1];
  let first = vec3f(e * g - f * f, c * f - b * g, b * f - c * e);
  let determinant = a * first.x + b * first.y + c * first.z;
  // a body that is held so that it cannot turn, or is a line
  let isTurned = a > 0.0 && a * e - b * b > 0.0 && determinant > 1e-5 * a * e * g;
  bodyStates[group.x].isTurned = select(0u, 1u, isTurned);
  if (!isTurned) {
    bodyStates[group.x].turn = mat3x3f();
    return;
  }
  let yz = (b * c - a * f) / determinant;
  bodyStates[group.x].turn = mat3x3f(
    first / determinant,
    vec3f(first.y / determinant, (a * g - c * c) / determinant, yz),
    vec3f(first.z / determinant, yz, (a * e - b * b) / determinant),
  );
}

// Angular momentum that d lacks, part of inertia: Σ m (q − middle) × (q̃ − q).
@compute @workgroup_size(SUM_WIDTH)
fn findMoments(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[group.x];
  let middle = bodyStates[group.x].middle;
  var sum = vec3f(0.0);
  for (var k = lane; k < body.vertexCount; k += SUM_WIDTH) {
    let i = body.firstVertex + k;
    sum += predicted[i].w * cross(place(i, body.firstVertex) - middle, predicted[i].xyz - displacement[i].xyz);
  }
  let total = workgroupSum(sum, lane);
  if (lane == 0u) { bodyStates[group.x].moment = total + bodyStates[group.x].lag; }
}

// The part of the global step, and of held vertices; then θ.
@compute @workgroup_size(SUM_WIDTH)
fn findTurns(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[group.x];
  var sum = vec3f(0.0);
  for (var k = lane; k < body.vertexCount; k += SUM_WIDTH) {
    let j = body.firstVertex + k;
    sum -= cross(momenta[j].xyz, y[j].xyz);
  }
  for (var k = lane; k < body.pinCount; k += SUM_WIDTH) {
    let pin = body.firstPin + k;
    sum += cross(x[columns[pinned[pin]].vertex].xyz, pinForces[pin].xyz);
  }
  let total = workgroupSum(sum, lane);
  if (lane == 0u) {
    bodyStates[group.x].turned += bodyStates[group.x].theta;
    bodyStates[group.x].theta = bodyStates[group.x].turn * (bodyStates[group.x].moment + total);
  }
}

@compute @workgroup_size(64)
fn addTurns(@builtin(global_invocation_id) id: vec3u) {
  let j = id.x;
  if (j >= step.vertexCount) { return; }
  let body = columns[j].body;
  y[j] += vec4f(turnedFrom(bodyStates[body].turned, bodyStates[body].theta, turnForces[j].xyz), 0.0);
}
