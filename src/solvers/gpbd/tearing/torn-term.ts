import type { TornSurface, VertexSplit } from "../../../geometry/surface/torn-surface";
import { nextCorner, oppositeCorner, twinSides } from "../../../geometry/surface/twin-sides";
import { linkHylcElement } from "../elements/hylc-neighbours";
import { termLayout, type EnergyTerm } from "../model";
import { writeBendingElement } from "../elements/sheet-bending";
import { reach } from "./tearable";

/** An energy term that follows the tears of its surface: its elements are over the triangles of that. */
export class TornTerm {
  /** of each element its triangle, which has its first three vertices; −1 for none */
  private readonly faceOf: Int32Array;
  /** of each hinge its side of that triangle, and the corner across; both as places in the list of faces */
  private readonly sides: Int32Array;
  /** elements that have vertices of a triangle */
  private readonly over: number[][];
  /** of the surface as it is */
  private readonly twins: Int32Array;

  /**
   * @param faces of the surface, before it tears
   * @param positions at rest, for new vertices too once they are there
   */
  constructor(
    private readonly term: EnergyTerm,
    faces: Uint32Array,
    private readonly positions: Float64Array,
  ) {
    const { kind, elementCount, indices } = term;
    const { arity } = termLayout[kind];
    const byCorners = new Map<string, number>();
    for (let f = 0; f < faces.length; f += 3) byCorners.set(keyOf(faces.subarray(f, f + 3)), f / 3);
    this.twins = twinSides(faces);
    this.faceOf = new Int32Array(elementCount).fill(-1);
    this.sides = new Int32Array(kind === "hinge-bending" ? 2 * elementCount : 0).fill(-1);
    this.over = Array.from({ length: faces.length / 3 }, () => []);
    for (let e = 0; e < elementCount; e++) {
      const vertices = indices.subarray(e * arity, (e + 1) * arity);
      const face = byCorners.get(keyOf(vertices.subarray(0, 3)));
      if (face === undefined) continue;
      this.faceOf[e] = face;
      const patch = this.patchOf(face, reach[kind]!);
      if (kind === "hinge-bending") {
        const [a, b, , across] = vertices as unknown as [number, number, number, number];
        const other = byCorners.get(keyOf([a, b, across]))!;
        this.sides.set(
          [3 * face + faces.subarray(3 * face).indexOf(a), 3 * other + faces.subarray(3 * other).indexOf(across)],
          2 * e,
        );
        patch.add(other);
      }
      for (const part of patch) this.over[part].push(e);
    }
  }

  /**
   * @param splits what tore, in order
   * @returns the elements that have changed, in their order
   */
  follow(splits: readonly VertexSplit[], surface: TornSurface): number[] {
    const touched = new Set<number>();
    for (const { from, to } of splits)
      for (const face of [...surface.facesAt(from), ...surface.facesAt(to)]) {
        for (let i = 3 * face; i < 3 * face + 3; i++) if (surface.across[i] < 0) this.twins[i] = -1;
        for (const e of this.over[face]) touched.add(e);
      }
    return [...touched].sort((a, b) => a - b).filter((e) => this.link(e, surface));
  }

  /** Gives an element the vertices and neighbours that it has now; returns whether those are others. */
  private link(e: number, surface: TornSurface): boolean {
    const { term, twins } = this;
    const { kind, material } = term;
    const { arity, rest: stride } = termLayout[kind];
    const face = this.faceOf[e];
    const vertices = term.indices.subarray(e * arity, (e + 1) * arity);
    const rest = term.rest.subarray(e * stride, (e + 1) * stride);
    const [before, restBefore] = [vertices.slice(), rest.slice()];
    if (kind === "hinge-bending") this.linkHinge(e, surface);
    else if (kind === "isometric-bending" || kind === "dihedral-bending") {
      const sheet = { positions: this.positions, indices: surface.faces, twins };
      writeBendingElement(kind, sheet, face, rest[0], [material[1], material[2]], term, e);
    } else if (kind === "hylc") linkHylcElement(surface.faces, twins, face, term, e);
    else vertices.set(surface.faces.subarray(3 * face, 3 * face + 3));
    return vertices.some((v, k) => v !== before[k]) || rest.some((value, k) => value !== restBefore[k]);
  }

  /** A hinge whose triangles came apart goes limp. */
  private linkHinge(e: number, surface: TornSurface): void {
    const { indices, rest } = this.term;
    const [side, corner] = [this.sides[2 * e], this.sides[2 * e + 1]];
    const { faces, across } = surface;
    indices.set(
      [side, nextCorner(side), oppositeCorner(side), corner].map((i) => faces[i]),
      4 * e,
    );
    if (across[side] !== Math.floor(corner / 3)) rest[termLayout["hinge-bending"].rest * e + 1] = 0;
  }

  /** A triangle with those around it. */
  private patchOf(face: number, rings: number): Set<number> {
    const patch = new Set([face]);
    for (let ring = 0; ring < rings; ring++)
      for (const part of [...patch])
        for (let i = 3 * part; i < 3 * part + 3; i++) if (this.twins[i] >= 0) patch.add(Math.floor(this.twins[i] / 3));
    return patch;
  }
}

function keyOf(corners: ArrayLike<number>): string {
  return Array.from(corners)
    .sort((a, b) => a - b)
    .join();
}
