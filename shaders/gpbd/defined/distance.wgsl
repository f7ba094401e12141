#import "gpbd/elements/link-entries.wgsl"
#import "gpbd/defined/scalar-density.wgsl"

// Links with a density of users on c = ‖x₁ − x₀‖ − L: (19) of paper 1 for k = 1 by Newton with line search.

struct LinkMaterial {
  // Kelvin-Voigt damping time [s]
  damping: f32,
}

@group(0) @binding(6) var<uniform> material: LinkMaterial;

override newtonIterations: u32 = 1u;
const linkHalvings = 8u;

// viscosity: τ/Δt times the second derivative of the density at rest
fn linkPotential(c: f32, startStrain: f32, viscosity: f32) -> f32 {
  let change = c - startStrain;
  return energyDensity(c) + 0.5 * viscosity * change * change;
}

fn solveDistance(
  element: DistanceElement, x0: vec3f, x1: vec3f, u0: vec3f, u1: vec3f, d0: vec3f, d1: vec3f, w: vec2f,
) -> DistanceUpdate {
  let edge = (x1 - x0) + (u1 - u0);
  let gram = w.x + w.y;
  let size = length(edge);
  if (!(gram > 0.0 && size > 0.0)) { return DistanceUpdate(); }
  let direction = edge / size;
  let b = dot(direction, d1 - d0);
  let startStrain = length(x1 - x0) - element.restLength;
  let viscosity = material.damping / step.h * energyHessian(0.0);
  var lambda = 0.0;
  var c = size - element.restLength;
  // of the turned direction with the first one
  var turned = 1.0;
  var objective = linkPotential(c, startStrain, viscosity);
  for (var iteration = 0u; iteration < newtonIterations; iteration++) {
    let moved = turned * gram;
    let gradient = b + gram * lambda + moved * (energyGradient(c) + viscosity * (c - startStrain));
    let curvature = max(0.0, energyHessian(c) + viscosity);
    let newton = -gradient / (gram + moved * moved * curvature);
    let slope = gradient * newton;
    if (!(slope < 0.0)) { break; }
    var t = 1.0;
    var accepted = false;
    for (var halving = 0u; halving <= linkHalvings; halving++) {
      let trial = lambda + t * newton;
      // The particles move along the link: it stays on its line, and may turn round.
      let reached = size + gram * trial;
      let next = abs(reached) - element.restLength;
      let value = b * trial + 0.5 * gram * trial * trial + linkPotential(next, startStrain, viscosity);
      // f32 knows lengths to about 1e-7: differences of energy below that are rounding, not ascent.
      let rounding = 4e-7 * curvature * (abs(next) + abs(c)) * (abs(next) + abs(c) + size);
      if (value <= objective + 1e-4 * t * slope + rounding) {
        accepted = true;
        lambda = trial;
        c = next;
        turned = sign(reached);
        objective = value;
        break;
      }
      t *= 0.5;
    }
    if (!accepted) { break; }
  }
  return DistanceUpdate(-w.x * lambda * direction, w.y * lambda * direction);
}
