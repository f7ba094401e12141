#import "collision/distance/triangle.wgsl"

// Closest points of a vertex and a triangle, and of two edges, as weights of their four vertices; twin of pair-geometry.ts.

// sin² of the angle below which edges count as parallel
const parallelEdges = 1e-6;
const tinySquare = 1e-30;

fn vertexFaceWeights(p: vec3f, a: vec3f, b: vec3f, c: vec3f) -> vec4f {
  return vec4f(1.0, -closestToOrigin(a - p, b - p, c - p).barycentric);
}

// Edges a b and c d (Ericson, Real-Time Collision Detection, 5.1.9).
fn edgeEdgeWeights(a: vec3f, b: vec3f, c: vec3f, d: vec3f) -> vec4f {
  let u = b - a;
  let v = d - c;
  let r = a - c;
  let uu = max(tinySquare, dot(u, u));
  let vv = max(tinySquare, dot(v, v));
  let uv = dot(u, v);
  let ur = dot(u, r);
  let vr = dot(v, r);
  let determinant = uu * vv - uv * uv;
  var s = 0.5;
  // Nearly parallel edges have many closest points: the middle of the first is as good as any, and does not jump.
  if (determinant > parallelEdges * uu * vv) { s = clamp((uv * vr - ur * vv) / determinant, 0.0, 1.0); }
  var t = (uv * s + vr) / vv;
  if (t < 0.0) {
    t = 0.0;
    s = clamp(-ur / uu, 0.0, 1.0);
  } else if (t > 1.0) {
    t = 1.0;
    s = clamp((uv - ur) / uu, 0.0, 1.0);
  }
  return vec4f(1.0 - s, s, t - 1.0, -t);
}

// Bits of two edges: whether the first is one of a triangle, and the second.
const firstOfFaces = 1u;
const secondOfFaces = 2u;
const atFeature = 1e-3;

fn areParallel(u: vec3f, v: vec3f) -> bool {
  let uv = dot(u, v);
  return dot(u, u) * dot(v, v) - uv * uv <= parallelEdges * dot(u, u) * dot(v, v);
}

// Whether a pair counts at its closest points, its vertices given as for closestWeights; twin of features.ts.
fn countsAt(kind: u32, own: u32, weights: vec4f, x: mat4x3f) -> bool {
  // Lower weights are those of ends, or of sides that are not touched.
  let isLess = abs(weights) < vec4f(atFeature);
  if (kind == edgeEdgeKind) {
    if ((own & (firstOfFaces | secondOfFaces)) == (firstOfFaces | secondOfFaces) && areParallel(x[1] - x[0], x[3] - x[2])) {
      return false;
    }
    return !((any(isLess.xy) && (own & secondOfFaces) != 0u) || (any(isLess.zw) && (own & firstOfFaces) != 0u));
  }
  if (!any(isLess.yzw)) { return true; }
  var feature = select(select(32u, 16u, isLess.y), 8u, isLess.w);
  if (isLess.y && isLess.z) {
    feature = 4u;
  } else if (isLess.w && isLess.y) {
    feature = 2u;
  } else if (isLess.z && isLess.w) {
    feature = 1u;
  }
  return (own & feature) != 0u;
}

// Weights for four points, given relative to the first.
fn closestWeights(kind: u32, x: mat4x3f) -> vec4f {
  if (kind == vertexFaceKind) { return vertexFaceWeights(x[0], x[1], x[2], x[3]); }
  return edgeEdgeWeights(x[0], x[1], x[2], x[3]);
}
