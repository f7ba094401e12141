// Angular velocity of a body with an angular momentum; inertia: xx, yy, zz, products: −Σ m yz, xz, xy. None, where it has no inertia about
// some axis.
fn spinOf(inertia: vec3f, products: vec3f, moment: vec3f) -> vec3f {
  let d = inertia;
  let o = products;
  let x = vec3f(d.y * d.z - o.x * o.x, o.y * o.x - o.z * d.z, o.z * o.x - o.y * d.y);
  let y = vec3f(x.y, d.x * d.z - o.y * o.y, o.z * o.y - d.x * o.x);
  let z = vec3f(x.z, y.z, d.x * d.y - o.z * o.z);
  let determinant = d.x * x.x + o.z * x.y + o.y * x.z;
  if (!(determinant > LEAST_INERTIA * d.x * d.y * d.z)) { return vec3f(0.0); }
  return vec3f(dot(x, moment), dot(y, moment), dot(z, moment)) / determinant;
}

const LEAST_INERTIA = 1e-5;
