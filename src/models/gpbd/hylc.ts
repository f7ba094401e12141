import { invalid } from "../../errors";
import { twinSides } from "../../geometry/surface/twin-sides";
import type { Fabric } from "../../materials/fabric";
import { curvatureOf, packHylc } from "../../materials/hylc/pack";
import { linkHylcElement } from "../../solvers/gpbd/elements/hylc-neighbours";
import { termLayout, type EnergyTerm } from "../../solvers/gpbd/model";
import { hylcStrain } from "../../solvers/gpbd/strains/hylc";
import type { ClothSurface } from "./cloth-surface";
import { createTerm } from "./term";
import { distanceBetween } from "../../math/vectors";

/** Two edges of a wave of stretch in a substep, in frames of a sixtieth of a second [1/s]. */
const REACH = 120;

/** Substeps below which the elements of a term are swept at once, see `GpbdModel`. */
export function sweptAtOnceBelow(
  { rest }: EnergyTerm,
  { stretchWarp, stretchWeft, areaDensity }: Readonly<Fabric>,
): number {
  return Math.sqrt(Math.max(stretchWarp, stretchWeft) / (areaDensity * rest[6])) / REACH;
}

/** Substeps as a multiple of `sweptAtOnceBelow`: a wave of stretch passes a third of an edge in each. */
const CALM = 6;
/** As `recommendedSubsteps`. */
const MOST = 200;
/** Curl of a flat sheet from an edge to the next [rad]. */
const CURL = 0.01;

/**
 * Substeps of a sheet that is under tension where it is flat, as knits are; undefined for others. One sweep a substep begins where vertices would
 * go by themselves. Sheets that curl are far from balance there, and got up to 14 times the energy that they had stored (stockinette with cells
 * of 5 mm) until waves passed a third of an edge (measured: cells of 1 to 5 mm).
 */
export function curlSubsteps(
  { rest }: EnergyTerm,
  { table }: Readonly<Fabric>,
  atOnceBelow: number,
): number | undefined {
  const isFlat = curvatureOf(table!) * Math.sqrt(rest[6]) < CURL;
  return isFlat ? undefined : Math.min(MOST, Math.ceil(CALM * atOnceBelow));
}

/**
 * One element for each triangle, which also uses the corners of its neighbors (paper 1, section 4.2). A sheet that is
 * not flat at rest keeps its shape: curvatures are relative to those at rest, and the natural curvatures of the fabric
 * are added.
 *
 * @throws PliantError for a fabric without a table
 */
export function hylcTerm(surface: ClothSurface, fabric: Readonly<Fabric>): EnergyTerm {
  const { name, positions, indices, triangles } = surface;
  if (!fabric.table) throw invalid(`${name}.membrane`, "hylc", "needs a fabric with an energy table");
  const { arity, rest: stride } = termLayout.hylc;
  const twins = twinSides(indices);
  const length = meanEdge(surface);
  const lists = {
    indices: new Uint32Array(arity * triangles.length),
    rest: new Float64Array(stride * triangles.length),
  };
  const x = new Float64Array(3 * arity);
  const strain = new Float64Array(6);
  triangles.forEach(({ inverse, area }, f) => {
    lists.rest.set([...inverse, area, 0, length * length, 0, 0, 0], stride * f);
    linkHylcElement(indices, twins, f, lists, f);
    lists.indices.subarray(arity * f, arity * (f + 1)).forEach((vertex, k) => {
      for (let c = 0; c < 3; c++) x[3 * k + c] = positions[3 * vertex + c] ?? 0;
    });
    hylcStrain.strain(x, lists.rest, stride * f, strain);
    lists.rest.set(strain.subarray(3), stride * f + 7);
  });
  const material = packHylc(fabric.table, fabric.stretchDamping, length);
  return createTerm("hylc", surface, lists.indices, lists.rest, material);
}

function meanEdge({ positions, edges }: ClothSurface): number {
  let sum = 0;
  for (let e = 0; e < edges.vertices.length; e += 2) {
    const [a, b] = [3 * edges.vertices[e], 3 * edges.vertices[e + 1]];
    sum += distanceBetween(positions, b, a);
  }
  return (2 * sum) / edges.vertices.length;
}
