// Eigenvalues of a symmetric 3 × 3 matrix by cyclic Jacobi rotations; twin of src/math/eigen/symmetric3.ts.

struct Eigen3 {
  values: vec3f,
  // columns are the eigenvectors
  v: mat3x3f,
}

fn rotateSymmetric(m: ptr<function, mat3x3f>, v: ptr<function, mat3x3f>, p: u32, q: u32) {
  let apq = (*m)[q][p];
  if (abs(apq) < 1e-35) { return; }
  let theta = ((*m)[q][q] - (*m)[p][p]) / (2.0 * apq);
  let t = select(-1.0, 1.0, theta >= 0.0) / (abs(theta) + sqrt(1.0 + min(theta * theta, 1e30)));
  let c = inverseSqrt(1.0 + t * t);
  let s = c * t;
  // columns of M and of V, then the rows of M
  let mp = c * (*m)[p] - s * (*m)[q];
  (*m)[q] = s * (*m)[p] + c * (*m)[q];
  (*m)[p] = mp;
  let vp = c * (*v)[p] - s * (*v)[q];
  (*v)[q] = s * (*v)[p] + c * (*v)[q];
  (*v)[p] = vp;
  for (var k = 0u; k < 3u; k++) {
    let x = (*m)[k][p];
    let y = (*m)[k][q];
    (*m)[k][p] = c * x - s * y;
    (*m)[k][q] = s * x + c * y;
  }
  (*m)[p][q] = 0.0;
  (*m)[q][p] = 0.0;
}

fn eigenSymmetric3(a: mat3x3f) -> Eigen3 {
  var m = a;
  var v = mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
  for (var sweep = 0u; sweep < 6u; sweep++) {
    let off = abs(m[1][0]) + abs(m[2][0]) + abs(m[2][1]);
    if (!(off > 1e-9 * (abs(m[0][0]) + abs(m[1][1]) + abs(m[2][2])))) { break; }
    rotateSymmetric(&m, &v, 0u, 1u);
    rotateSymmetric(&m, &v, 0u, 2u);
    rotateSymmetric(&m, &v, 1u, 2u);
  }
  return Eigen3(vec3f(m[0][0], m[1][1], m[2][2]), v);
}
