#import "gpbd/step.wgsl"
#import "gpbd/particles.wgsl"

// Links of two particles. The importing module supplies solveDistance(element, x0, x1, u0, u1, d0, d1, w) -> DistanceUpdate:
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

fn linkGaussSeidel(invocation: u32) {
  if (invocation >= range.count) {
    return;
  }
  let e = range.first + invocation;
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

fn linkJacobi(e: u32) {
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
