// Writes vertices for drawing: position and normal in the mesh's own space.

struct OutputParameters {
  // world to mesh space, applied as transform × (x, 1)
  worldToLocal: mat4x4f,
  vertexCount: u32,
  // edge elongation that is drawn as full red
  strainScale: f32,
}

// position xyz, normal xyz
@group(0) @binding(3) var<storage, read_write> vertices: array<f32>;
@group(0) @binding(4) var<uniform> parameters: OutputParameters;

// Position and normal in world space; the normal of any length.
fn drawVertex(vertex: u32, x: vec3f, normal: vec3f) {
  let m = parameters.worldToLocal;
  let position = (m * vec4f(x, 1.0)).xyz;
  // Normals transform by the inverse transposed: the cofactors of the linear part over its determinant, of which only
  // the sign matters. It is negative for a mesh that is mirrored.
  let cofactors = mat3x3f(cross(m[1].xyz, m[2].xyz), cross(m[2].xyz, m[0].xyz), cross(m[0].xyz, m[1].xyz));
  let local = sign(dot(m[0].xyz, cofactors[0])) * (cofactors * normal);
  let size = length(local);
  let unit = select(vec3f(0.0, 1.0, 0.0), local / size, size > 0.0);
  vertices[6u * vertex] = position.x;
  vertices[6u * vertex + 1u] = position.y;
  vertices[6u * vertex + 2u] = position.z;
  vertices[6u * vertex + 3u] = unit.x;
  vertices[6u * vertex + 4u] = unit.y;
  vertices[6u * vertex + 5u] = unit.z;
}
