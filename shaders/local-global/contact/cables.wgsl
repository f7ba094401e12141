#import "local-global/delassus/product.wgsl"

// Cables among the contacts: twin of cable.ts and of the rows of cables in contact-solver.ts. A row of a cable is
//
//     δ = L − ℓ(q) = Σ t · (u_a − u_b) − (ℓ − L) over the segments from a to b, t from a to b
//
// so every segment is a record with weights 1 and −1 and normal t; the first has the row, the others follow it.

// Motion of the bodies along the row of a record.
fn rowMotion(n: u32) -> vec3f {
  let kind = contacts[n].kind;
  var sum = vec3f(0.0);
  if (kind == KIND_SEGMENT) { return sum; }
  for (var k = 0u; k < recordsOf(n); k++) { sum += onRow(kind, inFrameOf(n + k, relativeMotion(n + k))); }
  return sum;
}

fn recordsOf(n: u32) -> u32 {
  return max(1u, contacts[n].segments);
}

fn onRow(kind: u32, motion: vec3f) -> vec3f {
  return select(vec3f(motion.x, 0.0, 0.0), motion, kind == KIND_CONTACT);
}

// The same for the places of the touched vertices.
fn rowPlace(n: u32) -> vec3f {
  let kind = contacts[n].kind;
  var sum = vec3f(0.0);
  if (kind == KIND_SEGMENT) { return sum; }
  for (var k = 0u; k < recordsOf(n); k++) {
    var motion = vec3f(0.0);
    for (var i = 0u; i < 4u; i++) {
      let slot = contacts[n + k].slots[i];
      if (slot != NO_SLOT) { motion += contacts[n + k].weights[i] * touched[slot].moved; }
    }
    sum += onRow(kind, inFrameOf(n + k, motion));
  }
  return sum;
}

// Sets the vector of the next product for a row, at all of its records.
fn multiplyNext(n: u32, v: vec3f) {
  if (contacts[n].kind == KIND_SEGMENT) { return; }
  for (var k = 0u; k < recordsOf(n); k++) { works[n + k].force = outOfFrameOf(n + k, v); }
}

// As `judgeContact`.
fn judgeCable(n: u32) -> LaneTotals {
  let w = works[n].diagonal.x;
  // nothing on its way is free to move
  if (contacts[n].kind == KIND_SEGMENT || !(w > 0.0)) { return LaneTotals(vec4f(0.0), vec4f(0.0)); }
  let z = contacts[n].z.x;
  let gap = works[n].delta.x + contacts[n].compliance * z;
  let error = select(min(gap, w * z), gap, contacts[n].kind == KIND_PUSHING_CABLE);
  return LaneTotals(vec4f(error * error, w * z * w * z, 0.0, 0.0), vec4f(0.0, 0.0, 0.0, abs(error)));
}

// The row of a Newton step of a cable that pushes, or of one with no point on its way that is free; `lineariseNormal` does the others.
fn lineariseCable(n: u32) {
  let kind = contacts[n].kind;
  let z = contacts[n].z.x;
  let e = contacts[n].compliance;
  works[n].engaged = vec3f(works[n].engaged.x, 0.0, 0.0);
  works[n].compliance = vec3f(works[n].compliance.x, 0.0, 0.0);
  works[n].b = vec3f(works[n].b.x, 0.0, 0.0);
  if (kind == KIND_SEGMENT || !(works[n].diagonal.x > 0.0)) {
    works[n].engaged.x = 0.0;
    works[n].b.x = -z;
  } else if (kind == KIND_PUSHING_CABLE) {
    works[n].engaged.x = 1.0;
    works[n].compliance.x = e;
    works[n].b.x = -(works[n].delta.x + e * z);
  }
}

// z of a cable by a part of its own step, for projected gradients.
fn projectCable(n: u32, share: f32) -> vec3f {
  let z = contacts[n].z.x;
  let w = works[n].diagonal.x;
  if (contacts[n].kind == KIND_SEGMENT || !(w > 0.0)) { return vec3f(z, 0.0, 0.0); }
  let e = contacts[n].compliance;
  let next = z - share * (works[n].delta.x + e * z) / (w + e);
  return vec3f(select(max(0.0, next), next, contacts[n].kind == KIND_PUSHING_CABLE), 0.0, 0.0);
}
