// A tetrahedron, of a term whose elements are sorted by color.
struct TetElement {
  vertices: vec4u,
  // rows of Dm⁻¹, the material gradients of the hat functions of the last three vertices [1/m]
  g1: vec3f,
  // [m³]
  volume: f32,
  g2: vec3f,
  // Jacobi: tetrahedra at each vertex, which share its mass; two numbers of 16 bits
  valence01: u32,
  g3: vec3f,
  valence23: u32,
}
