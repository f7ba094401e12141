/**
 * The buffers of a group on the GPU, and what the host writes to them: made for a set of bodies and their factors, and made anew
 * when those change.
 */
import * as constants from "../../../generated/constants";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { readBuffer } from "../../../gpu/readback";
import { StructWriter } from "../../../gpu/struct";
import { type FrameInput, type GpuBodyState, pinGives, type PinTable } from "../../deformable";
import type { BodySystem } from "../body/body-system";
import type { GroupBody } from "../body/group-body";
import { dualsInAxes, setDualsInAxes } from "../body/local-step";
import { GpuAirStage } from "./air-stage";
import type { GpuContactStage, GpuSubstep, LocalGlobalBuffers } from "./buffers";
import { LocalGlobalPasses, type PrivateBuffers, UNIFORM_SLOT } from "./passes";
import { backwardPieces } from "./quad-tables";
import { elementTables, firstVertices, matrixTables, type SparseTables, sparseTables, type Stretch } from "./tables";
import type { ElasticTables } from "./trust/trust-buffers";

const { HELD_EXACTLY, HELD_SOFTLY } = constants;

/** Substeps that there is room for from the start. */
const SUBSTEPS = 16;
/** Slots of a substep: of the frame in one part, in two and in four. */
const SLOTS = 2 * constants.MOST_PARTS - 1;
/** Bytes of a vec4f. */
const VEC4 = 16;

/** The input of the kernels for a frame. */
export interface SystemFrame {
  readonly frame: FrameInput;
  readonly substeps: number;
}

export class GpuSystem {
  readonly buffers: LocalGlobalBuffers;
  readonly elastic: ElasticTables;
  private readonly own: PrivateBuffers;
  private readonly passes: LocalGlobalPasses;
  private readonly air: GpuAirStage;
  private readonly systems: readonly BodySystem[];
  private readonly first: readonly number[];
  private readonly duals: readonly ReadonlyMap<number, Stretch>[];
  private readonly materials: StructWriter<typeof structs.LocalGlobalMaterial>;
  /** of each body, as the materials have it */
  private readonly shares: number[] = this.bodies.map(() => 1);
  private readonly bodyWriter: StructWriter<typeof structs.LocalGlobalBody>;
  private readonly stepWriter: StructWriter<typeof structs.LocalGlobalStep>;
  /** parts of S on the host: the way from each quad to its root, and the first quads of the buffers */
  private readonly sparse: Pick<SparseTables, "first" | "next"> & { readonly firstQuads: readonly number[] };
  private readonly heldRanges: StructWriter<typeof structs.ValueRange>;
  private readonly pinTargets: Float32Array<ArrayBuffer>;
  /** entries of inverses that there is room for */
  private readonly pinRoom: number;
  /** vertices that are held, as the tables have them */
  private readonly held: Int32Array[] = this.bodies.map(() => new Int32Array(0));

  /**
   * @param bodies with their factors as they are now
   * @throws PliantError `device-limit` when they do not fit the device
   */
  constructor(
    private readonly context: GpuContext,
    readonly bodies: readonly GroupBody[],
    readonly substeps: number,
  ) {
    const { limits } = context.device;
    const tabled = bodies.map(({ model, system }) => ({ model, system }));
    this.systems = tabled.map(({ system }) => system);
    this.first = firstVertices(tabled);
    const n = this.first.at(-1)!;
    const sparse = sparseTables(tabled, Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize));
    const elements = elementTables(tabled);
    const matrix = matrixTables(tabled);
    this.duals = elements.duals;
    this.materials = elements.materials;
    const [forwardCount, backwardCount] = [sparse.forward, sparse.backward].map(({ list }) => list.length / 2) as [
      number,
      number,
    ];
    this.pinRoom = Math.max(4096, 2 * this.pinEntries);
    this.pinTargets = new Float32Array(4 * n);
    this.bodyWriter = new StructWriter(structs.LocalGlobalBody, bodies.length);
    this.stepWriter = new StructWriter(structs.LocalGlobalStep, Math.max(SUBSTEPS, SLOTS * substeps), UNIFORM_SLOT);
    const create = (what: string, data: ArrayBufferView | ArrayBuffer | number): GPUBuffer =>
      context.createBuffer(`local-global ${what}`, data instanceof ArrayBuffer ? new Uint8Array(data) : data);
    const uniform = (what: string, writer: { readonly bytes: ArrayBuffer }): GPUBuffer => {
      const buffer = context.createUniformBuffer(`local-global ${what}`, writer.bytes.byteLength);
      context.device.queue.writeBuffer(buffer, 0, writer.bytes);
      return buffer;
    };
    const { first, next, chunks } = sparse;
    this.sparse = { first, next, firstQuads: chunks.map(({ firstRow }) => firstRow / 4) };
    const makeRanges = (): StructWriter<typeof structs.ValueRange> => {
      const ranges = new StructWriter(structs.ValueRange, sparse.chunks.length, UNIFORM_SLOT);
      sparse.chunks.forEach(({ values: _values, ...chunk }, k) => {
        const range = { ...chunk, columnCount: n, backwardPieces: backwardCount };
        for (const [key, value] of Object.entries(range)) ranges.set(k, key as keyof typeof range, value);
      });
      return ranges;
    };
    this.heldRanges = makeRanges();
    const kinds = new StructWriter(structs.LocalGlobalElements, 2 * elements.kinds.length, UNIFORM_SLOT);
    elements.kinds.forEach(({ of: _of, columns: _columns, ...stretch }, k) => {
      const kind = { ...stretch, dualCount: elements.dualCount };
      for (const isFirst of [0, 1]) {
        for (const [key, value] of Object.entries(kind)) kinds.set(2 * k + isFirst, key as keyof typeof kind, value);
        kinds.set(2 * k + isFirst, "isFirst", isFirst);
      }
    });
    const made = context.allOrNothing(() => ({
      buffers: {
        vertexCount: n,
        bodyCount: bodies.length,
        start: create("start", VEC4 * n),
        displacement: create("displacements", VEC4 * n),
        predicted: create("predictions", massTable(bodies, this.first)),
        velocity: create("velocities", VEC4 * n),
        pins: create("pins", VEC4 * n),
        vertices: create("vertices", sparse.vertices),
        r: create("right-hand side", VEC4 * n),
        y: create("y", VEC4 * n),
        columns: create("columns", sparse.columns),
        chunks: sparse.chunks.map(({ values, firstRow, endRow, firstPiece, endPiece }, k) => ({
          values: create(`values of S, part ${k + 1}`, values),
          rows: endRow - firstRow,
          pieces: endPiece - firstPiece,
          range: UNIFORM_SLOT * k,
        })),
        ranges: uniform("ranges", makeRanges()),
        bodies: create("bodies", this.bodyWriter.bytes.byteLength),
        bodyStates: create("body states", structs.LocalGlobalBodyState.size * bodies.length),
        pinned: create("held columns", 4 * n),
        pinInverse: create("held inverse", 4 * this.pinRoom),
        pinForces: create("held forces", VEC4 * n),
        heldColumns: create("held columns as in the models", 4 * n),
        heldRoots: create("held factors", 4 * this.pinRoom),
        x: create("x", VEC4 * n),
        arms: create("arms", VEC4 * n),
        turnForces: create("turn forces", VEC4 * n),
        step: uniform("step", this.stepWriter),
      },
      own: {
        quads: create("quads", sparse.quads),
        forwardPieces: create("pieces of S b", sparse.forward.list),
        forwardStarts: create("starts of pieces of S b", sparse.forward.starts),
        backwardPieces: create("pieces of Sᵀ y", sparse.backward.list),
        backwardStarts: create("starts of pieces of Sᵀ y", sparse.backward.starts),
        pieceSums: create("sums of pieces", 4 * VEC4 * Math.max(forwardCount, backwardCount)),
        heldPieces: create("pieces of held columns", sparse.backward.list.byteLength),
        pinPieces: create("pieces of held vertices", 8 * n),
        heldRanges: uniform("ranges of held columns", this.heldRanges),
        gaps: create("held gaps", VEC4 * n),
        heldTurns: create("held turns", VEC4 * n),
        momentum: create("momentum", VEC4 * n),
        momenta: create("momenta", VEC4 * n),
        resistance: create("resistance", VEC4 * n),
        matrixOffsets: create("matrix offsets", matrix.offsets),
        matrixEntries: create("matrix entries", matrix.entries),
        corners: create("corners", elements.corners),
        elements: create("elements", elements.elements),
        materials: create("materials", elements.materials.bytes),
        incidenceOffsets: create("incidence offsets", elements.incidenceOffsets),
        incidence: create("incidence", elements.incidence),
        // as they are kept, and as they are in a step
        duals: create("duals", 2 * VEC4 * elements.dualCount),
        outputs: create("outputs", VEC4 * elements.outputCount),
        kinds: uniform("kinds", kinds),
      },
    }));
    this.buffers = made.buffers;
    this.own = made.own;
    const { kinds: kind, corners, elements: records, materials, duals } = made.own;
    this.elastic = { ...elements, buffers: { kind, corners, elements: records, materials, duals } };
    this.passes = new LocalGlobalPasses(context, this.buffers, this.own, {
      backwardPieces: backwardCount,
      kinds: elements.kinds,
    });
    this.air = new GpuAirStage(context, this.buffers, bodies);
    bodies.forEach((body, b) => this.writeFrozen(b, body.frozenAt));
  }

  /** Whether it is made for these bodies with their factors as they are now, and what is held of them has room. */
  fits(bodies: readonly GroupBody[], substeps: number): boolean {
    return (
      SLOTS * substeps <= this.stepWriter.count &&
      bodies.length === this.bodies.length &&
      bodies.every((body, b) => body === this.bodies[b] && body.system === this.systems[b]) &&
      this.pinEntries <= this.pinRoom
    );
  }

  private get pinEntries(): number {
    let sum = 0;
    for (const { pinSolver } of this.bodies) sum += pinSolver.vertices.length ** 2;
    return sum;
  }

  /** Buffers that the host writes for every frame. */
  get inputs(): readonly GPUBuffer[] {
    const { step, bodies, pins } = this.buffers;
    return [step, bodies, pins, this.own.materials, ...this.air.inputs];
  }

  /** Writes uniforms, options of bodies, and held vertices. */
  writeFrame({ frame, substeps }: SystemFrame): void {
    this.air.write();
    const { stepWriter: steps, bodyWriter: records } = this;
    const { queue } = this.context.device;
    const h = frame.dt / substeps;
    for (let parts = 1; parts <= constants.MOST_PARTS; parts *= 2)
      for (let n = 0; n < parts * substeps; n++) {
        const slot = (parts - 1) * substeps + n;
        steps.set(slot, "gravity", frame.gravity);
        steps.set(slot, "h", h / parts);
        steps.set(slot, "pinShare", 1 / (parts * substeps - n));
        steps.set(slot, "vertexCount", this.buffers.vertexCount);
        steps.set(slot, "bodyCount", this.bodies.length);
        steps.set(slot, "frame", frame.frame);
        steps.set(slot, "pace", frame.pace ?? 1);
      }
    queue.writeBuffer(this.buffers.step, 0, steps.bytes, 0, SLOTS * substeps * UNIFORM_SLOT);
    let [pin, entry] = [0, 0];
    const isNew = this.bodies.some(({ pinSolver }, b) => pinSolver.vertices !== this.held[b]);
    this.bodies.forEach((body, b) => {
      const { model, options, pinSolver } = body;
      const count = pinSolver.vertices.length;
      records.set(b, "firstVertex", this.first[b]);
      records.set(b, "vertexCount", model.particleCount);
      records.set(b, "firstPin", pin);
      records.set(b, "pinCount", count);
      records.set(b, "firstPinEntry", entry);
      records.set(b, "gravityFactor", options.gravityFactor);
      records.set(b, "damping", options.damping);
      if (isNew) this.writeHeld(b, pin, entry);
      pin += count;
      entry += count * count;
    });
    this.passes.heldVertices = pin;
    this.passes.softVertices = this.bodies.some(({ pinSolver }) => pinSolver.isSoft) ? pin : 0;
    if (isNew) this.writeHeldPieces();
    queue.writeBuffer(this.buffers.bodies, 0, records.bytes);
    this.writeShares();
  }

  private writeShares(): void {
    let isNew = false;
    let material = 0;
    this.bodies.forEach(({ model, options }, b) => {
      const share = options.elasticShare ?? 1;
      if (share !== this.shares[b]) {
        this.shares[b] = share;
        isNew = true;
        model.terms.forEach((_, k) => this.materials.set(material + k, "share", share));
      }
      material += model.terms.length;
    });
    if (isNew) this.context.device.queue.writeBuffer(this.own.materials, 0, this.materials.bytes);
  }

  /** Held vertices of a body by columns, and (E A⁻¹ Eᵀ + C)⁻¹ in that order. */
  private writeHeld(b: number, firstPin: number, firstEntry: number): void {
    const { vertices, give } = this.bodies[b].pinSolver;
    const { queue } = this.context.device;
    const count = vertices.length;
    this.held[b] = vertices;
    if (count === 0) return;
    const { place } = this.systems[b].inverse;
    const order = [...vertices.keys()].sort((i, j) => place[vertices[i]] - place[vertices[j]]);
    const columns = Uint32Array.from(order, (i) => this.first[b] + place[vertices[i]]);
    const factor = this.bodies[b].pinSolver.inverseFactor();
    const inverse = this.bodies[b].pinSolver.inverse(factor);
    const sorted = new Float32Array(count * count);
    order.forEach((i, r) => order.forEach((j, c) => (sorted[r * count + c] = inverse[i * count + j]!)));
    queue.writeBuffer(this.buffers.pinned, 4 * firstPin, columns);
    queue.writeBuffer(this.buffers.pinInverse, 4 * firstEntry, sorted);
    const turns = new Float32Array(4 * count);
    order.forEach((i, k) => (turns[4 * k + 3] = give[i]!));
    queue.writeBuffer(this.own.heldTurns, VEC4 * firstPin, turns);
    // for contact in the order of `vertices`, in which the factor is a triangle
    const roots = new Float32Array(count * count);
    for (let r = 0; r < count; r++) for (let c = 0; c <= r; c++) roots[c * count + r] = factor[r * count + c]!;
    queue.writeBuffer(this.buffers.heldRoots, 4 * firstEntry, roots);
    const heldColumns = Uint32Array.from(vertices, (v) => this.first[b] + place[v]);
    queue.writeBuffer(this.buffers.heldColumns, 4 * firstPin, heldColumns);
  }

  /** Which pieces of Sᵀ y are at held vertices: those of their columns, each quad of columns once. */
  private writeHeldPieces(): void {
    const { queue } = this.context.device;
    const columns = this.bodies.flatMap(({ pinSolver }, b) => {
      const { place } = this.systems[b].inverse;
      return Array.from(pinSolver.vertices, (v) => this.first[b] + place[v]).sort((i, j) => i - j);
    });
    const quads = [...new Set(columns.map((column) => column >> 2))];
    const numbers = new Map(quads.map((quad, k) => [quad, k]));
    const { list, starts } = backwardPieces(this.sparse.first, this.sparse.next, this.sparse.firstQuads, quads);
    const ofPins = columns.flatMap((column) => {
      const k = numbers.get(column >> 2)!;
      return [starts[k], starts[k + 1]];
    });
    for (let k = 0; k < this.heldRanges.count; k++) {
      this.heldRanges.set(k, "backwardPieces", list.length / 2);
      this.heldRanges.set(k, "pinCount", columns.length);
    }
    queue.writeBuffer(this.own.heldPieces, 0, list);
    queue.writeBuffer(this.own.pinPieces, 0, Uint32Array.from(ofPins));
    queue.writeBuffer(this.own.heldRanges, 0, this.heldRanges.bytes);
    this.passes.heldPieces = list.length / 2;
  }

  /** Writes the targets of the held vertices of a body. */
  writePins(b: number, pins: PinTable): void {
    const { pinTargets } = this;
    const { pinned, targets } = pins;
    const from = this.first[b];
    for (let p = 0; p < pinned.length; p++) {
      for (let c = 0; c < 3; c++) pinTargets[4 * (from + p) + c] = targets[3 * p + c]!;
      pinTargets[4 * (from + p) + 3] = pinned[p] === 0 ? 0 : pinGives(pins, p) ? HELD_SOFTLY : HELD_EXACTLY;
    }
    const { queue } = this.context.device;
    queue.writeBuffer(this.buffers.pins, VEC4 * from, pinTargets, 4 * from, 4 * pinned.length);
  }

  /** @param frame in which the body turned non-finite, 0 for a sound one */
  writeFrozen(b: number, frame: number): void {
    const { size, fields } = structs.LocalGlobalBodyState;
    const at = size * b + fields.frozenAt.offset;
    this.context.device.queue.writeBuffer(this.buffers.bodyStates, at, Uint32Array.of(frame));
  }

  async readFrozen(b: number): Promise<number> {
    const { size, fields } = structs.LocalGlobalBodyState;
    const states = new Uint32Array(await readBuffer(this.context, this.buffers.bodyStates));
    return states[(size * b + fields.frozenAt.offset) / 4];
  }

  /** Takes over the state of a body, particleCount × vec4f each. */
  copyIn(encoder: GPUCommandEncoder, b: number, { positions, velocities }: GpuBodyState): void {
    const [at, size] = this.place(b);
    encoder.copyBufferToBuffer(positions, 0, this.buffers.start, at, size);
    encoder.copyBufferToBuffer(velocities, 0, this.buffers.velocity, at, size);
  }

  copyOut(encoder: GPUCommandEncoder, b: number, { positions, velocities }: GpuBodyState): void {
    const [at, size] = this.place(b);
    encoder.copyBufferToBuffer(this.buffers.start, at, positions, 0, size);
    encoder.copyBufferToBuffer(this.buffers.velocity, at, velocities, 0, size);
  }

  /** Copies the stresses of a body from the CPU. */
  writeDuals(b: number): void {
    const { model, terms } = this.bodies[b];
    for (const [k, { first }] of this.duals[b])
      this.context.device.queue.writeBuffer(this.own.duals, VEC4 * first, dualsInAxes(model.terms[k], terms[k]));
  }

  /** Copies stresses to the CPU; the buffer is read once for all bodies. */
  async readDuals(): Promise<(body: GroupBody) => void> {
    const values = new Float32Array(await readBuffer(this.context, this.own.duals));
    return (body) => {
      const b = this.bodies.indexOf(body);
      if (b < 0) return;
      for (const [k, { first, count }] of this.duals[b])
        setDualsInAxes(body.model.terms[k], body.terms[k], values.subarray(4 * first, 4 * (first + count)));
    };
  }

  /** Copies the memory of a body from step to step from the system before this one. */
  takeOver(encoder: GPUCommandEncoder, b: number, old: GpuSystem): void {
    const { size } = structs.LocalGlobalBodyState;
    const from = old.bodies.indexOf(this.bodies[b]);
    if (from < 0) return;
    encoder.copyBufferToBuffer(old.buffers.bodyStates, size * from, this.buffers.bodyStates, size * b, size);
    encoder.clearBuffer(this.buffers.bodyStates, size * b + structs.LocalGlobalBodyState.fields.isHalted.offset, 4);
    for (const [term, { first, count }] of this.duals[b]) {
      const known = old.duals[from].get(term);
      if (known)
        encoder.copyBufferToBuffer(old.own.duals, VEC4 * known.first, this.own.duals, VEC4 * first, VEC4 * count);
    }
  }

  encode(substep: GpuSubstep, iterations: number, contact: GpuContactStage | undefined): void {
    this.passes.encode(substep, iterations, this.air, contact);
  }

  dispose(): void {
    this.air.dispose();
    const { vertexCount: _vertexCount, bodyCount: _bodyCount, chunks, ...shared } = this.buffers;
    const parts = chunks.map(({ values }) => values);
    for (const buffer of [...Object.values(shared), ...Object.values(this.own), ...parts]) buffer.destroy();
  }

  private place(b: number): [number, number] {
    return [VEC4 * this.first[b], VEC4 * this.bodies[b].model.particleCount];
  }
}

/** Masses in the fourth numbers of the predictions. */
function massTable(bodies: readonly GroupBody[], first: readonly number[]): Float32Array {
  const out = new Float32Array(4 * first.at(-1)!);
  bodies.forEach(({ model }, b) => model.masses.forEach((mass, v) => (out[4 * (first[b] + v) + 3] = mass)));
  return out;
}
