import type { TornSurface, VertexSplit } from "../../geometry/torn-surface";
import { termLayout, type EnergyTerm, type TermKind } from "./model";

/** Corners of an element that a face has in common with it. */
type CornersOfFace = (corner: number) => number;

/** For each kind, by corner of the element, which of the element's faces it follows. */
const owners: Readonly<Partial<Record<TermKind, CornersOfFace>>> = {
  "stvk-membrane": () => 0,
  "neo-hookean-membrane": () => 0,
  // edge (0, 1), opposite corners 2 and 3
  "dihedral-bending": (corner) => (corner === 3 ? 1 : 0),
  "isometric-bending": (corner) => (corner === 3 ? 1 : 0),
  // a triangle and the corners across its edges
  hylc: (corner) => (corner < 3 ? 0 : corner - 2),
};

/** Where the rest data of `hylc` says which neighbours there are. */
const PRESENT = 5;

/** An energy term that follows the tears of its surface. */
export class TornTerm {
  private readonly arity: number;
  /** of each element the faces that it is over, −1 for none; four each */
  private readonly facesOf: Int32Array;
  /** compressed rows: elements over each face */
  private readonly offsets: Uint32Array;
  private readonly elements: Uint32Array;

  static knows(kind: TermKind): boolean {
    return kind in owners;
  }

  /** @param faces of the surface, before it tears */
  constructor(
    private readonly term: EnergyTerm,
    faces: Uint32Array,
  ) {
    this.arity = termLayout[term.kind].arity;
    const byCorners = new Map<string, number>();
    for (let f = 0; f < faces.length; f += 3) byCorners.set(keyOf(faces.subarray(f, f + 3)), f / 3);
    this.facesOf = new Int32Array(4 * term.elementCount).fill(-1);
    const counts = new Uint32Array(faces.length / 3 + 1);
    for (let e = 0; e < term.elementCount; e++)
      this.cornersOver(e).forEach((corners, k) => {
        const face = corners ? byCorners.get(keyOf(corners)) : undefined;
        if (face === undefined) return;
        this.facesOf[4 * e + k] = face;
        counts[face + 1]!++;
      });
    for (let f = 1; f < counts.length; f++) counts[f]! += counts[f - 1]!;
    this.offsets = counts.slice();
    this.elements = new Uint32Array(counts.at(-1)!);
    this.facesOf.forEach((face, i) => {
      if (face >= 0) this.elements[counts[face]!++] = i >> 2;
    });
  }

  /**
   * @param splits what tore, in order
   * @returns the elements that have changed, in their order
   */
  follow(splits: readonly VertexSplit[], surface: TornSurface): number[] {
    const touched = new Set<number>();
    for (const { from, to, faces } of splits)
      for (const face of faces)
        for (let i = this.offsets[face]!; i < this.offsets[face + 1]!; i++) {
          const e = this.elements[i]!;
          touched.add(e);
          this.moveCorner(e, face, from, to);
        }
    // What was across a torn edge is so no longer.
    for (const { from, to } of splits)
      for (const face of [...surface.facesAt(from), ...surface.facesAt(to)])
        for (let i = this.offsets[face]!; i < this.offsets[face + 1]!; i++)
          if (this.release(this.elements[i]!, surface)) touched.add(this.elements[i]!);
    return [...touched].sort((a, b) => a - b);
  }

  private moveCorner(e: number, face: number, from: number, to: number): void {
    const { term, arity } = this;
    const owner = owners[term.kind]!;
    for (let corner = 0; corner < arity; corner++) {
      const at = e * arity + corner;
      if (term.indices[at] === from && this.facesOf[4 * e + owner(corner)] === face) term.indices[at] = to;
    }
  }

  /** Takes the stiffness of an element across an edge that is torn; returns whether there was something to take. */
  private release(e: number, surface: TornSurface): boolean {
    const { term, facesOf } = this;
    const { rest: stride } = termLayout[term.kind];
    const own = facesOf[4 * e]!;
    if (term.kind === "hylc") {
      let changed = false;
      for (let edge = 0; edge < 3; edge++) {
        const present = term.rest[e * stride + PRESENT]!;
        if (!(present & (1 << edge)) || hangsOn(surface, own, facesOf[4 * e + 1 + edge]!)) continue;
        term.rest[e * stride + PRESENT] = present & ~(1 << edge);
        term.indices[6 * e + 3 + edge] = term.indices[6 * e + edge]!;
        changed = true;
      }
      return changed;
    }
    if (!term.kind.endsWith("-bending") || hangsOn(surface, own, facesOf[4 * e + 1]!)) return false;
    const first = term.kind === "dihedral-bending" ? 1 : 0;
    let changed = false;
    for (let k = first; k < stride; k++) {
      changed ||= term.rest[e * stride + k] !== 0;
      term.rest[e * stride + k] = 0;
    }
    return changed;
  }

  /** Corners of the faces that an element is over. */
  private cornersOver(e: number): (readonly number[] | undefined)[] {
    const v = Array.from(this.term.indices.subarray(e * this.arity, (e + 1) * this.arity)) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    if (this.arity === 3) return [v];
    if (this.arity === 4)
      return [
        [v[0], v[1], v[2]],
        [v[0], v[1], v[3]],
      ];
    const present = this.term.rest[e * termLayout.hylc.rest + PRESENT]!;
    const beyond = [0, 1, 2].map((edge) =>
      present & (1 << edge) ? [v[edge]!, v[(edge + 1) % 3]!, v[3 + edge]!] : undefined,
    );
    return [[v[0], v[1], v[2]], ...beyond];
  }
}

function hangsOn(surface: TornSurface, face: number, other: number): boolean {
  for (let i = 3 * face; i < 3 * face + 3; i++) if (surface.across[i] === other) return true;
  return false;
}

function keyOf(corners: ArrayLike<number>): string {
  return Array.from(corners)
    .sort((a, b) => a - b)
    .join();
}
