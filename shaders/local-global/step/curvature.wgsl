#import "math/svd3.wgsl"

// The rotation in a gradient, and curvatures at rest, for elements of local-step.wgsl.

// U Vᵀ; of a membrane the third column stands across it
fn nearestRotation(f: mat3x3f) -> mat3x3f {
  let parts = svd3(f);
  return parts.u * transpose(parts.v);
}

// p of bending: the curvature at rest, turned to be as near as can be to what it is
fn curvatureOfNoStress(f: mat3x3f, rest: mat3x3f, dimension: u32) -> mat3x3f {
  let size = sqrt(dot(f[0], f[0]) + dot(f[1], f[1]) + dot(f[2], f[2]));
  let restSize = sqrt(dot(rest[0], rest[0]) + dot(rest[1], rest[1]) + dot(rest[2], rest[2]));
  if (!(size > 0.0 && restSize > 0.0)) { return rest; }
  if (dimension == 1u) { return mat3x3f(restSize / size * f[0], vec3f(0.0), vec3f(0.0)); }
  return nearestRotation((1.0 / size) * f * transpose((1.0 / restSize) * rest)) * rest;
}
