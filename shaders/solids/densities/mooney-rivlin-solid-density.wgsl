#import "solids/green-strain.wgsl"
#import "math/logarithm.wgsl"

// Mooney-Rivlin; twin of src/materials/mooney-rivlin-solid.ts. Coefficients: µ₁, µ₂, λ [Pa].

struct Inverse6 {
  // C⁻¹
  p: Vector6,
  // I − C⁻¹ without cancellation: C⁻¹ 2E
  deficit: mat3x3f,
  logJ: f32,
}

fn inverseStrain(s: Vector6) -> Inverse6 {
  let twice = matrixOf6(Vector6(2.0 * s.normal, 2.0 * s.shear), 1.0);
  let c = mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0) + twice;
  let excess = determinantExcess6(s);
  let p = mat3x3f(cross(c[1], c[2]), cross(c[2], c[0]), cross(c[0], c[1])) * (1.0 / (1.0 + excess));
  return Inverse6(entries6(p), p * twice, 0.5 * log1p(excess));
}

fn energyDensity(s: Vector6) -> f32 {
  let c = material.coefficients;
  let excess = determinantExcess6(s);
  let trace = s.normal.x + s.normal.y + s.normal.z;
  // tr E − ln J = ½ (2 tr E − x) + ½ (x − ln(1 + x)) with x = det C − 1
  let squares = dot(s.normal, s.normal) + 2.0 * dot(s.shear, s.shear);
  let minors = trace * trace - squares;
  let cubic = 8.0 * determinant(matrixOf6(s, 1.0));
  let shear = 0.5 * (deficit1p(excess) - 2.0 * minors - cubic);
  let logJ = 0.5 * log1p(excess);
  return (c.x + 2.0 * c.y) * shear + c.y * minors + 0.5 * c.z * logJ * logJ;
}

fn energyGradient(s: Vector6) -> Vector6 {
  let c = material.coefficients;
  let inverse = inverseStrain(s);
  let trace = s.normal.x + s.normal.y + s.normal.z;
  let deficit = symmetricEntries6(inverse.deficit);
  let shear = c.x + 2.0 * c.y;
  let pressure = c.z * inverse.logJ;
  return Vector6(
    shear * deficit.normal + 2.0 * c.y * (trace - s.normal) + pressure * inverse.p.normal,
    2.0 * (shear * deficit.shear - 2.0 * c.y * s.shear + pressure * inverse.p.shear),
  );
}

fn energyHessian(s: Vector6) -> Symmetric6 {
  let c = material.coefficients;
  let inverse = inverseStrain(s);
  let p = matrixOf6(inverse.p, 1.0);
  let products = kronecker6(p, p);
  let b = 2.0 * (c.x + 2.0 * c.y - c.z * inverse.logJ);
  var h = addMatrix6(outer6(c.z, inverse.p), b, products);
  // A shear is two entries of E.
  h.ns = 2.0 * h.ns;
  h.ss = 4.0 * h.ss;
  let second = 2.0 * c.y;
  h.nn += mat3x3f(0.0, second, second, second, 0.0, second, second, second, 0.0);
  h.ss -= mat3x3f(2.0 * second, 0.0, 0.0, 0.0, 2.0 * second, 0.0, 0.0, 0.0, 2.0 * second);
  return h;
}
