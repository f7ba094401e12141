#import "surface/layout.wgsl"
#import "surface/closest.wgsl"
#import "surface/shift.wgsl"

// One projection of all pairs, in four passes; twin of surface-contact.ts, which has the derivation.

const surfaceRelaxation = 1.3;
const surfaceLeastShare = 0.5;
const surfaceLeastSeparation = 0.001;

@group(0) @binding(1) var<storage, read> surfaceStart: array<vec4f>;
@group(0) @binding(3) var<storage, read> ownerStart: array<u32>;
@group(0) @binding(4) var<storage, read_write> pairs: array<SurfacePair>;
@group(0) @binding(5) var<storage, read> rowStart: array<u32>;
@group(0) @binding(6) var<storage, read> rowEntries: array<u32>;
// c of each particle
@group(0) @binding(7) var<storage, read_write> loads: array<f32>;
// friction coefficient of each particle's body
@group(0) @binding(8) var<storage, read> frictions: array<f32>;

fn pairCount() -> u32 {
  return min(surface.capacity, ownerStart[surface.vertexCount + surface.edgeCount]);
}

// Closest points and C.
fn evaluatePair(j: u32) {
  let v = pairs[j].vertices;
  let origin = surfaceStart[v.x].xyz;
  let before = mat4x3f(
    vec3f(0.0), surfaceStart[v.y].xyz - origin, surfaceStart[v.z].xyz - origin, surfaceStart[v.w].xyz - origin,
  );
  let u = mat4x3f(surfaceShift[v.x].xyz, surfaceShift[v.y].xyz, surfaceShift[v.z].xyz, surfaceShift[v.w].xyz);
  let relative = mat4x3f(vec3f(0.0), u[1] - u[0], u[2] - u[0], u[3] - u[0]);
  let x = before + relative;
  // They are at least as far apart as along any direction: mostly this is enough.
  if (gapOf(pairs[j].kind, pairs[j].normal * x) >= pairs[j].distance) {
    pairs[j].violation = 0.0;
    return;
  }
  let weights = closestWeights(pairs[j].kind, x);
  let r = x * weights;
  let apart = length(r);
  // Through one another: they are to go back the way that they came.
  let side = select(1.0, -1.0, dot(pairs[j].normal, r) < 0.0);
  var normal = pairs[j].normal;
  var gap = dot(normal, r);
  if (apart > surfaceLeastSeparation * pairs[j].distance) {
    normal = side / apart * r;
    gap = side * apart;
  }
  let wanted = min(pairs[j].distance, dot(normal, before * weights) + surface.parting);
  pairs[j].weights = weights;
  pairs[j].normal = normal;
  pairs[j].violation = min(0.0, gap - wanted);
}

@compute @workgroup_size(64)
fn evaluatePairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var j = id.x; j < pairCount(); j += 64u * groups.x) {
    evaluatePair(j);
  }
}

@compute @workgroup_size(64)
fn sumLoads(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= surface.particleCount) {
    return;
  }
  var load = 0.0;
  for (var i = rowStart[p]; i < rowStart[p + 1u]; i++) {
    let entry = rowEntries[i];
    if (pairs[entry >> 2u].violation < 0.0) {
      load += abs(pairs[entry >> 2u].weights[entry & 3u]);
    }
  }
  loads[p] = load;
}

fn pushPair(j: u32) {
  pairs[j].impulse = vec3f(0.0);
  let violation = pairs[j].violation;
  if (violation == 0.0) {
    return;
  }
  let v = pairs[j].vertices;
  let weights = pairs[j].weights;
  let normal = pairs[j].normal;
  var rowSum = 0.0;
  var largest = 0.0;
  var slip = vec3f(0.0);
  for (var k = 0u; k < 4u; k++) {
    let u = surfaceShift[v[k]];
    rowSum += abs(weights[k]) * loads[v[k]] * u.w;
    largest = max(largest, abs(weights[k]) * u.w);
    slip += weights[k] * u.xyz;
  }
  if (rowSum == 0.0) {
    return;
  }
  rowSum = max(rowSum, surfaceLeastShare * largest);
  let lambda = -violation / rowSum;
  slip -= dot(slip, normal) * normal;
  let way = length(slip);
  var drag = 0.0;
  if (way > 0.0) {
    drag = min(way / rowSum, sqrt(frictions[v.x] * frictions[v.w]) * lambda) / way;
  }
  pairs[j].impulse = lambda * normal - drag * slip;
}

@compute @workgroup_size(64)
fn pushPairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var j = id.x; j < pairCount(); j += 64u * groups.x) {
    pushPair(j);
  }
}

@compute @workgroup_size(64)
fn applyPushes(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= surface.particleCount) {
    return;
  }
  var sum = vec3f(0.0);
  for (var i = rowStart[p]; i < rowStart[p + 1u]; i++) {
    let entry = rowEntries[i];
    sum += pairs[entry >> 2u].weights[entry & 3u] * pairs[entry >> 2u].impulse;
  }
  let u = surfaceShift[p];
  setShift(p, u, u.xyz + surfaceRelaxation * u.w * sum);
}
