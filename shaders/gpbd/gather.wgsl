#import "gpbd/step.wgsl"

// Jacobi: adds up each particle's shares in the order of its incidence, so that runs are bit-identical.

@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
@group(0) @binding(3) var<storage, read> deltas: array<vec4f>;
@group(0) @binding(4) var<storage, read> incidenceOffsets: array<u32>;
@group(0) @binding(5) var<storage, read> incidenceEntries: array<u32>;

// see warm-start.wgsl
@group(0) @binding(7) var<storage, read_write> elastic: array<vec4f>;

// Whether that is wanted. The shares of elements that were untangled then have 1 for `w`.
override isWarm: bool = false;

@compute @workgroup_size(64)
fn gather(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) {
    return;
  }
  var sum = vec4f(0.0);
  for (var i = incidenceOffsets[p]; i < incidenceOffsets[p + 1u]; i++) {
    sum += deltas[incidenceEntries[i]];
  }
  if (isWarm) {
    elastic[p].w = sum.w;
  }
  displacement[p] += vec4f(sum.xyz, 0.0);
}
