// Plastic flow of the elements of a body after a frame: of the bending of cloth, and of tetrahedra.

// Three rows an element: those that have become permanent, or those at rest before any flow.
struct PlasticRows {
  a: vec3f,
  b: vec3f,
  c: vec3f,
  // at rest, of bending: √(A B) [√(N m) m]
  unit: f32,
}

struct PlasticParameters {
  // a strain, or a curvature [1/m]
  yieldAt: f32,
  // part of that beyond it that stays elastic in this frame
  kept: f32,
  most: f32,
  elementCount: u32,
}

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> permanent: array<PlasticRows>;
@group(0) @binding(3) var<storage, read> rests: array<PlasticRows>;
@group(0) @binding(4) var<storage, read> plasticity: PlasticParameters;

const halvings = 8u;
