// Locking of woven sheets; twin of src/materials/membranes/locking.ts. The importing module's `material` has the strains and rates.

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

// The Hessian with the secants of locks in place of their tangents. g: diagonal of G times the area; alone: G times the imbalance of each.
fn lockSecant(s: vec3f, hessian: mat3x3f, g: vec3f, alone: vec3f) -> mat3x3f {
  let e = beyondLock(s);
  let rate = material.lockRate;
  let b = 1.0 + g * (vec3f(hessian[0][0], hessian[1][1], hessian[2][2]) - rate * e);
  let fall = vec3f(alone.x, select(alone.y, -alone.y, s.y < 0.0), alone.z) - 0.5 * g * rate * e * e;
  let c = b * e - fall;
  let root = sqrt(b * b + 2.0 * g * rate * max(c, vec3f(0.0)));
  let within = 0.5 * rate * (2.0 * c / (b + root) - e);
  let all = rate * e * (0.5 * e * b / max(fall, vec3f(1e-30)) - 1.0);
  let change = select(vec3f(0.0), select(all, within, c > vec3f(0.0)), e > vec3f(0.0));
  var h = hessian;
  h[0][0] += change.x;
  h[1][1] += change.y;
  h[2][2] += change.z;
  return h;
}
