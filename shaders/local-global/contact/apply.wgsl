#import "local-global/step/cayley.wgsl"
#import "local-global/layout.wgsl"
#import "local-global/contact/layout.wgsl"

// y += S Hᵀ z, and the rotation that follows from it: a row gathers from the touched vertices among its descendants.

@group(0) @binding(0) var<storage, read> contactColumns: array<ContactColumn>;
@group(0) @binding(1) var<storage, read> delassus: array<f32>;
@group(0) @binding(2) var<storage, read> touched: array<TouchedVertex>;
@group(0) @binding(3) var<storage, read> nodes: array<ContactNode>;
@group(0) @binding(4) var<storage, read_write> y: array<vec4f>;
@group(0) @binding(5) var<storage, read> turnForces: array<vec4f>;
@group(0) @binding(6) var<storage, read> columns: array<SparseColumn>;
@group(0) @binding(7) var<storage, read_write> bodyStates: array<LocalGlobalBodyState>;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

@compute @workgroup_size(64)
fn applyContacts(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= contactStep.vertexCount) { return; }
  let row = contactColumns[i];
  let body = columns[i].body;
  // a body that nothing touches keeps its y to the bit
  if (nodes[body].count == 0u) { return; }
  let turned = bodyStates[body].turned + bodyStates[body].theta;
  var sum = turnedFrom(turned, nodes[body].theta, turnForces[i].xyz);
  for (var t = row.first; t < row.end; t++) {
    sum += delassus[touched[t].at + touched[t].depth - row.depth] * touched[t].force;
  }
  y[i] += vec4f(sum, 0.0);
}

@compute @workgroup_size(64)
fn applyTurns(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < contactStep.bodyCount && nodes[id.x].count > 0u) { bodyStates[id.x].theta += nodes[id.x].theta; }
}
