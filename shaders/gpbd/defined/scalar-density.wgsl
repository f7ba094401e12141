#import "gpbd/defined/functions.wgsl"

// A density of users on one number; see defined/solid-density.wgsl.

fn energyDensity(s: f32) -> f32 {
  return definedValue(array<f32, 1>(s));
}

fn energyGradient(s: f32) -> f32 {
  return definedGradient(array<f32, 1>(s))[0];
}

fn energyHessian(s: f32) -> f32 {
  return definedHessian(array<f32, 1>(s))[0];
}
