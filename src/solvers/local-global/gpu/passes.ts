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
    const motion = "local-global/step/motion";
    const turning = "local-global/step/turning";
    const vertices = threads(vertexCount);
    const bodies = workgroups(bodyCount);
    this.predict = [this.make("predict", motion, "predict", all, vertices)];
    this.prepareTurning = [
      this.make("turning", turning, "findMiddles", all, still(bodies)),
      this.make("turning", turning, "placeVertices", all, vertices),
      this.make("turning", turning, "resistTurning", all, vertices),
      ...this.makeForward("turning", own.momentum, own.momenta),
      ...this.makeForward("turning", own.resistance, turnForces),
      ...this.makePins("turning", "readStillPins", turnForces),
      this.makeSoft("turning", "keepTurns"),
      ...this.makeBackward("turning", "backwardWrite", turnForces, arms),
      this.make("turning", turning, "invertTurns", all, still(bodies)),
    ];
    this.firstLocal = this.makeLocal(true);
    this.laterLocal = this.makeLocal(false);
    this.forward = this.makeForward("global step", r, y);
    this.pins = this.makePins("held vertices", "readPins", y);
    const solve = this.pins.length - 1 - buffers.chunks.length;
    const takeGiven = this.makeSoft("held vertices", "takeGiven");
    this.pinsAgain = [...this.pins.slice(0, solve), takeGiven, ...this.pins.slice(solve)];
    this.turn = [
      this.make("turning", turning, "findMoments", all, still(bodies)),
      this.make("turning", turning, "findTurns", all, still(bodies)),
      this.make("turning", turning, "addTurns", all, vertices),
    ];
    this.backward = this.makeBackward("global step", "backwardAdd", y, displacement);
    this.finish = [
      ...this.makeKeeping(),
      this.make("finish", motion, "judgeBodies", all, bodies),
      this.make("finish", motion, "finish", all, vertices),
      this.make("finish", "local-global/step/momentum", "keepAngularMomentum", all, bodies),
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
