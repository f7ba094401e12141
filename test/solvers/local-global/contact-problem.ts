import { structs } from "../../../src/generated/shaders";
import { StructWriter, type ReflectedStruct } from "../../../src/gpu/struct";
import type { World } from "../../../src/index";
import { localGlobalGroup } from "../../../src/world/lanes/local-global-cpu";
import { commonAncestor } from "../../../src/math/sparse/block-tree";
import type { SparseInverse } from "../../../src/math/sparse/sparse-inverse";
import type { RigidProxy } from "../../../src/collision/obstacles/rigid-proxy";
import type { ContactList } from "../../../src/collision/soft/contact-list";
import { CONTACT_VERTICES } from "../../../src/collision/soft/contact-table";
import type { Delassus } from "../../../src/solvers/local-global/contact/delassus";

/** The contacts of the last step of a world on the CPU, after their solve. */
export interface ContactProblem {
  readonly contacts: ContactList;
  readonly delassus: Delassus;
  readonly proxies: readonly RigidProxy[];
  /** δ without contact forces [m], and r [1/kg] */
  readonly free: Float64Array;
  readonly scale: Float64Array;
}

export function lastProblem(world: World): ContactProblem {
  const group = localGlobalGroup(world) as unknown as Omit<ContactProblem, "proxies">;
  // the twin of the kernels
  group.delassus.preconditioner.isJacobi = true;
  const { proxies } = group.delassus as unknown as { proxies: readonly RigidProxy[] };
  return { contacts: group.contacts, delassus: group.delassus, proxies, free: group.free, scale: group.scale };
}

/**
 * Buffers of `solveContacts`, with `free` as minus the offsets.
 *
 * @param isStored whether G is stored; else columns of S are, with the part that held vertices take off, for one body
 */
export function packProblem(
  { contacts, delassus, proxies, free, scale }: ContactProblem,
  z: Float64Array,
  settings: Readonly<Record<string, number>>,
  isStored = true,
): Record<string, Uint8Array<ArrayBuffer>> {
  const { count } = contacts;
  const parts = delassus.parts.map((part) => part.vertices.length);
  const firstOf = parts.map((_, k) => parts.slice(0, k).reduce((sum, n) => sum + n, 0));
  // touched vertices are ordered by columns
  const orders = delassus.parts.map(({ vertices, body: { system } }) =>
    [...vertices.keys()].sort((i, j) => system.inverse.place[vertices[i]] - system.inverse.place[vertices[j]]),
  );
  const ranks = orders.map((order) => order.map((_, i) => order.indexOf(i)));
  const touchedCount = parts.reduce((sum, n) => sum + n, 0);
  const list = writer(structs.SoftContact, count);
  const works = writer(structs.SoftContactWork, count);
  const rows: number[][] = Array.from({ length: touchedCount + proxies.length }, () => []);
  for (let n = 0; n < count; n++) {
    const slots = [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff];
    const weights = [0, 0, 0, 0];
    for (let i = 0; i < CONTACT_VERTICES; i++) {
      const at = CONTACT_VERTICES * n + i;
      if (contacts.body[at] < 0) break;
      slots[i] = firstOf[contacts.body[at]] + ranks[contacts.body[at]][delassus.slots[at]];
      weights[i] = contacts.weight[at]!;
      rows[slots[i]].push(4 * n + i);
    }
    const three = (values: Float64Array, at: number): number[] => [...values.subarray(at, at + 3)];
    list.set(n, "slots", slots);
    list.set(n, "weights", weights);
    list.set(n, "normal", three(contacts.frame, 9 * n));
    list.set(n, "tangent", three(contacts.frame, 9 * n + 3));
    list.set(n, "friction", contacts.friction[n]);
    list.set(n, "proxy", contacts.rigid[n] + 1);
    list.set(
      n,
      "offset",
      three(free, 3 * n).map((value) => -value),
    );
    list.set(n, "z", three(z, 3 * n));
    list.set(n, "point", three(contacts.point, 3 * n));
    works.set(n, "scale", three(scale, 3 * n));
    works.set(n, "diagonal", three(delassus.diagonal, 3 * n));
    if (contacts.rigid[n] >= 0) rows[touchedCount + contacts.rigid[n]].push(n);
  }
  const touched = writer(structs.TouchedVertex, touchedCount);
  const nodes = writer(structs.ContactNode, parts.length + proxies.length);
  const values: number[] = [];
  const incidence: number[] = [];
  delassus.parts.forEach((part, k) => {
    nodes.set(k, "first", firstOf[k]);
    nodes.set(k, "count", parts[k]);
    nodes.set(k, "heldCount", part.body.pinSolver.vertices.length);
    nodes.set(k, "entries", isStored ? values.length : 0xffffffff);
    if (isStored) for (const i of orders[k]) for (const j of orders[k]) values.push(part.entry(i, j));
    const turn = [0, 1, 2].flatMap((a) => {
      const out = new Float64Array(3);
      part.body.turning.angles([a === 0, a === 1, a === 2].map(Number), out);
      return [...out, 0];
    });
    nodes.set(k, "turn", turn);
    for (let i = 0; i < parts[k]; i++) {
      const slot = firstOf[k] + i;
      const own = orders[k][i];
      const column = part.body.system.column(part.vertices[own]);
      touched.set(slot, "arms", [...part.arms.subarray(3 * own, 3 * own + 3)]);
      touched.set(slot, "column", part.body.system.inverse.place[part.vertices[own]]);
      touched.set(slot, "at", values.length);
      touched.set(slot, "depth", column.length);
      if (!isStored) values.push(...column, ...part.body.pinSolver.column(part.vertices[own]));
      touched.set(slot, "body", k);
      touched.set(slot, "firstIncidence", incidence.length);
      incidence.push(...rows[slot]);
      touched.set(slot, "endIncidence", incidence.length);
    }
  });
  proxies.forEach(({ inverseMass, inverseInertia: i, centreNow }, p) => {
    const k = parts.length + p;
    nodes.set(k, "first", incidence.length);
    nodes.set(k, "count", rows[touchedCount + p].length);
    incidence.push(...rows[touchedCount + p]);
    nodes.set(k, "inverseMass", inverseMass);
    nodes.set(k, "turn", [i[0], i[3], i[4], 0, i[3], i[1], i[5], 0, i[4], i[5], i[2], 0]);
    nodes.set(k, "centre", [...centreNow]);
  });
  const control = writer(structs.ContactControl, 1);
  control.set(0, "count", count);
  control.set(0, "touched", touchedCount);
  const step = writer(structs.ContactStep, 1);
  const columns = packColumns(delassus.parts[0].body.system.inverse, delassus.parts[0].vertices);
  control.set(0, "isStored", isStored ? 1 : 0);
  const all = { ...settings, bodyCount: parts.length, rigidCount: proxies.length, vertexCount: columns.count };
  for (const [field, value] of Object.entries(all))
    step.set(0, field as keyof typeof structs.ContactStep.fields, value);
  return {
    contacts: new Uint8Array(list.bytes),
    works: new Uint8Array(works.bytes),
    touched: new Uint8Array(touched.bytes),
    nodes: new Uint8Array(nodes.bytes),
    incidence: new Uint8Array(Uint32Array.from([...incidence, 0]).buffer),
    delassus: new Uint8Array(Float32Array.from([...values, 0]).buffer),
    control: new Uint8Array(control.bytes),
    contactColumns: new Uint8Array(columns.bytes),
    contactStep: new Uint8Array(step.bytes),
  };
}

/** Columns of S, with the touched vertices among the descendants of each. */
function packColumns({ tree, place, size }: SparseInverse, vertices: readonly number[]) {
  const columns = writer(structs.ContactColumn, size);
  const touched = vertices.map((vertex) => place[vertex]).sort((i, j) => i - j);
  const isAncestor = (i: number, j: number): boolean => commonAncestor(tree, i, j) === i;
  for (let i = 0; i < size; i++) {
    const first = touched.findIndex((j) => isAncestor(i, j));
    const block = tree.blockOf[i];
    columns.set(i, "depth", tree.depth[i]);
    columns.set(i, "blockEnd", tree.starts[block + 1]);
    columns.set(i, "parent", tree.parentOf[block] < 0 ? 0xffffffff : tree.parentOf[block]);
    columns.set(i, "first", Math.max(0, first));
    columns.set(i, "end", first < 0 ? 0 : touched.findLastIndex((j) => isAncestor(i, j)) + 1);
  }
  return columns;
}

function writer<S extends ReflectedStruct>(layout: S, count: number): StructWriter<S> {
  return new StructWriter(layout, Math.max(1, count));
}

/** Three numbers of a field of each record. */
export function triples(bytes: ArrayBuffer, layout: ReflectedStruct, field: string, count: number): Float64Array {
  const floats = new Float32Array(bytes);
  const { offset } = layout.fields[field];
  const stride = Math.ceil(layout.size / layout.align) * layout.align;
  const out = new Float64Array(3 * count);
  for (let n = 0; n < count; n++) for (let c = 0; c < 3; c++) out[3 * n + c] = floats[(n * stride + offset) / 4 + c]!;
  return out;
}
