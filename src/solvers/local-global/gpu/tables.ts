/**
 * What the kernels of a group read and never write, for bodies one after the other: records of shaders/local-global, filled
 * from models and their sparse inverses.
 */
import { structs } from "../../../generated/shaders";
import { buildIncidence } from "../../../geometry/incidence";
import { StructWriter } from "../../../gpu/struct";
import { principalModels } from "../../../materials/principal-density";
import type { SparseInverse } from "../../../math/sparse/sparse-inverse";
import { elementWeight } from "../element-map";
import type { BodySystem } from "../body-system";
import type { ElementTerm, LocalGlobalModel } from "../model";

/** Rows of at most so many columns are an invocation's work: `SHORT_ROW` in forward.wgsl. */
const SHORT_ROW = 128;
/** Rows that share a workgroup. */
const TILE = 4;
const NO_COLUMN = 0xffffffff;

/** A body with the factor that holds for it. */
export interface TabledBody {
  readonly model: LocalGlobalModel;
  readonly system: BodySystem;
}

/** Elements of all bodies that have the same number of columns and corners: one dispatch. */
export interface ElementKind {
  readonly columns: 1 | 2 | 3;
  readonly arity: number;
  readonly firstElement: number;
  readonly elementCount: number;
  readonly firstCorner: number;
  readonly firstDual: number;
  readonly firstOutput: number;
}

/** A stretch of vec4f. */
export interface Stretch {
  readonly first: number;
  readonly count: number;
}

/** Columns whose values are in one buffer. */
export interface ValueChunk {
  readonly firstColumn: number;
  readonly endColumn: number;
  readonly values: Float32Array<ArrayBuffer>;
}

export interface ElementTables {
  readonly kinds: readonly ElementKind[];
  readonly corners: ArrayBuffer;
  readonly elements: ArrayBuffer;
  readonly materials: ArrayBuffer;
  readonly incidenceOffsets: Uint32Array;
  /** of each corner at a vertex: its number, and its element's first output × 4 + columns */
  readonly incidence: Uint32Array;
  /** of each body, by the numbers of its terms that have any */
  readonly duals: readonly ReadonlyMap<number, Stretch>[];
  readonly dualCount: number;
  readonly outputCount: number;
}

export interface SparseTables {
  readonly columns: ArrayBuffer;
  readonly chunks: readonly ValueChunk[];
  /** first column of each block */
  readonly blocks: Uint32Array<ArrayBuffer>;
  /** rows that are a workgroup's work: first × 4 + number − 1 */
  readonly tiles: Uint32Array<ArrayBuffer>;
  /** column and body of each vertex */
  readonly vertices: Uint32Array<ArrayBuffer>;
}

/** Number of the first vertex of each body, and behind the last the number of all. */
export function firstVertices(bodies: readonly { readonly model: LocalGlobalModel }[]): number[] {
  const first = [0];
  for (const { model } of bodies) first.push(first.at(-1)! + model.particleCount);
  return first;
}

/** @param mostBytes that a buffer may have */
export function sparseTables(bodies: readonly TabledBody[], mostBytes: number): SparseTables {
  const first = firstVertices(bodies);
  const count = first.at(-1)!;
  const columns = new StructWriter(structs.SparseColumn, count);
  const vertices = new Uint32Array(2 * count);
  const blocks: number[] = [];
  const tiles: number[] = [];
  const chunks = new ChunkFiller(mostBytes);
  bodies.forEach(({ system: { inverse } }, b) => {
    const offset = first[b]!;
    const { starts, blockCount, blockOf, parentOf, depth } = inverse.tree;
    const descendant = firstDescendants(inverse);
    for (let t = 0; t < blockCount; t++) {
      const start = starts[t]!;
      const width = starts[t + 1]! - start;
      blocks.push(offset + start);
      const at = chunks.add(inverse, t, offset + start);
      for (let j = start; j < start + width; j++) {
        const i = offset + j;
        columns.set(i, "at", at + depth[start]! * width + (j - start));
        columns.set(i, "width", width);
        columns.set(i, "depth", depth[j]!);
        columns.set(i, "first", offset + descendant[j]!);
        columns.set(i, "blockEnd", offset + starts[t + 1]!);
        columns.set(i, "parent", parentOf[t]! < 0 ? NO_COLUMN : offset + parentOf[t]!);
        columns.set(i, "vertex", offset + inverse.order[j]!);
        columns.set(i, "body", b);
        vertices.set([i, b], 2 * (offset + inverse.order[j]!));
      }
    }
    for (let j = 0; j < inverse.size;) {
      if (j - descendant[j]! < SHORT_ROW) {
        j++;
        continue;
      }
      let end = j + 1;
      while (end < inverse.size && blockOf[end] === blockOf[j] && end - j < TILE) end++;
      tiles.push(TILE * (offset + j) + end - j - 1);
      j = end;
    }
  });
  return {
    columns: columns.bytes,
    chunks: chunks.finish(count),
    blocks: Uint32Array.from(blocks),
    tiles: Uint32Array.from(tiles),
    vertices,
  };
}

/** Of each column the first of its descendants, which lie before it without gaps. */
function firstDescendants({ tree, size }: SparseInverse): Int32Array {
  const { starts, blockOf, parentOf } = tree;
  const first = Int32Array.from({ length: size }, (_, j) => j);
  for (let j = 0; j < size; j++) {
    const t = blockOf[j]!;
    const parent = j + 1 < starts[t + 1]! ? j + 1 : parentOf[t]!;
    if (parent >= 0) first[parent] = Math.min(first[parent]!, first[j]!);
  }
  return first;
}

/** Shares values of blocks out among as few buffers as hold them. */
class ChunkFiller {
  private readonly parts: { firstColumn: number; size: number; blocks: [SparseInverse, number, number][] }[] = [];

  constructor(private readonly mostBytes: number) {}

  /** @returns place of the block in its buffer */
  add(inverse: SparseInverse, t: number, column: number): number {
    const size = inverse.offsets[t + 1]! - inverse.offsets[t]!;
    let part = this.parts.at(-1);
    if (!part || 4 * (part.size + size) > this.mostBytes) {
      part = { firstColumn: column, size: 0, blocks: [] };
      this.parts.push(part);
    }
    part.blocks.push([inverse, t, part.size]);
    part.size += size;
    return part.size - size;
  }

  finish(columnCount: number): ValueChunk[] {
    return this.parts.map(({ firstColumn, size, blocks }, k) => {
      const values = new Float32Array(size);
      for (const [{ offsets, values: all }, t, at] of blocks) values.set(all.subarray(offsets[t], offsets[t + 1]), at);
      return { firstColumn, endColumn: this.parts[k + 1]?.firstColumn ?? columnCount, values };
    });
  }
}

/** A without its diagonal: rows of vertices. */
export function matrixTables(bodies: readonly TabledBody[]): { offsets: Uint32Array; entries: ArrayBuffer } {
  const first = firstVertices(bodies);
  const offsets = new Uint32Array(first.at(-1)! + 1);
  let total = 0;
  for (const { system } of bodies) total += system.matrix.columns.length - system.matrix.size;
  const entries = new StructWriter(structs.MatrixEntry, total);
  let at = 0;
  bodies.forEach(({ system: { matrix } }, b) => {
    for (let i = 0; i < matrix.size; i++) {
      offsets[first[b]! + i] = at;
      for (let k = matrix.offsets[i]!; k < matrix.offsets[i + 1]!; k++) {
        if (matrix.columns[k] === i) continue;
        entries.set(at, "vertex", first[b]! + matrix.columns[k]!);
        entries.set(at++, "value", matrix.values[k]!);
      }
    }
  });
  offsets[first.at(-1)!] = at;
  return { offsets, entries: entries.bytes };
}

interface PlacedTerm {
  readonly body: number;
  readonly term: ElementTerm;
  /** in its model */
  readonly index: number;
  readonly material: number;
}

export function elementTables(bodies: readonly TabledBody[]): ElementTables {
  const first = firstVertices(bodies);
  const groups = groupedTerms(bodies);
  const all = [...groups.values()].flat();
  const count = (of: (term: ElementTerm) => number): number => all.reduce((sum, { term }) => sum + of(term), 0);
  const corners = new StructWriter(
    structs.LocalGlobalCorner,
    count((term) => term.indices.length),
  );
  const elements = new StructWriter(
    structs.LocalGlobalElement,
    count((term) => term.elementCount),
  );
  const materials = new StructWriter(structs.LocalGlobalMaterial, all.length);
  const cornerVertices = new Uint32Array(corners.count);
  const cornerOutputs = new Uint32Array(corners.count);
  const duals = bodies.map(() => new Map<number, Stretch>());
  const kinds: ElementKind[] = [];
  let [element, corner, dual, output] = [0, 0, 0, 0];
  for (const terms of groups.values()) {
    const { columns, arity } = terms[0]!.term;
    const begin = { firstElement: element, firstCorner: corner, firstDual: dual, firstOutput: output };
    for (const { body, term, index, material } of terms) {
      writeMaterial(materials, material, term);
      for (let e = 0; e < term.elementCount; e++) {
        elements.set(element, "weight", elementWeight(term, e));
        elements.set(element, "restLength", term.restLengths?.[e] ?? 0);
        elements.set(element, "material", material);
        elements.set(element++, "body", body);
        for (let a = e * arity; a < (e + 1) * arity; a++) {
          cornerVertices[corner] = first[body]! + term.indices[a]!;
          cornerOutputs[corner] = 4 * output + columns;
          corners.set(corner, "gradient", term.coefficients.subarray(a * columns, (a + 1) * columns));
          corners.set(corner, "vertex", cornerVertices[corner]!);
          corner++;
        }
        output += columns;
      }
      if (columns === 1) continue;
      duals[body]!.set(index, { first: dual, count: columns * term.elementCount });
      dual += columns * term.elementCount;
    }
    kinds.push({ columns, arity, ...begin, elementCount: element - begin.firstElement });
  }
  const { offsets, entries } = buildIncidence(cornerVertices, first.at(-1)!);
  const incidence = new Uint32Array(2 * entries.length);
  entries.forEach((k, i) => incidence.set([k, cornerOutputs[k]!], 2 * i));
  return {
    kinds,
    corners: corners.bytes,
    elements: elements.bytes,
    materials: materials.bytes,
    incidenceOffsets: offsets,
    incidence,
    duals,
    dualCount: dual,
    outputCount: output,
  };
}

/** Terms by what makes them one dispatch. */
function groupedTerms(bodies: readonly TabledBody[]): Map<string, PlacedTerm[]> {
  const groups = new Map<string, PlacedTerm[]>();
  let material = 0;
  bodies.forEach(({ model }, body) => {
    for (const [index, term] of model.terms.entries()) {
      const key = `${term.columns} ${term.arity}`;
      groups.set(key, [...(groups.get(key) ?? []), { body, term, index, material: material++ }]);
    }
  });
  return groups;
}

function writeMaterial(
  writer: StructWriter<typeof structs.LocalGlobalMaterial>,
  index: number,
  { material }: ElementTerm,
): void {
  if (!material) return;
  const { model, mu, lambda, weight, limits } = material;
  writer.set(index, "mu", mu / weight);
  writer.set(index, "lambda", lambda / weight);
  writer.set(index, "least", limits?.[0] ?? -LARGE);
  writer.set(index, "greatest", limits?.[1] ?? LARGE);
  writer.set(index, "model", principalModels.indexOf(model));
}

/** No limit, in f32. */
const LARGE = 1e30;
