#import "gpbd/access/start-of.wgsl"

// Particles in buffers that the importing module declares: start, displacement.

fn displacementOf(p: u32) -> vec4f {
  return displacement[p];
}
