import { edgeKey, nextCorner } from "../../geometry/surface/twin-sides";
import { invalid, unsupported } from "../../errors";
import { optionNames } from "../../option-names";
import { buildEdges } from "../../geometry/surface/edges";
import { restTriangle, warpDirection, type RestTriangle } from "../../geometry/material-frame";
import { weldSurface, type WeldedSurface } from "../../geometry/surface/weld-surface";
import { resolveFabric, type Fabric, type FabricName } from "../../materials/fabric";
import type { Vec3 } from "../../math/types";
import type { EnergyTerm, GpbdModel } from "../../solvers/gpbd/model";
import { type Plasticity, resolvePlasticity } from "../../solvers/gpbd/plasticity/plasticity";
import { bendingModels, bendingTerm, curvedHinge, type BendingModel } from "./bending";
import type { ClothSurface } from "./cloth-surface";
import { curlSubsteps, hylcTerm, sweptAtOnceBelow } from "./hylc";
import { createTerm } from "./term";
import { norm } from "../../math/vectors";

/**
 * `stvk` and `neo-hookean` are finite elements on Green strain; `springs` are XPBD distance constraints on the edges;
 * `hylc` uses the energy table of a fabric that has one, for stretch, shear and bending together.
 */
export type MembraneModel = "stvk" | "neo-hookean" | "springs" | "hylc";

const membraneModels: readonly MembraneModel[] = ["stvk", "neo-hookean", "springs", "hylc"];

export interface ClothDescription {
  /** vertexCount × 3 [m] */
  positions: ArrayLike<number>;
  /** triangles */
  indices: ArrayLike<number>;
  /** vertexCount × 2; u is the warp direction. Without them, the x axis is the warp direction. */
  uvs?: ArrayLike<number> | undefined;
  /** default `cotton` */
  fabric?: FabricName | Readonly<Fabric> | undefined;
  /** default `hylc` for a fabric with a table, otherwise `stvk` */
  membrane?: MembraneModel | undefined;
  /**
   * default `isometric` for a mesh that is flat at rest and has no `plasticity`, otherwise `dihedral`; `hylc` membranes
   * include bending
   */
  bending?: BendingModel | undefined;
  /** folds that stay. For `dihedral` bending; stretch stays elastic */
  plasticity?: Readonly<Plasticity> | undefined;
  name?: string | undefined;
}

export const clothNames = optionNames<ClothDescription>()(
  "positions indices uvs fabric membrane bending plasticity name",
);

export interface ClothModel extends GpbdModel, Pick<WeldedSurface, "triangleFaces" | "reversed"> {
  /** particle of each vertex of the description */
  readonly vertexToParticle: Uint32Array;
  readonly fabric: Readonly<Fabric>;
}

/**
 * A cloth from any triangle mesh: vertices welded by position, mass lumped from the areas, membrane and bending terms
 * from the fabric. Triangles with two coincident corners, and duplicates of others, are drawn, but are not part of the
 * cloth.
 *
 * @throws PliantError for an empty or degenerate mesh, coordinates that are not finite, indices out of range, a fabric
 * out of range, isometric bending on a mesh that is not flat at rest, a `hylc` membrane for a fabric without a table, or
 * plasticity out of range; `unsupported` for plasticity of another bending, and of a fabric that does not resist bending
 */
export function gpbdCloth(description: ClothDescription): ClothModel {
  const name = description.name ?? "cloth";
  const welded = weldSurface(name, description.positions, description.indices);
  if (description.uvs && description.uvs.length * 3 !== description.positions.length * 2)
    throw invalid(`${name} uvs`, description.uvs.length, "must have two numbers a vertex");
  const fabric = resolveFabric(name, description.fabric ?? "cotton");
  const membrane = description.membrane ?? (fabric.table ? "hylc" : "stvk");
  checkModel(`${name}.membrane`, membrane, membraneModels);
  if (description.bending !== undefined) checkModel(`${name}.bending`, description.bending, bendingModels);
  const plasticity = description.plasticity && resolvePlasticity(name, description.plasticity);
  const { positions, indices, vertexToParticle, faceTriangles, triangleFaces, reversed } = welded;
  const particleCount = positions.length / 3;
  const warps: Vec3[] = [];
  const triangles: RestTriangle[] = [];
  const masses = new Float64Array(particleCount);
  for (let f = 0; f < indices.length; f += 3) {
    const corners = [0, 1, 2].map((c) => corner(positions, indices[f + c])) as [Vec3, Vec3, Vec3];
    const uv = description.uvs && cornerUvs(description.uvs, description.indices, 3 * faceTriangles[f / 3]);
    const warp = warpDirection(corners, uv);
    const triangle = restTriangle(corners, warp);
    warps.push(warp);
    triangles.push(triangle);
    for (let c = 0; c < 3; c++) masses[indices[f + c]] += (fabric.areaDensity * triangle.area) / 3;
  }

  const edges = buildEdges(indices);
  const surface = { name, positions, indices, edges, triangles, warps };
  const terms =
    membrane === "hylc" ? [hylcTerm(surface, fabric)] : elasticTerms(surface, fabric, membrane, description);
  const bending = terms.at(-1)!.kind;
  if (plasticity && bending !== "dihedral-bending")
    throw unsupported(`${name}.plasticity`, bending, "needs dihedral bending");
  const atOnceBelow = membrane === "hylc" ? sweptAtOnceBelow(terms[0], fabric) : undefined;
  return {
    name,
    particleCount,
    positions,
    masses,
    terms,
    faces: indices,
    friction: fabric.friction,
    vertexToParticle,
    triangleFaces,
    reversed,
    fabric,
    sheet: membrane === "hylc" ? undefined : fabric,
    sweptAtOnceBelow: atOnceBelow,
    curlSubsteps: atOnceBelow && curlSubsteps(terms[0], fabric, atOnceBelow),
    ...(plasticity && { plasticity }),
  };
}

/** Separate terms of membrane and bending. */
function elasticTerms(
  surface: ClothSurface,
  fabric: Readonly<Fabric>,
  membrane: Exclude<MembraneModel, "hylc">,
  description: ClothDescription,
): EnergyTerm[] {
  const { positions, edges } = surface;
  const isFlat = !description.plasticity && curvedHinge(positions, edges.hinges) === undefined;
  const bending = description.bending ?? (isFlat ? "isometric" : "dihedral");
  const terms: EnergyTerm[] = [
    membrane === "springs" ? springTerm(surface, fabric) : membraneTerm(surface, fabric, membrane),
  ];
  if (fabric.bendingWarp > 0 || fabric.bendingWeft > 0) {
    const term = bendingTerm(surface, fabric, bending);
    if (term.elementCount > 0) terms.push(term);
  }
  return terms;
}

/** Plane-stress stiffnesses of an orthotropic sheet [N/m]: C_uu, C_uv, C_vv, G. */
function sheetStiffness(fabric: Readonly<Fabric>): [number, number, number, number] {
  const nu = fabric.poissonRatio;
  const c = 1 / (1 - nu * nu);
  return [
    c * fabric.stretchWarp,
    c * nu * Math.sqrt(fabric.stretchWarp * fabric.stretchWeft),
    c * fabric.stretchWeft,
    fabric.shear,
  ];
}

function membraneTerm(surface: ClothSurface, fabric: Readonly<Fabric>, model: "stvk" | "neo-hookean"): EnergyTerm {
  const [uu, uv, vv, g] = sheetStiffness(fabric);
  const rest = surface.triangles.flatMap((triangle) => [...triangle.inverse, triangle.area]);
  const damping = fabric.stretchDamping;
  if (model === "stvk") return createTerm("stvk-membrane", surface, surface.indices, rest, [uu, uv, vv, g, damping]);
  // µ and λ are the sheet's shear and coupling; fibers carry the rest of the tensile stiffness.
  const material = [g, uv, Math.max(0, uu - uv - 2 * g), Math.max(0, vv - uv - 2 * g), damping];
  return createTerm("neo-hookean-membrane", surface, surface.indices, rest, material);
}

/**
 * Edge springs of stiffness k = Y ΣA / L² with the sum of areas ΣA beside the edge: exact for a sheet of equilateral
 * triangles (k = √3/2 Y), a usual choice for others.
 */
function springTerm(surface: ClothSurface, fabric: Readonly<Fabric>): EnergyTerm {
  const { positions, indices, edges, triangles, warps } = surface;
  const areas = new Map<number, { area: number; warp: Vec3 }>();
  for (let i = 0; i < indices.length; i++) {
    const f = Math.floor(i / 3);
    const key = edgeKey(indices[i], indices[nextCorner(i)]);
    const known = areas.get(key);
    areas.set(key, { area: (known?.area ?? 0) + triangles[f].area, warp: known?.warp ?? warps[f] });
  }
  const rest: number[] = [];
  for (let e = 0; e < edges.vertices.length; e += 2) {
    const [a, b] = [edges.vertices[e], edges.vertices[e + 1]];
    const { area, warp } = areas.get(edgeKey(a, b))!;
    const edge = [0, 1, 2].map((c) => positions[3 * b + c] - positions[3 * a + c]);
    const length = norm(edge);
    const along = ((edge[0] * warp[0] + edge[1] * warp[1] + edge[2] * warp[2]) / length) ** 2;
    const young = fabric.stretchWarp * along + fabric.stretchWeft * (1 - along);
    rest.push(length, (length * length) / (young * area));
  }
  return createTerm("distance", surface, edges.vertices, rest, []);
}

function checkModel(object: string, model: string, known: readonly string[]): void {
  if (!known.includes(model)) throw invalid(object, model, `must be one of ${known.join(", ")}`);
}

function corner(positions: Float64Array, p: number): Vec3 {
  return [positions[3 * p], positions[3 * p + 1], positions[3 * p + 2]];
}

function cornerUvs(uvs: ArrayLike<number>, indices: ArrayLike<number>, f: number): number[] {
  return [0, 1, 2].flatMap((c) => [uvs[2 * indices[f + c]], uvs[2 * indices[f + c] + 1]]);
}
