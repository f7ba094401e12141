#import "math/svd3.wgsl"
#import "math/eigen3.wgsl"
#import "solids/flat-stretch.wgsl"

// One element in its principal axes: twin of deformable/elements.ts and stretch-energy.ts, whose heads explain the symbols.
//
// d  dimension: tetrahedron 3, triangle 2, segment 1; of lower ones F has columns of zeros, and no stretch there counts

struct StretchPoint {
  // ψ
  stress: vec3f,
  // H
  hessian: mat3x3f,
  // f by the axis that is left out
  shear: vec3f,
}

const COROTATIONAL = 0u;
const STABLE_NEO_HOOKEAN = 1u;

// Least sum of two stretches that a rotation is divided by.
const LEAST_STRETCH = 0.05;

fn isAxis(d: u32) -> vec3f {
  return vec3f(1.0, f32(d > 1u), f32(d > 2u));
}

// k/2 Σ max(0, ℓ − s)² more
fn holdFlat(k: f32, s: vec3f, point: ptr<function, StretchPoint>) {
  let depth = max(vec3f(0.0), vec3f(FLAT_STRETCH) - s);
  (*point).stress -= k * depth;
  let a = s.yzx;
  let b = s.zxy;
  let apart = a - b;
  let slope = select(vec3f(0.0), vec3f(1.0), a < vec3f(FLAT_STRETCH));
  (*point).shear += k * select(slope, (depth.zxy - depth.yzx) / apart, abs(apart) > vec3f(1e-6));
  for (var i = 0u; i < 3u; i++) { (*point).hessian[i][i] += select(0.0, k, depth[i] > 0.0); }
}

// `pressure` swells the element; `inertia` holds it against getting flat
fn stretchPoint(law: u32, d: u32, mu: f32, lambda: f32, pressure: f32, inertia: f32, s: vec3f) -> StretchPoint {
  let axis = isAxis(d);
  var point: StretchPoint;
  if (law == COROTATIONAL) {
    let strain = (s - vec3f(1.0)) * axis;
    let trace = strain.x + strain.y + strain.z;
    point.stress = axis * (2.0 * mu * strain + vec3f(lambda * trace));
    let h = lambda * axis;
    point.hessian = mat3x3f(h * axis.x, h * axis.y, h * axis.z);
    for (var i = 0u; i < d; i++) { point.hessian[i][i] += 2.0 * mu; }
    point.shear = vec3f(2.0 * mu);
  } else {
    let stiffness = lambda + mu;
    let alpha = 1.0 + mu / stiffness;
    // ∂J/∂s
    let j = s.yzx * s.zxy;
    let p = stiffness * (s.x * s.y * s.z - alpha);
    point.stress = mu * s + p * j;
    point.hessian = mat3x3f(stiffness * j * j.x, stiffness * j * j.y, stiffness * j * j.z);
    for (var i = 0u; i < 3u; i++) { point.hessian[i][i] += mu; }
    point.hessian[0][1] += p * s.z;
    point.hessian[1][0] += p * s.z;
    point.hessian[0][2] += p * s.y;
    point.hessian[2][0] += p * s.y;
    point.hessian[1][2] += p * s.x;
    point.hessian[2][1] += p * s.x;
    point.shear = vec3f(mu) - p * s;
  }
  if (inertia > 0.0 && s.z < FLAT_STRETCH) { holdFlat(inertia + 2.0 * mu + lambda, s, &point); }
  point.stress -= pressure * axis;
  return point;
}

// Values of an element for `stiffnessBlock`.
struct StiffnessFrame {
  u: mat3x3f,
  hessian: mat3x3f,
  // coefficients of dF̂ₖᵢ² and of dF̂ₖᵢ dF̂ᵢₖ, at [i][k]
  squares: mat3x3f,
  crosses: mat3x3f,
}

fn determinantOf(m: mat3x3f) -> f32 {
  return dot(m[0], cross(m[1], m[2]));
}

// H without its negative part
fn positivePart(h: mat3x3f) -> mat3x3f {
  let minor = h[0][0] * h[1][1] - h[1][0] * h[0][1];
  if (h[0][0] > 0.0 && minor > 0.0 && determinantOf(h) > 0.0) { return h; }
  let axes = eigenSymmetric3(h);
  let values = max(axes.values, vec3f(0.0));
  let v = axes.v;
  return mat3x3f(v[0] * values.x, v[1] * values.y, v[2] * values.z) * transpose(v);
}

// With the geometric part.
fn stiffnessFrame(u: mat3x3f, s: vec3f, d: u32, point: StretchPoint, isProjected: bool) -> StiffnessFrame {
  var frame: StiffnessFrame;
  frame.u = u;
  frame.hessian = point.hessian;
  if (isProjected && d == 3u) { frame.hessian = positivePart(point.hessian); }
  for (var i = 0u; i < d; i++) {
    for (var j = i + 1u; j < d; j++) {
      var shear = point.shear[3u - i - j];
      var twist = (point.stress[i] + point.stress[j]) / max(LEAST_STRETCH, s[i] + s[j]);
      if (isProjected) {
        shear = max(0.0, shear);
        twist = max(0.0, twist);
      }
      frame.squares[i][j] = 0.5 * (shear + twist);
      frame.squares[j][i] = 0.5 * (shear + twist);
      frame.crosses[i][j] = 0.5 * (shear - twist);
      frame.crosses[j][i] = 0.5 * (shear - twist);
    }
    for (var k = d; k < 3u; k++) {
      let pull = point.stress[i] / max(LEAST_STRETCH, s[i]);
      frame.squares[i][k] = select(pull, max(0.0, pull), isProjected);
    }
  }
  return frame;
}

// Without it and without negative parts: for damping.
fn materialFrame(u: mat3x3f, s: vec3f, d: u32, point: StretchPoint) -> StiffnessFrame {
  var frame: StiffnessFrame;
  frame.u = u;
  frame.hessian = point.hessian;
  if (d == 3u) { frame.hessian = positivePart(point.hessian); }
  for (var i = 0u; i < d; i++) {
    for (var j = i + 1u; j < d; j++) {
      let shear = 2.0 * max(0.0, point.shear[3u - i - j]);
      let sum = max(LEAST_STRETCH, s[i] + s[j]);
      let a = s[i] / sum;
      let b = s[j] / sum;
      // dF̂ᵢⱼ is row i, column j
      frame.squares[j][i] = shear * a * a;
      frame.squares[i][j] = shear * b * b;
      frame.crosses[j][i] = shear * a * b;
      frame.crosses[i][j] = shear * a * b;
    }
  }
  return frame;
}

// Block of corners a and b of the stiffness over the volume; a, b: ĝ of the corners.
fn stiffnessBlock(frame: StiffnessFrame, a: vec3f, b: vec3f) -> mat3x3f {
  var local: mat3x3f;
  for (var l = 0u; l < 3u; l++) {
    // row k, column l
    local[l] = frame.hessian[l] * a * b[l] + frame.crosses[l] * a[l] * b;
  }
  let ab = a * b;
  for (var k = 0u; k < 3u; k++) {
    local[k][k] += dot(vec3f(frame.squares[0][k], frame.squares[1][k], frame.squares[2][k]), ab);
  }
  return frame.u * local * transpose(frame.u);
}
