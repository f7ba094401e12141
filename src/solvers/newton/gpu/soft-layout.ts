import * as structs from "../../../generated/structs";
import type { FemBody } from "../deformable/fem-body";
import type { FemModel } from "../deformable/fem-model";
import { RecordTable } from "./record-table";
import { ElementTable } from "./soft-elements";

/** Place of a body in the tables. */
export interface SoftPart {
  readonly body: FemBody;
  /** the model in the tables; the body may have a newer one */
  readonly model: FemModel;
  /** place of each particle in the order of elimination */
  readonly order: Int32Array;
  readonly firstNode: number;
  readonly firstElement: number;
  /** number of the element after its last one */
  readonly endElement: number;
}

/**
 * Constant data of deformable bodies, as the tables of shaders/newton/deformable/model.wgsl. Nodes are in the order of
 * elimination, body after body; fixed nodes and their goals are filled in for each frame.
 */
export class SoftLayout {
  readonly parts: readonly SoftPart[];
  readonly elements = new ElementTable();
  readonly nodes = new RecordTable(structs.FemNode);
  /** number of blocks of the matrices */
  readonly entryCount: number;
  readonly entryRows: Uint32Array<ArrayBuffer>;
  readonly nodeCorners: Uint32Array<ArrayBuffer>;
  readonly entryParts: Uint32Array<ArrayBuffer>;
  /** first column node of each node's row, and number of the row's first entry */
  private readonly firstColumn: Int32Array;
  private readonly firstEntry: Int32Array;

  constructor(bodies: readonly FemBody[]) {
    const count = bodies.reduce((sum, body) => sum + body.count, 0);
    this.firstColumn = new Int32Array(count);
    this.firstEntry = new Int32Array(count);
    const parts: SoftPart[] = [];
    let [firstNode, entries] = [0, 0];
    for (const body of bodies) {
      const { place, first } = body.matrix.pattern;
      const from = firstNode;
      const firstElement = this.elements.records.count;
      this.elements.append(body.model, (particle) => from + place[particle]);
      const endElement = this.elements.records.count;
      parts.push({ body, model: body.model, order: place, firstNode, firstElement, endElement });
      for (let k = 0; k < body.count; k++) {
        const node = from + k;
        this.firstColumn[node] = from + first[3 * k] / 3;
        this.firstEntry[node] = entries;
        entries += node - this.firstColumn[node] + 1;
      }
      this.appendNodes(body, parts.length - 1, from);
      firstNode += body.count;
    }
    this.parts = parts;
    this.entryCount = entries;
    this.entryRows = new Uint32Array(entries);
    for (let node = 0; node < count; node++) {
      const at = this.firstEntry[node];
      this.entryRows.fill(node, at, at + node - this.firstColumn[node] + 1);
    }
    this.nodeCorners = this.gatherCorners(count);
    this.entryParts = this.gatherParts();
  }

  /** number of particles in all bodies */
  get nodeCount(): number {
    return this.firstColumn.length;
  }

  /** Node of a particle. */
  nodeOf({ order, firstNode }: SoftPart, particle: number): number {
    return firstNode + order[particle];
  }

  /** Whether these tables match the current models of some bodies. */
  isOf(bodies: readonly FemBody[]): boolean {
    const { parts } = this;
    return (
      bodies.length === parts.length &&
      bodies.every((body, k) => body === parts[k].body && body.model === parts[k].model)
    );
  }

  /** Writes flags of fixed particles, springs and their targets. Returns whether anything has changed. */
  updateGoals(): boolean {
    const { f32, u32, stride } = this.nodes;
    const [goal, low, isFixed] = [this.nodes.at("goal"), this.nodes.at("goalLow"), this.nodes.at("isFixed")];
    const spring = this.nodes.at("spring");
    let changed = false;
    for (const part of this.parts) {
      const { fixed, targets, springs } = part.body;
      for (let p = 0; p < part.body.count; p++) {
        const at = stride * this.nodeOf(part, p);
        if (u32[at + isFixed] !== fixed[p]) {
          u32[at + isFixed] = fixed[p]!;
          changed = true;
        }
        const stiffness = Math.fround(springs[p]);
        if (f32[at + spring] !== stiffness) {
          f32[at + spring] = stiffness;
          changed = true;
        }
        if (fixed[p] === 0 && stiffness === 0) continue;
        for (let k = 0; k < 3; k++) {
          const value = targets[3 * p + k];
          const high = Math.fround(value);
          const rest = Math.fround(value - high);
          if (f32[at + goal + k] === high && f32[at + low + k] === rest) continue;
          f32[at + goal + k] = high;
          f32[at + low + k] = rest;
          changed = true;
        }
      }
    }
    return changed;
  }

  private appendNodes(body: FemBody, index: number, firstNode: number): void {
    const { nodes } = this;
    for (let k = 0; k < body.count; k++) nodes.append();
    const lastRow = nodes.at("lastRow");
    for (let p = 0; p < body.count; p++) {
      const node = firstNode + body.matrix.pattern.place[p];
      const at = nodes.stride * node;
      nodes.f32[at + nodes.at("mass")] = body.model.masses[p]!;
      nodes.u32[at + nodes.at("body")] = index;
      nodes.u32[at + nodes.at("particle")] = firstNode + p;
      nodes.u32[at + nodes.at("firstColumn")] = this.firstColumn[node]!;
      nodes.u32[at + nodes.at("firstEntry")] = this.firstEntry[node]!;
    }
    // Nodes are visited in ascending order, so that the last one remains.
    for (let node = firstNode; node < firstNode + body.count; node++)
      for (let column = this.firstColumn[node]; column <= node; column++)
        nodes.u32[nodes.stride * column + lastRow] = node;
  }

  private corner(element: number, a: number): number {
    const { records } = this.elements;
    return records.u32[records.stride * element + records.at("corners") + a];
  }

  private gatherCorners(count: number): Uint32Array<ArrayBuffer> {
    const { arity } = this.elements;
    const visit = (use: (row: number, value: number) => void): void =>
      arity.forEach((corners, e) => {
        for (let a = 0; a < corners; a++) use(this.corner(e, a), 4 * e + a);
      });
    return compressedRows(count, visit);
  }

  private gatherParts(): Uint32Array<ArrayBuffer> {
    const { arity } = this.elements;
    const visit = (use: (row: number, value: number) => void): void =>
      arity.forEach((corners, e) => {
        for (let a = 0; a < corners; a++)
          for (let b = 0; b <= a; b++) {
            const [i, k] = [this.corner(e, a), this.corner(e, b)];
            const [row, column] = i >= k ? [i, k] : [k, i];
            const entry = this.firstEntry[row] + column - this.firstColumn[row];
            use(entry, 32 * e + 2 * ((a * (a + 1)) / 2 + b) + (i >= k ? 0 : 1));
          }
      });
    return compressedRows(this.entryCount, visit);
  }
}

/**
 * Lists of values by row: `count` + 1 starts of rows, then the values.
 *
 * @param visit calls its argument with row and value of all of them, always in the same order
 */
export function compressedRows(
  count: number,
  visit: (use: (row: number, value: number) => void) => void,
): Uint32Array<ArrayBuffer> {
  const sizes = new Uint32Array(count);
  let total = 0;
  visit((row) => {
    sizes[row]++;
    total++;
  });
  const result = new Uint32Array(count + 1 + total);
  let at = count + 1;
  for (let row = 0; row < count; row++) {
    result[row] = at;
    at += sizes[row];
  }
  result[count] = at;
  sizes.fill(0);
  visit((row, value) => (result[result[row] + sizes[row]++] = value));
  return result;
}
