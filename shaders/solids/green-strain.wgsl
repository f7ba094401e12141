#import "math/symmetric6.wgsl"

// Green strain of a solid as a vector (xx, yy, zz), (xy, yz, zx).

fn greenStrain6(f: mat3x3f) -> Vector6 {
  return Vector6(
    0.5 * (vec3f(dot(f[0], f[0]), dot(f[1], f[1]), dot(f[2], f[2])) - 1.0),
    0.5 * vec3f(dot(f[0], f[1]), dot(f[1], f[2]), dot(f[2], f[0])),
  );
}

// det C − 1, of order E near rest: written out so that no digits cancel.
fn determinantExcess6(e: Vector6) -> f32 {
  let n = 2.0 * e.normal;
  let s = 2.0 * e.shear;
  let minors = n.x * n.y + n.y * n.z + n.z * n.x - dot(s, s);
  let cubic = n.x * n.y * n.z + 2.0 * s.x * s.y * s.z - n.x * s.y * s.y - n.y * s.z * s.z - n.z * s.x * s.x;
  return n.x + n.y + n.z + minors + cubic;
}

// J − 1: from the strain near rest, from F elsewhere, where the strain has lost its digits instead.
fn volumeExcess6(f: mat3x3f, e: Vector6) -> f32 {
  let excess = determinantExcess6(e);
  if (abs(excess) < 0.5) { return excess / (1.0 + sqrt(1.0 + excess)); }
  return determinant(f) - 1.0;
}
