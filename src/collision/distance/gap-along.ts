import { type Primitive, PrimitiveKind } from "./primitives";

/**
 * Raises a lower bound of the signed distance on a triangle by the gap between the triangle and a primitive along a direction. That needs exact
 * distances: those of other kinds may be less than the gap.
 *
 * @param corners 9 coordinates in the frame of the primitive
 * @param n unit vector
 * @param bounds the second one is raised, if they are apart along it [m]
 */
export function raiseAlong(
  { kind, size }: Primitive,
  corners: Float64Array,
  n: Float64Array,
  bounds: Float64Array,
): void {
  const x = Math.abs(n[0]);
  const y = Math.abs(n[1]);
  const z = Math.abs(n[2]);
  let extent = Infinity;
  if (kind === PrimitiveKind.box) extent = x * size[0] + y * size[1] + z * size[2];
  else if (kind === PrimitiveKind.sphere) extent = size[0];
  else if (kind === PrimitiveKind.capsule) extent = y * size[0] + size[1];
  else if (kind === PrimitiveKind.cylinder) extent = y * size[0] + Math.sqrt(x * x + z * z) * size[1];
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < 9; i += 3) {
    const along = n[0] * corners[i] + n[1] * corners[i + 1] + n[2] * corners[i + 2];
    least = Math.min(least, along);
    most = Math.max(most, along);
  }
  const gap = Math.max(least, -most) - extent;
  if (gap > 0) bounds[1] = Math.max(bounds[1], gap);
}
