import { meshVolume } from "../../src/geometry/tetrahedra/tet-mesh";
import { boxOf, sizeOf } from "../../src/geometry/box";
import type { BodyModel } from "../../src/index";
import { frameCost } from "../../src/solvers/gpbd/frame-cost";
import { recommendedSubsteps } from "../../src/solvers/gpbd/options";
import type { RestShape } from "./rest-shape";
import type { SoftBodyOptions } from "./soft-body-options";

/** Tetrahedra of a cube of the lattice. */
const PER_CUBE = 12;
const COARSEST = 3;
/** Least part of its volume that a body keeps for its budget. */
const KEPT = 0.8;

/**
 * The tetrahedra of a body: the default ones, or, where these cost more than the budget, those of the finest lattice that does not. Cost grows
 * by the fourth power of the number of cubes along a side, since smaller elements want more substeps.
 *
 * @param shapeOf tetrahedra of a lattice, by its resolution
 */
export function shapeWithin(
  { budget, resolution, tetrahedra, substeps, iterations, warmStart }: SoftBodyOptions,
  shapeOf: (resolution: number | undefined) => RestShape,
  modelOf: (shape: RestShape) => BodyModel,
): RestShape {
  let shape = shapeOf(resolution);
  if (budget === undefined || resolution !== undefined || tetrahedra) return shape;
  const cost = (): number => {
    const model = modelOf(shape);
    const isKnown = "terms" in model && model.solver !== "local-global";
    return isKnown ? frameCost(model, substeps ?? recommendedSubsteps(model, warmStart), iterations) : 0;
  };
  const first = cost();
  const cube = Math.cbrt((PER_CUBE * meshVolume(shape.positions, shape.tetrahedra)) / (shape.tetrahedra.length / 4));
  const cubes = sizeOf(boxOf(shape.positions)) / cube;
  let next = Math.floor(cubes * Math.sqrt(Math.sqrt(budget / first)));
  for (let spent = first; spent > budget && next >= COARSEST; next--) {
    const coarser = shapeOf(next);
    if (coarser.volumeRatio * KEPT > 1) break;
    shape = coarser;
    spent = cost();
  }
  return shape;
}
