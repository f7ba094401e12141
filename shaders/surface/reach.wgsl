#import "surface/layout.wgsl"

// Way that each vertex may go until the next search, seen from a frame that moves with all of them; twin of candidate-pairs.ts.

const meanLanes = 256u;

// w: length of the way that the particle may go [m]
@group(0) @binding(1) var<storage, read_write> surfaceStart: array<vec4f>;
@group(0) @binding(2) var<storage, read> surfaceShift: array<vec4f>;
@group(0) @binding(3) var<storage, read> topology: array<u32>;
// mean displacement of the vertices
@group(0) @binding(4) var<storage, read_write> commonMotion: array<vec4f>;
// see pairs.wgsl
@group(0) @binding(5) var<storage, read_write> nearest: array<u32>;

var<workgroup> sums: array<vec3f, meanLanes>;

@compute @workgroup_size(256)
fn meanMotion(@builtin(local_invocation_index) lane: u32) {
  var sum = vec3f(0.0);
  for (var k = lane; k < surface.vertexCount; k += meanLanes) {
    sum += surfaceShift[topology[k]].xyz;
  }
  sums[lane] = sum;
  for (var half = meanLanes / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      sums[lane] += sums[lane + half];
    }
  }
  if (lane == 0u) {
    commonMotion[0] = vec4f(sums[0] / f32(max(1u, surface.vertexCount)), 0.0);
  }
}

@compute @workgroup_size(64)
fn vertexReach(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= surface.particleCount) {
    return;
  }
  let way = surface.interval * (surfaceShift[p].xyz - commonMotion[0].xyz);
  surfaceStart[p].w = length(way) + surface.slack;
  nearest[p] = bitcast<u32>(3e38f);
}
