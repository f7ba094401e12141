// Elements change displacements by these functions. The importing module supplies where these are kept: displacementOf, setDisplacement, trackedOf,
// setTracked, setShare, valence.

// Whether dᵢ is of any use: one iteration that starts from nothing does without.
override isTracked: bool = true;

fn trackedAt(slot: u32) -> vec3f {
  if (isTracked) { return loadTracked(slot); }
  return vec3f(0.0);
}

fn loadTracked(slot: u32) -> vec3f {
  if (range.loadTracked == 0u) { return vec3f(0.0); }
  if (range.loadTracked == 2u) {
    // Of what was frozen, dᵢ may be no number.
    if (step.warmStart == 0.0) { return vec3f(0.0); }
    return step.warmStart * trackedOf(slot);
  }
  return trackedOf(slot);
}

fn storeTracked(slot: u32, d: vec3f) {
  if (range.storeTracked != 0u) { setTracked(slot, d); }
}

// Gauss-Seidel: x and dᵢ advance together, which keeps x = x̃ + Σ dᵢ.
fn applyNow(slot: u32, particle: u32, before: vec4f, d: vec3f, delta: vec3f) {
  let increment = step.relaxation * delta;
  setDisplacement(particle, vec4f(before.xyz + increment, before.w));
  if (isTracked) { storeTracked(slot, d + increment); }
}

// Jacobi: the mean over the elements at the particle, taken by a later gather. `splitTracked` is dᵢ times the valence.
fn applyLater(slot: u32, count: f32, splitTracked: vec3f, delta: vec3f) {
  let increment = (step.relaxation / count) * delta;
  setShare(slot, increment);
  if (isTracked) { storeTracked(slot, splitTracked / count + increment); }
}
