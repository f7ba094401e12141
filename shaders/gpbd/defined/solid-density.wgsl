#import "math/symmetric6.wgsl"
#import "gpbd/defined/functions.wgsl"

// A density of users on six strains, those of tetrahedra or of HYLC cloth. When the kernel is made, the host adds what an expression compiles
// to: definedValue, definedGradient and definedHessian of an array; lower rows of the Hessian one after the other.

fn strainArray(s: Vector6) -> array<f32, 6> {
  return array<f32, 6>(s.normal.x, s.normal.y, s.normal.z, s.shear.x, s.shear.y, s.shear.z);
}

fn energyDensity(s: Vector6) -> f32 {
  return definedValue(strainArray(s));
}

fn energyGradient(s: Vector6) -> Vector6 {
  let g = definedGradient(strainArray(s));
  return Vector6(vec3f(g[0], g[1], g[2]), vec3f(g[3], g[4], g[5]));
}

fn energyHessian(s: Vector6) -> Symmetric6 {
  let h = definedHessian(strainArray(s));
  return Symmetric6(
    mat3x3f(h[0], h[1], h[3], h[1], h[2], h[4], h[3], h[4], h[5]),
    mat3x3f(h[6], h[7], h[8], h[10], h[11], h[12], h[15], h[16], h[17]),
    mat3x3f(h[9], h[13], h[18], h[13], h[14], h[19], h[18], h[19], h[20]),
  );
}
