// Friction coefficient of a particle's surface. Factors of its own come last in the buffer contact, which the importing module declares, four in
// each vec4f.
fn particleFriction(p: u32) -> f32 {
  let first = 4u * step.particleCount + 3u * step.faceCount;
  return step.friction * contact[first + p / 4u][p % 4u];
}
