#import "local-global/contact/proximal.wgsl"
#import "math/svd3.wgsl"
#import "solids/flat-stretch.wgsl"

// The local step of tetrahedra that are flat, inside out, or pressed harder than wᵢ: twin of flat-step.ts.

fn isFlat(f: mat3x3f) -> bool {
  let squares = dot(f[0], f[0]) + dot(f[1], f[1]) + dot(f[2], f[2]);
  // σ₁σ₂ ≤ ½ ‖F‖², so this says that σ₃ is large enough without looking for it.
  if (2.0 * determinant(f) >= FLAT_STRETCH * squares && squares > 0.0) { return false; }
  return svd3(f).sigma.z < FLAT_STRETCH;
}

struct FlatStep {
  // pᵢ − uᵢ
  goal: mat3x3f,
  // uᵢ
  dual: mat3x3f,
}

// f: Gᵢq; rate: κ of what is flat
fn projectFlat(m: LocalGlobalMaterial, f: mat3x3f, dual: mat3x3f, rate: f32, hasBeenFlat: bool) -> FlatStep {
  let parts = svd3(f);
  let turned = transpose(parts.u) * dual * parts.v;
  var along = vec3f(turned[0][0], turned[1][1], turned[2][2]);
  var s = proximalStretches(m, select(parts.sigma + along, parts.sigma, hasBeenFlat), 3u);
  if (hasBeenFlat) {
    along = -max(vec3f(0.0), rate * (vec3f(FLAT_STRETCH) - parts.sigma) - along);
    s = max(s, vec3f(FLAT_STRETCH));
  } else {
    along += parts.sigma - s;
  }
  let goal = s - along;
  let back = transpose(parts.v);
  return FlatStep(
    mat3x3f(goal.x * parts.u[0], goal.y * parts.u[1], goal.z * parts.u[2]) * back,
    mat3x3f(along.x * parts.u[0], along.y * parts.u[1], along.z * parts.u[2]) * back,
  );
}
