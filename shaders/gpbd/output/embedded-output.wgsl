// Vertices for drawing that tetrahedra carry along: each is a mean of four particles, and its normal is told by how their
// tetrahedron has changed (see src/geometry/tetrahedra/embedding.ts).

#import "gpbd/output/drawn-vertex.wgsl"

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
// the four particles of each vertex, and their weights
@group(0) @binding(1) var<storage, read> corners: array<vec4u>;
@group(0) @binding(2) var<storage, read> weights: array<vec4f>;
// the normal in the edges of the tetrahedron at rest: dₖ · n
@group(0) @binding(5) var<storage, read> normals: array<vec4f>;

@compute @workgroup_size(64)
fn writeEmbedded(@builtin(global_invocation_id) id: vec3u) {
  let vertex = id.x;
  if (vertex >= parameters.vertexCount) { return; }
  let four = corners[vertex];
  let origin = start[four.x].xyz;
  let d1 = start[four.y].xyz - origin;
  let d2 = start[four.z].xyz - origin;
  let d3 = start[four.w].xyz - origin;
  let w = weights[vertex];
  // The weights sum up to 1: by differences from one corner fewer digits are lost.
  let x = origin + w.y * d1 + w.z * d2 + w.w * d3;
  let n = normals[vertex];
  drawVertex(vertex, x, n.x * cross(d2, d3) + n.y * cross(d3, d1) + n.z * cross(d1, d2));
}
