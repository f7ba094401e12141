#import "gpbd/step.wgsl"

// Each particle moves by the share of its joints' last displacements that they begin the substep with; see cpu-rods.ts.

@group(0) @binding(0) var<storage, read_write> displacement: array<vec4f>;
@group(0) @binding(1) var<storage, read> tracked: array<vec4f>;
@group(0) @binding(2) var<storage, read> incidenceOffsets: array<u32>;
@group(0) @binding(3) var<storage, read> incidenceEntries: array<u32>;

@compute @workgroup_size(64)
fn warmStart(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  // Of what was frozen, dᵢ may be no number.
  if (p >= step.particleCount || step.warmStart == 0.0 || displacement[p].w == 0.0) { return; }
  var sum = vec3f(0.0);
  for (var i = incidenceOffsets[p]; i < incidenceOffsets[p + 1u]; i++) { sum += tracked[incidenceEntries[i]].xyz; }
  displacement[p] += vec4f(step.warmStart * sum, 0.0);
}
