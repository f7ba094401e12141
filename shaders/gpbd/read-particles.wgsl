// Particles in buffers that the importing module declares: start, displacement.

fn startOf(p: u32) -> vec4f {
  return start[p];
}

fn displacementOf(p: u32) -> vec4f {
  return displacement[p];
}
