#import "solids/principal-stretch.wgsl"
#import "gpbd/defined/functions.wgsl"

// A density of users on the three principal stretches, less one each, as one of Green strain; twin of
// src/materials/defined-energy/principal.ts. When the kernel is made, the host adds the functions of an array; see
// gpbd/defined/solid-density.wgsl.

// Principal strains that are nearer to one another have the shear modulus of the limit: f32 knows that to 3e-5, as it does the quotient.
const principalsTogether = 2e-3;

fn energyDensity(s: Vector6) -> f32 {
  let d = principalStretch(s).d;
  return definedValue(array<f32, 3>(d.x, d.y, d.z));
}

fn gradientAt(d: vec3f) -> vec3f {
  let g = definedGradient(array<f32, 3>(d.x, d.y, d.z));
  return vec3f(g[0], g[1], g[2]);
}

fn energyGradient(s: Vector6) -> Vector6 {
  let u = principalStretch(s);
  return principalStress(gradientAt(u.d) / (1.0 + u.d), u.n);
}

fn energyHessian(s: Vector6) -> Symmetric6 {
  let u = principalStretch(s);
  let p = 1.0 + u.d;
  let g = gradientAt(u.d);
  let t = g / p;
  let h = definedHessian(array<f32, 3>(u.d.x, u.d.y, u.d.z));
  // ∂tₐ/∂eₐ, and ∂tₐ/∂e_b of the pairs (x, y), (y, z), (z, x)
  let own = (vec3f(h[0], h[2], h[5]) - t) / (p * p);
  let pairs = vec3f(h[1], h[4], h[3]) / (p * p.yzx);
  var all: Symmetric6;
  for (var a = 0u; a < 3u; a++) {
    let b = (a + 1u) % 3u;
    let ka = dyad6(u.n[a], u.n[a]);
    let kb = dyad6(u.n[b], u.n[b]);
    // kₐ k_bᵀ + k_b kₐᵀ = (kₐ + k_b)(kₐ + k_b)ᵀ − kₐ kₐᵀ − k_b k_bᵀ
    all = addMatrix6(all, 1.0, outer6(own[a] - pairs[a] - pairs[(a + 2u) % 3u], ka));
    all = addMatrix6(all, 1.0, outer6(pairs[a], add6(ka, 1.0, kb)));
    let apart = u.e[a] - u.e[b];
    var shear = 0.5 * (own[a] + own[b]) - pairs[a];
    if (abs(apart) > principalsTogether) { shear = (t[a] - t[b]) / apart; }
    all = addMatrix6(all, 1.0, outer6(2.0 * shear, dyad6(u.n[a], u.n[b])));
  }
  return all;
}
