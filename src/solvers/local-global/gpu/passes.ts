/** The dispatches of a substep, made once for the buffers of a group: encoding a frame allocates nothing. */
import { shaders } from "../../../generated/shaders/local-global";
import type { GpuContext } from "../../../gpu/device";
import { type Bindings, Kernel, type ReflectedModule } from "../../../gpu/kernel";
import type { GpuAirStage } from "./air-stage";
import type { LocalGlobalBuffers, GpuContactStage, GpuSubstep } from "./buffers";
import { dispatch } from "./contact/pass-gate";
import type { ElementKind } from "./tables";

/** Bytes between slots of a uniform with dynamic offset. */
export const UNIFORM_SLOT = 256;

/** Buffers that only these kernels use. */
export interface PrivateBuffers {
  readonly quads: GPUBuffer;
  readonly forwardPieces: GPUBuffer;
  readonly forwardStarts: GPUBuffer;
  readonly backwardPieces: GPUBuffer;
  readonly backwardStarts: GPUBuffer;
  readonly pieceSums: GPUBuffer;
  /** pieces of Sᵀ y at the columns of held vertices, which of them each vertex has, and `ranges` with their number */
  readonly heldPieces: GPUBuffer;
  readonly pinPieces: GPUBuffer;
  readonly heldRanges: GPUBuffer;
  readonly gaps: GPUBuffer;
  /** held vertices × vec4f: see pins.wgsl */
  readonly heldTurns: GPUBuffer;
  readonly momentum: GPUBuffer;
  readonly momenta: GPUBuffer;
  readonly resistance: GPUBuffer;
  readonly matrixOffsets: GPUBuffer;
  readonly matrixEntries: GPUBuffer;
  readonly corners: GPUBuffer;
  readonly elements: GPUBuffer;
  readonly materials: GPUBuffer;
  readonly incidenceOffsets: GPUBuffer;
  readonly incidence: GPUBuffer;
  readonly duals: GPUBuffer;
  readonly outputs: GPUBuffer;
  /** uniform: two `LocalGlobalElements` a kind, of later iterations and of the first */
  readonly kinds: GPUBuffer;
}

/** Numbers of pieces and elements. */
export interface PassSizes {
  readonly backwardPieces: number;
  readonly kinds: readonly ElementKind[];
}

interface Dispatch {
  readonly kernel: Kernel;
  readonly stage: string;
  /** invocations, or workgroups; negative: a number that changes with the pins, see below */
  readonly count: number;
  readonly isWorkgroups: boolean;
  readonly usesStep: boolean;
  /** offset of its other uniform [bytes], −1 without one */
  readonly other: number;
}

type Work = Pick<Dispatch, "count" | "isWorkgroups" | "other"> & { readonly withoutStep?: boolean };

/** One for each held vertex. */
const HELD_VERTICES = -1;
/** One for each piece of the columns of held vertices. */
const HELD_PIECES = -2;
/** One for each held vertex if one of them gives, else none. */
const SOFT_VERTICES = -3;

export class LocalGlobalPasses {
  private readonly predict: Dispatch[];
  private readonly prepareTurning: Dispatch[];
  private readonly firstLocal: Dispatch[];
  private readonly laterLocal: Dispatch[];
  private readonly forward: Dispatch[];
  private readonly pins: Dispatch[];
  private readonly pinsAgain: Dispatch[];
  private readonly turn: Dispatch[];
  private readonly backward: Dispatch[];
  private readonly finish: Dispatch[];
  private readonly offsets = new Uint32Array(2);
  /** of all bodies */
  heldVertices = 0;
  /** pieces of their columns */
  heldPieces = 0;
  /** as many as `heldVertices` if one of them gives, else 0 */
  softVertices = 0;

  constructor(
    private readonly context: GpuContext,
    private readonly buffers: LocalGlobalBuffers,
    private readonly own: PrivateBuffers,
    private readonly sizes: PassSizes,
  ) {
    const { all } = this;
    const { vertexCount, bodyCount, y, r, turnForces, arms, displacement } = buffers;
    const motion = shaders["local-global/step/motion"];
    const turning = shaders["local-global/step/turning"];
    const vertices = threads(vertexCount);
    const bodies = workgroups(bodyCount);
    const name = "local-global/step/turning";
    this.predict = [this.make("predict", "local-global/step/motion", motion, "predict", all, vertices)];
    this.prepareTurning = [
      this.make("turning", name, turning, "findMiddles", all, { ...bodies, withoutStep: true }),
      this.make("turning", name, turning, "placeVertices", all, vertices),
      this.make("turning", name, turning, "resistTurning", all, vertices),
      ...this.makeForward("turning", own.momentum, own.momenta),
      ...this.makeForward("turning", own.resistance, turnForces),
      ...this.makePins("turning", "readStillPins", turnForces),
      this.makeSoft("turning", "keepTurns"),
      ...this.makeBackward("turning", "backwardWrite", turnForces, arms),
      this.make("turning", name, turning, "invertTurns", all, { ...bodies, withoutStep: true }),
    ];
    this.firstLocal = this.makeLocal(true);
    this.laterLocal = this.makeLocal(false);
    this.forward = this.makeForward("global step", r, y);
    this.pins = this.makePins("held vertices", "readPins", y);
    const solve = this.pins.length - 1 - buffers.chunks.length;
    const takeGiven = this.makeSoft("held vertices", "takeGiven");
    this.pinsAgain = [...this.pins.slice(0, solve), takeGiven, ...this.pins.slice(solve)];
    this.turn = [
      this.make("turning", name, turning, "findMoments", all, { ...bodies, withoutStep: true }),
      this.make("turning", name, turning, "findTurns", all, { ...bodies, withoutStep: true }),
      this.make("turning", name, turning, "addTurns", all, vertices),
    ];
    this.backward = this.makeBackward("global step", "backwardAdd", y, displacement);
    this.finish = [
      ...this.makeKeeping(),
      this.make("finish", "local-global/step/motion", motion, "judgeBodies", all, bodies),
      this.make("finish", "local-global/step/motion", motion, "finish", all, vertices),
      this.make(
        "finish",
        "local-global/step/momentum",
        shaders["local-global/step/momentum"],
        "keepAngularMomentum",
        all,
        bodies,
      ),
    ];
  }

  /** Buffers by their names in the shaders. */
  private get all() {
    const { vertexCount: _vertexCount, bodyCount: _bodyCount, chunks: _chunks, ...shared } = this.buffers;
    return { ...shared, ...this.own, range: shared.ranges, kind: this.own.kinds };
  }

  /** Encodes a substep: Algorithm 4. */
  encode(substep: GpuSubstep, iterations: number, air: GpuAirStage, contact: GpuContactStage | undefined): void {
    this.run(substep, this.predict);
    air.encode(substep);
    contact?.detect(substep);
    this.run(substep, this.prepareTurning);
    this.iterate(substep, iterations, contact);
    let inPass = substep;
    for (let n = 1; contact && n < contact.passes; n++) {
      inPass = contact.detectAgain(inPass);
      this.iterate(inPass, iterations, contact);
    }
    contact?.finish(inPass);
    this.run(substep, this.finish);
  }

  /** A pass: the iterations for what is known of contact. */
  private iterate(substep: GpuSubstep, iterations: number, contact: GpuContactStage | undefined): void {
    for (let k = 0; k < iterations; k++) {
      this.run(substep, substep.isFirstPass && k === 0 ? this.firstLocal : this.laterLocal);
      contact?.addLag(substep, k);
      this.run(substep, this.forward);
      this.run(substep, this.pins);
      this.run(substep, this.turn);
      if (contact) {
        contact.solve(substep, k, k === iterations - 1);
        this.run(substep, this.pinsAgain);
      }
      this.run(substep, this.backward);
    }
    contact?.endPass(substep);
  }

  private run({ recorder, offset, gate }: GpuSubstep, dispatches: readonly Dispatch[]): void {
    const { offsets } = this;
    for (const { kernel, stage, count, isWorkgroups, usesStep, other } of dispatches) {
      offsets[0] = usesStep ? offset : other;
      offsets[1] = other;
      const size = count >= 0 ? count : this.heldCount(count);
      if (size === 0) continue;
      if (isWorkgroups) gate.dispatchWorkgroups(kernel, recorder.stage(stage), size, offsets);
      else dispatch(gate, kernel, recorder.stage(stage), size, offsets);
    }
  }

  private heldCount(what: number): number {
    if (what === HELD_PIECES) return this.heldPieces;
    return what === SOFT_VERTICES ? this.softVertices : this.heldVertices;
  }

  private make<M extends ReflectedModule, E extends keyof M["entryPoints"] & string>(
    stage: string,
    name: string,
    module: M,
    entry: E,
    bindings: Bindings<M, E>,
    { count, isWorkgroups, other, withoutStep }: Work,
  ): Dispatch {
    const kernel = Kernel.create(this.context, name, module, entry, bindings);
    return { kernel, stage, count, isWorkgroups, usesStep: withoutStep !== true, other };
  }

  /** result = S b */
  private makeForward(stage: string, rhs: GPUBuffer, result: GPUBuffer): Dispatch[] {
    const name = "local-global/global/forward";
    const module = shaders[name];
    const { chunks, ranges: range, vertexCount } = this.buffers;
    const { quads, pieceSums, forwardPieces: pieces, forwardStarts: pieceStarts } = this.own;
    const all = { quads, pieceSums, pieces, pieceStarts, rhs, result, range };
    return [
      ...chunks.map(({ values, range: other, pieces: count }) =>
        this.make(
          stage,
          name,
          module,
          "forwardPieces",
          { ...all, quadValues: values },
          { ...threads(count, other), withoutStep: true },
        ),
      ),
      this.make(stage, name, module, "forwardSums", all, { ...threads(vertexCount, 0), withoutStep: true }),
    ];
  }

  /** result = Sᵀ y, or added to it. */
  private makeBackward(
    stage: string,
    entry: "backwardWrite" | "backwardAdd",
    y: GPUBuffer,
    result: GPUBuffer,
  ): Dispatch[] {
    const name = "local-global/global/backward";
    const module = shaders[name];
    const { chunks, columns, ranges: range, vertexCount } = this.buffers;
    const { quads, pieceSums, backwardPieces: pieces, backwardStarts: pieceStarts } = this.own;
    const all = { quads, pieceSums, pieces, pieceStarts, columns, y, result, range };
    return [
      ...chunks.map(({ values, range: other }) =>
        this.make(
          stage,
          name,
          module,
          "backwardPieces",
          { ...all, quadValues: values },
          { ...threads(this.sizes.backwardPieces, other), withoutStep: true },
        ),
      ),
      this.make(stage, name, module, entry, all, { ...threads(vertexCount, 0), withoutStep: true }),
    ];
  }

  /** Forces on held vertices join y. */
  private makePins(stage: string, read: "readPins" | "readStillPins", y: GPUBuffer): Dispatch[] {
    const module = shaders["local-global/step/pins"];
    const name = "local-global/step/pins";
    const { chunks } = this.buffers;
    const { quads, pieceSums, heldPieces: pieces, heldRanges: range } = this.own;
    const backward = shaders["local-global/global/backward"];
    const all = { ...this.all, y, range };
    const withoutStep = true;
    const held = (other: number): Work => ({ ...threads(HELD_VERTICES, other), withoutStep: read === "readStillPins" });
    return [
      ...chunks.map(({ values, range: other }) =>
        this.make(
          stage,
          "local-global/global/backward",
          backward,
          "backwardPieces",
          { quads, pieceSums, pieces, y, range, quadValues: values },
          { ...threads(HELD_PIECES, other), withoutStep },
        ),
      ),
      this.make(stage, name, module, read, all, held(0)),
      this.make(stage, name, module, "solvePins", all, { ...threads(HELD_VERTICES, 0), withoutStep }),
      ...chunks.map(({ values, range: other, rows }) =>
        this.make(stage, name, module, "addPins", { ...all, values }, { ...threads(rows, other), withoutStep }),
      ),
    ];
  }

  /** Passes that only vertices that give need. */
  private makeSoft(stage: string, entry: "keepTurns" | "takeGiven"): Dispatch {
    const name = "local-global/step/pins";
    const work = { ...threads(SOFT_VERTICES, 0), withoutStep: true };
    return this.make(stage, name, shaders[name], entry, { ...this.all, range: this.own.heldRanges }, work);
  }

  private makeLocal(isFirst: boolean): Dispatch[] {
    const { all } = this;
    const module = shaders["local-global/step/local-step"];
    const projections = this.sizes.kinds.map(({ of, columns, elementCount }, k) =>
      this.make(
        "local step",
        "local-global/step/local-step",
        module,
        PROJECTIONS[of][columns],
        all,
        threads(elementCount, UNIFORM_SLOT * (2 * k + (isFirst ? 1 : 0))),
      ),
    );
    const gather = shaders["local-global/step/gather"];
    const vertices = threads(this.buffers.vertexCount);
    return [...projections, this.make("assembly", "local-global/step/gather", gather, "gatherResidual", all, vertices)];
  }

  private makeKeeping(): Dispatch[] {
    const { all } = this;
    const module = shaders["local-global/step/local-step"];
    return this.sizes.kinds.flatMap(({ of, columns, elementCount }, k) => {
      if (of === "bending" || columns === 1) return [];
      const work = { ...threads(elementCount, 2 * UNIFORM_SLOT * k), withoutStep: true };
      return [this.make("finish", "local-global/step/local-step", module, KEEPERS[columns], all, work)];
    });
  }
}

const PROJECTIONS = {
  hyperelastic: { 1: "projectTriangles", 2: "projectTriangles", 3: "projectTetrahedra" },
  bending: { 1: "projectMeanCurvatures", 2: "projectCurvatures", 3: "projectCurvatures" },
} as const;
const KEEPERS = { 2: "keepTriangleDuals", 3: "keepTetrahedronDuals" } as const;

function threads(count: number, other = -1): Work {
  return { count, isWorkgroups: false, other };
}

function workgroups(count: number, other = -1): Work {
  return { count, isWorkgroups: true, other };
}
