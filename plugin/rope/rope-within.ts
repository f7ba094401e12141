import type { BodyModel } from "../../src/index";
import { frameCost } from "../../src/solvers/gpbd/frame-cost";
import { recommendedSubsteps } from "../../src/solvers/gpbd/options";
import type { RopeOptions } from "./rope-options";

/** Fewest segments that a budget leaves. */
const FEWEST = 8;

/**
 * A rope of as many segments as the budget allows, at most the usual number: the longer they are, the fewer substeps they want.
 *
 * @param along makes a rope of so many segments
 */
export function ropeWithin<Made extends { readonly model: BodyModel }>(
  { budget = Infinity, substeps, iterations, warmStart }: RopeOptions,
  usual: number,
  along: (segments: number) => Made,
): Made {
  for (let segments = usual; ; segments = Math.max(FEWEST, Math.floor(0.8 * segments))) {
    const made = along(segments);
    const { model } = made;
    const isKnown = "rods" in model && segments > FEWEST;
    if (!isKnown || !(frameCost(model, substeps ?? recommendedSubsteps(model, warmStart), iterations) > budget))
      return made;
  }
}
