import * as structs from "../../../generated/structs";
import { rotateBack } from "../../../collision/shape/pose";
import { type BodyTable, Motion, POSE_SIZE, TWIST_SIZE } from "../motion/bodies";
import { SOFT_SIZE, type SoftContacts } from "../deformable/contact/soft-contacts";
import { NONE } from "./frame-tables";
import { RecordTable, WordList } from "./record-table";
import type { SoftLayout } from "./soft-layout";

/** Number of integers that identify a contact: source, part, body, feature. */
const KEY = 4;
const turned = new Float64Array(3);

/** Contacts of a frame as the records of shaders/newton/deformable/contact-model.wgsl. */
export class SoftContactTable {
  readonly records = new RecordTable(structs.FemContact);
  /** compressed rows: corners of contacts at each node */
  readonly nodeContacts = new WordList();
  /** nodes in the columns of all contacts */
  columnCount = 0;
  /** keys of the last frame's contacts, in ascending order */
  private keys = new Int32Array(0);
  private kept = 0;
  private sizes = new Uint32Array(0);

  /** Forgets impulses of the last frame. */
  forget(): void {
    this.kept = 0;
  }

  /**
   * Packs contacts, which are in ascending order of their keys.
   *
   * @param places places of the rigid bodies on the GPU, if moving ones are solved there, too
   */
  pack(contacts: SoftContacts, layout: SoftLayout, bodies: BodyTable, places?: Int32Array): void {
    const { records } = this;
    records.clear();
    this.columnCount = 0;
    let place = 0;
    for (let c = 0; c < contacts.count; c++) {
      const at = records.append();
      while (place < this.kept && this.compare(place, contacts, c) < 0) place++;
      const isKnown = place < this.kept && this.compare(place, contacts, c) === 0;
      records.u32[at + records.at("previous")] = isKnown ? place : NONE;
      this.packContact(at, contacts, c, layout, bodies);
      const slot = contacts.slot[c];
      records.u32[at + records.at("place")] = NONE;
      if (places && slot >= 0 && bodies.model.motion[slot] === Motion.dynamic)
        this.packRigid(at, bodies, slot, places[slot]);
    }
    this.keep(contacts);
    this.listCorners(layout.nodeCount);
  }

  private packContact(at: number, contacts: SoftContacts, c: number, layout: SoftLayout, bodies: BodyTable): void {
    const { records } = this;
    const { f32, u32 } = records;
    const part = layout.parts[contacts.body[c]];
    const { positions } = part.body;
    const { geometry } = contacts;
    const g = SOFT_SIZE * c;
    let firstNode = Infinity;
    for (let k = 0; k < 3; k++) {
      const node = layout.nodeOf(part, contacts.nodes[3 * c + k]);
      u32[at + records.at("nodes") + k] = node;
      f32[at + records.at("weights") + k] = contacts.weights[3 * c + k]!;
      if (contacts.weights[3 * c + k] !== 0) firstNode = Math.min(firstNode, node);
    }
    for (let k = 0; k < 3; k++) {
      f32[at + records.at("normal") + k] = geometry[g + k]!;
      // position of the point minus the gap
      let x = -contacts.gap[c] * geometry[g + k];
      for (let corner = 0; corner < 3; corner++)
        x += contacts.weights[3 * c + corner] * positions[3 * contacts.nodes[3 * c + corner] + k];
      f32[at + records.at("anchor") + k] = x;
      f32[at + records.at("anchorLow") + k] = x - Math.fround(x);
      f32[at + records.at("speed") + k] = geometry[g + 12 + k]!;
    }
    const slot = contacts.slot[c];
    if (slot >= 0) {
      const [rx, ry, rz] = [geometry[g + 9], geometry[g + 10], geometry[g + 11]];
      const v = bodies.state.velocity;
      const t = TWIST_SIZE * slot;
      f32[at + records.at("speed")] = v[t] + v[t + 4] * rz - v[t + 5] * ry;
      f32[at + records.at("speed") + 1] = v[t + 1] + v[t + 5] * rx - v[t + 3] * rz;
      f32[at + records.at("speed") + 2] = v[t + 2] + v[t + 3] * ry - v[t + 4] * rx;
    }
    f32[at + records.at("friction")] = contacts.friction[c]!;
    u32[at + records.at("body")] = contacts.body[c]!;
    u32[at + records.at("firstNode")] = firstNode;
    u32[at + records.at("column")] = this.columnCount;
    this.columnCount += part.firstNode + part.body.count - firstNode;
  }

  /** Packs normal and anchor in the axes of the rigid body, whose pose the GPU knows. */
  private packRigid(at: number, bodies: BodyTable, slot: number, place: number): void {
    const { records } = this;
    const { f32 } = records;
    const { pose } = bodies.state;
    const q = POSE_SIZE * slot;
    const [anchor, low, normal] = [at + records.at("anchor"), at + records.at("anchorLow"), at + records.at("normal")];
    rotateBack(pose, q, f32[normal], f32[normal + 1], f32[normal + 2], turned, 0);
    for (let k = 0; k < 3; k++) f32[normal + k] = turned[k]!;
    const [x, y, z] = [0, 1, 2].map((k) => f32[anchor + k] + f32[low + k] - pose[q + k]);
    rotateBack(pose, q, x, y, z, turned, 0);
    for (let k = 0; k < 3; k++) {
      f32[anchor + k] = turned[k]!;
      f32[low + k] = 0;
      f32[at + records.at("speed") + k] = 0;
    }
    records.u32[at + records.at("place")] = place;
  }

  private keep(contacts: SoftContacts): void {
    this.kept = contacts.count;
    if (this.keys.length < KEY * contacts.count) this.keys = new Int32Array(2 * KEY * contacts.count);
    for (let c = 0; c < contacts.count; c++) {
      this.keys[KEY * c] = contacts.source[c]!;
      this.keys[KEY * c + 1] = contacts.part[c]!;
      this.keys[KEY * c + 2] = contacts.body[c]!;
      this.keys[KEY * c + 3] = contacts.feature[c]!;
    }
  }

  /** Compares the keys of a kept contact and of one of a list: negative, zero or positive. */
  private compare(place: number, contacts: SoftContacts, c: number): number {
    const { keys } = this;
    return (
      keys[KEY * place] - contacts.source[c] ||
      keys[KEY * place + 1] - contacts.part[c] ||
      keys[KEY * place + 2] - contacts.body[c] ||
      keys[KEY * place + 3] - contacts.feature[c]
    );
  }

  /** Lists corners with a weight by node, with a counting sort. */
  private listCorners(nodeCount: number): void {
    const { records, nodeContacts } = this;
    const { f32, u32, stride } = records;
    const [nodes, weights] = [records.at("nodes"), records.at("weights")];
    if (this.sizes.length < nodeCount) this.sizes = new Uint32Array(2 * nodeCount);
    const { sizes } = this;
    sizes.fill(0, 0, nodeCount);
    let total = 0;
    for (let c = 0; c < records.count; c++)
      for (let k = 0; k < 3; k++) {
        if (f32[stride * c + weights + k] === 0) continue;
        sizes[u32[stride * c + nodes + k]]++;
        total++;
      }
    nodeContacts.reserve(nodeCount + 1 + total);
    nodeContacts.count = nodeCount + 1 + total;
    const { words } = nodeContacts;
    let at = nodeCount + 1;
    for (let node = 0; node < nodeCount; node++) {
      words[node] = at;
      at += sizes[node];
      sizes[node] = words[node]!;
    }
    words[nodeCount] = at;
    for (let c = 0; c < records.count; c++)
      for (let k = 0; k < 3; k++)
        if (f32[stride * c + weights + k] !== 0) words[sizes[u32[stride * c + nodes + k]]++] = 4 * c + k;
  }
}
