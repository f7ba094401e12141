// Triangles that resist stretch and shear, see membrane-solve.wgsl.

struct MembraneElement {
  vertices: vec3u,
  area: f32,
  // Dm⁻¹, row-major [1/m]
  inverse: vec4f,
}

struct MembraneMaterial {
  coefficients: vec4f,
  // Kelvin-Voigt damping time [s]
  damping: f32,
}
