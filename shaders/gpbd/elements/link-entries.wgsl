#import "gpbd/step.wgsl"
#import "gpbd/particles.wgsl"

// Links of two particles, with the entry points of their modules. The importing module supplies
// solveDistance(element, x0, x1, u0, u1, d0, d1, w) -> DistanceUpdate:
// positions at the start of the substep, displacements since, tracked displacements, Δt²/m.

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

@compute @workgroup_size(64)
fn gaussSeidel(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= range.count) { return; }
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
  if (e >= range.count) { return; }
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
