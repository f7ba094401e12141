// Distances in a buffer that the importing module declares: clearance, whose last number is how far proxies have yielded.

fn clearanceOf(p: u32) -> f32 {
  return clearance[p];
}

fn proxiesYield() -> f32 {
  return clearance[step.particleCount];
}
