#import "gpbd/step.wgsl"
#import "gpbd/particles.wgsl"

// Hinges of two faces, with the entry points of their modules. The importing module supplies
// solveHinge(element: HingeElement, corners: HingeCorners) -> HingeUpdate.

struct HingeElement {
  // edge start, edge end, opposite corners
  vertices: vec4u,
  // what the model needs of the rest shape
  rest: vec4f,
  // Jacobi: hinges at each corner, which share its mass
  valence: vec4f,
}

struct HingeMaterial {
  // Kelvin-Voigt damping time [s]
  damping: f32,
}

struct HingeCorners {
  // x⁻, u and d of the corners as columns [m]
  x: mat4x3f,
  u: mat4x3f,
  d: mat4x3f,
  // Δt²/m
  w: vec4f,
}

struct HingeUpdate {
  d: mat4x3f,
}

@group(0) @binding(5) var<storage, read> elements: array<HingeElement>;
@group(0) @binding(6) var<uniform> material: HingeMaterial;

// split: how many elements share each corner's mass
fn loadHinge(e: u32, v: vec4u, split: vec4f, u0: vec4f, u1: vec4f, u2: vec4f, u3: vec4f) -> HingeCorners {
  return HingeCorners(
    mat4x3f(start[v.x].xyz, start[v.y].xyz, start[v.z].xyz, start[v.w].xyz),
    mat4x3f(u0.xyz, u1.xyz, u2.xyz, u3.xyz),
    mat4x3f(
      split.x * trackedAt(4u * e),
      split.y * trackedAt(4u * e + 1u),
      split.z * trackedAt(4u * e + 2u),
      split.w * trackedAt(4u * e + 3u),
    ),
    range.interval * step.h * step.h * split * vec4f(u0.w, u1.w, u2.w, u3.w),
  );
}

@compute @workgroup_size(64)
fn gaussSeidel(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= range.count) { return; }
  let e = range.first + id.x;
  let element = elements[e];
  let v = element.vertices;
  let u0 = displacement[v.x];
  let u1 = displacement[v.y];
  let u2 = displacement[v.z];
  let u3 = displacement[v.w];
  let corners = loadHinge(e, v, vec4f(1.0), u0, u1, u2, u3);
  let update = solveHinge(element, corners);
  applyNow(4u * e, v.x, u0, corners.d[0], update.d[0]);
  applyNow(4u * e + 1u, v.y, u1, corners.d[1], update.d[1]);
  applyNow(4u * e + 2u, v.z, u2, corners.d[2], update.d[2]);
  applyNow(4u * e + 3u, v.w, u3, corners.d[3], update.d[3]);
}

@compute @workgroup_size(64)
fn jacobi(@builtin(global_invocation_id) id: vec3u) {
  let e = id.x;
  if (e >= range.count) { return; }
  let element = elements[e];
  let v = element.vertices;
  let split = element.valence;
  let corners = loadHinge(
    e, v, split, displacement[v.x], displacement[v.y], displacement[v.z], displacement[v.w],
  );
  let update = solveHinge(element, corners);
  applyLater(4u * e, split.x, corners.d[0], update.d[0]);
  applyLater(4u * e + 1u, split.y, corners.d[1], update.d[1]);
  applyLater(4u * e + 2u, split.z, corners.d[2], update.d[2]);
  applyLater(4u * e + 3u, split.w, corners.d[3], update.d[3]);
}
