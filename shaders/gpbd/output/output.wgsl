// Vertices for drawing: position and normal of each render vertex in the mesh's own space, and optionally a colour that
// shows the strain. Render vertices outnumber particles where texture seams were welded.

#import "gpbd/output/drawn-vertex.wgsl"
#import "gpbd/cloth/faces.wgsl"

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read> faces: array<u32>;
// the particle of each vertex, and in the highest bit whether the vertex is of the back, where the normal is the opposite one
@group(0) @binding(2) var<storage, read> vertexToParticle: array<u32>;
@group(0) @binding(7) var<storage, read_write> colours: array<vec4f>;
// rest lengths of the edges (0, 1), (1, 2), (2, 0) of each face [m]
@group(0) @binding(8) var<storage, read> restEdges: array<vec4f>;

const PARTICLE = 0x7fffffffu;

@compute @workgroup_size(64)
fn writeVertices(@builtin(global_invocation_id) id: vec3u) {
  let vertex = id.x;
  if (vertex >= parameters.vertexCount) { return; }
  let entry = vertexToParticle[vertex];
  let p = entry & PARTICLE;
  var normal = vec3f(0.0);
  for (var i = faceOffsets[p]; i < faceOffsets[p + 1u]; i++) {
    let face = 3u * (faceEntries[i] / 3u);
    let a = start[faces[face]].xyz;
    normal += cross(start[faces[face + 1u]].xyz - a, start[faces[face + 2u]].xyz - a);
  }
  drawVertex(vertex, start[p].xyz, select(normal, -normal, entry > PARTICLE));
}

// Blue when compressed, white at rest, red when stretched by strainScale.
fn strainColour(strain: f32) -> vec4f {
  let t = clamp(strain / parameters.strainScale, -1.0, 1.0);
  let stretched = mix(vec3f(0.92), vec3f(0.9, 0.1, 0.06), max(t, 0.0));
  return vec4f(mix(stretched, vec3f(0.1, 0.25, 0.9), max(-t, 0.0)), 1.0);
}

@compute @workgroup_size(64)
fn writeStrain(@builtin(global_invocation_id) id: vec3u) {
  let vertex = id.x;
  if (vertex >= parameters.vertexCount) { return; }
  let p = vertexToParticle[vertex] & PARTICLE;
  let first = faceOffsets[p];
  let last = faceOffsets[p + 1u];
  var sum = 0.0;
  for (var i = first; i < last; i++) {
    let face = faceEntries[i] / 3u;
    let a = start[faces[3u * face]].xyz;
    let b = start[faces[3u * face + 1u]].xyz;
    let c = start[faces[3u * face + 2u]].xyz;
    let rest = restEdges[face].xyz;
    // Edges of ropes are triangles with one edge of no length.
    let elongation = select(vec3f(0.0), vec3f(distance(a, b), distance(b, c), distance(c, a)) / rest - 1.0, rest > vec3f(0.0));
    let largest = max(elongation.x, max(elongation.y, elongation.z));
    let smallest = min(elongation.x, min(elongation.y, elongation.z));
    sum += select(smallest, largest, largest > -smallest);
  }
  colours[vertex] = strainColour(sum / max(1.0, f32(last - first)));
}
