/**
 * Tearing of cloth along edges: where the sheet around a vertex is stretched by more than it bears, it comes apart across that
 * stretch (after Müller et al. 2004, "Physically-based simulation of objects represented by surface meshes").
 *
 * The model of a body that tears has spare particles without mass. A tear gives one of them triangles, and with them its part of
 * mass, place and velocity of a particle; so mass and momentum stay what they were. Elements keep their place and their colour:
 * where two elements of a colour had no vertex in common, they have none now. Hinges across a torn edge go limp.
 *
 * Glossary: F deformation gradient of a triangle, σ its principal stretches, d their directions in space (unit), A area at rest.
 */
import { PliantError } from "../../errors";
import { TornSurface, type VertexSplit } from "../../geometry/torn-surface";
import { eigenSymmetric3 } from "../../math/symmetric3";
import type { EnergyTerm, GpbdModel } from "./model";
import { TornTerm } from "./torn-term";

/** When a cloth tears. */
export interface TearingOptions {
  /** elongation over the length at rest that it bears: 0.3 is a length 1.3 times that at rest */
  strain: number;
  /** particles that tears may add, after which it tears no more; default as many as it has */
  most?: number | undefined;
}

/** What a tear changed, for solvers that keep copies of the model. */
export interface Tear {
  /** in the order of the new particles; `from` may be a new one of the same tear */
  readonly splits: readonly VertexSplit[];
  /** for each term of the model the elements that have changed */
  readonly elements: readonly (readonly number[])[];
}

/** Vertices that come apart in one frame, at most: a tear of any length is no burst. */
const MOST_AT_ONCE = 24;
/** Cosine from which on an edge goes on where another one came from. */
const OPPOSITE = -0.3;

export class Tearing {
  /** a copy of the model that was given, with spare particles */
  readonly model: GpbdModel;
  /** particles in use */
  particleCount: number;
  private readonly surface: TornSurface;
  private readonly terms: readonly TornTerm[];
  /** of each face: rows of Dm⁻¹ in its plane [1/m], and A [m²] */
  private readonly rest: Float64Array;
  private readonly tensors: Float64Array;

  /**
   * @param object how messages call the body
   * @throws PliantError for a strain that is not positive, a number of particles that is not, and a body of other than triangles
   */
  constructor(
    object: string,
    model: GpbdModel,
    private readonly options: Readonly<TearingOptions>,
  ) {
    const { strain, most = model.particleCount } = options;
    if (!(typeof strain === "number" && strain > 0 && Number.isFinite(strain)))
      throw new PliantError("invalid-argument", `${object}.tearing.strain`, strain, "must be a positive number");
    if (!(Number.isInteger(most) && most >= 1))
      throw new PliantError("invalid-argument", `${object}.tearing.most`, most, "must be a whole number from 1");
    if (model.faces.length === 0 || model.tetrahedra)
      throw new PliantError("unsupported", `${object}.tearing`, "no sheet", "is for cloth");
    const strange = model.terms.find(({ kind }) => !TornTerm.knows(kind));
    if (strange) throw new PliantError("unsupported", `${object}.tearing`, strange.kind, "is not for such membranes");
    this.model = withSpares(model, most);
    this.particleCount = model.particleCount;
    this.surface = new TornSurface(this.model.faces, this.model.particleCount);
    this.terms = this.model.terms.map((term) => new TornTerm(term, this.model.faces));
    this.rest = restFrames(model);
    this.tensors = new Float64Array(6 * this.model.particleCount);
  }

  /** Whether there may not be enough spare particles for another vertex: it comes apart in two, and both ends of a tear may. */
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
    if (splits.length === 0) return undefined;
    return { splits, elements: this.terms.map((term) => term.follow(splits, this.surface)) };
  }

  /** Vertices whose mean stretch is too much, the most stretched first. */
  private overstretched(
    x: ArrayLike<number>,
    held: ArrayLike<number>,
  ): { vertex: number; value: number; direction: number[] }[] {
    this.sumStretches(x);
    const found: { vertex: number; value: number; direction: number[] }[] = [];
    for (let vertex = 0; vertex < this.particleCount; vertex++) {
      const t = this.tensors.subarray(6 * vertex, 6 * vertex + 6);
      // No eigenvalue is larger than the trace, as none is negative.
      if (held[vertex] === 1 || !(t[0]! + t[1]! + t[2]! > this.options.strain)) continue;
      eigenSymmetric3(t, eigenvalues, eigenvectors);
      const largest = eigenvalues.indexOf(Math.max(...eigenvalues));
      const value = eigenvalues[largest]!;
      if (value > this.options.strain)
        found.push({ vertex, value, direction: [0, 1, 2].map((c) => eigenvectors[3 * c + largest]!) });
    }
    return found.sort((a, b) => b.value - a.value || a.vertex - b.vertex);
  }

  /** Σ A Σ max(0, σ − 1) d dᵀ / Σ A over the triangles at each vertex. */
  private sumStretches(x: ArrayLike<number>): void {
    const { tensors, rest } = this;
    const { faces } = this.model;
    const own = faceTensors(x, faces, rest);
    for (let vertex = 0; vertex < this.particleCount; vertex++) {
      let area = 0;
      for (let k = 0; k < 6; k++) tensors[6 * vertex + k] = 0;
      for (const face of this.surface.facesAt(vertex)) {
        area += rest[5 * face + 4]!;
        for (let k = 0; k < 6; k++) tensors[6 * vertex + k]! += rest[5 * face + 4]! * own[6 * face + k]!;
      }
      if (area > 0) for (let k = 0; k < 6; k++) tensors[6 * vertex + k]! /= area;
    }
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
        if (this.surface.across[edge]! < 0) isOpen = true;
        else if (held[end] !== 1 && !edges.some((known) => known.end === end)) {
          const e = [0, 1, 2].map((c) => x[3 * end + c]! - x[3 * vertex + c]!);
          const along = e.map((value) => value / Math.hypot(...e));
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
    const areaOf = (list: readonly number[]): number => list.reduce((sum, face) => sum + this.rest[5 * face + 4]!, 0);
    const moved = areaOf(faces);
    const whole = moved + areaOf(this.surface.facesAt(from));
    masses[to] = (masses[from]! * moved) / whole;
    masses[from]! -= masses[to]!;
    for (let c = 0; c < 3; c++) positions[3 * to + c] = positions[3 * from + c]!;
  }

  private cornersOf(face: number): number[] {
    return Array.from(this.model.faces.subarray(3 * face, 3 * face + 3));
  }
}

const eigenvalues = new Float64Array(3);
const eigenvectors = new Float64Array(9);

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}

function withSpares(model: GpbdModel, most: number): GpbdModel {
  const particleCount = model.particleCount + most;
  const positions = new Float64Array(3 * particleCount);
  for (let i = 0; i < positions.length; i++) positions[i] = model.positions[i] ?? model.positions[i % 3]!;
  const masses = new Float64Array(particleCount);
  masses.set(model.masses);
  const terms = model.terms.map((term): EnergyTerm => ({
    ...term,
    indices: term.indices.slice(),
    rest: term.rest.slice(),
  }));
  return { ...model, particleCount, positions, masses, faces: model.faces.slice(), terms };
}

/** Dm⁻¹ of each face in axes along its first edge, row-major, and its area. */
function restFrames({ positions: x, faces }: GpbdModel): Float64Array {
  const rest = new Float64Array((5 * faces.length) / 3);
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [3 * faces[f]!, 3 * faces[f + 1]!, 3 * faces[f + 2]!];
    const u = [0, 1, 2].map((k) => x[b + k]! - x[a + k]!);
    const v = [0, 1, 2].map((k) => x[c + k]! - x[a + k]!);
    const length = Math.hypot(...u);
    const along = dot(u, v) / length;
    const height = Math.sqrt(Math.max(0, dot(v, v) - along * along));
    // Dm = [[length, along], [0, height]]
    rest.set([1 / length, -along / (length * height), 0, 1 / height, 0.5 * length * height], (5 * f) / 3);
  }
  return rest;
}

let faceScratch = new Float64Array();

/** Σ max(0, σ − 1) d dᵀ over both stretches of each face: xx, yy, zz, xy, yz, zx. */
function faceTensors(x: ArrayLike<number>, faces: Uint32Array, rest: Float64Array): Float64Array {
  if (faceScratch.length < 2 * faces.length) faceScratch = new Float64Array(2 * faces.length);
  const out = faceScratch;
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [3 * faces[f]!, 3 * faces[f + 1]!, 3 * faces[f + 2]!];
    const [m0, m1, , m3] = rest.subarray((5 * f) / 3, (5 * f) / 3 + 4) as unknown as [number, number, number, number];
    const [u0, u1, u2] = [m0 * (x[b]! - x[a]!), m0 * (x[b + 1]! - x[a + 1]!), m0 * (x[b + 2]! - x[a + 2]!)];
    const v0 = m1 * (x[b]! - x[a]!) + m3 * (x[c]! - x[a]!);
    const v1 = m1 * (x[b + 1]! - x[a + 1]!) + m3 * (x[c + 1]! - x[a + 1]!);
    const v2 = m1 * (x[b + 2]! - x[a + 2]!) + m3 * (x[c + 2]! - x[a + 2]!);
    const uu = u0 * u0 + u1 * u1 + u2 * u2;
    const uv = u0 * v0 + u1 * v1 + u2 * v2;
    const vv = v0 * v0 + v1 * v1 + v2 * v2;
    // FᵀF has the eigenvalues mean ± radius, at an angle and across it.
    const [mean, radius] = [0.5 * (uu + vv), Math.hypot(0.5 * (uu - vv), uv)];
    const angle = 0.5 * Math.atan2(2 * uv, uu - vv);
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    out.fill(0, 2 * f, 2 * f + 6);
    addStretch(out, 2 * f, mean + radius, cos * u0 + sin * v0, cos * u1 + sin * v1, cos * u2 + sin * v2);
    addStretch(out, 2 * f, mean - radius, cos * v0 - sin * u0, cos * v1 - sin * u1, cos * v2 - sin * u2);
  }
  return out;
}

/** Adds (σ − 1) d dᵀ for a stretch with σ² = squared and σ d = (x, y, z), where it is one. */
function addStretch(out: Float64Array, at: number, squared: number, x: number, y: number, z: number): void {
  if (!(squared > 1)) return;
  const scale = (Math.sqrt(squared) - 1) / squared;
  out[at]! += scale * x * x;
  out[at + 1]! += scale * y * y;
  out[at + 2]! += scale * z * z;
  out[at + 3]! += scale * x * y;
  out[at + 4]! += scale * y * z;
  out[at + 5]! += scale * z * x;
}
