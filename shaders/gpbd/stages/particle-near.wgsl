#import "gpbd/step-parameters.wgsl"

// Which particles may touch an obstacle in this substep. Signed distances change no faster than place: a particle that was `clearance` away
// from everything, and has moved less since, cannot touch. The importing module supplies clearanceOf and proxiesYield.

const touchingMargin = 1.05;

fn obstacleMotion() -> f32 {
  return step.obstacleMotion + proxiesYield();
}

fn particleIsNear(p: u32, u: vec3f) -> bool {
  return !(clearanceOf(p) - length(u) - obstacleMotion() > touchingMargin * step.thickness);
}
