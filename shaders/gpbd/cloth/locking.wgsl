// Locking of woven sheets; twin of src/materials/locking.ts. The importing module's `material` has the strains and rates.

// ⟨|s_i| − L_i⟩; of tension alone in warp and weft
fn beyondLock(s: vec3f) -> vec3f {
  return max(vec3f(s.x, abs(s.y), s.z) - material.lock, vec3f(0.0));
}

fn lockDensity(s: vec3f) -> f32 {
  let e = beyondLock(s);
  return dot(material.lockRate, e * e * e) / 6.0;
}

fn lockGradient(s: vec3f) -> vec3f {
  let e = beyondLock(s);
  let stress = 0.5 * material.lockRate * e * e;
  return vec3f(stress.x, select(stress.y, -stress.y, s.y < 0.0), stress.z);
}

// Diagonal of the second derivative.
fn lockHessian(s: vec3f) -> vec3f {
  return material.lockRate * beyondLock(s);
}
