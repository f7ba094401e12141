#import "gpbd/elements/link-entries.wgsl"

// XPBD distance constraints, the linearly compliant special case of GPBD (paper 1, Appendix A):
// (α + G) Δλ = −(α b/G + c); α = 0 is a hard constraint.

fn solveDistance(
  element: DistanceElement, x0: vec3f, x1: vec3f, u0: vec3f, u1: vec3f, d0: vec3f, d1: vec3f, w: vec2f,
) -> DistanceUpdate {
  let edge = (x1 - x0) + (u1 - u0);
  let length = length(edge);
  var direction = vec3f(1.0, 0.0, 0.0);
  if (length > 0.0) { direction = edge / length; }
  let gram = w.x + w.y;
  if (!(gram > 0.0)) { return DistanceUpdate(); }
  let trackedStrain = dot(direction, d1 - d0);
  let lambda = -(length - element.restLength + element.compliance * trackedStrain / gram) / (gram + element.compliance);
  return DistanceUpdate(-w.x * lambda * direction, w.y * lambda * direction);
}
