#import "surface/layout.wgsl"

// A search leaves for each vertex the bits of how far it may go if all others do likewise, a share of the distance to what is nearest [m];
// then for each the last entry in a list of its pairs, counted from 1; then how many pairs there are, and entries in rows of vertices;
// then how many pairs each workgroup has found.

fn lastOf(p: u32) -> u32 {
  return surface.particleCount + p;
}

fn foundAt() -> u32 {
  return 2u * surface.particleCount;
}

fn rowsAt() -> u32 {
  return foundAt() + 1u;
}

fn groupAt(group: u32) -> u32 {
  return foundAt() + 2u + group;
}

// A pair until vertices have put their entries in rows, in the place of a `SurfacePair`.
struct FoundPair {
  vertices: vec4u,
  // for each vertex the next entry in the list of its pairs, see above
  next: array<u32, 4>,
  normal: vec3f,
  distance: f32,
  impulse: vec3f,
  violation: f32,
  other: u32,
  kind: u32,
  own: u32,
  counts: u32,
}
