// Friction coefficient of a particle's surface, of a body without factors of particles.
fn particleFriction(p: u32) -> f32 {
  return step.friction;
}
