import type { ContactBuffer } from "../../../collision/narrow/contact-buffer";
import { ContactKind } from "../../../collision/narrow/contact-buffer";
import * as constants from "../../../generated/constants";
import { type BodyTable, Motion, POSE_SIZE, TWIST_SIZE } from "../motion/bodies";
import type { DeformableCoupling } from "../deformable/contact/coupling";
import type { Islands } from "../island/islands";
import type { FrameJoint } from "../joints/frame-joint";
import type { PairList } from "../contact/pairs";
import { ContactMemory } from "./contact-memory";
import { FrameTables, islandSize, islandSizes, NONE, type SystemSize } from "./frame-tables";
import { IslandLists } from "./island-lists";
import { JointPacker } from "./joint-packer";

/** Input for packing a frame. */
export interface PackedScene {
  readonly bodies: BodyTable;
  /** islands, closed after all pairs and joints were linked */
  readonly islands: Islands;
  readonly contacts: ContactBuffer;
  readonly pairs: PairList;
  readonly joints: readonly FrameJoint[];
  /** place on the GPU of each body of the table */
  readonly places: Int32Array;
  /** id of each body of the table, in ascending order */
  readonly ids: Int32Array;
  /** number of places on the GPU */
  readonly placeCount: number;
  /** deformable bodies that are also solved on the GPU, with their contacts */
  readonly deformables?: DeformableCoupling | undefined;
}

const kinds: readonly number[] = [
  constants.BLOCK_NORMAL_A,
  constants.BLOCK_NORMAL_B,
  constants.BLOCK_EDGES,
  constants.BLOCK_ROUND,
];

/**
 * Turns bodies, contacts and joints of a frame into the records of shaders/newton. Contacts are passed as points on the
 * two bodies, in the bodies' frames, so that the GPU can compute their gaps at any poses.
 */
export class FramePacker {
  readonly tables = new FrameTables();
  /** block of each contact of the buffer, NONE if it has none */
  blockOf = new Uint32Array(0);
  /** whether all islands are treated as if they were too large for a workgroup */
  isAllLarge = false;
  private readonly memory = new ContactMemory();
  private readonly jointPacker = new JointPacker();
  private readonly lists = new IslandLists();
  private local = new Uint32Array(0);
  private pairStart = new Int32Array(0);
  private pairOrder = new Int32Array(0);
  private jointStart = new Int32Array(0);
  private jointOrder = new Int32Array(0);
  private order = new Int32Array(0);
  private orderCount = 0;
  /** end of the large islands, and start of those in one system with deformable bodies */
  private largeEnd = 0;
  /** block of each contact in the last frame */
  private previous = new Uint32Array(0);

  /** Forgets impulses of the last frame. */
  forget(): void {
    this.memory.clear();
  }

  /** Packs a frame of steps of h [s]; `inputs` gets a record for each place, which the caller completes. */
  pack(scene: PackedScene, h: number): FrameTables {
    const { tables } = this;
    tables.clear();
    this.jointPacker.begin();
    for (let place = 0; place < scene.placeCount; place++) tables.inputs.append();
    this.reserve(scene);
    for (let slot = 0; slot < scene.bodies.count; slot++) this.packBody(scene, slot);
    this.sortByIsland(scene);
    this.memory.recall(scene.contacts, scene.pairs, scene.ids, this.previous);
    this.orderIslands(scene);
    const { lists, islandCounts } = tables;
    const small = islandCounts.reduce((sum, count) => sum + count, 0);
    lists.reserve(islandSize * (small + 2));
    lists.count = islandSize * (small + 2);
    for (let k = 0; k < small; k++) this.packIslands(scene, k, k + 1, k, h);
    if (this.largeEnd > small) this.packSystem(scene, small, this.largeEnd, small, tables.large, h);
    if (scene.deformables) this.packSystem(scene, this.largeEnd, this.orderCount, small + 1, tables.coupled, h);
    this.memory.keep(scene.contacts, scene.pairs, scene.ids, this.blockOf);
    return tables;
  }

  private packBody(scene: PackedScene, slot: number): void {
    const { model, state } = scene.bodies;
    const { inputs } = this.tables;
    const at = inputs.stride * scene.places[slot];
    const { f32 } = inputs;
    const [force, torque] = [at + inputs.at("force"), at + inputs.at("torque")];
    const [inertia, inverseInertia] = [at + inputs.at("inertia"), at + inputs.at("inverseInertia")];
    for (let d = 0; d < 3; d++) {
      f32[force + d] = state.force[TWIST_SIZE * slot + d]!;
      f32[torque + d] = state.force[TWIST_SIZE * slot + 3 + d]!;
      f32[inertia + d] = model.inertia[3 * slot + d]!;
      f32[inverseInertia + d] = model.inverseInertia[3 * slot + d]!;
    }
    f32[at + inputs.at("inverseMass")] = model.inverseMass[slot]!;
    f32[at + inputs.at("linearDamping")] = model.linearDamping[slot]!;
    f32[at + inputs.at("angularDamping")] = model.angularDamping[slot]!;
    f32[at + inputs.at("gravityFactor")] = model.gravityFactor[slot]!;
    f32[at + inputs.at("maxSpeed")] = Math.min(1e18, model.maxLinearSpeed[slot]);
    f32[at + inputs.at("maxSpin")] = Math.min(1e18, model.maxAngularSpeed[slot]);
    const { motion } = model;
    let flags = 0;
    if (isPushed(scene.bodies, slot)) flags |= constants.BODY_DYNAMIC;
    if (motion[slot] === Motion.kinematic) flags |= constants.BODY_KINEMATIC;
    inputs.u32[at + inputs.at("flags")] = flags;
  }

  /** Sorts pairs and joints by island, otherwise in their order, by counting sorts. */
  private sortByIsland(scene: PackedScene): void {
    const { islands, pairs, joints } = scene;
    const { pairStart, jointStart } = this;
    pairStart.fill(0, 0, islands.count + 1);
    jointStart.fill(0, 0, islands.count + 1);
    for (let k = 0; k < pairs.count; k++) {
      const island = islandOfPair(scene, k);
      if (island >= 0) pairStart[island + 1]++;
    }
    for (const joint of joints) {
      const island = islands.ofPair(joint.slotA, joint.slotB);
      if (island >= 0) jointStart[island + 1]++;
    }
    for (let i = 0; i < islands.count; i++) {
      pairStart[i + 1] += pairStart[i];
      jointStart[i + 1] += jointStart[i];
    }
    // Filling moves each start to its end, which was the start of the next.
    for (let k = 0; k < pairs.count; k++) {
      const island = islandOfPair(scene, k);
      if (island >= 0) this.pairOrder[pairStart[island]++] = k;
    }
    joints.forEach((joint, k) => {
      const island = islands.ofPair(joint.slotA, joint.slotB);
      if (island >= 0) this.jointOrder[jointStart[island]++] = k;
    });
    for (let i = islands.count; i > 0; i--) {
      pairStart[i] = pairStart[i - 1]!;
      jointStart[i] = jointStart[i - 1]!;
    }
    pairStart[0] = 0;
    jointStart[0] = 0;
  }

  /** Orders islands with blocks, small ones first. */
  private orderIslands(scene: PackedScene): void {
    const { tables, order } = this;
    let count = 0;
    for (let size = 0; size <= islandSizes.length + 1; size++) {
      const before = count;
      if (size > islandSizes.length) this.largeEnd = count;
      for (let island = 0; island < scene.islands.count; island++)
        if (this.sizeOf(scene, island) === size) order[count++] = island;
      if (size < islandSizes.length) tables.islandCounts[size] = count - before;
    }
    this.orderCount = count;
  }

  /** Index of the workgroup size that an island needs; −1 for islands that need none. */
  private sizeOf(scene: PackedScene, island: number): number {
    const { pairs, islands, joints, bodies: table } = scene;
    let isAwake = false;
    for (let i = islands.start[island]; i < islands.start[island + 1]; i++)
      if (isPushed(table, islands.bodyList[i])) isAwake = true;
    if (!isAwake) return -1;
    let blocks = 0;
    for (let i = this.pairStart[island]; i < this.pairStart[island + 1]; i++) {
      const k = this.pairOrder[i];
      blocks += pairs.end[k] - pairs.first[k];
    }
    for (let i = this.jointStart[island]; i < this.jointStart[island + 1]; i++)
      blocks += Math.ceil(rowsAtMost(joints[this.jointOrder[i]]) / 3);
    if (scene.deformables?.claims(island)) return islandSizes.length + 1;
    if (blocks === 0) return -1;
    const bodies = islands.start[island + 1] - islands.start[island];
    const size = islandSizes.findIndex((most) => blocks <= most.blocks && bodies <= most.bodies);
    return size < 0 || this.isAllLarge ? islandSizes.length : size;
  }

  /** Packs islands `from` to `to − 1` of the order as system k: those too large for a workgroup, or coupled ones. */
  private packSystem(scene: PackedScene, from: number, to: number, k: number, system: SystemSize, h: number): void {
    const { lists } = this.tables;
    this.packIslands(scene, from, to, k, h, system === this.tables.coupled);
    const head = islandSize * k;
    system.bodies = lists.words[head + constants.ISLAND_BODIES]!;
    system.blocks = lists.words[head + constants.ISLAND_BLOCKS]!;
    system.colours = lists.words[head + constants.ISLAND_COLOURS]!;
    system.rows = lists.words[head + constants.ISLAND_ROWS]!;
  }

  /** Packs contacts of deformable bodies, which come first in their system. */
  private packSoftContacts(scene: PackedScene): void {
    const { contacts } = scene.deformables!;
    const { motion } = scene.bodies.model;
    for (let c = 0; c < contacts.count; c++) {
      const slot = contacts.rigid[c];
      const { blocks } = this.tables;
      const isRigid = slot >= 0 && motion[slot] === Motion.dynamic;
      const at = isRigid ? this.appendBlock(scene, slot, slot, constants.BLOCK_SOFT) : blocks.append();
      blocks.u32[at + blocks.at("kind")] = constants.BLOCK_SOFT;
      if (!isRigid) blocks.u32[at + blocks.at("localA")] = NONE;
      blocks.u32[at + blocks.at("localB")] = NONE;
      blocks.u32[at + blocks.at("previous")] = NONE;
    }
  }

  /** Packs the islands `from` to `to − 1` of the order as number k. */
  private packIslands(scene: PackedScene, from: number, to: number, k: number, h: number, isCoupled = false): void {
    const { bodies, islands, pairs, joints, places } = scene;
    const { tables, local, order } = this;
    const { inputs, lists, blocks } = tables;
    const placesAt = lists.count;
    let bodyCount = 0;
    for (let n = from; n < to; n++)
      for (let i = islands.start[order[n]]; i < islands.start[order[n] + 1]; i++) {
        const slot = islands.bodyList[i];
        if (!isPushed(bodies, slot)) continue;
        local[slot] = bodyCount++;
        lists.push(places[slot]);
        inputs.u32[inputs.stride * places[slot] + inputs.at("flags")] |= constants.BODY_IN_ISLAND;
      }
    const firstBlock = blocks.count;
    let bounces = false;
    let rowCount = 0;
    if (isCoupled) this.packSoftContacts(scene);
    for (let n = from; n < to; n++) {
      const island = order[n];
      for (let i = this.pairStart[island]; i < this.pairStart[island + 1]; i++) {
        const pair = this.pairOrder[i];
        this.packPair(scene, pair);
        if (pairs.restitution[pair] > 0) bounces = true;
      }
      for (let i = this.jointStart[island]; i < this.jointStart[island + 1]; i++)
        rowCount += this.packJoint(scene, joints[this.jointOrder[i]], h);
    }
    const colours = this.lists.colour(tables, firstBlock, blocks.count, bodyCount);
    this.lists.incidences(tables, firstBlock, blocks.count, bodyCount);
    const head = islandSize * k;
    const { words } = lists;
    words[head + constants.ISLAND_PLACES] = placesAt;
    words[head + constants.ISLAND_BODIES] = bodyCount;
    words[head + constants.ISLAND_FIRST_BLOCK] = firstBlock;
    words[head + constants.ISLAND_BLOCKS] = blocks.count - firstBlock;
    words[head + constants.ISLAND_COLOURS] = colours;
    words[head + constants.ISLAND_BOUNCES] = bounces ? 1 : 0;
    words[head + constants.ISLAND_ROWS] = rowCount;
    words[head + constants.ISLAND_REPORT] = k;
  }

  private packPair(scene: PackedScene, pair: number): void {
    const { bodies, contacts, pairs } = scene;
    const { blocks } = this.tables;
    const [a, b, first, end] = [pairs.bodyA[pair], pairs.bodyB[pair], pairs.first[pair], pairs.end[pair]];
    for (let c = first; c < end; c++) {
      this.blockOf[c] = blocks.count;
      const at = this.appendBlock(scene, a, b, kinds[contacts.kind[c]]);
      blocks.f32[at + blocks.at("friction")] = pairs.friction[pair]!;
      blocks.f32[at + blocks.at("restitution")] = pairs.restitution[pair]!;
      blocks.u32[at + blocks.at("previous")] = this.previous[c]!;
      const isRound = contacts.kind[c] === ContactKind.round;
      const { f32 } = blocks;
      writeAnchor(bodies, a, contacts.pointA, 3 * c, isRound, f32, at + blocks.at("anchorA"));
      writeAnchor(bodies, b, contacts.pointB, 3 * c, isRound, f32, at + blocks.at("anchorB"));
      const to = at + blocks.at("normal");
      const { normal, kind } = contacts;
      if (kind[c] === ContactKind.faceVertex)
        turnBack(bodies, a, normal[3 * c], normal[3 * c + 1], normal[3 * c + 2], f32, to);
      else if (kind[c] === ContactKind.vertexFace)
        turnBack(bodies, b, normal[3 * c], normal[3 * c + 1], normal[3 * c + 2], f32, to);
      else for (let i = 0; i < 3; i++) f32[to + i] = normal[3 * c + i]!;
    }
  }

  /** @returns number of rows */
  private packJoint(scene: PackedScene, joint: FrameJoint, h: number): number {
    const { tables, jointPacker } = this;
    const { blocks, joints, rows } = tables;
    const { bodies, places } = scene;
    const [a, b] = [joint.slotA, joint.slotB];
    const count = jointPacker.add(tables, bodies, joint, places[a], places[b], h);
    jointPacker.note(joint, blocks.count);
    for (let done = 0; done < count; done += 3) {
      const at = this.appendBlock(scene, a, b, constants.BLOCK_JOINT);
      blocks.u32[at + blocks.at("joint")] = joints.count - 1;
      blocks.u32[at + blocks.at("firstRow")] = rows.count - count + done;
      blocks.u32[at + blocks.at("rowCount")] = Math.min(3, count - done);
      blocks.u32[at + blocks.at("previous")] = NONE;
    }
    return count;
  }

  private appendBlock(scene: PackedScene, a: number, b: number, kind: number): number {
    const { blocks } = this.tables;
    const { bodies, places } = scene;
    const at = blocks.append();
    blocks.u32[at + blocks.at("placeA")] = places[a]!;
    blocks.u32[at + blocks.at("placeB")] = places[b]!;
    blocks.u32[at + blocks.at("localA")] = isPushed(bodies, a) ? this.local[a] : NONE;
    blocks.u32[at + blocks.at("localB")] = isPushed(bodies, b) ? this.local[b] : NONE;
    blocks.u32[at + blocks.at("kind")] = kind;
    return at;
  }

  private reserve(scene: PackedScene): void {
    const { bodies, islands, contacts, pairs, joints } = scene;
    if (this.blockOf.length < contacts.count) {
      this.blockOf = new Uint32Array(2 * contacts.count);
      this.previous = new Uint32Array(2 * contacts.count);
    }
    this.blockOf.fill(NONE, 0, contacts.count);
    if (this.local.length < bodies.count) this.local = new Uint32Array(2 * bodies.count);
    if (this.order.length < islands.count + 1) {
      this.order = new Int32Array(2 * islands.count + 1);
      this.pairStart = new Int32Array(2 * islands.count + 2);
      this.jointStart = new Int32Array(2 * islands.count + 2);
    }
    if (this.pairOrder.length < pairs.count) this.pairOrder = new Int32Array(2 * pairs.count);
    if (this.jointOrder.length < joints.length) this.jointOrder = new Int32Array(2 * joints.length);
  }
}

function islandOfPair(scene: PackedScene, k: number): number {
  const { pairs, islands } = scene;
  if (pairs.end[k] === pairs.first[k] || pairs.isSensor[k] === 1) return -1;
  return islands.ofPair(pairs.bodyA[k], pairs.bodyB[k]);
}

/** Whether impulses move the body in this frame. */
function isPushed(bodies: BodyTable, slot: number): boolean {
  return bodies.model.motion[slot] === Motion.dynamic && bodies.state.asleep[slot] === 0;
}

function rowsAtMost(joint: FrameJoint): number {
  let count = 0;
  for (const axis of joint.axes) {
    if (axis.mode === "locked") count++;
    else if (axis.mode === "limited") count += 2;
    if (axis.motor !== "none") count++;
    if (axis.friction > 0) count++;
  }
  return count;
}

/** Writes a point of the world relative to a body's center of mass, in the body's axes or in those of the world. */
function writeAnchor(
  bodies: BodyTable,
  slot: number,
  points: Float64Array,
  i: number,
  isRound: boolean,
  out: Float32Array,
  to: number,
): void {
  const { pose } = bodies.state;
  const at = POSE_SIZE * slot;
  const x = points[i] - pose[at];
  const y = points[i + 1] - pose[at + 1];
  const z = points[i + 2] - pose[at + 2];
  if (!isRound) {
    turnBack(bodies, slot, x, y, z, out, to);
    return;
  }
  out[to] = x;
  out[to + 1] = y;
  out[to + 2] = z;
}

/** Writes a vector of the world in the axes of a body in f32, as on the GPU. */
function turnBack(
  bodies: BodyTable,
  slot: number,
  vx: number,
  vy: number,
  vz: number,
  out: Float32Array,
  to: number,
): void {
  const { pose } = bodies.state;
  const at = POSE_SIZE * slot + 3;
  const x = -Math.fround(pose[at]);
  const y = -Math.fround(pose[at + 1]);
  const z = -Math.fround(pose[at + 2]);
  const w = Math.fround(pose[at + 3]);
  const tx = 2 * (y * vz - z * vy);
  const ty = 2 * (z * vx - x * vz);
  const tz = 2 * (x * vy - y * vx);
  out[to] = vx + w * tx + y * tz - z * ty;
  out[to + 1] = vy + w * ty + z * tx - x * tz;
  out[to + 2] = vz + w * tz + x * ty - y * tx;
}
