import type { EnergyTerm } from "../model";
import type { PackedTerm } from "../simd/pack-terms";
import { REST_CURVATURE } from "../strains/curvature-vectors";

/** Elements of a block, see pack-terms.ts. */
const LANES = 4;

/** Takes the curvature at rest of a term of `dihedral-bending` into its copy in f32. */
export function writeCurvatures(
  { rest, colours, elementCount }: EnergyTerm,
  { blocks, places, stride }: PackedTerm,
): void {
  const numbers = new Float32Array(blocks);
  const restStride = rest.length / elementCount;
  // four vectors a place come before it
  let block = 4 * LANES * places;
  for (let c = 0; c + 1 < colours.length; c++)
    for (let first = colours[c]; first < colours[c + 1]; first += LANES, block += LANES * stride)
      for (let e = first; e < Math.min(first + LANES, colours[c + 1]); e++)
        for (let i = 0; i < 9; i++) numbers[block + LANES * i + e - first] = rest[restStride * e + REST_CURVATURE + i]!;
}
