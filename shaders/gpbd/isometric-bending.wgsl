#import "gpbd/hinge.wgsl"

// Quadratic isometric bending (Bergou et al. 2006): s = Σ Kₐ xₐ is linear in x, so that one Newton step on (19) is exact:
// Δλ = −(b/g + s + v (s − s⁻)) / (1 + g (1 + v)) with g = Σ wₐ Kₐ², v the damping time over Δt. `rest` holds Kₐ.
fn solveHinge(element: HingeElement, corners: HingeCorners) -> HingeUpdate {
  let k = element.rest;
  let g = dot(corners.w, k * k);
  if (!(g > 0.0)) {
    return HingeUpdate();
  }
  let viscosity = material.damping / step.h;
  // The weights add up to 0: differences to the first corner keep their digits.
  let startStrain = k.y * (corners.x[1] - corners.x[0]) + k.z * (corners.x[2] - corners.x[0])
    + k.w * (corners.x[3] - corners.x[0]);
  let change = corners.u * k;
  let b = corners.d * k;
  let lambda = -(b / g + startStrain + change + viscosity * change) / (1.0 + g * (1.0 + viscosity));
  let s = corners.w * k;
  return HingeUpdate(mat4x3f(s.x * lambda, s.y * lambda, s.z * lambda, s.w * lambda));
}

@compute @workgroup_size(64)
fn gaussSeidel(@builtin(global_invocation_id) id: vec3u) {
  hingeGaussSeidel(id.x);
}

@compute @workgroup_size(64)
fn jacobi(@builtin(global_invocation_id) id: vec3u) {
  hingeJacobi(id.x);
}
