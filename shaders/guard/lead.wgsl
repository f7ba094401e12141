// Motion of pins in a frame, see pin-motion.ts.
struct Lead {
  // V [m/s]
  velocity: vec3f,
  // √D [√J]
  drive: f32,
  // Ω [rad/s]
  spin: vec3f,
  // ½ m (2 w)² [J]
  blow: f32,
  // c at the start of the frame [m]
  centre: vec3f,
  // of a substep in a frame
  part: f32,
  // whether there is something inside under pressure, and whether that was so in the last frame
  isInflated: u32,
  wasInflated: u32,
}

@group(0) @binding(12) var<uniform> lead: Lead;

// u at a place at the start of a substep
fn leadAt(x: vec3f) -> vec3f {
  let arm = x - lead.centre - (step.fractionStart / lead.part * step.h) * lead.velocity;
  return lead.velocity + cross(lead.spin, arm);
}

// B, with what pins may give as motion beside that: `lift` in energy-guard.ts.
fn liftOf(budget: f32, stored: f32) -> f32 {
  if (lead.drive == 0.0) { return budget; }
  let whole = sqrt(stored) + lead.drive;
  let most = lead.blow + select(0.0, whole * whole, stored < NO_BUDGET);
  let lifted = sqrt(budget) + lead.part * min(lead.drive, sqrt(lead.blow));
  return max(budget, min(lifted * lifted, most));
}
