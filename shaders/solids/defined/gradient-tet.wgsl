#import "solids/tetrahedron.wgsl"
#import "gpbd/defined/functions.wgsl"
#import "math/symmetric9.wgsl"
#import "solids/tet-entries.wgsl"

// The update of a tetrahedron whose density users have written in the nine entries of F − I: (19) of paper 1 by Newton with line
// search for k = 9. S does not depend on x: W Sᵀ Δλ moves vertex a by wₐ Λ gₐ, and F becomes F + Λ M. Matrices are transposed here,
// rows first, as their entries are in the density's arrays; see gpbd/defined/solid-density.wgsl.

const gradientHalvings = 10u;

fn entries9(s: mat3x3f) -> array<f32, 9> {
  return array<f32, 9>(s[0].x, s[0].y, s[0].z, s[1].x, s[1].y, s[1].z, s[2].x, s[2].y, s[2].z);
}

fn size9(s: mat3x3f) -> f32 {
  return dot(abs(s[0]) + abs(s[1]) + abs(s[2]), vec3f(1.0));
}

// Fᵀ − I
fn displacementGradient(f: mat3x3f) -> mat3x3f {
  return transpose(f) - mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
}

// ψ with the damping potential at the strain s
fn gradientPotential(s: mat3x3f, before: mat3x3f, restHessian: Symmetric9, viscosity: f32) -> f32 {
  let value = definedValue(entries9(s));
  if (viscosity > 0.0) {
    let change = s - before;
    return value + 0.5 * viscosity * dot9(change, multiply9(restHessian, change));
  }
  return value;
}

fn solveTet(state: TetState) -> mat3x3f {
  let volume = state.volume;
  let m = state.m;
  let b = transpose(state.d);
  let start = displacementGradient(state.f);
  var before = start;
  var viscosity = 0.0;
  if (isDamped) {
    before = displacementGradient(state.startF);
    viscosity = material.damping / step.h;
  }
  var restHessian: Symmetric9;
  var lambda: mat3x3f;
  var s = start;
  var objective = 0.0;
  // The density is long, and in one loop it is compiled once: damping goes by the Hessian at rest, which is looked at first.
  for (var look = select(1u, 0u, viscosity > 0.0); look <= newtonIterations; look++) {
    var at = s;
    if (look == 0u) { at = mat3x3f(); }
    var curvature = symmetric9(definedHessian(entries9(at)));
    if (look == 0u) {
      restHessian = curvature;
      continue;
    }
    let p = definedGradient(entries9(s));
    var stress = mat3x3f(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]);
    if (viscosity > 0.0) {
      stress += viscosity * multiply9(restHessian, s - before);
      curvature = addMatrix9(curvature, viscosity, restHessian);
    }
    if (look == 1u) { objective = volume * gradientPotential(s, before, restHessian, viscosity); }
    let gradient = b + m * (lambda + volume * stress);
    let direction = descent9(m, volume, curvature, gradient);
    let slope = dot9(gradient, direction);
    if (!(slope < 0.0)) { break; }
    let stiffness = volume * (abs(curvature.a00[0][0]) + abs(curvature.a11[0][0]));
    var t = 1.0;
    var accepted = false;
    for (var halving = 0u; halving < gradientHalvings; halving++) {
      let trial = lambda + t * direction;
      let moved = m * trial;
      let strain = start + moved;
      if (determinant(transpose(state.f) + moved) > 0.0) {
        let value = dot9(b, trial) + 0.5 * dot9(trial, moved)
          + volume * gradientPotential(strain, before, restHessian, viscosity);
        // f32 knows a strain to about 1e-7: differences of energy below that are rounding, not ascent.
        let rounding = 4e-7 * stiffness * (size9(strain) + size9(s) + 1e-7);
        if (value <= objective + 1e-4 * t * slope + rounding) {
          accepted = true;
          lambda = trial;
          s = strain;
          objective = value;
          break;
        }
      }
      t *= 0.5;
    }
    if (!accepted) { break; }
  }
  return transpose(lambda);
}

fn storedDensity(f: mat3x3f) -> f32 {
  return definedValue(entries9(displacementGradient(f)));
}
