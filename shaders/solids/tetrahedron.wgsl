#import "math/symmetric6.wgsl"
#import "math/svd3.wgsl"
#import "gpbd/step.wgsl"
#import "gpbd/particles.wgsl"
#import "guard/guard-state.wgsl"
#import "solids/tet-element.wgsl"

// Tetrahedra. The importing module supplies the minimiser of (19), solveTet(state: TetState) -> mat3x3f: Q, which moves vertex a by
// wₐ Q gₐ and makes F + QM of F, with M = Σ wₐ gₐ gₐᵀ, w = Δt²/m and the material gradients g. On the six entries of Green strain
// Q = F Λ, with the coordinates Δλ as a symmetric matrix Λ (halved off the diagonal). It also supplies storedDensity(f: mat3x3f) -> f32, ψ.

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
  // Σ dₐ gₐᵀ, dₐ the tracked displacements
  d: mat3x3f,
  volume: f32,
}

@group(0) @binding(5) var<storage, read> elements: array<TetElement>;
@group(0) @binding(6) var<uniform> material: TetMaterial;
// see elastic.wgsl
@group(0) @binding(7) var<storage, read_write> elastic: array<vec4f>;

// of each element [J], see guard.wgsl
@group(0) @binding(8) var<storage, read_write> energies: array<f32>;
@group(0) @binding(9) var<storage, read> guard: GuardState;

override newtonIterations: u32 = 1u;
// See `EnergyTerm`.
override cellSize: u32 = 1u;
// Whether material.damping is more than nothing.
override isDamped: bool = true;
// Whether there is a warm start, which has to know of displacements that nothing tracks.
override isWarm: bool = false;
// Whether iterations of Jacobi build on each other; then `deltas` is what the last one added.
override isAccelerated: bool = false;

// No principal stretch is left below this; as in untangle.ts.
const smallestStretch = 0.02;

fn squares(a: mat3x3f) -> f32 {
  return dot(a[0], a[0]) + dot(a[1], a[1]) + dot(a[2], a[2]);
}

// w g gᵀ
fn weighted(w: f32, g: vec3f) -> Vector6 {
  let wg = w * g;
  return Vector6(wg * g, wg * g.yzx);
}

// Σ over the vertices of vₐ gₐᵀ, for values relative to the first vertex
fn gradientOf(v1: vec3f, v2: vec3f, v3: vec3f, e: TetElement) -> mat3x3f {
  return mat3x3f(v1, v2, v3) * transpose(mat3x3f(e.g1, e.g2, e.g3));
}

// Twin of the reference's `untangle`: the columns P of Δxₐ = wₐ P gₐ for an element that is flat or inside out.
fn untangled(f: mat3x3f, startF: mat3x3f, m: mat3x3f, isMean: bool) -> mat3x3f {
  let found = svd3(f);
  if (found.sigma.z >= smallestStretch) {
    return mat3x3f();
  }
  var goal = max(vec3f(smallestStretch), abs(found.sigma));
  if (!isMean) {
    let turned = startF * found.v;
    let was = vec3f(dot(found.u[0], turned[0]), dot(found.u[1], turned[1]), dot(found.u[2], turned[2]));
    let back = was + select(step.recovery, step.guardedRecovery, guard.budget < NO_BUDGET) * max(vec3f(0.0), smallestStretch - was);
    goal = max(found.sigma, min(vec3f(smallestStretch), back));
  }
  let rise = goal - found.sigma;
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

// Turns an element that is flat or inside out, and minimizes (19).
fn updated(found: TetState, isMean: bool) -> TetUpdate {
  var state = found;
  var update: TetUpdate;
  // σ₁σ₂ ≤ ½ ‖F‖², so this says that σ₃ is large enough without looking for it.
  let size = squares(state.f);
  if (!(2.0 * determinant(state.f) >= smallestStretch * size && size > 0.0)) {
    update.p = untangled(state.f, state.startF, state.m, isMean);
  }
  state.f += update.p * state.m;
  let q = solveTet(state);
  if (determinant(state.f) > 0.0) {
    update.q = q;
  }
  return update;
}

fn updateTet(e: TetElement, x: mat4x3f, u: mat4x3f, d: mat4x3f, w: vec4f, isMean: bool) -> TetUpdate {
  let g0 = -e.g1 - e.g2 - e.g3;
  let front = add6(weighted(w.x, g0), 1.0, weighted(w.y, e.g1));
  let m = matrixOf6(add6(front, 1.0, add6(weighted(w.z, e.g2), 1.0, weighted(w.w, e.g3))), 1.0);
  if (!(m[0][0] + m[1][1] + m[2][2] > 0.0)) {
    return TetUpdate();
  }
  var state: TetState;
  state.m = m;
  state.volume = e.volume;
  let edges = mat3x3f(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
  state.f = gradientOf(edges[0] + (u[1] - u[0]), edges[1] + (u[2] - u[0]), edges[2] + (u[3] - u[0]), e);
  state.startF = gradientOf(edges[0], edges[1], edges[2], e);
  if (range.loadTracked != 0u) {
    state.d = gradientOf(d[1] - d[0], d[2] - d[0], d[3] - d[0], e);
  }
  return updated(state, isMean);
}

// The tracked displacements, times `parts` of the corners: 0 for what was pinned just now, which has nothing to begin with.
fn trackedTet(e: u32, parts: vec4f) -> mat4x3f {
  // Of what was frozen, dᵢ may be no number.
  if (range.loadTracked == 0u || (range.loadTracked == 2u && step.warmStart == 0.0)) {
    return mat4x3f();
  }
  let s = select(1.0, step.warmStart, range.loadTracked == 2u) * parts;
  let at = 4u * e;
  return mat4x3f(
    s.x * tracked[at].xyz,
    s.y * tracked[at + 1u].xyz,
    s.z * tracked[at + 2u].xyz,
    s.w * tracked[at + 3u].xyz,
  );
}

// Of the elements of a cell one after another: those of other cells in the same colors have no vertex of it.
fn tetGaussSeidel(invocation: u32) {
  if (invocation >= range.count) {
    return;
  }
  for (var k = 0u; k < cellSize; k++) {
    sweepTet(range.first + k * range.count + invocation);
  }
}

fn sweepTet(e: u32) {
  let element = elements[e];
  let v = element.vertices;
  let u0 = displacement[v.x];
  let u1 = displacement[v.y];
  let u2 = displacement[v.z];
  let u3 = displacement[v.w];
  let w = step.h * step.h * vec4f(u0.w, u1.w, u2.w, u3.w);
  let d = trackedTet(e, sign(w));
  let x = mat4x3f(start[v.x].xyz, start[v.y].xyz, start[v.z].xyz, start[v.w].xyz);
  let update = updateTet(element, x, mat4x3f(u0.xyz, u1.xyz, u2.xyz, u3.xyz), d, w, false);
  let g0 = -element.g1 - element.g2 - element.g3;
  let q = step.relaxation * update.q;
  let shift = update.p + q;
  displacement[v.x] = u0 + vec4f(w.x * (shift * g0), 0.0);
  displacement[v.y] = u1 + vec4f(w.y * (shift * element.g1), 0.0);
  displacement[v.z] = u2 + vec4f(w.z * (shift * element.g2), 0.0);
  displacement[v.w] = u3 + vec4f(w.w * (shift * element.g3), 0.0);
  if (isWarm) {
    if (dot(abs(update.p[0]) + abs(update.p[1]) + abs(update.p[2]), vec3f(1.0)) > 0.0) {
      // No force did that.
      elastic[v.x] += vec4f(w.x * (update.p * g0), 0.0);
      elastic[v.y] += vec4f(w.y * (update.p * element.g1), 0.0);
      elastic[v.z] += vec4f(w.z * (update.p * element.g2), 0.0);
      elastic[v.w] += vec4f(w.w * (update.p * element.g3), 0.0);
    }
  }
  if (range.storeTracked != 0u) {
    tracked[4u * e] = vec4f(d[0] + w.x * (q * g0), 0.0);
    tracked[4u * e + 1u] = vec4f(d[1] + w.y * (q * element.g1), 0.0);
    tracked[4u * e + 2u] = vec4f(d[2] + w.z * (q * element.g2), 0.0);
    tracked[4u * e + 3u] = vec4f(d[3] + w.w * (q * element.g3), 0.0);
  }
}

// As applyLater, with the displacement that nothing tracks; before: what was tracked, not split.
fn applyTetLater(slot: u32, count: f32, before: vec3f, delta: vec3f, projection: vec3f) {
  let isUntangled = any(projection != vec3f(0.0));
  var increment = (step.relaxation / count) * delta;
  if (isAccelerated) {
    increment = (range.share / count) * delta;
    let last = deltas[slot];
    // A displacement that untangled an element is not a force.
    if (range.momentum > 0.0 && last.w == 0.0 && !isUntangled) {
      increment += range.momentum * last.xyz;
    }
  }
  deltas[slot] = vec4f(increment + projection / count, select(0.0, 1.0, isUntangled));
  if (range.storeTracked != 0u) {
    tracked[slot] = vec4f(before + increment, 0.0);
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
  let count = vec4f(vec4u(valences.x & 0xffffu, valences.x >> 16u, valences.y & 0xffffu, valences.y >> 16u));
  // Masses go among fewer where it is relaxed (projectTerm in cpu-solver.ts).
  let split = count / select(step.relaxation, 1.0, isAccelerated);
  let w = step.h * step.h * split * vec4f(u0.w, u1.w, u2.w, u3.w);
  let d = trackedTet(e, sign(w) * split);
  let x = mat4x3f(start[v.x].xyz, start[v.y].xyz, start[v.z].xyz, start[v.w].xyz);
  let update = updateTet(element, x, mat4x3f(u0.xyz, u1.xyz, u2.xyz, u3.xyz), d, w, true);
  let g0 = -element.g1 - element.g2 - element.g3;
  applyTetLater(4u * e, count.x, d[0] / split.x, w.x * (update.q * g0), w.x * (update.p * g0));
  applyTetLater(4u * e + 1u, count.y, d[1] / split.y, w.y * (update.q * element.g1), w.y * (update.p * element.g1));
  applyTetLater(4u * e + 2u, count.z, d[2] / split.z, w.z * (update.q * element.g2), w.z * (update.p * element.g2));
  applyTetLater(4u * e + 3u, count.w, d[3] / split.w, w.w * (update.q * element.g3), w.w * (update.p * element.g3));
}

// Energy of an element at the start of a substep.
fn tetEnergy(e: u32) {
  if (e >= range.count) {
    return;
  }
  let element = elements[e];
  let v = element.vertices;
  let x = start[v.x].xyz;
  let f = gradientOf(start[v.y].xyz - x, start[v.z].xyz - x, start[v.w].xyz - x, element);
  energies[e] = energyOf(f, element.volume);
}

// The energy of an element that is inside out is not known: NO_BUDGET of guard-state.wgsl.
fn energyOf(f: mat3x3f, volume: f32) -> f32 {
  return select(NO_BUDGET, volume * storedDensity(f), determinant(f) > 0.0);
}
