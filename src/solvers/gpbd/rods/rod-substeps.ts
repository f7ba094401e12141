import type { GpbdModel } from "../model";
import { defaultOptions } from "../options";
import { REST } from "./rod-set";

/**
 * Substeps with which a sweep gets the bending of a rod nearly right: (ω Δt)² = ½, where ω² = 16 k/(m l²) is the fastest vibration of
 * edges of length l with the stiffness k of a joint. A tenth of the bending stiffness is lost then; at half of that step a fortieth is.
 */
export function rodSubsteps({ positions, masses, rods }: GpbdModel): number {
  const { jointCount, vertices, rest } = rods!;
  let fastest = 0;
  for (let j = 0; j < jointCount; j++) {
    const [a, b] = [3 * vertices[3 * j], 3 * vertices[3 * j + 1]];
    const squared = [0, 1, 2].reduce((sum, c) => sum + (positions[b + c] - positions[a + c]) ** 2, 0);
    fastest = Math.max(fastest, (16 * rest[REST * j + 4] ** 2) / (masses[vertices[3 * j + 1]] * squared));
  }
  return Math.min(200, Math.max(defaultOptions.substeps, Math.ceil(Math.sqrt(2 * fastest) / 60)));
}
