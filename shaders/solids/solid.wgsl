#import "solids/tetrahedron.wgsl"
#import "solids/green-strain.wgsl"
#import "math/gram6.wgsl"
#import "math/logarithm.wgsl"

// The update of a tetrahedron of any density on Green strain: (19) of paper 1 by Newton with line search for k = 6. The
// importing module supplies energyDensity, energyGradient and energyHessian of a Vector6.

const solidHalvings = 10u;

// S W S'ᵀ between the rows at F and those at F'; X = Fᵀ F'.
fn gramBetween(x: mat3x3f, m: mat3x3f) -> Gram6 {
  let symmetric = kronecker6(x, m);
  return Gram6(
    symmetric.nn,
    symmetric.ns,
    0.5 * mat3x3f(
      x[0] * m[0].yzx + x[0].yzx * m[0],
      x[1] * m[1].yzx + x[1].yzx * m[1],
      x[2] * m[2].yzx + x[2].yzx * m[2],
    ),
    symmetric.ss,
  );
}

fn solveTet(state: TetState) -> mat3x3f {
  let volume = state.volume;
  let m = state.m;
  let f = state.f;
  let ft = transpose(f);
  let c = ft * f;
  let b = symmetricEntries6(ft * state.d);
  let gram = kronecker6(c, m);
  let inertia = diagonal6(gram);
  let viscosity = material.damping / step.h;
  let restHessian = energyHessian(Vector6());
  let before = greenStrain6(state.startF);
  let stiffness = volume * (restHessian.nn[0][0] + restHessian.ss[0][0]) * (1.0 + viscosity);

  var lambda = Vector6();
  var s = greenStrain6(f);
  var stretch = mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
  var objective = volume * solidPotential(s, before, restHessian, viscosity);
  for (var iteration = 0u; iteration < newtonIterations; iteration++) {
    let moved = gramBetween(c * stretch, m);
    var slopeOfEnergy = energyGradient(s);
    var curvature = energyHessian(s);
    if (viscosity > 0.0) {
      slopeOfEnergy = add6(slopeOfEnergy, viscosity, multiply6(restHessian, add6(s, -1.0, before)));
      curvature = addMatrix6(curvature, viscosity, restHessian);
    }
    var gradient = add6(b, 1.0, multiply6(gram, lambda));
    gradient = add6(gradient, volume, timesGram(moved, slopeOfEnergy));
    var hessian = addMatrix6(gram, volume, transformed(moved, curvature));
    // The second variation of the strain, tr(M S M dΛ C dΛ) with the stress S
    hessian = addMatrix6(hessian, volume, kronecker6(c, m * matrixOf6(slopeOfEnergy, 0.5) * m));
    let direction = newtonStepLifted6(hessian, gradient, inertia);
    let slope = dot6(gradient, direction);
    if (!(slope < 0.0)) { break; }
    var t = 1.0;
    var accepted = false;
    for (var halving = 0u; halving < solidHalvings; halving++) {
      let trial = add6(lambda, t, direction);
      var trialStretch = matrixOf6(trial, 0.5) * m;
      trialStretch[0][0] += 1.0;
      trialStretch[1][1] += 1.0;
      trialStretch[2][2] += 1.0;
      if (determinant(trialStretch) > 0.0) {
        let trialStrain = greenStrain6(f * trialStretch);
        let value = dot6(b, trial) + 0.5 * dot6(trial, multiply6(gram, trial))
          + volume * solidPotential(trialStrain, before, restHessian, viscosity);
        // f32 knows a strain to about 1e-7: differences of energy below that are rounding, not ascent.
        let size = dot(abs(trialStrain.normal) + abs(s.normal) + abs(trialStrain.shear) + abs(s.shear), vec3f(1.0));
        if (value <= objective + 1e-4 * t * slope + 4e-7 * stiffness * (size + 1e-7)) {
          accepted = true;
          lambda = trial;
          s = trialStrain;
          stretch = trialStretch;
          objective = value;
          break;
        }
      }
      t *= 0.5;
    }
    if (!accepted) { break; }
  }
  return f * matrixOf6(lambda, 0.5);
}

// ψ with the damping potential at the strain s
fn solidPotential(s: Vector6, before: Vector6, restHessian: Symmetric6, viscosity: f32) -> f32 {
  let value = energyDensity(s);
  if (viscosity > 0.0) {
    let change = add6(s, -1.0, before);
    return value + 0.5 * viscosity * dot6(change, multiply6(restHessian, change));
  }
  return value;
}

fn storedDensity(f: mat3x3f) -> f32 {
  return energyDensity(greenStrain6(f));
}
