#import "math/symmetric6.wgsl"
#import "math/svd3.wgsl"
#import "gpbd/step.wgsl"
#import "gpbd/particles.wgsl"

// Tetrahedra on the six entries of Green strain. The importing module supplies the minimiser of (19),
// solveTet(state: TetState) -> mat3x3f: the six coordinates Δλ as a symmetric matrix Λ (halved off the diagonal). Then W Sᵀ Δλ
// moves vertex a by wₐ F Λ gₐ, and F becomes F (I + ΛM) with M = Σ wₐ gₐ gₐᵀ, w = Δt²/m and the material gradients g.

struct TetElement {
  vertices: vec4u,
  // rows of Dm⁻¹, the material gradients of the hat functions of the last three vertices [1/m]
  g1: vec3f,
  // [m³]
  volume: f32,
  g2: vec3f,
  // Jacobi: tetrahedra at each vertex, which share its mass; two numbers of 16 bits
  valence01: u32,
  g3: vec3f,
  valence23: u32,
}

struct TetMaterial {
  // of the density [Pa]
  coefficients: vec4f,
  // Kelvin-Voigt damping time [s]
  damping: f32,
}

struct TetState {
  // deformation gradient, now and at the start of the substep
  f: mat3x3f,
  startF: mat3x3f,
  // M
  m: mat3x3f,
  // sym(Fᵀ Σ dₐ gₐᵀ), dₐ the tracked displacements
  b: Vector6,
  volume: f32,
}

@group(0) @binding(5) var<storage, read> elements: array<TetElement>;
@group(0) @binding(6) var<uniform> material: TetMaterial;

override newtonIterations: u32 = 1u;

// No principal stretch is left below this; as in untangle.ts.
const smallestStretch = 0.02;

fn squares(a: mat3x3f) -> f32 {
  return dot(a[0], a[0]) + dot(a[1], a[1]) + dot(a[2], a[2]);
}

fn weighted(w: f32, g: vec3f) -> mat3x3f {
  return mat3x3f(w * g * g.x, w * g * g.y, w * g * g.z);
}

// Σ over the vertices of vₐ gₐᵀ, for values relative to the first vertex
fn gradientOf(v1: vec3f, v2: vec3f, v3: vec3f, e: TetElement) -> mat3x3f {
  return mat3x3f(v1, v2, v3) * transpose(mat3x3f(e.g1, e.g2, e.g3));
}

// What `untangle` of the reference does: the columns P of Δxₐ = wₐ P gₐ for an element that is flat or inside out.
fn untangled(f: mat3x3f, m: mat3x3f) -> mat3x3f {
  let found = svd3(f);
  if (found.sigma.z >= smallestStretch) {
    return mat3x3f();
  }
  let rise = max(vec3f(smallestStretch), abs(found.sigma)) - found.sigma;
  let change = mat3x3f(rise.x * found.u[0], rise.y * found.u[1], rise.z * found.u[2]) * transpose(found.v);
  // ΔF M⁻¹; two pinned vertices leave M singular.
  var regular = m;
  let lift = 1e-6 * (m[0][0] + m[1][1] + m[2][2]);
  regular[0][0] += lift;
  regular[1][1] += lift;
  regular[2][2] += lift;
  let factor = factor3(regular);
  let rows = transpose(change);
  return transpose(mat3x3f(solveFactor3(factor, rows[0]), solveFactor3(factor, rows[1]), solveFactor3(factor, rows[2])));
}

struct TetUpdate {
  // Δdₐ = wₐ q gₐ
  q: mat3x3f,
  // displacement that belongs to no force: wₐ p gₐ
  p: mat3x3f,
}

fn updateTet(e: TetElement, x: mat4x3f, u: mat4x3f, d: mat4x3f, w: vec4f) -> TetUpdate {
  let g0 = -e.g1 - e.g2 - e.g3;
  let m = weighted(w.x, g0) + weighted(w.y, e.g1) + weighted(w.z, e.g2) + weighted(w.w, e.g3);
  if (!(m[0][0] + m[1][1] + m[2][2] > 0.0)) {
    return TetUpdate();
  }
  var state: TetState;
  state.m = m;
  state.volume = e.volume;
  state.startF = gradientOf(x[1] - x[0], x[2] - x[0], x[3] - x[0], e);
  state.f = state.startF + gradientOf(u[1] - u[0], u[2] - u[0], u[3] - u[0], e);
  var update: TetUpdate;
  // σ₁σ₂ ≤ ½ ‖F‖², so this says that σ₃ is large enough without looking for it.
  let size = squares(state.f);
  if (!(2.0 * determinant(state.f) >= smallestStretch * size && size > 0.0)) {
    update.p = untangled(state.f, m);
    state.f += update.p * m;
    if (!(determinant(state.f) > 0.0)) {
      return update;
    }
  }
  if (range.loadTracked != 0u) {
    state.b = symmetricEntries6(transpose(state.f) * gradientOf(d[1] - d[0], d[2] - d[0], d[3] - d[0], e));
  }
  update.q = state.f * solveTet(state);
  return update;
}

fn tetGaussSeidel(invocation: u32) {
  if (invocation >= range.count) {
    return;
  }
  let e = range.first + invocation;
  let element = elements[e];
  let v = element.vertices;
  let u0 = displacement[v.x];
  let u1 = displacement[v.y];
  let u2 = displacement[v.z];
  let u3 = displacement[v.w];
  let w = step.h * step.h * vec4f(u0.w, u1.w, u2.w, u3.w);
  // A particle that was pinned just now has nothing to begin with.
  let free = sign(w);
  let d = mat4x3f(
    free.x * trackedAt(4u * e),
    free.y * trackedAt(4u * e + 1u),
    free.z * trackedAt(4u * e + 2u),
    free.w * trackedAt(4u * e + 3u),
  );
  let x = mat4x3f(start[v.x].xyz, start[v.y].xyz, start[v.z].xyz, start[v.w].xyz);
  let update = updateTet(element, x, mat4x3f(u0.xyz, u1.xyz, u2.xyz, u3.xyz), d, w);
  let g0 = -element.g1 - element.g2 - element.g3;
  applyNow(4u * e, v.x, u0 + vec4f(w.x * (update.p * g0), 0.0), d[0], w.x * (update.q * g0));
  applyNow(4u * e + 1u, v.y, u1 + vec4f(w.y * (update.p * element.g1), 0.0), d[1], w.y * (update.q * element.g1));
  applyNow(4u * e + 2u, v.z, u2 + vec4f(w.z * (update.p * element.g2), 0.0), d[2], w.z * (update.q * element.g2));
  applyNow(4u * e + 3u, v.w, u3 + vec4f(w.w * (update.p * element.g3), 0.0), d[3], w.w * (update.q * element.g3));
}

// As applyLater, with the displacement that nothing tracks.
fn applyTetLater(slot: u32, count: f32, splitTracked: vec3f, delta: vec3f, projection: vec3f) {
  let increment = (step.relaxation / count) * delta;
  deltas[slot] = vec4f(increment + projection / count, 0.0);
  if (range.storeTracked != 0u) {
    tracked[slot] = vec4f(splitTracked / count + increment, 0.0);
  }
}

fn tetJacobi(e: u32) {
  if (e >= range.count) {
    return;
  }
  let element = elements[e];
  let v = element.vertices;
  let u0 = displacement[v.x];
  let u1 = displacement[v.y];
  let u2 = displacement[v.z];
  let u3 = displacement[v.w];
  let valences = vec2u(element.valence01, element.valence23);
  let split = vec4f(vec4u(valences.x & 0xffffu, valences.x >> 16u, valences.y & 0xffffu, valences.y >> 16u));
  let w = step.h * step.h * split * vec4f(u0.w, u1.w, u2.w, u3.w);
  let free = sign(w) * split;
  let d = mat4x3f(
    free.x * trackedAt(4u * e),
    free.y * trackedAt(4u * e + 1u),
    free.z * trackedAt(4u * e + 2u),
    free.w * trackedAt(4u * e + 3u),
  );
  let x = mat4x3f(start[v.x].xyz, start[v.y].xyz, start[v.z].xyz, start[v.w].xyz);
  let update = updateTet(element, x, mat4x3f(u0.xyz, u1.xyz, u2.xyz, u3.xyz), d, w);
  let g0 = -element.g1 - element.g2 - element.g3;
  applyTetLater(4u * e, split.x, d[0], w.x * (update.q * g0), w.x * (update.p * g0));
  applyTetLater(4u * e + 1u, split.y, d[1], w.y * (update.q * element.g1), w.y * (update.p * element.g1));
  applyTetLater(4u * e + 2u, split.z, d[2], w.z * (update.q * element.g2), w.z * (update.p * element.g2));
  applyTetLater(4u * e + 3u, split.w, d[3], w.w * (update.q * element.g3), w.w * (update.p * element.g3));
}
