#import "gpbd/step-parameters.wgsl"
#import "air.wgsl"
#import "wind.wgsl"

// Lift and drag of the air on a face with these corners and this sum of their velocities: acceleration of its material [m/s²].
fn airOn(a: vec3f, b: vec3f, c: vec3f, velocities: vec3f) -> vec3f {
  let areaNormal = cross(b - a, c - a);
  let wind = windAt((a + b + c) / 3.0, step.wind) - velocities / 3.0;
  return faceAirAcceleration(areaNormal, wind, step.airDensity, step.drag, step.lift, step.arealMass, step.airInterval);
}
