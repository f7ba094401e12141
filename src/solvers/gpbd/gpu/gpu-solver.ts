/**
 * GPBD in WGSL: the stages of cpu-solver.ts as compute dispatches, in the same order over the same colours. Everything
 * is encoded into the frame's one command buffer; nothing is allocated or waited for in `step`.
 */
import { PliantError } from "../../../errors";
import type { ColliderBuffers } from "../../../collision/obstacles/collider-buffers";
import { facesMayTouch } from "../../../collision/contact/face-contact";
import type { Box } from "../../../geometry/box";
import { buildIncidence } from "../../../geometry/surface/incidence";
import { shaders } from "../../../generated/shaders/gpbd";
import { GUARD_BYTES } from "../../../generated/constants";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { type Kernel, KernelMaker } from "../../../gpu/kernel";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { readBuffer } from "../../../gpu/readback";
import { isSoftware } from "../../../gpu/software";
import { StructWriter } from "../../../gpu/struct";
import { longestEdge } from "../cpu/cpu-state";
import { airInterval } from "../external-forces";
import { GpuPins } from "./gpu-pins";
import { GpuRange } from "./gpu-range";
import { GpuWind } from "../../wind/gpu-wind";
import type { MergedWarmStart, SolidShader } from "../elements/solids/solid-shader";
import type { GpuGuard } from "../guard/gpu-guard";
import type { GpuPlasticBody } from "../plasticity/gpu-plastic-body";
import type { FusedCloth, FusedFrame } from "../fused/fused-cloth";
import { GpuContact } from "./gpu-contact";
import { depthsOf, fromVec4, toVec4 } from "./vec4";
import type { GpuRodStages } from "../rods/gpu-rod-stages";
import { GpuInflation } from "../pressure/gpu-inflation";
import type { GpuTethers } from "../tethers/gpu-tethers";
import { GpuTears } from "../tearing/gpu-tears";
import { GpuTerm, uniformSlot } from "../elements/gpu-term";
import { cavityOf, isInflated, pressureLaw } from "../pressure/inflation";
import { facesOf, requireSameRods, type EnergyTerm, type GpbdModel } from "../model";
import { termInterval, type GpbdStepOptions } from "../options";
import { addOverlaps } from "../overlap";
import type { GpuHeld } from "./gpu-held";
import { heldOn, spinOn } from "./parts";
import type { GpuFreeSpin } from "./gpu-free-spin";
import { facePasses, gripShare, stepPhases, type PhasedSolver, type ProxyStage } from "../phases";
import { airMass } from "../rods/rod-air";
import type { SurfaceGroup } from "../surfaces/surface-group";
import {
  type Tear,
  type BodyPlace,
  type BodyState,
  type FrameInput,
  type GpuDeformableSolver,
  type GpuFrameInput,
  type PinTable,
} from "../../deformable";
import { warmShare } from "../elements/warm-share";

/** `frozenAt` while the body is sound. */
const notFrozen = 0xffffffff;

/** The input of the frame. */
interface CurrentFrame {
  readonly frame: GpuFrameInput;
  readonly recorder: PassRecorder;
  readonly options: Readonly<GpbdStepOptions>;
  readonly touches: boolean;
  readonly withFaces: boolean;
  /** whether rigid bodies carry some of it and feel that */
  readonly carries: boolean;
  readonly isInflated: boolean;
  readonly isGuarded: boolean;
  readonly isRanged: boolean;
  /** undefined where anything may hold or touch it, or while its code is loaded */
  readonly spin: GpuFreeSpin | undefined;
  /** undefined where something stands between its stages */
  readonly merged: MergedWarmStart | undefined;
  readonly mergedContacts: MergedWarmStart["contacts"];
}

/** Proxies of a frame on the GPU; undefined where there are none. */
export function gpuProxies(frame: GpuFrameInput, solvers: readonly GpuGpbdSolver[]): ProxyStage | undefined {
  if (frame.colliders.proxies.length === 0) return undefined;
  return {
    move: (substep) => solvers.forEach((solver, k) => solver.moveProxies(substep, k === solvers.length - 1)),
    // The shaders of `returnReactions` do all of it.
    beginReactions: () => undefined,
    endReactions: () => undefined,
  };
}

interface Kernels {
  readonly airOnFaces: Kernel;
  readonly airOnParticles: Kernel;
  readonly predict: Kernel;
  /** after it, where rigid bodies carry particles */
  readonly carry: Kernel;
  readonly finish: Kernel;
}

/** Null for a body that it does not fit, undefined until the code is loaded. */
type FusedFactory = (
  context: GpuContext,
  model: GpbdModel,
  colliders: ColliderBuffers,
) => FusedCloth | null | undefined;

/** The additional parts that solids need. */
export interface SolidParts {
  shaderOf(term: EnergyTerm): SolidShader | undefined;
  /** @param state gets the `GuardState` */
  guardOf(model: GpbdModel, state: GPUBuffer): GpuGuard | undefined;
  /** undefined for an elastic body */
  flowOf(model: GpbdModel): GpuPlasticBody | undefined;
  /** see recovery.ts */
  recoveryIn(h: number, isGuarded?: boolean): number;
}

export class GpuGpbdSolver implements GpuDeformableSolver, PhasedSolver {
  private readonly buffers;
  private readonly wind: GpuWind;
  private terms: readonly GpuTerm[];
  private readonly contact: GpuContact;
  private arealMass: number;
  private longestEdge: number;
  private step_: GPUBuffer;
  private stepWriter: StructWriter<typeof structs.StepParameters>;
  kernels: Kernels | undefined;
  private merged: MergedWarmStart | undefined;
  private configuredFor = "";
  readonly pins: GpuPins;
  private readonly offsets = new Uint32Array(2);
  private readonly tears: GpuTears | undefined;
  /** what is in a closed surface, from when there is something */
  private inflation: GpuInflation | undefined;
  private tethers: GpuTethers | undefined;
  private range: GpuRange | undefined;
  /** null where it does not fit, undefined until its code is loaded */
  private fused: FusedCloth | null | undefined;
  /** undefined where it takes a dispatch for each stage */
  private fusedFrame: FusedFrame | undefined;
  /** of a solid */
  guard: GpuGuard | undefined;
  private plastic: GpuPlasticBody | undefined;
  /** of obstacles that move by themselves, in a substep, beside a solid [m] */
  private ledWay = 0;
  /** the last stage of a substep in a frame with a guard */
  finishGuarded: Kernel | undefined;
  current: CurrentFrame | undefined;
  /** whether obstacles have pushed it in a dispatch of surfaces */
  hasTouched = false;
  /** whether its last substep has ended in one */
  hasFinished = false;
  /** of patches in which it has a substep open */
  turnState: GPUBuffer | undefined;
  private place: BodyPlace | undefined;
  /** last time step [s]; 0 where nothing of it is to be used */
  private lastH = 0;
  /** where it was put since the last frame, if it was */
  private placed: ArrayLike<number> | undefined = this.model.positions;
  /** once their code is loaded */
  private held: GpuHeld | undefined;
  private spin: GpuFreeSpin | undefined;
  /** whether elastic displacements of the last substep are kept */
  private isWarm = false;

  /** @throws PliantError `device-limit` when the body does not fit the device */
  constructor(
    private readonly context: GpuContext,
    public model: GpbdModel,
    private readonly colliders: ColliderBuffers,
    readonly system?: SurfaceGroup<GpuGpbdSolver>,
    /** of a model with rods */
    readonly rods?: GpuRodStages,
    /** of a model with tetrahedra */
    private readonly solids?: SolidParts,
    /** once their code is loaded */
    private readonly createTethers?: (context: GpuContext, model: GpbdModel) => GpuTethers | undefined,
    /** the same */
    private readonly createFused?: FusedFactory,
    /** of cloth with plasticity */
    private readonly foldsOf?: (context: GpuContext, model: GpbdModel) => GpuPlasticBody | undefined,
  ) {
    const n = model.particleCount;
    const faces = facesOf(model);
    const elements = Math.max(n, faces.length / 3, ...model.terms.map((term) => term.elementCount));
    const most = context.device.limits.maxComputeWorkgroupsPerDimension * 64;
    if (elements > most)
      throw new PliantError(
        "device-limit",
        model.name,
        elements,
        `must not have more than ${most} elements on this device`,
      );
    const incidence = buildIncidence(faces, n);
    const named = (what: string) => `${model.name} ${what}`;
    this.wind = new GpuWind(context, model.name);
    this.contact = new GpuContact(context, model, colliders);
    this.buffers = {
      windField: this.wind.buffer,
      start: context.createBuffer(named("positions"), toVec4(model.positions)),
      displacement: context.createBuffer(named("displacements"), 16 * n),
      velocity: context.createBuffer(named("velocities"), 16 * n),
      pins: context.createBuffer(named("pins"), 16 * n),
      pinLimits: context.createBuffer(named("pin limits"), 4 * n),
      contact: this.contact.buffer,
      reaction: context.createBuffer(named("reactions"), 16 * n),
      faceAir: context.createBuffer(named("air on faces"), (16 * model.faces.length) / 3),
      particleAir: context.createBuffer(named("air on particles"), 16 * n),
      clearance: context.createBuffer(named("clearances"), 4 * (n + 1)),
      faces: context.createBuffer(named("faces"), faces),
      faceOffsets: context.createBuffer(named("face offsets"), incidence.offsets),
      faceEntries: context.createBuffer(named("face entries"), incidence.entries),
      frozenAt: context.createBuffer(named("frozen at"), Uint32Array.of(notFrozen), GPUBufferUsage.UNIFORM),
      guard: context.createBuffer(named("guard"), GUARD_BYTES, GPUBufferUsage.UNIFORM),
    };
    this.guard = this.solids?.guardOf(model, this.buffers.guard);
    this.pins = new GpuPins(context, n, this.buffers);
    this.arealMass = airMass(model);
    this.longestEdge = longestEdge(model);
    this.step_ = context.createUniformBuffer(named("step"), uniformSlot);
    this.stepWriter = new StructWriter(structs.StepParameters, 1, uniformSlot);
    this.terms = model.terms.map((term) => new GpuTerm(context, model, term, this.shared, solids?.shaderOf));
    this.plastic = solids ? solids.flowOf(model) : foldsOf?.(context, model);
    // Here, so that nothing is compiled when it tears.
    this.tears = model.tears ? new GpuTears(context, model, this.buffers) : undefined;
  }

  private get shared() {
    const { start, displacement, guard } = this.buffers;
    return { start, displacement, guard, step: this.step_ };
  }

  prepare(_frame: FrameInput, options: Readonly<GpbdStepOptions>, pins: PinTable, place: BodyPlace): void {
    this.place = place;
    this.system?.join(this, options, pins);
  }

  span(frame: FrameInput): Box {
    return this.place!.boxIn(frame.dt);
  }

  adapt(
    frame: FrameInput,
    options: Readonly<GpbdStepOptions>,
    pins: PinTable,
    load: number,
  ): Readonly<GpbdStepOptions> {
    if (!this.model.sheet || isInflated(options)) return options;
    this.tethers ??= this.createTethers?.(this.context, this.model);
    const { place: body, arealMass } = this;
    const moves = this.colliders.motion.share(0, 1) > 0;
    const place = { arealMass, box: body!.boxIn(0), isReach: body!.isBounded, load, body: body!, moves };
    return this.tethers?.adapt(this.model, frame, options, pins, place) ?? options;
  }

  get seen(): ArrayLike<number> {
    return this.place!.seen;
  }

  get looks(): number {
    return this.place!.looks;
  }

  look(isUrgent: boolean): void {
    if (isUrgent || !this.place!.isBounded) this.place!.look();
  }

  step(frame: GpuFrameInput, options: Readonly<GpbdStepOptions>, pins: PinTable): void {
    this.beginFrame(frame, options, pins, true);
    const { spin, isGuarded } = this.current!;
    if (spin && options.airDensity === 0) this.noteSpin(0);
    const fused = this.fuse(frame, 0);
    if (!fused || !this.fused!.step(fused)) {
      const account = isGuarded ? this.guard!.alone(this) : undefined;
      stepPhases([this], options, gpuProxies(frame, [this]), undefined, account);
    }
    spin?.giveBack(frame.recorder, this.slot(0));
  }

  private noteSpin(substep: number): void {
    this.current!.spin?.note(this.current!.recorder, this.bindings, this.slot(substep));
  }

  /** For a body that steps by itself. */
  private spinIn(frame: GpuFrameInput, options: Readonly<GpbdStepOptions>, pins: PinTable, feels: boolean) {
    if (pins.pinned.includes(1)) return undefined;
    this.spin ??= spinOn(this.context);
    return this.spin?.begin(this, frame, options, pins, feels);
  }

  leaps(substep: number, turn: number): boolean {
    if (substep > 0) return this.fusedFrame !== undefined;
    const frame = this.fuse(this.current!.frame, turn);
    this.fusedFrame = frame && this.fused!.begin(frame) ? frame : undefined;
    return this.fusedFrame !== undefined;
  }

  leap(substep: number): void {
    const state = this.fused!.leap(this.fusedFrame!, substep, this.staysInPatches);
    this.turnState = this.staysInPatches ? state : undefined;
  }

  /** Whether it does so from turn to turn. */
  get staysInPatches(): boolean {
    return this.fusedFrame !== undefined && this.touchesParticlesAlone;
  }

  /** For a frame in one dispatch, or in patches, if that is possible and may be wanted. */
  private fuse({ colliders }: GpuFrameInput, turn: number): FusedFrame | undefined {
    const { carries, isInflated, isRanged, options, spin, touches, withFaces } = this.current!;
    const isWanted = options.oneDispatch === true || options.patches === true;
    if ((!isWanted && isSoftware(this.context)) || this.contact.hasFactors) return undefined;
    this.fused ??= this.createFused?.(this.context, this.model, this.colliders);
    if (!this.fused) return undefined;
    return {
      ...this.current!,
      turn,
      // The spin has a stage after each evaluation of the air.
      isPartOfMore:
        carries || isInflated || isRanged || colliders.proxies.length > 0 || (spin && options.airDensity > 0) === true,
      contactPasses: touches ? (withFaces ? facePasses(options) : 1) : 0,
      airInterval: options.airDensity > 0 ? airInterval(options.substeps) : 0,
      terms: this.terms,
      steps: this.stepWriter,
      buffers: this.bindings,
      pins: this.pins,
      tethers: this.tethers?.packed,
    };
  }

  beginFrame(frame: GpuFrameInput, options: Readonly<GpbdStepOptions>, pins: PinTable, isAlone?: boolean): void {
    this.configure(options);
    this.lookAround(frame, options, pins);
    const guarded = this.guard?.guards(options, pins, isAlone) === true;
    this.writeParameters(frame, options, guarded);
    const carries = this.pins.write(this.model.masses, pins, frame.colliders, options.inertia);
    const { primitives } = frame.colliders;
    const withFaces = facesMayTouch(primitives, this.longestEdge, options);
    const isInflated = this.inflate(options, frame.dt / options.substeps, pins);
    if (pins.range) (this.range ??= new GpuRange(this.context, this.model)).write(pins.range, this.bindings);
    if (options.airDensity > 0) this.wind.write(options.windField);
    this.tethers?.beginFrame(this.buffers, options, frame.dt / options.substeps, this.model, this.terms);
    this.plastic?.beginFrame(frame.recorder, frame.dt);
    this.finishGuarded = undefined;
    if (guarded) this.guard!.beginFrame(frame, options, pins, this.place!.seen, this.slot(0));
    else this.guard?.forget();
    const merged = isAlone && !carries && !isInflated && !this.guard?.isLed ? this.merged : undefined;
    this.current = {
      frame,
      recorder: frame.recorder,
      options,
      touches: primitives.length > 0,
      withFaces,
      carries,
      isInflated,
      isGuarded: guarded,
      isRanged: pins.range !== undefined,
      spin: isAlone && !isInflated ? this.spinIn(frame, options, pins, guarded) : undefined,
      merged,
      mergedContacts: primitives.length > 0 && !withFaces ? merged?.contacts : undefined,
    };
  }

  /** Particles within obstacles keep less distance at first, and near pins there. */
  private lookAround(frame: GpuFrameInput, options: Readonly<GpbdStepOptions>, pins: PinTable): void {
    if (this.placed) {
      const depths = new Float64Array(this.model.particleCount);
      // As on the CPU.
      addOverlaps(frame.colliders, this.placed, options, depths, 0, this.solids ? 1 : undefined);
      this.writeStart(depths);
    }
    if (this.solids) return;
    if (frame.colliders.primitiveCount > 0 && pins.pinned.includes(1))
      this.held ??= heldOn(this.context, this.colliders, this.model.particleCount);
    const { model, bindings: buffers } = this;
    this.held?.look({ frame, pins, options, model, place: this.place!.boxIn(frame.dt), buffers });
  }

  /** Goes on from where it was put, with so much less distance than its thickness. */
  private writeStart(depths: Float64Array): void {
    this.context.device.queue.writeBuffer(this.buffers.start, 0, toVec4(this.placed!, depths));
    this.placed = undefined;
  }

  private inflate(options: Readonly<GpbdStepOptions>, h: number, pins: PinTable): boolean {
    if (!isInflated(options)) return false;
    const cavity = cavityOf(this.model.name, this.model);
    if (!this.inflation) {
      this.inflation = new GpuInflation(this.context, this.model, cavity.side, { ...this.buffers, step: this.step_ });
      this.guard?.configure(this.bindings, this.terms, this.inflation);
    }
    this.inflation.write(pressureLaw(options, cavity, h), pins);
    return true;
  }

  predict(substep: number): void {
    const { recorder, options, touches, carries, isInflated, merged, mergedContacts } = this.current!;
    const n = this.model.particleCount;
    this.tethers?.predict(recorder, substep, options.substeps);
    if (this.feelsAir(substep)) {
      if (this.rods) this.rods.air.dispatch(recorder, this.slot(substep));
      else {
        this.kernels!.airOnFaces.dispatch(recorder.stage("air"), this.model.faces.length / 3, this.slot(substep));
        this.kernels!.airOnParticles.dispatch(recorder.stage("air"), n, this.slot(substep));
      }
      this.noteSpin(substep);
    }
    (merged ?? this.kernels!).predict.dispatch(recorder.stage("predict"), n, this.slot(substep));
    if (carries) this.kernels!.carry.dispatch(recorder.stage("predict"), n, this.slot(substep));
    this.rods?.frames.predict(recorder.stage("predict"), substep);
    if (isInflated) this.inflation!.dispatch(recorder, this.slot(substep), true);
    this.guard?.predicted(recorder, this.slot(substep));
    if (options.warmStart === 0) return;
    if (!merged) for (const term of this.terms) term.begin(recorder.stage("predict"), substep, n);
    if (touches) this.contact.dispatch(recorder, this.slot(substep), false, mergedContacts?.before);
  }

  /** Whether the air is evaluated before a substep. */
  feelsAir(substep: number): boolean {
    const { airDensity, substeps } = this.current!.options;
    return airDensity > 0 && substep % airInterval(substeps) === 0;
  }

  projectTerms(substep: number, iteration: number): void {
    const { recorder, options, isInflated, mergedContacts } = this.current!;
    this.guard?.swept(recorder, this.slot(substep));
    if (isInflated && (iteration > 0 || options.warmStart > 0)) this.inflation!.note(recorder, this.slot(substep));
    this.terms.forEach((term, index) => {
      const { kind } = this.model.terms[index];
      if (!this.rods?.solves(index) && substep % termInterval(kind, options.substeps) === 0)
        term.dispatch(recorder.stage(kind), substep, iteration, this.model.particleCount, mergedContacts !== undefined);
    });
    this.rods?.sweep(recorder, substep, iteration);
    if (isInflated) this.inflation!.dispatch(recorder, this.slot(substep), false);
    this.tethers?.dispatch(recorder);
    this.guard?.swept(recorder, this.slot(substep), true);
  }

  projectObstacles(substep: number, iteration: number): void {
    const { recorder, options, touches, withFaces, isRanged, mergedContacts } = this.current!;
    if (this.hasTouched) {
      this.hasTouched = false;
      return;
    }
    const passes = withFaces && iteration === options.iterations - 1 ? facePasses(options, this.ledWay) : 0;
    for (let pass = touches ? Math.max(1, passes) : 0; pass > 0; pass--)
      this.contact.dispatch(recorder, this.slot(substep), pass <= passes, mergedContacts?.after);
    if (isRanged) this.range!.dispatch(recorder, this.slot(substep));
  }

  finish(substep: number): void {
    const { recorder, options } = this.current!;
    const finish = this.finishGuarded ?? this.held?.finish ?? this.kernels!.finish;
    if (!this.hasFinished) finish.dispatch(recorder.stage("finish"), this.model.particleCount, this.slot(substep));
    this.hasFinished = false;
    this.turnState = undefined;
    this.rods?.frames.finish(recorder.stage("finish"), substep);
    if (substep === options.substeps - 1) this.plastic?.dispatch(recorder);
  }

  moveProxies(substep: number, isLast: boolean): void {
    this.contact.moveProxies(this.current!.recorder, this.slot(substep), isLast);
  }

  returnReactions(substep: number): void {
    // The guard has done that.
    if (!this.current!.isGuarded) this.contact.returnReactions(this.current!.recorder, this.slot(substep));
  }

  /** Buffers of the body, and its step. */
  get bindings() {
    return { ...this.buffers, step: this.step_ };
  }

  /**
   * Dynamic offsets of a substep.
   *
   * @param second of another uniform [bytes]
   */
  slot(substep: number, second = 0): Uint32Array {
    this.offsets[0] = substep * uniformSlot;
    this.offsets[1] = second;
    return this.offsets;
  }

  /** Kernels and ranges for these options; does something only when they changed or the collider buffers grew. */
  private configure(options: Readonly<GpbdStepOptions>): void {
    const { method, iterations, substeps, newtonIterations, warmStart, accelerate } = options;
    const accelerated = accelerate ? iterations : 0;
    const { version } = this.colliders;
    const key = [method, iterations > 1, substeps, newtonIterations, warmStart > 0, accelerated, version].join();
    this.contact.follow();
    if (key === this.configuredFor) return;
    // Without a warm start nothing was stored of the last substep.
    if (warmStart > 0 && !this.isWarm) this.lastH = 0;
    this.isWarm = warmStart > 0;
    this.configuredFor = key;
    if (substeps > this.stepWriter.count) {
      this.step_.destroy();
      this.step_ = this.context.createUniformBuffer(`${this.model.name} step`, substeps * uniformSlot);
      this.stepWriter = new StructWriter(structs.StepParameters, substeps, uniformSlot);
    }
    for (const term of this.terms) term.configure(this.shared, options);
    const { context, bindings: all, colliders } = this;
    const isSingle = this.terms.length === 1 && iterations === 1 && !this.rods;
    this.merged = isSingle ? this.terms[0].mergedWarmStart(this.obstacles.bindings, colliders.constants) : undefined;
    this.guard?.configure(all, this.terms, this.inflation);
    this.rods?.configure(all, options);
    this.plastic?.configure({ ...all, elements: this.terms.at(-1)!.elements });
    this.contact.configure(all);
    this.inflation?.configure(all);
    const kernels = new KernelMaker(context, shaders);
    this.kernels = {
      ...kernels.some("gpbd/air", ["airOnFaces", "airOnParticles"], all),
      ...kernels.some("gpbd/predict", ["predict"], all),
      ...kernels.some("gpbd/finish", ["finish"], all),
      carry: kernels.one("gpbd/carry", "carry", {
        ...all,
        proxies: colliders.proxies.proxies,
        proxyStates: colliders.proxies.states,
      }),
    };
  }

  private writeParameters(frame: FrameInput, options: Readonly<GpbdStepOptions>, isGuarded: boolean): void {
    const { stepWriter: writer, model, lastH } = this;
    const { substeps, gravityFactor, damping, warmStart } = options;
    const { wind, airDensity, drag, lift, thickness, friction, relaxation } = options;
    const h = frame.dt / substeps;
    const [ledSpeed, pushSpeed] = this.guard?.speeds(frame) ?? [0, 0];
    this.ledWay = (ledSpeed * frame.dt) / options.substeps;
    writer.put(0, {
      gravity: frame.gravity.map((g) => g * gravityFactor),
      h,
      wind,
      airDensity,
      drag,
      lift,
      arealMass: this.arealMass * (options.inertia ?? 1),
      airInterval: h * airInterval(substeps),
      pace: frame.pace ?? 1,
      decay: 1 / (1 + h * damping),
      thickness,
      friction,
      relaxation,
      particleCount: model.particleCount,
      faceCount: this.contact.faceCount,
      colliderCount: frame.colliders.primitiveCount,
      frame: frame.frame,
      ledSpeed,
      pushSpeed,
      recovery: this.solids?.recoveryIn(h) ?? 1,
      guardedRecovery: this.solids?.recoveryIn(h, isGuarded) ?? 1,
    });
    for (let substep = 0; substep < substeps; substep++) {
      if (substep > 0) writer.repeat(0, substep);
      writer.put(substep, {
        pinShare: 1 / (substeps - substep),
        gripShare: gripShare(substep, substeps),
        warmStart: substep > 0 ? warmStart : warmShare(warmStart, h, lastH),
        fractionStart: substep / substeps,
        fractionEnd: (substep + 1) / substeps,
        obstacleMotion: Math.min(1e30, this.colliders.motion.share(substep, substeps)),
      });
    }
    this.lastH = h;
    for (const term of this.terms) term.accelerate(options, h);
    this.context.device.queue.writeBuffer(this.step_, 0, writer.bytes, 0, substeps * uniformSlot);
  }

  async readState(): Promise<BodyState> {
    const { start, velocity } = this.buffers;
    const read = await Promise.all([start, velocity].map((buffer) => readBuffer(this.context, buffer)));
    const [positions, velocities] = read.map((bytes) => fromVec4(bytes, this.model.particleCount));
    const [frames, plastic] = [await this.rods?.frames.read(), await this.plastic?.read()];
    return { positions, velocities, frames, plastic };
  }

  writeState(state: BodyState): void {
    const { queue } = this.context.device;
    queue.writeBuffer(this.buffers.start, 0, toVec4(state.positions));
    this.placed = state.positions.slice();
    queue.writeBuffer(this.buffers.velocity, 0, toVec4(state.velocities));
    this.guard?.forget();
    // Nothing is known of the distance to obstacles from here.
    queue.writeBuffer(this.buffers.clearance, 0, new Float32Array(this.model.particleCount + 1));
    queue.writeBuffer(this.buffers.frozenAt, 0, Uint32Array.of(notFrozen));
    this.contact.forget();
    this.rods?.frames.write(state.positions, state.frames);
    this.plastic?.write(state.plastic);
    this.system?.forget(this);
    this.lastH = 0;
  }

  get motion() {
    return { context: this.context, positions: this.buffers.start, velocities: this.buffers.velocity };
  }

  readonly pushed = (): void => this.guard?.forget();

  /** As on the CPU, without a guard: whether it looked around, whether obstacles let go, how far it is within them; anchors. */
  async saveMemory(): Promise<readonly Float64Array[]> {
    if (this.placed) return [];
    const [start, anchors] = await Promise.all([readBuffer(this.context, this.buffers.start), this.contact.save()]);
    return [depthsOf(start), ...anchors];
  }

  loadMemory([depths, ...memory]: readonly Float64Array[]): void {
    if (depths && this.placed) this.writeStart(depths.subarray(2));
    this.contact.load(memory[memory.length & 2]);
  }

  /** Terms of the same elements get other numbers; those of others are made anew. */
  replaceModel(model: GpbdModel): void {
    requireSameRods(this.model, model);
    const old = this.terms;
    const kept = model.terms.map((term) => old.find((known) => known.isAlike(term)));
    const terms = this.context.allOrNothing(() =>
      model.terms.map(
        (term, k) => kept[k] ?? new GpuTerm(this.context, model, term, this.shared, this.solids?.shaderOf),
      ),
    );
    // nothing is refused from here on
    kept.forEach((term, k) => term?.replace(model, model.terms[k]));
    for (const term of old) if (!terms.includes(term)) term.dispose();
    this.rods?.replaceModel(model);
    this.plastic ??= this.solids ? this.solids.flowOf(model) : this.foldsOf?.(this.context, model);
    this.plastic?.replaceModel(model);
    this.terms = terms;
    this.model = model;
    this.contact.writeFactors(model);
    this.fused?.dispose();
    this.fused = undefined;
    this.guard?.dispose();
    this.guard = this.solids?.guardOf(model, this.buffers.guard);
    this.arealMass = airMass(model);
    this.longestEdge = longestEdge(model);
    this.configuredFor = "";
  }

  tear(tear: Tear): void {
    this.tears?.apply(tear);
    // It knows the surface as it was.
    this.inflation?.dispose();
    this.inflation = undefined;
    tear.elements.forEach((elements, index) => this.terms[index].rewrite(elements, tear.splits));
  }

  async frozenAt(): Promise<number> {
    const frame = new Uint32Array(await readBuffer(this.context, this.buffers.frozenAt, 4))[0];
    return frame === notFrozen ? 0 : frame;
  }

  get gpuState() {
    const { start, velocity, faces, faceOffsets, faceEntries } = this.buffers;
    return { positions: start, velocities: velocity, surface: { start, faces, faceOffsets, faceEntries } };
  }

  /** Tracked displacements dᵢ of a term, element × arity × vec4f; kept when there is more than one iteration. */
  trackedDisplacements(term: number): GPUBuffer {
    return this.terms[term].trackedBuffer;
  }

  /** x − x⁻ of the last substep and the contact displacement in it, particleCount × vec4f each; the latter has more after that. */
  get lastSubstep() {
    return { displacement: this.buffers.displacement, contact: this.buffers.contact };
  }

  /** Whether contact with obstacles is a single dispatch, which that of surfaces may take along. */
  get touchesParticlesAlone(): boolean {
    const { withFaces, isRanged } = this.current!;
    return !withFaces && !isRanged;
  }

  /** Of that dispatch. */
  get obstacles() {
    const { colliders, bindings } = this;
    const { primitives, data, constants } = colliders;
    return { bindings: { ...bindings, colliders: primitives, colliderData: data }, constants };
  }

  /** Buffers that contact with other bodies reads and moves. */
  get exchanged() {
    const { start, displacement, clearance } = this.buffers;
    return { start, displacement, clearance };
  }

  dispose(): void {
    this.system?.leave(this);
    for (const buffer of Object.values(this.buffers)) buffer.destroy();
    this.step_.destroy();
    this.contact.dispose();
    this.rods?.dispose();
    this.inflation?.dispose();
    this.tethers?.dispose();
    for (const part of [this.range, this.fused, this.guard, this.plastic, this.tears, this.held, this.spin])
      part?.dispose();
    for (const term of this.terms) term.dispose();
  }
}
