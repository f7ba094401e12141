/**
 * Tearing of cloth along edges: if the sheet around a vertex is stretched by more than it bears, it comes apart across that
 * stretch (after Müller et al. 2004, "Physically-based simulation of objects represented by surface meshes").
 *
 * The model of a body that tears has spare particles without mass. A tear gives one of them some triangles of a particle, and with
 * them a part of its mass, its place and its velocity; so mass and momentum stay the same. Elements keep their place and their
 * color: two elements of a color that had no vertex in common have none now. Hinges across a torn edge go limp.
 *
 * The decision must not take a noticeable part of a frame. A first pass over the triangles finds bounds on the mean stretch around
 * vertices with no more than square roots (`stretch-bounds.ts`). A second looks closely at vertices where the stretch may be too
 * much: a limited number in a frame, half of them those with the largest bounds. Fewer still come apart. All passes run before the
 * first frame, so that an engine need not compile one during a frame.
 *
 * Glossary: F deformation gradient of a triangle, σ its principal stretches, d their directions in space (unit), A area at rest.
 */
import { weighAgain } from "../../mass";
import { dot, norm } from "../../../math/vectors";
import { TornSurface, type VertexSplit } from "../../../geometry/surface/torn-surface";
import { eigenSymmetric3 } from "../../../math/eigen/symmetric3";
import { termLayout, type EnergyTerm, type GpbdModel } from "../model";
import { requireTearable, tearableCopy, withSpares, type TearingOptions } from "./tearable";
import { addFaceTensor, REST, StretchBounds } from "./stretch-bounds";
import type { Tear } from "../../deformable";
import { TornTerm } from "./torn-term";

/** Vertices that come apart in one frame, at most: a tear of any length is no burst. */
const MOST_AT_ONCE = 24;
/** Vertices that are looked at closely in one frame, at most; the others wait for the next. */
const MOST_CLOSELY = 192;
/** Looks before the first frame, after which an engine has compiled them. */
const REHEARSALS = 20;
/** Triangles of a rehearsal. */
const PATCH = 800;
/** Cosine from which on an edge goes on where another one came from. */
const OPPOSITE = -0.3;

export class Tearing {
  /** a copy of the model that was given, with spare particles */
  model: GpbdModel;
  /** particles in use */
  particleCount: number = this.whole.particleCount;
  private readonly surface: TornSurface;
  private terms: readonly TornTerm[];
  /** all that tore so far, in order */
  private readonly history: VertexSplit[] = [];
  /** of each face: rows of Dm⁻¹ in its plane [1/m], and A [m²] */
  private readonly rest: Float64Array = restFrames(this.whole);
  private readonly bounds: StretchBounds;
  /** Work of the last look: triangles of the first pass, triangles looked at closely, and vertices that came apart. */
  readonly work = { triangles: 0, closely: 0, torn: 0 };

  /**
   * @param object how messages call the body
   * @param copy of the model, with spare particles; changes where it tears
   * @throws PliantError as `tearableCopy`
   */
  constructor(
    private readonly object: string,
    private whole: GpbdModel,
    private readonly options: Readonly<TearingOptions>,
    copy = tearableCopy(object, whole, options),
  ) {
    this.model = copy;
    this.surface = new TornSurface(this.model.faces, this.model.particleCount);
    this.terms = this.model.terms.map((term) => new TornTerm(term, this.model.faces, this.model.positions));
    this.bounds = new StretchBounds(this.model.faces, this.rest, this.model.particleCount);
  }

  /**
   * Makes tears of a patch of a model that are not kept. A body does that when it is made, so that the first tear takes no longer
   * than others.
   */
  static rehearse(object: string, model: GpbdModel, { strain }: Readonly<TearingOptions>): void {
    const patch = patchOf(model, 3 * PATCH);
    const tearing = new Tearing(object, patch, { strain, most: 3 * REHEARSALS * MOST_AT_ONCE });
    const stretched = tearing.model.positions.map((x) => x * (1 + 2 * strain));
    const held = new Uint8Array(tearing.model.particleCount);
    // positions that are read back from a GPU are of the other kind
    for (const positions of [stretched, Float32Array.from(stretched)])
      for (let i = 0; i < REHEARSALS / 2; i++) if (!tearing.isExhausted) tearing.tear(positions, held);
  }

  /**
   * Takes another material of the cloth as it was before it tore: torn edges stay torn.
   *
   * @param next of the same mesh
   * @throws PliantError for other than triangles; nothing is changed then
   */
  replaceModel(next: GpbdModel): GpbdModel {
    const { object, whole, surface, history } = this;
    requireTearable(object, next);
    const { particleCount, positions, faces } = this.model;
    const { terms, masses } = withSpares(next, particleCount - whole.particleCount);
    /** the particle that each one came from, before all tears */
    const roots = Array.from(masses.keys());
    for (const { from, to } of history) roots[to] = roots[from]!;
    this.model.masses.forEach((mass, p) => {
      const root = roots[p];
      masses[p] = root < whole.particleCount ? (mass * next.masses[root]) / whole.masses[root] : 0;
    });
    const torn = terms.map((term) => new TornTerm(term, whole.faces, positions));
    for (const term of torn) term.follow(history, surface);
    this.terms = torn;
    this.whole = next;
    // Other objects hold on to these arrays.
    return (this.model = { ...next, particleCount, positions, faces, masses, terms, sheet: undefined, tears: true });
  }

  /** Whether spare particles may be too few for another vertex: a tear needs one for it, and one for each of its ends. */
  get isExhausted(): boolean {
    return this.particleCount + 3 > this.model.particleCount;
  }

  /**
   * Tears the model where a state stretches it too much.
   *
   * @param positions particleCount × 3 [m]
   * @param held 1 for particles that stay whole, as pins do
   * @returns undefined where nothing tore
   */
  tear(positions: ArrayLike<number>, held: ArrayLike<number>): Tear | undefined {
    const candidates = this.overstretched(positions, held);
    const splits: VertexSplit[] = [];
    const taken = new Uint8Array(this.model.particleCount);
    let vertices = 0;
    for (const { vertex, direction } of candidates) {
      if (vertices >= MOST_AT_ONCE || this.isExhausted) break;
      const around = this.surface.facesAt(vertex).flatMap((face) => this.cornersOf(face));
      if (around.some((v) => taken[v] === 1)) continue;
      const ends = this.edgesAcross(vertex, direction, positions, held);
      const found = this.surface.cut(vertex, ends, this.particleCount);
      if (found.length === 0) continue;
      vertices++;
      for (const v of around) taken[v] = 1;
      for (const split of found) this.share(split);
      splits.push(...found);
      this.particleCount += found.length;
    }
    this.work.torn = vertices;
    if (splits.length === 0) return undefined;
    this.history.push(...splits);
    return { splits, elements: this.terms.map((term) => term.follow(splits, this.surface)) };
  }

  /** Vertices whose mean stretch is too much, the most stretched first, of those that are looked at. */
  private overstretched(
    x: ArrayLike<number>,
    held: ArrayLike<number>,
  ): { vertex: number; value: number; direction: number[] }[] {
    const { bounds, work } = this;
    const { strain } = this.options;
    const found: { vertex: number; value: number; direction: number[] }[] = [];
    work.triangles = this.rest.length / REST;
    work.closely = 0;
    for (const vertex of bounds.above(x, strain, held, this.particleCount, MOST_CLOSELY)) {
      this.meanStretch(vertex, x);
      eigenSymmetric3(tensor, eigenvalues, eigenvectors);
      const largest = eigenvalues.indexOf(Math.max(...eigenvalues));
      const value = eigenvalues[largest];
      if (value > strain) found.push({ vertex, value, direction: [0, 1, 2].map((c) => eigenvectors[3 * c + largest]) });
    }
    return found.sort((a, b) => b.value - a.value || a.vertex - b.vertex);
  }

  /** Σ A Σ max(0, σ − 1) d dᵀ / Σ A over the triangles at a vertex, into `tensor`. */
  private meanStretch(vertex: number, x: ArrayLike<number>): void {
    let area = 0;
    tensor.fill(0);
    for (const face of this.surface.facesAt(vertex)) {
      area += this.rest[REST * face + 4];
      addFaceTensor(x, this.model.faces, this.rest, face, tensor);
      this.work.closely++;
    }
    for (let k = 0; k < 6; k++) tensor[k] /= area;
  }

  /** Other ends of the edges at a vertex along which it comes apart: those nearest to the plane across the stretch. */
  private edgesAcross(
    vertex: number,
    direction: readonly number[],
    x: ArrayLike<number>,
    held: ArrayLike<number>,
  ): number[] {
    const edges: { end: number; along: readonly number[]; lean: number }[] = [];
    let isOpen = false;
    for (const face of this.surface.facesAt(vertex))
      for (const end of this.cornersOf(face)) {
        if (end === vertex) continue;
        const edge = this.surface.edgeOf(face, vertex, end);
        if (this.surface.across[edge] < 0) isOpen = true;
        else if (held[end] !== 1 && !edges.some((known) => known.end === end)) {
          const e = [0, 1, 2].map((c) => x[3 * end + c] - x[3 * vertex + c]);
          const along = e.map((value) => value / norm(e));
          edges.push({ end, along, lean: Math.abs(dot(along, direction)) });
        }
      }
    edges.sort((a, b) => a.lean - b.lean || a.end - b.end);
    const [first] = edges;
    if (!first) return [];
    if (isOpen) return [first.end];
    const second = edges.find(({ along }) => dot(along, first.along) < OPPOSITE);
    return second ? [first.end, second.end] : [];
  }

  /** The new particle gets mass by the area of its triangles, and the place at rest. */
  private share({ from, to, faces }: VertexSplit): void {
    const { masses, positions } = this.model;
    const areaOf = (list: readonly number[]): number => list.reduce((sum, face) => sum + this.rest[REST * face + 4], 0);
    const moved = areaOf(faces);
    const whole = moved + areaOf(this.surface.facesAt(from));
    masses[to] = (masses[from] * moved) / whole;
    masses[from] -= masses[to];
    weighAgain(masses);
    for (let c = 0; c < 3; c++) positions[3 * to + c] = positions[3 * from + c]!;
  }

  private cornersOf(face: number): number[] {
    return Array.from(this.model.faces.subarray(3 * face, 3 * face + 3));
  }
}

const tensor = new Float64Array(6);
const eigenvalues = new Float64Array(3);
const eigenvectors = new Float64Array(9);

/** The first triangles of a model, and the elements that have only their vertices. */
function patchOf(model: GpbdModel, corners: number): GpbdModel {
  const faces = model.faces.slice(0, corners);
  const isIn = new Uint8Array(model.particleCount);
  for (const vertex of faces) isIn[vertex] = 1;
  const terms = model.terms.map((term): EnergyTerm => {
    const { arity, rest: stride } = termLayout[term.kind];
    const elements: number[] = [];
    for (let e = 0; e < term.elementCount; e++) {
      let inside = true;
      // an unused place is no vertex at all
      for (let i = e * arity; i < (e + 1) * arity; i++) inside &&= isIn[term.indices[i]] !== 0;
      if (inside) elements.push(e);
    }
    const pick = (values: ArrayLike<number>, size: number): number[] =>
      elements.flatMap((e) => Array.from({ length: size }, (_, k) => values[e * size + k]));
    const [indices, rest] = [Uint32Array.from(pick(term.indices, arity)), Float64Array.from(pick(term.rest, stride))];
    return { ...term, elementCount: elements.length, indices, rest };
  });
  return { ...model, faces, terms };
}

/** Dm⁻¹ of each face in axes along its first edge, row-major, and its area. */
function restFrames({ positions: x, faces }: GpbdModel): Float64Array {
  const rest = new Float64Array((REST * faces.length) / 3);
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [3 * faces[f], 3 * faces[f + 1], 3 * faces[f + 2]];
    const u = [0, 1, 2].map((k) => x[b + k] - x[a + k]);
    const v = [0, 1, 2].map((k) => x[c + k] - x[a + k]);
    const length = norm(u);
    const along = dot(u, v) / length;
    const height = Math.sqrt(Math.max(0, dot(v, v) - along * along));
    // Dm = [[length, along], [0, height]]
    rest.set([1 / length, -along / (length * height), 0, 1 / height, 0.5 * length * height], (REST * f) / 3);
  }
  return rest;
}
