/** The dispatches of a substep, made once for the buffers of a group: encoding a frame allocates nothing. */
import { shaders } from "../../../generated/shaders/local-global";
import type { GpuContext } from "../../../gpu/device";
import { type Bindings, Kernel } from "../../../gpu/kernel";
import type { GpuAirStage } from "./air-stage";
import type { LocalGlobalBuffers, GpuContactStage, GpuSubstep } from "./buffers";
import { dispatch } from "./contact/pass-gate";
import type { ElementKind } from "./tables";
import type { BuffersOf } from "../../../words";

/** Bytes between slots of a uniform with dynamic offset. */
export const UNIFORM_SLOT = 256;

/** Buffers that only these kernels use. */
export type PrivateBuffers = BuffersOf<`
  quads forwardPieces forwardStarts backwardPieces backwardStarts pieceSums heldPieces pinPieces heldRanges gaps heldTurns
  momentum momenta resistance matrixOffsets matrixEntries corners elements materials incidenceOffsets incidence duals
  outputs kinds
`>;

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

type Shaders = typeof shaders;
type Name = keyof Shaders;
type Work = Pick<Dispatch, "count" | "isWorkgroups" | "other"> & { readonly withoutStep?: boolean };

/** One for each held vertex. */
const HELD_VERTICES = -1;
/** One for each piece of the columns of held vertices. */
const HELD_PIECES = -2;
/** One for each held vertex if one of them gives, else none. */
const SOFT_VERTICES = -3;

const MOTION = "local-global/step/motion";
const TURNING = "local-global/step/turning";

export class LocalGlobalPasses {
  private readonly vertices = threads(this.buffers.vertexCount);
  private readonly bodies = workgroups(this.buffers.bodyCount);
  private readonly predict = [this.make("predict", MOTION, "predict", this.all, this.vertices)];
  private readonly prepareTurning = [
    this.make("turning", TURNING, "findMiddles", this.all, still(this.bodies)),
    this.make("turning", TURNING, "placeVertices", this.all, this.vertices),
    this.make("turning", TURNING, "resistTurning", this.all, this.vertices),
    ...this.makeForward("turning", this.own.momentum, this.own.momenta),
    ...this.makeForward("turning", this.own.resistance, this.buffers.turnForces),
    ...this.makePins("turning", "readStillPins", this.buffers.turnForces),
    this.makeSoft("turning", "keepTurns"),
    ...this.makeBackward("turning", "backwardWrite", this.buffers.turnForces, this.buffers.arms),
    this.make("turning", TURNING, "invertTurns", this.all, still(this.bodies)),
  ];
  private readonly firstLocal = this.makeLocal(true);
  private readonly laterLocal = this.makeLocal(false);
  private readonly forward = this.makeForward("global step", this.buffers.r, this.buffers.y);
  private readonly pins = this.makePins("held vertices", "readPins", this.buffers.y);
  private readonly pinsAgain = [
    ...this.pins.slice(0, -1 - this.buffers.chunks.length),
    this.makeSoft("held vertices", "takeGiven"),
    ...this.pins.slice(-1 - this.buffers.chunks.length),
  ];
  private readonly turn = [
    this.make("turning", TURNING, "findMoments", this.all, still(this.bodies)),
    this.make("turning", TURNING, "findTurns", this.all, still(this.bodies)),
    this.make("turning", TURNING, "addTurns", this.all, this.vertices),
  ];
  private readonly backward = this.makeBackward(
    "global step",
    "backwardAdd",
    this.buffers.y,
    this.buffers.displacement,
  );
  private readonly finish = [
    ...this.makeKeeping(),
    this.make("finish", MOTION, "judgeBodies", this.all, this.bodies),
    this.make("finish", MOTION, "finish", this.all, this.vertices),
    this.make("finish", "local-global/step/momentum", "keepAngularMomentum", this.all, this.bodies),
  ];
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
  ) {}

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

  private make<N extends Name, E extends keyof Shaders[N]["entryPoints"] & string>(
    stage: string,
    name: N,
    entry: E,
    bindings: Bindings<Shaders[N], E>,
    { count, isWorkgroups, other, withoutStep }: Work,
  ): Dispatch {
    const kernel = Kernel.create(this.context, name, shaders[name], entry, bindings);
    return { kernel, stage, count, isWorkgroups, usesStep: withoutStep !== true, other };
  }

  /** result = S b */
  private makeForward(stage: string, rhs: GPUBuffer, result: GPUBuffer): Dispatch[] {
    const name = "local-global/global/forward";
    const { chunks, ranges: range, vertexCount } = this.buffers;
    const { quads, pieceSums, forwardPieces: pieces, forwardStarts: pieceStarts } = this.own;
    const all = { quads, pieceSums, pieces, pieceStarts, rhs, result, range };
    return [
      ...chunks.map(({ values, range: other, pieces: count }) =>
        this.make(stage, name, "forwardPieces", { ...all, quadValues: values }, still(threads(count, other))),
      ),
      this.make(stage, name, "forwardSums", all, still(threads(vertexCount, 0))),
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
    const { chunks, columns, ranges: range, vertexCount } = this.buffers;
    const { quads, pieceSums, backwardPieces: pieces, backwardStarts: pieceStarts } = this.own;
    const all = { quads, pieceSums, pieces, pieceStarts, columns, y, result, range };
    return [
      ...chunks.map(({ values, range: other }) =>
        this.make(
          stage,
          name,
          "backwardPieces",
          { ...all, quadValues: values },
          still(threads(this.sizes.backwardPieces, other)),
        ),
      ),
      this.make(stage, name, entry, all, still(threads(vertexCount, 0))),
    ];
  }

  /** Forces on held vertices join y. */
  private makePins(stage: string, read: "readPins" | "readStillPins", y: GPUBuffer): Dispatch[] {
    const name = "local-global/step/pins";
    const { chunks } = this.buffers;
    const { quads, pieceSums, heldPieces: pieces, heldRanges: range } = this.own;
    const all = { ...this.all, y, range };
    const held = (other: number): Work => ({ ...threads(HELD_VERTICES, other), withoutStep: read === "readStillPins" });
    return [
      ...chunks.map(({ values, range: other }) =>
        this.make(
          stage,
          "local-global/global/backward",
          "backwardPieces",
          { quads, pieceSums, pieces, y, range, quadValues: values },
          still(threads(HELD_PIECES, other)),
        ),
      ),
      this.make(stage, name, read, all, held(0)),
      this.make(stage, name, "solvePins", all, still(threads(HELD_VERTICES, 0))),
      ...chunks.map(({ values, range: other, rows }) =>
        this.make(stage, name, "addPins", { ...all, values }, still(threads(rows, other))),
      ),
    ];
  }

  /** Passes that only vertices that give need. */
  private makeSoft(stage: string, entry: "keepTurns" | "takeGiven"): Dispatch {
    const name = "local-global/step/pins";
    const work = still(threads(SOFT_VERTICES, 0));
    return this.make(stage, name, entry, { ...this.all, range: this.own.heldRanges }, work);
  }

  private makeLocal(isFirst: boolean): Dispatch[] {
    const { all } = this;
    const projections = this.sizes.kinds.map(({ of, columns, elementCount }, k) =>
      this.make(
        "local step",
        "local-global/step/local-step",
        PROJECTIONS[of][columns],
        all,
        threads(elementCount, UNIFORM_SLOT * (2 * k + (isFirst ? 1 : 0))),
      ),
    );
    const vertices = threads(this.buffers.vertexCount);
    return [...projections, this.make("assembly", "local-global/step/gather", "gatherResidual", all, vertices)];
  }

  private makeKeeping(): Dispatch[] {
    const { all } = this;
    return this.sizes.kinds.flatMap(({ of, columns, elementCount }, k) => {
      if (of === "bending" || columns === 1) return [];
      const work = still(threads(elementCount, 2 * UNIFORM_SLOT * k));
      return [this.make("finish", "local-global/step/local-step", KEEPERS[columns], all, work)];
    });
  }
}

const PROJECTIONS = {
  hyperelastic: { 1: "projectTriangles", 2: "projectTriangles", 3: "projectTetrahedra" },
  bending: { 1: "projectMeanCurvatures", 2: "projectCurvatures", 3: "projectCurvatures" },
} as const;
const KEEPERS = { 2: "keepTriangleDuals", 3: "keepTetrahedronDuals" } as const;

/** Without the uniform of the step. */
function still(work: Work): Work {
  return { ...work, withoutStep: true };
}

function threads(count: number, other = -1): Work {
  return { count, isWorkgroups: false, other };
}

function workgroups(count: number, other = -1): Work {
  return { count, isWorkgroups: true, other };
}
