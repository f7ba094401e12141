#import "gpbd/step-parameters.wgsl"
#import "gpbd/updates.wgsl"
#import "gpbd/cloth/bending-places.wgsl"
#import "gpbd/cloth/bending-frame.wgsl"

// Bending of sheets: twin of src/solvers/gpbd/elements/bending-solve.ts, which has the formulas. Matrices have a column for each of the three vectors.
// The importing module supplies bendingCorner and bendingDamping.

struct BendingCorner {
  // K of the three vectors [√(N/m)]
  weights: vec3f,
  // noVertex after the last one
  vertex: u32,
}

// Places of an element that are in use, at most: even, from 6 to `arity`. Code for unused places is not compiled.
override places: u32 = 12u;
// by `jacobi`: each element has its share of the vertices' mass
override isAtOnce: bool = false;
override isDamped: bool = true;
override isCurved: bool = false;
// whether any of those holds, or `isTracked`: these need torques and turns
override isTurning: bool = true;

struct BendingSums {
  // Σ K (x − origin), Σ K u
  s: mat3x3f,
  change: mat3x3f,
  b: mat3x3f,
  // G over Δt²: entries 00, 11, 22, then 01, 12, 20
  diagonal: vec3f,
  beside: vec3f,
}

// A vertex as it is: place relative to the first one, displacement in this time step, 1/m, and how many elements share it.
struct BendingVertex {
  x: vec3f,
  u: vec3f,
  inverseMass: f32,
  split: f32,
}

// Σ K v of one vertex
fn spread(weights: vec3f, v: vec3f) -> mat3x3f {
  return mat3x3f(weights.x * v, weights.y * v, weights.z * v);
}

fn addCorner(
  sums: ptr<function, BendingSums>, corner: BendingCorner, origin: vec3f, slot: u32,
) -> BendingVertex {
  if (corner.vertex == noVertex) { return BendingVertex(); }
  let k = corner.weights;
  let u = displacementOf(corner.vertex);
  var split = 1.0;
  if (isAtOnce) { split = valence(corner.vertex); }
  let x = startOf(corner.vertex).xyz - origin + u.xyz;
  (*sums).s += spread(k, x);
  let weighted = split * u.w * k;
  (*sums).diagonal += weighted * k;
  (*sums).beside += weighted * k.yzx;
  if (isDamped) { (*sums).change += spread(k, u.xyz); }
  if (isTracked) { (*sums).b += spread(k, split * trackedAt(slot)); }
  return BendingVertex(x, u.xyz, u.w, split);
}

fn crossed(a: vec3f, m: mat3x3f) -> mat3x3f {
  return mat3x3f(cross(a, m[0]), cross(a, m[1]), cross(a, m[2]));
}

// A⁻¹ of the three vectors, by L D Lᵀ.
fn solveVectors(a: mat3x3f, v: mat3x3f) -> mat3x3f {
  let l10 = a[0][1] / a[0][0];
  let l20 = a[0][2] / a[0][0];
  let d1 = a[1][1] - l10 * a[0][1];
  let t = a[1][2] - l20 * a[0][1];
  let l21 = t / d1;
  let d2 = a[2][2] - l20 * a[0][2] - l21 * t;
  let y1 = v[1] - l10 * v[0];
  let z2 = (v[2] - l20 * v[0] - l21 * y1) / d2;
  let z1 = y1 / d1 - l21 * z2;
  return mat3x3f(v[0] / a[0][0] - l10 * z1 - l20 * z2, z1, z2);
}

fn diagonal3(d: vec3f) -> mat3x3f {
  return mat3x3f(d.x, 0.0, 0.0, 0.0, d.y, 0.0, 0.0, 0.0, d.z);
}

fn moveCorner(
  corner: BendingCorner, vertex: BendingVertex, slot: u32, impulse: vec3f,
) {
  if (corner.vertex == noVertex) { return; }
  let delta = (range.interval * step.h * step.h * vertex.split * vertex.inverseMass) * impulse;
  if (isAtOnce) {
    applyLater(slot, vertex.split, vertex.split * trackedAt(slot), delta);
  } else {
    applyNow(slot, corner.vertex, displacementOf(corner.vertex), trackedAt(slot), delta);
  }
}

fn solveBending(e: u32) {
  var at = arity * e;
  if (isCurved) { at = (arity + 3u) * e; }
  let slot = arity * e;
  let c0 = bendingCorner(at);
  let c1 = bendingCorner(at + 1u);
  let c2 = bendingCorner(at + 2u);
  let c3 = bendingCorner(at + 3u);
  let c4 = bendingCorner(at + 4u);
  let c5 = bendingCorner(at + 5u);
  let c6 = bendingCorner(at + 6u);
  let c7 = bendingCorner(at + 7u);
  let c8 = bendingCorner(at + 8u);
  let c9 = bendingCorner(at + 9u);
  let c10 = bendingCorner(at + 10u);
  let c11 = bendingCorner(at + 11u);
  var sums: BendingSums;
  let origin = startOf(c0.vertex).xyz;
  let v0 = addCorner(&sums, c0, origin, slot);
  let v1 = addCorner(&sums, c1, origin, slot + 1u);
  let v2 = addCorner(&sums, c2, origin, slot + 2u);
  let v3 = addCorner(&sums, c3, origin, slot + 3u);
  let v4 = addCorner(&sums, c4, origin, slot + 4u);
  let v5 = addCorner(&sums, c5, origin, slot + 5u);
  var v6: BendingVertex;
  var v7: BendingVertex;
  var v8: BendingVertex;
  var v9: BendingVertex;
  var v10: BendingVertex;
  var v11: BendingVertex;
  if (places > 6u) {
    v6 = addCorner(&sums, c6, origin, slot + 6u);
    v7 = addCorner(&sums, c7, origin, slot + 7u);
  }
  if (places > 8u) {
    v8 = addCorner(&sums, c8, origin, slot + 8u);
    v9 = addCorner(&sums, c9, origin, slot + 9u);
  }
  if (places > 10u) {
    v10 = addCorner(&sums, c10, origin, slot + 10u);
    v11 = addCorner(&sums, c11, origin, slot + 11u);
  }
  let d = (range.interval * step.h * step.h) * sums.diagonal;
  let o = (range.interval * step.h * step.h) * sums.beside;
  let gram = mat3x3f(d.x, o.x, o.z, o.x, d.y, o.y, o.z, o.y, d.z);
  let s = sums.s;
  var right = -1.0 * s;
  if (isTracked) { right -= solveVectors(gram + diagonal3(1e-6 * d + vec3f(1e-30)), sums.b); }
  var frame: BendingFrame;
  var viscosity = 0.0;
  if (isDamped) { viscosity = bendingDamping() / step.h; }
  if (isTurning) {
    let w = range.interval * step.h * step.h * (v0.split * v0.inverseMass + v1.split * v1.inverseMass + v2.split * v2.inverseMass) / 3.0;
    let most = 0.25 * (d.x + d.y + d.z + 1.0 / (1.0 + viscosity));
    frame = limitedFrame(bendingFrame(v1.x - v0.x, v2.x - v0.x), s, w, most);
  }
  if (isCurved) {
    right += bendingAxes(frame) * mat3x3f(bendingCorner(at + 12u).weights, bendingCorner(at + 13u).weights, bendingCorner(at + 14u).weights);
  }
  if (isDamped) {
    right -= viscosity * (sums.change - crossed(bendingTurn(frame, mat3x3f(v0.u, v1.u, v2.u)), s));
  }
  let l = solveVectors((1.0 + viscosity) * gram + diagonal3(vec3f(1.0)), right);
  var reaction = mat3x3f();
  if (isTurning) { reaction = bendingReaction(frame, cross(s[0], l[0]) + cross(s[1], l[1]) + cross(s[2], l[2])); }
  moveCorner(c0, v0, slot, l * c0.weights + reaction[0]);
  moveCorner(c1, v1, slot + 1u, l * c1.weights + reaction[1]);
  moveCorner(c2, v2, slot + 2u, l * c2.weights + reaction[2]);
  moveCorner(c3, v3, slot + 3u, l * c3.weights);
  moveCorner(c4, v4, slot + 4u, l * c4.weights);
  moveCorner(c5, v5, slot + 5u, l * c5.weights);
  if (places > 6u) {
    moveCorner(c6, v6, slot + 6u, l * c6.weights);
    moveCorner(c7, v7, slot + 7u, l * c7.weights);
  }
  if (places > 8u) {
    moveCorner(c8, v8, slot + 8u, l * c8.weights);
    moveCorner(c9, v9, slot + 9u, l * c9.weights);
  }
  if (places > 10u) {
    moveCorner(c10, v10, slot + 10u, l * c10.weights);
    moveCorner(c11, v11, slot + 11u, l * c11.weights);
  }
}
