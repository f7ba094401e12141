#import "local-global/layout.wgsl"

// Elements: Gᵢ is given by a gradient at each corner, see ElementTerm in model.ts. Gᵢq has up to three columns, of which an
// element has as many as its kind; sums over corners are of differences to the first, as the gradients add up to zero.

struct LocalGlobalCorner {
  gradient: vec3f,
  vertex: u32,
}

struct LocalGlobalElement {
  // measure × wᵢ: what GᵢᵀGᵢ is multiplied by in A, without h²
  weight: f32,
  material: u32,
  body: u32,
  // of a tetrahedron what holds it against getting flat [kg m²]
  inertia: f32,
}

// A stretch of elements of one kind, and whether this is the first iteration of a step.
struct LocalGlobalElements {
  firstElement: u32,
  elementCount: u32,
  arity: u32,
  // corners an element, and of what is curved at rest as many records more as it has columns, whose gradients are those of Gq there
  stride: u32,
  firstCorner: u32,
  firstDual: u32,
  // of all kinds
  dualCount: u32,
  firstOutput: u32,
  isFirst: u32,
}

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read> displacement: array<vec4f>;
@group(0) @binding(2) var<storage, read> corners: array<LocalGlobalCorner>;
@group(0) @binding(3) var<storage, read> elements: array<LocalGlobalElement>;
@group(1) @binding(0) var<uniform> step: LocalGlobalStep;
@group(1) @binding(1) var<uniform> kind: LocalGlobalElements;

// Gᵢq
fn gradientOf(first: u32, arity: u32) -> mat3x3f {
  let origin = corners[first].vertex;
  let q = start[origin].xyz;
  let d = displacement[origin].xyz;
  var f = mat3x3f();
  for (var a = 1u; a < arity; a++) {
    let corner = corners[first + a];
    let x = (start[corner.vertex].xyz - q) + (displacement[corner.vertex].xyz - d);
    f[0] += corner.gradient.x * x;
    f[1] += corner.gradient.y * x;
    f[2] += corner.gradient.z * x;
  }
  return f;
}
