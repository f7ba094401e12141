import { massOf } from "../../mass";
import { arealMass } from "../../face-air";
import type { GpbdModel } from "../model";
import { distanceBetween } from "../../../math/vectors";

/** Mass over what the air meets [kg/m²]: the faces, or of rods the length times the diameter. */
export function airMass(model: GpbdModel): number {
  if (!model.rods) return arealMass(model);
  const { edges, radius } = model.rods;
  const x = model.positions;
  let length = 0;
  for (let e = 0; e < edges.length; e += 2) {
    const [a, b] = [3 * edges[e], 3 * edges[e + 1]];
    length += distanceBetween(x, b, a);
  }
  return massOf(model) / (2 * radius * length);
}
