#import "gpbd/step-parameters.wgsl"

// Particles that begin within obstacles keep less distance at first. Twin of src/solvers/gpbd/cpu/cpu-overlap.ts; see overlap.ts.

// Speed out of obstacles [m/s] where gravity is that of the earth [m/s²]
const RECEDING = 0.5;
const EARTH = 9.81;
// Pushes of so many times gravity are hard.
const HARD = 30.0;
// The clearance of particles that obstacles push hard: no other is near it.
const PUSHED_HARD = -1e30;

fn recedingSpeed() -> f32 {
  let g = length(step.gravity);
  return select(RECEDING, RECEDING * g / EARTH, g > 0.0);
}

// Whether obstacles push a particle too hard for it to want more distance. push: sum of the substep [m]
fn isPushedHard(depth: f32, push: f32) -> bool {
  if (depth <= 0.0) { return false; }
  let g = length(step.gravity);
  let most = recedingSpeed();
  return push > HARD * select(most * most / depth, g, g > 0.0) * step.h * step.h;
}

// Distance that a particle within obstacles keeps less than its thickness, after the substep.
fn receded(depth: f32, clearance: f32) -> f32 {
  if (depth <= 0.0 || clearance < 0.5 * PUSHED_HARD) { return depth; }
  let g = length(step.gravity);
  let most = recedingSpeed();
  return max(0.0, depth - step.h * select(most, min(most, sqrt(g * depth)), g > 0.0));
}
