#import "local-global/layout.wgsl"

// r = M (q̃ − q) + h² Σ wᵢ Gᵢᵀ (pᵢ − uᵢ − Gᵢq): a vertex gathers from its corners in their order. By columns.

struct CornerGradient {
  gradient: vec3f,
  vertex: u32,
}

@group(0) @binding(0) var<storage, read> displacement: array<vec4f>;
// q̃ − q⁻ and mass
@group(0) @binding(1) var<storage, read> predicted: array<vec4f>;
@group(0) @binding(2) var<storage, read> corners: array<CornerGradient>;
@group(0) @binding(3) var<storage, read> incidenceOffsets: array<u32>;
// corner, and its element's first output × 4 + columns
@group(0) @binding(4) var<storage, read> incidence: array<vec2u>;
@group(0) @binding(5) var<storage, read> outputs: array<vec4f>;
// column and body
@group(0) @binding(6) var<storage, read> vertices: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> r: array<vec4f>;
@group(1) @binding(0) var<uniform> step: LocalGlobalStep;

@compute @workgroup_size(64)
fn gatherResidual(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= step.vertexCount) { return; }
  var sum = predicted[i].w * (predicted[i].xyz - displacement[i].xyz);
  for (var k = incidenceOffsets[i]; k < incidenceOffsets[i + 1u]; k++) {
    let gradient = corners[incidence[k].x].gradient;
    let output = incidence[k].y >> 2u;
    let count = incidence[k].y & 3u;
    sum += gradient.x * outputs[output].xyz;
    if (count > 1u) { sum += gradient.y * outputs[output + 1u].xyz; }
    if (count > 2u) { sum += gradient.z * outputs[output + 2u].xyz; }
  }
  r[vertices[i].x] = vec4f(sum, 0.0);
}
