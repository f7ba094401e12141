#import "gpbd/step.wgsl"

// Particles stick to places, see particle-contact.wgsl, which are in the buffer of contact displacements: after those of particles, of particles by their
// faces, and of corners of faces.
fn anchorPlace(p: u32) -> u32 {
  return 2u * step.particleCount + 3u * step.faceCount + p;
}
