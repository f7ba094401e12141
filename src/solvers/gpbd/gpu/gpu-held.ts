import type { ColliderBuffers } from "../../../collision/obstacles/collider-buffers";
import { shaders } from "../../../generated/shaders/held";
import { LetGoParameters } from "../../../generated/shaders/structs-held";
import { boxOf, grown, union, type Box } from "../../../geometry/box";
import type { GpuContext } from "../../../gpu/device";
import { type Kernel, KernelMaker } from "../../../gpu/kernel";
import { readBuffer } from "../../../gpu/readback";
import { StructWriter } from "../../../gpu/struct";
import { distanceBetween, norm } from "../../../math/vectors";
import type { GpuFrameInput, PinTable } from "../../deformable";
import { findFirm, findHeld } from "../held/held";
import { facesOf, type GpbdModel } from "../model";
import type { GpbdStepOptions } from "../options";
import { edgeAt, NearestPins } from "../held/nearest-pins";
import { recedingSpeed } from "../../spacing";

/** Buffers of the body. */
type BodyBuffers = Readonly<
  Record<
    | "start"
    | "velocity"
    | "displacement"
    | "clearance"
    | "frozenAt"
    | "pins"
    | "pinLimits"
    | "step"
    | "faces"
    | "faceOffsets"
    | "faceEntries",
    GPUBuffer
  >
>;

/** A frame of a body. */
interface HeldFrame {
  readonly frame: GpuFrameInput;
  readonly pins: PinTable;
  /** with the distance to keep from obstacles */
  readonly options: Readonly<GpbdStepOptions>;
  readonly model: GpbdModel;
  /** box that holds it in the frame */
  readonly place: Box;
  /** the w of places at its start is the distance that is missing */
  readonly buffers: BodyBuffers;
}

/** Cells at pins are no longer than so many times their length at rest. */
const LONGEST = 1.5;

/** Frames from one look at what the GPU has found to the next. */
const LOOKS = 64;

const NO_OFFSETS = new Uint32Array();

/** Bodies on a GPU whose pins meet obstacles. */
export class GpuHeld {
  /** distances that particles near pins within obstacles keep less, see `findHeld` [m] */
  private readonly depths = new Float64Array(this.particleCount);
  /** what they have at least: it lets them get them back, as finish.wgsl [m] */
  private readonly least = new Float64Array(this.particleCount);
  private readonly pins = new NearestPins(this.particleCount);
  /** place in `holders` of the nearest pin of each particle */
  private nearest = new Int32Array();
  /** pairs of such a place and a neighbor, and their longest distance at rest [m] */
  private edges: number[] = [];
  private longestEdge = 0;
  /** pins, and places of them [m] */
  private holders: number[] = [];
  private places = new Float64Array();
  /** of pins at the end of the last frame */
  private before: Box | undefined;
  private readonly near: number[] = [];
  /** whether obstacles may have let go */
  private isOn = false;
  private turn = 1;
  private kernel: Kernel | undefined;
  private finishing: Kernel | undefined;
  private step: GPUBuffer | undefined;
  private configuredFor = -1;
  /** those in the table */
  private written: number[] | undefined;
  private table: GPUBuffer | undefined;
  private readonly uniform: GPUBuffer = this.context.createUniformBuffer("let go", LetGoParameters.size);
  private readonly writer = new StructWriter(LetGoParameters, 1);

  constructor(
    private readonly context: GpuContext,
    private readonly colliders: ColliderBuffers,
    private readonly particleCount: number,
  ) {}

  /** Call at the start of a frame. */
  look(frame: HeldFrame): void {
    this.sink(frame);
    this.letGo(frame);
  }

  private sink({ frame: { colliders, gravity, dt }, pins, options, model, buffers }: HeldFrame): void {
    const { depths, least } = this;
    findHeld(colliders, pins.targets, pins, options, model, depths);
    const receding = recedingSpeed(norm(gravity)) * dt;
    for (let p = 0; p < depths.length; p++) {
      least[p] = Math.max(0, least[p] - receding);
      if (depths[p] === 0 || depths[p] < least[p]) continue;
      least[p] = depths[p];
      this.context.device.queue.writeBuffer(buffers.start, 16 * p + 12, Float32Array.of(depths[p]));
    }
  }

  /** Lets obstacles go of particles where they may be between pins and their neighbors, and until they are not near the body. */
  private letGo({ frame, pins, options: { thickness }, model, place, buffers }: HeldFrame): void {
    const { colliders, gravity, recorder } = frame;
    const { queue } = this.context.device;
    const { near } = this;
    const isNew = this.pins.follow(model.positions, facesOf(model), pins);
    const { held, lengths } = this.pins;
    if (isNew) this.findEdges(model);
    const { edges, holders, places } = this;
    if (edges.length === 0 && !this.isOn) return;
    holders.forEach((p, i) => places.set(pins.targets.subarray(3 * p, 3 * p + 3), 3 * i));
    const box = boxOf(places);
    findFirm(colliders, grown(union(box, this.before ?? box), LONGEST * this.longestEdge), near);
    this.before = box;
    const wasOn = this.isOn;
    if (!wasOn && near.length === 0) return;
    findFirm(colliders, place, near);
    this.isOn = near.length > 0;
    const n = held.length;
    const size = 8 + 4 * (2 * n + edges.length + 4 * holders.length + colliders.primitiveCount);
    const isFull = !this.table || this.table.size < size;
    if (isFull) {
      this.table?.destroy();
      this.table = this.context.createBuffer(`${model.name} nearest pins`, size);
      queue.writeBuffer(this.table, 0, Uint32Array.of(this.turn, this.turn));
    }
    const isOld = this.configuredFor !== this.colliders.version || this.step !== buffers.step;
    if (isFull || isOld) this.configure(buffers);
    if (isFull || this.written !== edges) {
      this.written = edges;
      const reaches = Float32Array.from(lengths, (length) => Math.min(length, 1e30));
      queue.writeBuffer(this.table!, 8, this.nearest);
      queue.writeBuffer(this.table!, 8 + 4 * n, reaches);
      queue.writeBuffer(this.table!, 8 + 8 * n, Uint32Array.from(edges));
    }
    const varying = new DataView(new ArrayBuffer(16 * holders.length + 4 * near.length));
    holders.forEach((p, i) => {
      varying.setUint32(16 * i, p, true);
      for (let c = 0; c < 3; c++) varying.setFloat32(16 * i + 4 * c + 4, places[3 * i + c], true);
    });
    near.forEach((k, i) => varying.setUint32(16 * holders.length + 4 * i, k, true));
    queue.writeBuffer(this.table!, 8 + 8 * n + 4 * edges.length, varying.buffer);
    this.writer.put(0, {
      particleCount: n,
      colliderCount: colliders.primitiveCount,
      pinCount: holders.length,
      edgeCount: edges.length / 2,
      nearCount: near.length,
      turn: ++this.turn,
      thickness,
      gravity: norm(gravity),
    });
    queue.writeBuffer(this.uniform, 0, this.writer.bytes);
    this.kernel!.dispatch(recorder.stage("let go"), n, NO_OFFSETS);
    if (this.turn % LOOKS === 0) void this.lookBack(this.turn).catch(() => undefined);
  }

  /** Ends it where the GPU has found nothing since the last look. */
  private async lookBack(turn: number): Promise<void> {
    const found = new Uint32Array(await readBuffer(this.context, this.table!, 8));
    if (Math.max(...found) + LOOKS < turn) this.isOn = false;
  }

  private configure(buffers: BodyBuffers): void {
    const { primitives: colliders, data: colliderData, constants, version } = this.colliders;
    this.configuredFor = version;
    this.step = buffers.step;
    const all = { ...buffers, table: this.table!, parameters: this.uniform, colliders, colliderData };
    const kernels = new KernelMaker(this.context, shaders);
    this.kernel = kernels.one("held/let-go", "letGo", all, constants);
    this.finishing = kernels.one("held/finish", "finishBesidePins", all);
  }

  /** In place of the body's own in the frame, if obstacles may let go. */
  get finish(): Kernel | undefined {
    return this.isOn ? this.finishing : undefined;
  }

  /** Lists the neighbors of pins. */
  private findEdges(model: GpbdModel): void {
    const { held } = this.pins;
    const n = held.length;
    const { positions } = model;
    const faces = facesOf(model);
    const known = new Set<number>();
    this.longestEdge = 0;
    for (let i = 0; i < faces.length; i++) {
      const [p, q] = edgeAt(faces, i);
      if (held[p] + held[q] !== 1) continue;
      known.add(held[p] === 1 ? p * n + q : q * n + p);
      this.longestEdge = Math.max(this.longestEdge, distanceBetween(positions, 3 * p, 3 * q));
    }
    this.holders = Array.from(held.keys()).filter((p) => held[p] === 1);
    const placeOf = new Map(this.holders.map((p, i) => [p, i]));
    this.edges = [...known].flatMap((pair) => [placeOf.get(Math.floor(pair / n))!, pair % n]);
    this.nearest = this.pins.nearest.map((p) => placeOf.get(p) ?? -1);
    this.places = new Float64Array(3 * this.holders.length);
    this.before = undefined;
  }

  dispose(): void {
    this.table?.destroy();
    this.uniform.destroy();
  }
}
