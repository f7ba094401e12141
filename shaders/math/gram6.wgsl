#import "math/symmetric6.wgsl"

// A 6 × 6 matrix S W S'ᵀ between two sets of six gradients, in the blocks of a Vector6; not symmetric.
struct Gram6 {
  nn: mat3x3f,
  ns: mat3x3f,
  sn: mat3x3f,
  ss: mat3x3f,
}

fn timesGram(g: Gram6, v: Vector6) -> Vector6 {
  return Vector6(g.nn * v.normal + g.ns * v.shear, g.sn * v.normal + g.ss * v.shear);
}

// G' H G'ᵀ
fn transformed(g: Gram6, h: Symmetric6) -> Symmetric6 {
  let sn = transpose(h.ns);
  let ann = g.nn * h.nn + g.ns * sn;
  let ans = g.nn * h.ns + g.ns * h.ss;
  let asn = g.sn * h.nn + g.ss * sn;
  let ass = g.sn * h.ns + g.ss * h.ss;
  return Symmetric6(
    ann * transpose(g.nn) + ans * transpose(g.ns),
    ann * transpose(g.sn) + ans * transpose(g.ss),
    asn * transpose(g.sn) + ass * transpose(g.ss),
  );
}
