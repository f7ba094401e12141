import * as structs from "../../../generated/structs";
import { rotateBack } from "../../../collision/shape/pose";
import { type BodyTable, Motion, POSE_SIZE, TWIST_SIZE } from "../motion/bodies";
import { CONTACT_VERTICES, KEY_SIZE } from "../../../collision/soft/contact-table";
import { KeyTable } from "../../../collision/soft/impulse-memory";
import type { SoftContacts } from "../deformable/contact/soft-contacts";
import { NONE } from "./frame-tables";
import { RecordTable, WordList } from "./record-table";
import type { SoftLayout } from "./soft-layout";

const turned = new Float64Array(3);

/** Contacts of a frame as the records of shaders/newton/deformable/contact-model.wgsl. */
export class SoftContactTable {
  readonly records = new RecordTable(structs.FemContact);
  /** compressed rows: corners of contacts at each node */
  readonly nodeContacts = new WordList();
  /** nodes in the columns of all contacts */
  columnCount = 0;
  /** places of the last frame's contacts */
  private readonly last = new KeyTable();
  private sizes = new Uint32Array(0);

  /** Forgets impulses of the last frame. */
  forget(): void {
    this.last.clear();
  }

  /** Packs contacts. @param places places of the rigid bodies on the GPU, if moving ones are solved there, too */
  pack(contacts: SoftContacts, layout: SoftLayout, bodies: BodyTable, places?: Int32Array): void {
    const { records } = this;
    records.clear();
    this.columnCount = 0;
    for (let c = 0; c < contacts.count; c++) {
      const at = records.append();
      const known = this.last.find(contacts.key, KEY_SIZE * c);
      records.u32[at + records.at("previous")] = known < 0 ? NONE : known;
      this.packContact(at, contacts, c, layout, bodies);
      const slot = contacts.rigid[c];
      records.u32[at + records.at("place")] = NONE;
      if (places && slot >= 0 && bodies.model.motion[slot] === Motion.dynamic)
        this.packRigid(at, bodies, slot, places[slot]);
    }
    this.last.clear();
    for (let c = 0; c < contacts.count; c++) this.last.add(contacts.key, KEY_SIZE * c);
    this.listCorners(layout.nodeCount);
  }

  private packContact(at: number, contacts: SoftContacts, c: number, layout: SoftLayout, bodies: BodyTable): void {
    const { records } = this;
    const { f32, u32 } = records;
    const part = layout.parts[contacts.bodyOf(c)];
    const { positions } = part.body;
    const { frame, arm, speed, vertex, weight } = contacts;
    const first = CONTACT_VERTICES * c;
    let firstNode = Infinity;
    for (let k = 0; k < 3; k++) {
      const node = layout.nodeOf(part, vertex[first + k]);
      u32[at + records.at("nodes") + k] = node;
      f32[at + records.at("weights") + k] = weight[first + k]!;
      if (weight[first + k] !== 0) firstNode = Math.min(firstNode, node);
    }
    for (let k = 0; k < 3; k++) {
      f32[at + records.at("normal") + k] = frame[9 * c + k]!;
      // position of the point minus the gap
      let x = -contacts.gap[c] * frame[9 * c + k];
      for (let corner = 0; corner < 3; corner++)
        x += weight[first + corner] * positions[3 * vertex[first + corner] + k];
      f32[at + records.at("anchor") + k] = x;
      f32[at + records.at("anchorLow") + k] = x - Math.fround(x);
      f32[at + records.at("speed") + k] = speed[3 * c + k]!;
    }
    const slot = contacts.rigid[c];
    if (slot >= 0) {
      const [rx, ry, rz] = [arm[3 * c], arm[3 * c + 1], arm[3 * c + 2]];
      const v = bodies.state.velocity;
      const t = TWIST_SIZE * slot;
      f32[at + records.at("speed")] = v[t] + v[t + 4] * rz - v[t + 5] * ry;
      f32[at + records.at("speed") + 1] = v[t + 1] + v[t + 5] * rx - v[t + 3] * rz;
      f32[at + records.at("speed") + 2] = v[t + 2] + v[t + 3] * ry - v[t + 4] * rx;
    }
    f32[at + records.at("friction")] = contacts.friction[c]!;
    u32[at + records.at("body")] = contacts.bodyOf(c);
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
