#import "gpbd/step.wgsl"
#import "gpbd/particles.wgsl"

// XPBD distance constraints, the linearly compliant special case of GPBD (paper 1, Appendix A):
// (α + G) Δλ = −(α b/G + c); α = 0 is a hard constraint.

struct DistanceElement {
  vertices: vec2u,
  restLength: f32,
  // α [m/N]
  compliance: f32,
}

@group(0) @binding(5) var<storage, read> elements: array<DistanceElement>;

struct DistanceUpdate {
  d0: vec3f,
  d1: vec3f,
}

fn solveDistance(
  element: DistanceElement, x0: vec3f, x1: vec3f, u0: vec3f, u1: vec3f, d0: vec3f, d1: vec3f, w: vec2f,
) -> DistanceUpdate {
  let edge = (x1 - x0) + (u1 - u0);
  let length = length(edge);
  var direction = vec3f(1.0, 0.0, 0.0);
  if (length > 0.0) {
    direction = edge / length;
  }
  let gram = w.x + w.y;
  if (!(gram > 0.0)) {
    return DistanceUpdate();
  }
  let trackedStrain = dot(direction, d1 - d0);
  let lambda = -(length - element.restLength + element.compliance * trackedStrain / gram) / (gram + element.compliance);
  return DistanceUpdate(-w.x * lambda * direction, w.y * lambda * direction);
}

@compute @workgroup_size(64)
fn gaussSeidel(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= range.count) {
    return;
  }
  let e = range.first + id.x;
  let element = elements[e];
  let v = element.vertices;
  let u0 = displacement[v.x];
  let u1 = displacement[v.y];
  let d0 = trackedAt(2u * e);
  let d1 = trackedAt(2u * e + 1u);
  let w = step.h * step.h * vec2f(u0.w, u1.w);
  let update = solveDistance(element, start[v.x].xyz, start[v.y].xyz, u0.xyz, u1.xyz, d0, d1, w);
  applyNow(2u * e, v.x, u0, d0, update.d0);
  applyNow(2u * e + 1u, v.y, u1, d1, update.d1);
}

@compute @workgroup_size(64)
fn jacobi(@builtin(global_invocation_id) id: vec3u) {
  let e = id.x;
  if (e >= range.count) {
    return;
  }
  let element = elements[e];
  let v = element.vertices;
  let u0 = displacement[v.x];
  let u1 = displacement[v.y];
  let split = vec2f(valence(v.x), valence(v.y));
  let d0 = split.x * trackedAt(2u * e);
  let d1 = split.y * trackedAt(2u * e + 1u);
  let w = step.h * step.h * split * vec2f(u0.w, u1.w);
  let update = solveDistance(element, start[v.x].xyz, start[v.y].xyz, u0.xyz, u1.xyz, d0, d1, w);
  applyLater(2u * e, split.x, d0, update.d0);
  applyLater(2u * e + 1u, split.y, d1, update.d1);
}
