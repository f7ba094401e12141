// Displacements by contact [m]: of the particles by their own, see contact.wgsl; of the particles by that of their faces; of each face's
// corners, see sharedPushes.
@group(0) @binding(4) var<storage, read_write> contact: array<vec4f>;

fn facePushOf(corner: u32) -> vec4f {
  return contact[2u * step.particleCount + corner];
}

fn setFacePush(corner: u32, push: vec4f) {
  contact[2u * step.particleCount + corner] = push;
}

fn clearFacePushes(face: u32) {
  for (var corner = 0u; corner < 3u; corner++) { setFacePush(3u * face + corner, vec4f(0.0)); }
}
