#import "math/symmetric6.wgsl"
#import "math/eigen3.wgsl"

// Principal stretches of a Green strain; twin of src/materials/principal-strains.ts.

struct PrincipalStretch {
  // principal Green strains
  e: vec3f,
  // principal stretches less one
  d: vec3f,
  // principal directions
  n: mat3x3f,
}

fn principalStretch(s: Vector6) -> PrincipalStretch {
  let found = eigenSymmetric3(matrixOf6(s, 1.0));
  let e = found.values;
  // σ − 1 = 2e / (1 + σ) keeps its digits near rest.
  return PrincipalStretch(e, 2.0 * e / (1.0 + sqrt(max(vec3f(1e-12), 1.0 + 2.0 * e))), found.v);
}

// Σ tₐ nₐ nₐᵀ, shears twice
fn principalStress(t: vec3f, n: mat3x3f) -> Vector6 {
  let entries = entries6(mat3x3f(t.x * n[0], t.y * n[1], t.z * n[2]) * transpose(n));
  return Vector6(entries.normal, 2.0 * entries.shear);
}

// Entries of the symmetric part of a bᵀ, shears twice
fn dyad6(a: vec3f, b: vec3f) -> Vector6 {
  return Vector6(a * b, a * b.yzx + a.yzx * b);
}
