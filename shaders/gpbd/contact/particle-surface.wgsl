// Friction coefficient of a particle's surface, and the distance that it keeps [m]. Factors of its own come last in the buffer contact, which the
// importing module declares, four in each vec4f: those of friction, then those of the thickness.
fn surfaceFactor(list: u32, p: u32) -> f32 {
  let first = 4u * step.particleCount + 3u * step.faceCount + list * ((step.particleCount + 3u) / 4u);
  return contact[first + p / 4u][p % 4u];
}

fn particleFriction(p: u32) -> f32 {
  return step.friction * surfaceFactor(0u, p);
}

fn particleThickness(p: u32) -> f32 {
  return step.thickness * surfaceFactor(1u, p);
}
