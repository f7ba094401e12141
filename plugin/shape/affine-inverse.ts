import { determinant, type Affine } from "../../src/collision/affine";
import type { Vec3 } from "../../src/index";

/** The map back: x = A⁻¹ (y − t). A is regular, as no scale factor is zero. */
export function invertAffine({ a, t }: Affine): Affine {
  const d = 1 / determinant(a);
  const inverse = [
    d * (a[4] * a[8] - a[5] * a[7]),
    d * (a[2] * a[7] - a[1] * a[8]),
    d * (a[1] * a[5] - a[2] * a[4]),
    d * (a[5] * a[6] - a[3] * a[8]),
    d * (a[0] * a[8] - a[2] * a[6]),
    d * (a[2] * a[3] - a[0] * a[5]),
    d * (a[3] * a[7] - a[4] * a[6]),
    d * (a[1] * a[6] - a[0] * a[7]),
    d * (a[0] * a[4] - a[1] * a[3]),
  ];
  const [x, y, z] = transformDirection({ a: inverse }, t);
  return { a: inverse, t: [-x, -y, -z] };
}

/** A v, without the shift. */
export function transformDirection({ a }: Pick<Affine, "a">, [x, y, z]: Vec3): Vec3 {
  return [a[0] * x + a[1] * y + a[2] * z, a[3] * x + a[4] * y + a[5] * z, a[6] * x + a[7] * y + a[8] * z];
}
