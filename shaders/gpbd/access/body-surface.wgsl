// Friction coefficient of a particle's surface, and the distance that it keeps [m], of a body without factors of particles.
fn particleFriction(p: u32) -> f32 {
  return step.friction;
}

fn particleThickness(p: u32) -> f32 {
  return step.thickness;
}
