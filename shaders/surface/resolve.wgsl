#import "surface/search.wgsl"
#import "surface/pair-push.wgsl"
#import "surface/shift.wgsl"

// One projection of all pairs, in four passes.

@group(0) @binding(1) var<storage, read> surfaceStart: array<vec4f>;
// see search.wgsl
@group(0) @binding(3) var<storage, read> nearest: array<u32>;
@group(0) @binding(4) var<storage, read_write> pairs: array<SurfacePair>;
@group(0) @binding(5) var<storage, read> rows: array<u32>;
// see pair-push.wgsl
@group(0) @binding(7) var<storage, read_write> loads: array<f32>;

fn pairCount() -> u32 {
  return min(surface.capacity, nearest[foundAt()]);
}

fn evaluatePair(j: u32) {
  if (pairs[j].counts == 0u) {
    pairs[j].violation = 0.0;
    return;
  }
  let state = stateOf(j, pairs[j].normal);
  pairs[j].weights = state.weights;
  pairs[j].normal = state.normal;
  pairs[j].violation = state.violation;
}

@compute @workgroup_size(64)
fn evaluatePairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var j = id.x; j < pairCount(); j += 64u * groups.x) { evaluatePair(j); }
}

@compute @workgroup_size(64)
fn sumLoads(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= surface.particleCount) { return; }
  var load = 0.0;
  for (var i = rows[2u * p]; i < rows[2u * p + 1u]; i++) {
    let entry = rows[i];
    if (pairs[entry >> 2u].violation < 0.0) { load += abs(pairs[entry >> 2u].weights[entry & 3u]); }
  }
  loads[p] = load;
}

fn pushPair(j: u32) {
  pairs[j].impulse = vec3f(0.0);
  if (pairs[j].violation != 0.0) { pairs[j].impulse = impulseOf(j, pairs[j].normal); }
}

@compute @workgroup_size(64)
fn pushPairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var j = id.x; j < pairCount(); j += 64u * groups.x) { pushPair(j); }
}

@compute @workgroup_size(64)
fn applyPushes(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= surface.particleCount) { return; }
  var sum = vec3f(0.0);
  for (var i = rows[2u * p]; i < rows[2u * p + 1u]; i++) {
    let entry = rows[i];
    sum += pairs[entry >> 2u].weights[entry & 3u] * pairs[entry >> 2u].impulse;
  }
  let u = surfaceShift[p];
  setShift(p, u, u.xyz + surfaceRelaxation * u.w * sum);
}
