#import "local-global/step/elements.wgsl"
#import "local-global/contact/proximal.wgsl"
#import "local-global/step/flat-step.wgsl"
#import "local-global/step/curvature.wgsl"
#import "math/svd3.wgsl"

// The local step: twin of local-step.ts. An invocation has an element, and writes h² wᵢ (pᵢ − uᵢ − Gᵢq) for gather.wgsl.
// Between steps duals are kept in axes of the element, Rᵀu, so that they turn with it. Those of a step under way are apart from these:
// it may halt at the end, see keep-contacts.wgsl. The fourth number of those is 1 where a tetrahedron has been flat in the step.

@group(0) @binding(4) var<storage, read> materials: array<LocalGlobalMaterial>;
// as many columns an element as it has: kept ones of all elements, then those of the step
@group(0) @binding(5) var<storage, read_write> duals: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> outputs: array<vec4f>;
@group(0) @binding(7) var<storage, read> bodyStates: array<LocalGlobalBodyState>;

// Rotation by twice the arc tangent of half a rotation vector, as turning.ts has it.
fn rotationOf(theta: vec3f) -> mat3x3f {
  let h = 0.5 * theta;
  let s = 2.0 / (1.0 + dot(h, h));
  return mat3x3f(
    vec3f(1.0 - s * (h.y * h.y + h.z * h.z), s * (h.x * h.y + h.z), s * (h.x * h.z - h.y)),
    vec3f(s * (h.x * h.y - h.z), 1.0 - s * (h.x * h.x + h.z * h.z), s * (h.y * h.z + h.x)),
    vec3f(s * (h.x * h.z + h.y), s * (h.y * h.z - h.x), 1.0 - s * (h.x * h.x + h.y * h.y)),
  );
}

fn loadDual(at: u32, dimension: u32) -> mat3x3f {
  var u = mat3x3f();
  for (var c = 0u; c < dimension; c++) { u[c] = duals[at + c].xyz; }
  return u;
}

fn storeDual(at: u32, dimension: u32, u: mat3x3f, flat: f32) {
  for (var c = 0u; c < dimension; c++) { duals[at + c] = vec4f(u[c], flat); }
}

// p of the element, with the singular values of f
fn projection(m: LocalGlobalMaterial, f: mat3x3f, dimension: u32) -> mat3x3f {
  let parts = svd3(f);
  var s = proximalStretches(m, parts.sigma, dimension);
  if (dimension == 2u) { s.z = 0.0; }
  return mat3x3f(s.x * parts.u[0], s.y * parts.u[1], s.z * parts.u[2]) * transpose(parts.v);
}

fn project(local: u32, dimension: u32) {
  let element = elements[kind.firstElement + local];
  if (bodyStates[element.body].isHalted != 0u) { return; }
  let m = materials[element.material];
  let f = gradientOf(kind.firstCorner + local * kind.stride, kind.arity);
  let isDual = m.model != MODEL_ARAP;
  let at = kind.firstDual + local * dimension;
  let wasFlat = dimension == 3u && duals[at + kind.dualCount].w > 0.0;
  let isOn = wasFlat && kind.isFirst == 0u;
  var u = mat3x3f();
  if (isDual || isOn) {
    u = loadDual(at + select(kind.dualCount, 0u, kind.isFirst == 1u), dimension);
    if (kind.isFirst == 0u) {
      u = rotationOf(bodyStates[element.body].theta) * u;
    } else if (any(abs(u[0]) + abs(u[1]) + abs(u[2]) > vec3f(0.0))) {
      u = nearestRotation(f) * u;
    }
  }
  let weight = step.h * step.h * m.share * element.weight;
  let flat = isOn || (dimension == 3u && isFlat(f));
  var change: mat3x3f;
  if (flat || (dimension == 3u && isDual && !(determinant(f + u) > 0.0))) {
    if (flat && !isOn) { u = mat3x3f(); }
    let found = projectFlat(m, f, u, 1.0 + element.inertia / weight, flat);
    storeDual(at + kind.dualCount, dimension, found.dual, select(0.0, 1.0, flat));
    change = found.goal - f;
  } else {
    let p = projection(m, f + u, dimension);
    change = p - f;
    if (isDual) {
      // uᵢ ← uᵢ + Gᵢq − pᵢ
      u -= change;
      storeDual(at + kind.dualCount, dimension, u, 0.0);
      change -= u;
    } else if (wasFlat) {
      storeDual(at + kind.dualCount, dimension, u, 0.0);
    }
  }
  for (var c = 0u; c < dimension; c++) {
    outputs[kind.firstOutput + local * dimension + c] = vec4f(weight * change[c], 0.0);
  }
}

@compute @workgroup_size(64)
fn projectTetrahedra(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < kind.elementCount) { project(id.x, 3u); }
}

@compute @workgroup_size(64)
fn projectTriangles(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < kind.elementCount) { project(id.x, 2u); }
}

fn projectBending(local: u32, dimension: u32) {
  let element = elements[kind.firstElement + local];
  let corner = kind.firstCorner + local * kind.stride;
  let f = gradientOf(corner, kind.arity);
  var change = -1.0 * f;
  if (kind.stride > kind.arity) {
    var rest = mat3x3f();
    for (var c = 0u; c < dimension; c++) { rest[c] = corners[corner + kind.arity + c].gradient; }
    change += curvatureOfNoStress(f, rest, dimension);
  }
  let scale = step.h * step.h * materials[element.material].share * element.weight;
  for (var c = 0u; c < dimension; c++) {
    outputs[kind.firstOutput + local * dimension + c] = vec4f(scale * change[c], 0.0);
  }
}

@compute @workgroup_size(64)
fn projectCurvatures(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < kind.elementCount) { projectBending(id.x, 3u); }
}

@compute @workgroup_size(64)
fn projectMeanCurvatures(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < kind.elementCount) { projectBending(id.x, 1u); }
}

fn keepDual(local: u32, dimension: u32) {
  let element = elements[kind.firstElement + local];
  if (materials[element.material].model == MODEL_ARAP || bodyStates[element.body].isHalted != 0u) { return; }
  let at = kind.firstDual + local * dimension;
  let rotation = nearestRotation(gradientOf(kind.firstCorner + local * kind.stride, kind.arity));
  var u = transpose(rotation) * loadDual(at + kind.dualCount, dimension);
  if (dimension == 3u && duals[at + kind.dualCount].w > 0.0) { u = mat3x3f(); }
  if (dimension == 2u) {
    // across the membrane there is no stress
    u[0].z = 0.0;
    u[1].z = 0.0;
  }
  storeDual(at, dimension, u, 0.0);
}

@compute @workgroup_size(64)
fn keepTetrahedronDuals(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < kind.elementCount) { keepDual(id.x, 3u); }
}

@compute @workgroup_size(64)
fn keepTriangleDuals(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < kind.elementCount) { keepDual(id.x, 2u); }
}
