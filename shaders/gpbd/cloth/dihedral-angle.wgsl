#import "math/angle.wgsl"

// Dihedral angle of the faces (x₀, x₁, x₂) and (x₁, x₀, x₃), and its gradient; twin of strains/dihedral.ts.

struct DihedralStrain {
  // θ − θ̄ folded into (−π, π]
  value: f32,
  // ∂θ/∂x of the corners as columns [1/m]
  gradient: mat4x3f,
}

fn foldAngle(angle: f32) -> f32 {
  let turn = 6.283185307179586;
  return angle - turn * round(angle / turn);
}

fn dihedralStrain(x: mat4x3f, restAngle: f32) -> DihedralStrain {
  let e = x[1] - x[0];
  let p = x[2] - x[0];
  let q = x[3] - x[0];
  let na = cross(e, p);
  let nb = cross(q, e);
  let length2 = dot(e, e);
  let length = sqrt(length2);
  let na2 = dot(na, na);
  let nb2 = dot(nb, nb);
  if (!(na2 > 0.0 && nb2 > 0.0 && length2 > 0.0)) { return DihedralStrain(); }
  // (na × nb)·e / |e| = −|e| q·na keeps its digits near flat: na × (q × e) = q (na·e) − e (na·q), and na·e is 0.
  let angle = angleOf(-length * dot(q, na), dot(na, nb));
  let a = dot(p, e) / length2;
  let b = dot(q, e) / length2;
  let ua = na * (length / na2);
  let ub = nb * (length / nb2);
  return DihedralStrain(
    foldAngle(angle - restAngle),
    mat4x3f((1.0 - a) * ua + (1.0 - b) * ub, a * ua + b * ub, -ua, -ub),
  );
}
