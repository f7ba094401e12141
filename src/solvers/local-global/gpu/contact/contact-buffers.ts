/** Buffers of contact for a group on the GPU: what is known of its surfaces, and room for contacts and for entries of A⁻¹. */
import * as constants from "../../../../generated/constants";
import * as structs from "../../../../generated/structs";
import type { GpuContext } from "../../../../gpu/device";
import { StructWriter } from "../../../../gpu/struct";
import type { SparseInverse } from "../../../../math/sparse/sparse-inverse";
import type { GroupBody } from "../../body/group-body";
import { facesWith, type SurfaceFeatures } from "../../detect/surface-features";
import { UNIFORM_SLOT } from "../passes";
import { wideBytes } from "./wide-solve";

/** Entries of G for which there is room without having been asked for. */
const FIRST_ENTRIES = 1 << 20;
/** Contacts for which there is room at least, where there may be so many. */
const FIRST_CONTACTS = 4096;
/** Pairs of surfaces for which there is room at first, for each of their vertices. */
const FIRST_PAIRS = 40;
const NO_VERTEX = 0xffffffff;

/**
 * Slots of `ContactStep` for a substep: detection for the first pass, for a later one, to see whether there is need for one;
 * last iteration; to see which bodies are deep in obstacles; to write the contacts that were counted.
 */
export const enum Slot {
  first,
  later,
  check,
  lastIteration,
  deep,
  write,
}
export const STEP_SLOTS = 6;

/** Owners of contacts on one body: vertices, edges, faces, then vertices inside, each with their body. */
export interface ContactOwners {
  /** vertices of surfaces */
  readonly vertexOwners: number;
  /** where vertices inside begin */
  readonly innerOwners: number;
  /** all of them */
  readonly featureOwners: number;
  /** vertices and edges that may meet other surfaces, at most */
  readonly mostSurfaceOwners: number;
  readonly records: ArrayBuffer;
  /** values of S in the columns of all vertices of surfaces */
  readonly columnValues: number;
  /** in those of all others */
  readonly innerValues: number;
  /** entries of G if all vertices are touched at once, and it is stored */
  readonly squares: number;
}

/** @param first number of the first vertex of each body */
export function contactOwners(bodies: readonly GroupBody[], first: readonly number[]): ContactOwners {
  const vertexOwners = bodies.reduce((sum, { surface }) => sum + surface.length, 0);
  const faceOwners = bodies.reduce((sum, { model }) => sum + model.faces.length / 3, 0);
  const edgeOwners = bodies.reduce((sum, { features }) => sum + features.edges.length / 2, 0);
  const innerOwners = vertexOwners + edgeOwners + faceOwners;
  const featureOwners = innerOwners + bodies.reduce((sum, { inner }) => sum + inner.length, 0);
  const owners: (readonly [vertices: Uint32Array, body: number, faces: readonly number[]])[] = [];
  let [columnValues, innerValues, squares] = [0, 0, 0];
  const addAll = (corners: Uint32Array, count: number, body: number, rims?: SurfaceFeatures): void => {
    for (let i = 0; i < corners.length; i += count) {
      const vertices = corners.subarray(i, i + count);
      owners.push([vertices, body, rims ? facesWith(rims, vertices) : []]);
    }
  };
  bodies.forEach(({ surface, inner, rims, system: { inverse } }, b) => {
    addAll(surface, 1, b, rims);
    columnValues += columnLengths(surface, inverse);
    innerValues += columnLengths(inner, inverse);
    squares += (surface.length + inner.length) ** 2;
  });
  bodies.forEach(({ rims, features: { edges } }, b) => addAll(edges, 2, b, rims));
  bodies.forEach(({ rims, features: { faces } }, b) => addAll(faces, 3, b, rims));
  bodies.forEach(({ inner }, b) => addAll(inner, 1, b));
  // an edge has a face, and a face three edges
  const mostSurfaceOwners = vertexOwners + 3 * faceOwners;
  const counts = { vertexOwners, innerOwners, featureOwners, mostSurfaceOwners };
  const records = ownerRecords(bodies, owners, first);
  return { ...counts, records, columnValues, innerValues, squares };
}

/** Owners, and behind them the faces at each. */
function ownerRecords(
  bodies: readonly GroupBody[],
  owners: readonly (readonly [vertices: Uint32Array, body: number, faces: readonly number[]])[],
  first: readonly number[],
): ArrayBuffer {
  let behind = owners.length;
  const writer = new StructWriter(
    structs.ContactOwner,
    owners.reduce((sum, [, , faces]) => sum + faces.length, behind),
  );
  const put = (at: number, vertices: Uint32Array, body: number): void => {
    const corners = [0, 1, 2].map((c) => (c < vertices.length ? first[body] + vertices[c] : NO_VERTEX));
    writer.set(at, "vertices", corners);
    writer.set(at, "body", body);
  };
  owners.forEach(([vertices, body, faces], at) => {
    put(at, vertices, body);
    writer.set(at, "firstFace", behind);
    for (const face of faces) put(behind++, bodies[body].model.faces.subarray(face, face + 3), body);
    writer.set(at, "endFace", behind);
  });
  return writer.bytes;
}

function columnLengths(surface: Uint32Array, { tree, place }: SparseInverse): number {
  let sum = 0;
  for (const v of surface) sum += tree.depth[place[v]];
  return sum;
}

/** Values of S and of held vertices that contact needs if all of a body's surface is touched. */
export function contactValues({ surface, system, pinSolver }: GroupBody): number {
  return columnLengths(surface, system.inverse) + surface.length * pinSolver.vertices.length;
}

/** Rooms that grow. */
export interface ContactRoom {
  readonly contacts: number;
  /** f32 in `delassus` */
  readonly values: number;
  /** rigid bodies */
  readonly rigid: number;
}

/**
 * First sizes: room for all possible contacts with obstacles, at most for a usual number, and for one of each vertex with a surface.
 *
 * @param extra values that held vertices and cables add
 */
export function firstRoom(
  owners: ContactOwners,
  obstacles: number,
  extra: number,
  hasSurfaces: boolean,
): { contacts: number; values: number } {
  const count = owners.featureOwners;
  const withObstacles = Math.min(count * obstacles, Math.max(count, FIRST_CONTACTS));
  return {
    contacts: Math.max(1, withObstacles + (hasSurfaces ? owners.vertexOwners : 0)),
    values: owners.columnValues + extra + Math.min(mostEntries(owners, extra), FIRST_ENTRIES),
  };
}

/**
 * Entries of G that are stored at most: no more than `ENTRIES_PER_VALUE` times the values of columns that products would read in their place.
 *
 * @param extra values that held vertices and cables add
 */
export function mostEntries({ columnValues, squares }: ContactOwners, extra: number): number {
  return Math.min(squares, constants.ENTRIES_PER_VALUE * (columnValues + extra));
}

/** Pairs for which there is room at first. */
export function firstPairs(vertices: number): number {
  return FIRST_PAIRS * vertices;
}

/** Buffers whose sizes do not depend on the number of contacts. */
export function createFixedBuffers(
  context: GpuContext,
  owners: ContactOwners,
  vertexCount: number,
  bodyCount: number,
  substeps: number,
) {
  const create = (what: string, data: ArrayBufferView | number, usage = 0): GPUBuffer =>
    context.createBuffer(`local-global contact ${what}`, data, usage);
  const starts = owners.featureOwners + owners.mostSurfaceOwners + 1;
  return {
    surfaceStart: create("places", 16 * vertexCount),
    surfaceShift: create("ways", 16 * vertexCount),
    owners: create("owners", new Uint8Array(owners.records)),
    contactOptions: create("options", structs.ContactOptions.size * bodyCount),
    // of the list, and of the one before
    ownerStart: create("starts", 4 * 2 * starts),
    keptStart: create("kept starts", 4 * starts),
    origins: create("origins", 16 * vertexCount),
    mostPairs: create("no pairs", 4),
    control: create("control", structs.ContactControl.size),
    wide: create("rounds", structs.WideContacts.size),
    groups: create("workgroups", structs.ContactGroups.size, GPUBufferUsage.INDIRECT),
    contactColumns: create("columns", structs.ContactColumn.size * vertexCount),
    touched: create("touched vertices", structs.TouchedVertex.size * vertexCount),
    contactStep: context.createUniformBuffer("local-global contact step", STEP_SLOTS * UNIFORM_SLOT * substeps),
  };
}

/** Buffers whose sizes depend on the number of contacts. */
export function createSizedBuffers(
  context: GpuContext,
  { contacts, values, rigid }: ContactRoom,
  vertexCount: number,
  bodyCount: number,
) {
  const create = (what: string, size: number): GPUBuffer => context.createBuffer(`local-global contact ${what}`, size);
  const rows = vertexCount + rigid + 1;
  const wide = wideBytes(contacts, bodyCount + rigid);
  return {
    // and the list before
    contacts: create("list", 2 * structs.SoftContact.size * contacts),
    keptContacts: create("kept list", structs.SoftContact.size * contacts),
    works: create("works", structs.SoftContactWork.size * contacts),
    contactTotals: create("sums", wide.contactTotals),
    nodeShares: create("shares", wide.nodeShares),
    incidence: create("incidence", 4 * 5 * contacts),
    delassus: create("values of W", 4 * values),
    rowStart: create("rows", 4 * rows),
    rowFill: create("row lengths", 4 * rows),
    nodes: create("nodes", structs.ContactNode.size * (bodyCount + rigid)),
  };
}
