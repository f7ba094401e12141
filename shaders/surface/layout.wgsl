// Surfaces of bodies that touch, as one list of particles; twin of src/collision/surface.

struct SurfaceParameters {
  particleCount: u32,
  // bodies
  partCount: u32,
  vertexCount: u32,
  edgeCount: u32,
  faceCount: u32,
  // where each list begins in `topology`; of a particle there are position at rest and number of its body
  edges: u32,
  faces: u32,
  faceOrder: u32,
  edgeOrder: u32,
  rest: u32,
  // of the distance that surfaces keep, for every two bodies: see SurfaceMesh
  keeps: u32,
  // half of how much less each particle keeps than its body [m]
  thinner: u32,
  // corners and edges that count for each face, see features.ts
  own: u32,
  // edges before this one are those of triangles
  faceEdges: u32,
  // first leaf of each body in either tree, and behind the last where leaves end
  faceLeaves: u32,
  edgeLeaves: u32,
  // first node of the tree of edges; that of faces begins at 0
  edgeNodes: u32,
  // levels of the trees
  faceDepth: u32,
  edgeDepth: u32,
  // first node of each level, counted from the tree's first
  faceLevels0: vec4u,
  faceLevels1: vec4u,
  edgeLevels0: vec4u,
  edgeLevels1: vec4u,
  // pairs that there is room for
  capacity: u32,
  // distance that surfaces keep [m]
  thickness: f32,
  // how far surfaces that are too near part in a substep [m]
  parting: f32,
  // substeps from one search to the next
  interval: f32,
  // by which a vertex may go further until then than it is expected to [m]
  slack: f32,
}

// see surface-bounds.ts
const gapShare = 0.9;
const leastGap = 0.05;

const vertexFaceKind = 0u;
const edgeEdgeKind = 1u;

// A candidate pair; r = Σ weightsₖ xₖ is the vector from the second primitive to the first.
struct SurfacePair {
  vertices: vec4u,
  weights: vec4f,
  // unit, from the second primitive to the first
  normal: vec3f,
  // that is kept [m]
  distance: f32,
  // that the first primitive is given, times Δt [kg m]
  impulse: vec3f,
  // C if it is negative, else 0 [m]
  violation: f32,
  // the triangle or edge that the owner is paired with
  other: u32,
  kind: u32,
  // where it counts, see features.ts
  own: u32,
  // whether it counts in this turn
  counts: u32,
}

// Gap between the primitives of a pair along a direction, from the heights of their vertices along it [m].
fn gapOf(kind: u32, height: vec4f) -> f32 {
  let low = select(height.x, min(height.x, height.y), kind == edgeEdgeKind);
  return low - max(select(height.y, height.z, kind == edgeEdgeKind), max(height.z, height.w));
}

@group(0) @binding(0) var<uniform> surface: SurfaceParameters;
