@group(0) @binding(7) var<storage, read> faces: array<u32>;

fn cornersOf(face: u32) -> vec3u {
  return vec3u(faces[3u * face], faces[3u * face + 1u], faces[3u * face + 2u]);
}
