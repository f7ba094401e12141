#import "gpbd/cloth/dihedral-angle.wgsl"

// Bending on the dihedral angle: (19) of paper 1 for k = 1 by Newton with line search. rest: θ̄ [rad], stiffness κ [N·m]. The
// importing module supplies the density: energyDensity, energyGradient, energyHessian of θ − θ̄.

override newtonIterations: u32 = 1u;
const lineSearchHalvings = 5u;

// viscosity: τ/Δt times the second derivative of the density at rest
fn hingePotential(s: f32, startStrain: f32, stiffness: f32, viscosity: f32) -> f32 {
  let change = s - startStrain;
  return stiffness * (energyDensity(s) + 0.5 * viscosity * change * change);
}

fn solveHinge(element: HingeElement, corners: HingeCorners) -> HingeUpdate {
  let x = corners.x + corners.u;
  let restAngle = element.rest.x;
  let stiffness = element.rest.y;
  let strain = dihedralStrain(x, restAngle);
  let j = strain.gradient;
  let w = corners.w;
  let gram = w.x * dot(j[0], j[0]) + w.y * dot(j[1], j[1]) + w.z * dot(j[2], j[2]) + w.w * dot(j[3], j[3]);
  if (!(gram > 0.0)) { return HingeUpdate(); }
  let d = corners.d;
  let b = dot(j[0], d[0]) + dot(j[1], d[1]) + dot(j[2], d[2]) + dot(j[3], d[3]);
  var viscosity = 0.0;
  var startStrain = strain.value;
  if (material.damping > 0.0) {
    viscosity = material.damping / step.h * energyHessian(0.0);
    startStrain = dihedralStrain(corners.x, restAngle).value;
  }
  let direction = mat4x3f(w.x * j[0], w.y * j[1], w.z * j[2], w.w * j[3]);
  var lambda = 0.0;
  var s = strain.value;
  var movedGram = gram;
  var objective = hingePotential(s, startStrain, stiffness, viscosity);
  for (var iteration = 0u; iteration < newtonIterations; iteration++) {
    let gradient = b + gram * lambda + movedGram * stiffness * (energyGradient(s) + viscosity * (s - startStrain));
    // where the density is not convex, as in solveElement of the reference
    let curvature = max(0.0, energyHessian(s) + viscosity);
    let newton = -gradient / (gram + movedGram * movedGram * stiffness * curvature);
    let slope = gradient * newton;
    if (!(slope < 0.0)) { break; }
    var t = 1.0;
    var accepted = false;
    for (var halving = 0u; halving <= lineSearchHalvings; halving++) {
      let trial = lambda + t * newton;
      let moved = dihedralStrain(x + trial * direction, restAngle);
      let value = b * trial + 0.5 * gram * trial * trial
        + hingePotential(moved.value, startStrain, stiffness, viscosity);
      let rounding = 4e-6 * stiffness * curvature * (abs(moved.value) + abs(s) + 1e-6);
      if (value <= objective + 1e-4 * t * slope + rounding) {
        accepted = true;
        lambda = trial;
        s = moved.value;
        objective = value;
        let k = moved.gradient;
        movedGram = w.x * dot(j[0], k[0]) + w.y * dot(j[1], k[1]) + w.z * dot(j[2], k[2]) + w.w * dot(j[3], k[3]);
        break;
      }
      t *= 0.5;
    }
    if (!accepted) { break; }
  }
  return HingeUpdate(lambda * direction);
}
