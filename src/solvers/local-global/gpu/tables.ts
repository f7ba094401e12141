/**
 * Tables that the kernels of a group read and never write, for bodies one after the other: records of shaders/local-global, filled
 * from models and their sparse inverses.
 */
import * as structs from "../../../generated/structs";
import { buildIncidence, NO_VERTEX } from "../../../geometry/surface/incidence";
import { StructWriter } from "../../../gpu/struct";
import { principalModels } from "../../../materials/solid-material";
import { elementWeight } from "../body/element-map";
import { flatInertias } from "../body/flat-inertias";
import type { BodySystem } from "../body/body-system";
import type { ElementTerm, LocalGlobalModel } from "../model";
import { firstDescendants, quadTables, type QuadTables, wholeQuads } from "./quad-tables";

const NO_COLUMN = 0xffffffff;

/** A body with the factor that holds for it. */
export interface TabledBody {
  readonly model: LocalGlobalModel;
  readonly system: BodySystem;
}

/** Elements of all bodies of one kind that have the same number of columns and corners: one dispatch. */
export interface ElementKind {
  readonly of: ElementTerm["kind"];
  readonly columns: 1 | 2 | 3;
  readonly arity: number;
  /** records in the list of corners: those, and of what is curved at rest a column of its curvature each */
  readonly stride: number;
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

export interface SparseTables extends QuadTables {
  readonly columns: ArrayBuffer;
  /** column and body of each vertex */
  readonly vertices: Uint32Array<ArrayBuffer>;
}

/**
 * Number of the first vertex of each body, and behind the last the number of all. Bodies have whole quads, see quad-tables.ts, and the
 * vertices that fill the last one have no mass: products with S load quads as a whole, and zero times what is not finite would
 * pass on from a broken body to its neighbour.
 */
export function firstVertices(bodies: readonly { readonly model: LocalGlobalModel }[]): number[] {
  const first = [0];
  for (const { model } of bodies) first.push(first.at(-1)! + wholeQuads(model.particleCount));
  return first;
}

/** @param mostBytes that a buffer may have */
export function sparseTables(bodies: readonly TabledBody[], mostBytes: number): SparseTables {
  const first = firstVertices(bodies);
  const count = first.at(-1)!;
  const columns = new StructWriter(structs.SparseColumn, count);
  const vertices = new Uint32Array(2 * count);
  const quads = quadTables(
    bodies.map(({ system }) => system.inverse),
    mostBytes,
  );
  bodies.forEach(({ system: { inverse } }, b) => {
    const offset = first[b];
    const { starts, blockOf, parentOf, depth } = inverse.tree;
    firstDescendants(inverse.tree).forEach((descendant, j) => {
      const i = offset + j;
      const t = blockOf[j];
      columns.set(i, "at", (4 * quads.at[i >> 2] + (i & 3)) >>> 0);
      columns.set(i, "depth", depth[j]);
      columns.set(i, "first", offset + descendant);
      columns.set(i, "blockEnd", offset + starts[t + 1]);
      columns.set(i, "parent", parentOf[t] < 0 ? NO_COLUMN : offset + parentOf[t]);
      columns.set(i, "vertex", offset + inverse.order[j]);
      columns.set(i, "body", b);
      vertices.set([i, b], 2 * (offset + inverse.order[j]));
    });
    for (let i = offset + inverse.size; i < first[b + 1]; i++) {
      columns.set(i, "first", i);
      columns.set(i, "blockEnd", i + 1);
      columns.set(i, "parent", NO_COLUMN);
      columns.set(i, "vertex", i);
      columns.set(i, "body", b);
      vertices.set([i, b], 2 * i);
    }
  });
  return { ...quads, columns: columns.bytes, vertices };
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
    for (let i = 0; i < first[b + 1] - first[b]; i++) {
      offsets[first[b] + i] = at;
      if (i >= matrix.size) continue;
      for (let k = matrix.offsets[i]; k < matrix.offsets[i + 1]; k++) {
        if (matrix.columns[k] === i) continue;
        entries.set(at, "vertex", first[b] + matrix.columns[k]);
        entries.set(at++, "value", matrix.values[k]);
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

export function elementTables(bodies: readonly TabledBody[]) {
  const first = firstVertices(bodies);
  const groups = groupedTerms(bodies);
  const all = [...groups.values()].flat();
  const count = (of: (term: ElementTerm) => number): number => all.reduce((sum, { term }) => sum + of(term), 0);
  const corners = new StructWriter(
    structs.LocalGlobalCorner,
    count((term) => strideOf(term) * term.elementCount),
  );
  const elements = new StructWriter(
    structs.LocalGlobalElement,
    count((term) => term.elementCount),
  );
  const materials = new StructWriter(structs.LocalGlobalMaterial, all.length);
  const cornerVertices = new Uint32Array(corners.count).fill(NO_VERTEX);
  const cornerOutputs = new Uint32Array(corners.count);
  const duals = bodies.map(() => new Map<number, Stretch>());
  const kinds: ElementKind[] = [];
  const ranges = new StructWriter(structs.TermRange, all.length);
  let [element, corner, dual, output] = [0, 0, 0, 0];
  for (const terms of groups.values()) {
    const { kind, columns, arity } = terms[0].term;
    const stride = strideOf(terms[0].term);
    const begin = { firstElement: element, firstCorner: corner, firstDual: dual, firstOutput: output };
    for (const { body, term, index, material } of terms) {
      writeMaterial(materials, material, term);
      ranges.put(material, { firstElement: element, elementCount: term.elementCount, body });
      const inertias = flatInertias(term, bodies[body].model.masses);
      for (let e = 0; e < term.elementCount; e++) {
        elements.set(element, "weight", elementWeight(term, e));
        elements.set(element, "material", material);
        elements.set(element, "inertia", inertias?.[e] ?? 0);
        elements.set(element++, "body", body);
        for (let a = e * arity; a < (e + 1) * arity; a++) {
          cornerVertices[corner] = first[body] + term.indices[a];
          cornerOutputs[corner] = 4 * output + columns;
          corners.set(corner, "gradient", term.coefficients.subarray(a * columns, (a + 1) * columns));
          corners.set(corner, "vertex", cornerVertices[corner]);
          corner++;
        }
        for (let c = 0; term.restCurvatures && c < columns; c++) {
          const rest = [0, 1, 2].map((i) => term.restCurvatures![columns * (3 * e + i) + c]);
          corners.set(corner++, "gradient", rest);
        }
        output += columns;
      }
      if (kind === "bending") continue;
      duals[body].set(index, { first: dual, count: columns * term.elementCount });
      dual += columns * term.elementCount;
    }
    kinds.push({ of: kind, columns, arity, stride, ...begin, elementCount: element - begin.firstElement });
  }
  const { offsets, entries } = buildIncidence(cornerVertices, first.at(-1)!);
  const incidence = new Uint32Array(2 * entries.length);
  entries.forEach((k, i) => incidence.set([k, cornerOutputs[k]], 2 * i));
  return {
    kinds,
    corners: corners.bytes,
    elements: elements.bytes,
    /** of all terms of the first body, then those of the second */
    materials,
    incidenceOffsets: offsets,
    /** of each corner at a vertex: its number, and its element's first output × 4 + columns */
    incidence,
    /** of each body, by the numbers of its terms that have any */
    duals,
    dualCount: dual,
    outputCount: output,
    elementCount: element,
    /** a `TermRange` for each term of a body */
    terms: ranges.bytes,
  };
}

function strideOf({ arity, columns, restCurvatures }: ElementTerm): number {
  return arity + (restCurvatures ? columns : 0);
}

/** Terms by what makes them one dispatch. */
function groupedTerms(bodies: readonly TabledBody[]): Map<string, PlacedTerm[]> {
  const groups = new Map<string, PlacedTerm[]>();
  let material = 0;
  bodies.forEach(({ model }, body) => {
    for (const [index, term] of model.terms.entries()) {
      const key = `${term.kind} ${term.columns} ${term.arity} ${strideOf(term)}`;
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
  writer.set(index, "share", 1);
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
