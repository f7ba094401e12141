#import "gpbd/step-parameters.wgsl"

// x̃ = x⁻ + Δt v + W f_ext: equation (3) of paper 1, with lift and drag of the air. The importing module supplies startOf, velocityOf,
// pinOf, airOf, setDisplacement, setContact.

fn predictParticle(p: u32) {
  let pin = pinOf(p);
  setContact(p, vec4f(0.0));
  if (pin.w == 0.0) {
    setDisplacement(p, vec4f((pin.xyz - startOf(p).xyz) * step.pinShare, 0.0));
    return;
  }
  var acceleration = step.gravity;
  if (step.airDensity > 0.0) { acceleration += airOf(p); }
  // Damping is implicit, m (1 + Δt c) v = m v⁻ + Δt f: it divides W too, so that what is at rest carries its full weight.
  setDisplacement(p, step.decay * vec4f(step.h * (velocityOf(p).xyz + step.h * acceleration), pin.w));
}
