#import "gpbd/step.wgsl"

// Jacobi: adds up each particle's shares in the order of its incidence, so that runs are bit-identical.

@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
@group(0) @binding(3) var<storage, read> deltas: array<vec4f>;
@group(0) @binding(4) var<storage, read> incidenceOffsets: array<u32>;
@group(0) @binding(5) var<storage, read> incidenceEntries: array<u32>;

@compute @workgroup_size(64)
fn gather(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) {
    return;
  }
  var sum = vec3f(0.0);
  for (var i = incidenceOffsets[p]; i < incidenceOffsets[p + 1u]; i++) {
    sum += deltas[incidenceEntries[i]].xyz;
  }
  displacement[p] += vec4f(sum, 0.0);
}
