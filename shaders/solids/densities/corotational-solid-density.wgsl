#import "solids/principal-stretch.wgsl"

// Co-rotational elasticity; twin of src/materials/corotational-solid.ts. Coefficients: µ, λ [Pa].

fn energyDensity(s: Vector6) -> f32 {
  let d = principalStretch(s).d;
  let trace = d.x + d.y + d.z;
  return material.coefficients.x * dot(d, d) + 0.5 * material.coefficients.y * trace * trace;
}

fn energyGradient(s: Vector6) -> Vector6 {
  let u = principalStretch(s);
  let trace = u.d.x + u.d.y + u.d.z;
  let stress = (2.0 * material.coefficients.x * u.d + material.coefficients.y * trace) / (1.0 + u.d);
  return principalStress(stress, u.n);
}

fn energyHessian(s: Vector6) -> Symmetric6 {
  let u = principalStretch(s);
  let mu = material.coefficients.x;
  let lambda = material.coefficients.y;
  let trace = u.d.x + u.d.y + u.d.z;
  let stretch = 1.0 + u.d;
  // λ Σ n n / σ, once for all pairs; then what each direction has on its own, and the shears between them
  var mean = Vector6();
  for (var a = 0u; a < 3u; a++) { mean = add6(mean, 1.0 / stretch[a], dyad6(u.n[a], u.n[a])); }
  var h = outer6(lambda, mean);
  let own = (2.0 * mu - lambda * trace) / (stretch * stretch * stretch);
  for (var a = 0u; a < 3u; a++) {
    h = addMatrix6(h, 1.0, outer6(own[a], dyad6(u.n[a], u.n[a])));
    let b = (a + 1u) % 3u;
    let p = stretch[a];
    let q = stretch[b];
    h = addMatrix6(h, 1.0, outer6((8.0 * mu - 4.0 * lambda * trace) / (p * q * (p + q)), dyad6(u.n[a], u.n[b])));
  }
  return h;
}
