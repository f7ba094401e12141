/**
 * GPBD in f64, the reference: Algorithm 1 of paper 1 with substeps, contact as a further projection, and friction.
 * Glossary: x⁻ positions at the start of the time step, x̃ predicted positions (3), W = Δt² M⁻¹ (4), dᵢ displacement
 * caused by element i (5), h = Δt.
 */
import { recordFaces, recordReaction, returnReactions } from "../../../collision/obstacles/contact-reaction";
import type { Squeezing } from "../../../collision/obstacles/contact-reaction";
import { boxOf, type Box } from "../../../geometry/box";
import { clearance } from "../../../collision/contact/clearance";
import { createMaterial } from "../../../collision/contact/contact-material";
import {
  facesMayTouch,
  isClearOfObstacles,
  mayStayWithin,
  resolveFaceContact,
  shareFacePushes,
} from "../../../collision/contact/face-contact";
import { resolveParticleContact } from "../../../collision/contact/particle-contact";
import { metered, squeezed } from "../../../collision/obstacles/drive-meter";
import { sweepContact as sweep } from "../../../collision/contact/sweep";
import { addLoads, carriedIn, predictCarried, type Carried } from "../carried";
import type { CpuRodStages } from "../rods/cpu-rod-stages";
import { airAccelerations } from "../../face-air";
import type { SolidSolve } from "../elements/solids/solid-solve";
import type { PlasticBody } from "../plasticity/plastic-body";
import type { CpuGuard } from "../guard/cpu-guard";
import { createCpuScratch, createCpuState, createCpuTopology, tornTopology } from "./cpu-state";
import { Overlap } from "./cpu-overlap";
import type { FreeSpin } from "./free-spin";
import { CpuSweep } from "./cpu-sweep";
import { finishVelocities } from "./velocities";
import { airInterval } from "../external-forces";
import { holdInRange } from "../range";
import { hasSameElements, requireSameRods, type GpbdModel } from "../model";
import { termInterval, type GpbdOptions, type GpbdStepOptions } from "../options";
import { CpuInflation } from "../pressure/cpu-inflation";
import { cavityOf, isInflated, pressureLaw, type PressureLaw } from "../pressure/inflation";
import { spanOf } from "../span";
import type { CpuGroupedSolver, SurfaceGroup } from "../surfaces/surface-group";
import type { CpuTethers } from "../tethers/cpu-tethers";
import { pullPins } from "../pulls";
import type { FastFrames } from "./fast-frames";
import type { Waits } from "./waits";
import { cpuProxies } from "./cpu-proxies";
import { facePasses, gripShare, stepPhases, type PhasedSolver } from "../phases";
import {
  type Tear,
  pinHolds,
  type BodyState,
  type CpuDeformableSolver,
  type FrameInput,
  type PinTable,
} from "../../deformable";
import { warmShare } from "../elements/warm-share";
import { lengthOf, norm } from "../../../math/vectors";

/** Called after every iteration of every substep: tests look at the invariant x = x̃ + Σ dᵢ through it. */
export type IterationProbe = (solver: CpuGpbdSolver, substep: number, iteration: number) => void;

/** The input of the frame. */
interface CurrentFrame {
  readonly frame: FrameInput;
  readonly options: Readonly<GpbdStepOptions>;
  readonly pins: PinTable;
  readonly h: number;
  readonly withFaces: boolean;
  /** what rigid bodies carry that feel it */
  readonly carried: Carried | undefined;
  /** of what is in a closed surface */
  readonly law: PressureLaw | undefined;
  readonly squeezing: Squeezing;
}

export class CpuGpbdSolver implements CpuDeformableSolver, PhasedSolver {
  readonly state;
  scratch;
  /** frames that it was seen in */
  looks = 0;
  topology;
  private sweep: CpuSweep;
  private fast: FastFrames | undefined;
  /** whether elements were in f32 in its last frame */
  lane: "cpu" | "simd" = "cpu";
  private inflation: CpuInflation | undefined;
  tethers: CpuTethers | undefined;
  /** in frames in which nothing holds or touches it */
  spin: FreeSpin | undefined;
  private current: CurrentFrame | undefined;
  /** last time step [s]; 0 where nothing of it is to be used */
  private lastH = 0;
  private readonly overlap: Overlap;
  private waits: Waits | undefined;
  private plastic: PlasticBody | undefined;
  /** whether it begins in obstacles */
  private isWithin = false;
  /** part of the substep's impulses that is left to a body without a guard beside solids */
  private left = 1;
  /** start and end of the substep in the frame */
  private readonly fractions = new Float64Array(2);
  /** what a particle within obstacles keeps */
  private readonly contactMaterial = createMaterial();

  /**
   * @param system all bodies of the world; without, it is stepped by `step`
   * @param rods of a model with rods, as solids of one with tetrahedra
   * @param guard of a solid
   * @param createTethers makes them once their code is loaded
   * @param makeFast makes what takes frames faster, of bodies that it knows
   * @param foldsOf makes the folds of cloth with plasticity, see folds.ts
   */
  constructor(
    public model: GpbdModel,
    private readonly probe?: IterationProbe,
    readonly system?: SurfaceGroup<CpuGroupedSolver>,
    private readonly rods?: CpuRodStages,
    private readonly solids?: SolidSolve,
    readonly guard?: CpuGuard,
    private readonly createTethers?: () => CpuTethers | undefined,
    private readonly makeFast?: (solver: CpuGpbdSolver) => FastFrames | undefined,
    private readonly foldsOf?: (model: GpbdModel) => PlasticBody | undefined,
  ) {
    this.plastic = this.plasticOf(model);
    if (this.plastic) this.model = model = this.plastic.model;
    this.state = createCpuState(model);
    this.scratch = createCpuScratch(model);
    this.topology = createCpuTopology(model);
    this.sweep = new CpuSweep(model, this.state, this.scratch, this.solids);
    this.fast = makeFast?.(this);
    if (guard) this.waitWith(guard.Waits);
    this.overlap = new Overlap(model.particleCount, guard !== undefined);
  }

  waitWith(makes: typeof Waits): void {
    this.waits ??= new makes(this.model.particleCount, this.topology.faces);
  }

  private plasticOf(model: GpbdModel): PlasticBody | undefined {
    return model.plasticity && (this.solids ? new this.solids.PlasticFlow(model) : this.foldsOf?.(model));
  }

  /** At the end of a frame. */
  private flow(dt: number): void {
    if (this.plastic?.flow(this.state.positions, dt, this.fast)) this.solids?.forget?.();
  }

  prepare(_frame: FrameInput, options: Readonly<GpbdOptions>, pins: PinTable): void {
    this.looks++;
    this.system?.join(this, options, pins);
  }

  span(frame: FrameInput, options: Readonly<GpbdOptions>, pins: PinTable): Box {
    return spanOf(this.state, pins, frame, options);
  }

  adapt(
    frame: FrameInput,
    options: Readonly<GpbdStepOptions>,
    pins: PinTable,
    load: number,
  ): Readonly<GpbdStepOptions> {
    if (!this.model.sheet || isInflated(options)) return options;
    this.tethers ??= this.createTethers?.();
    const { arealMass } = this.topology;
    const { positions } = this.state;
    const place = { arealMass, box: boxOf(positions), isReach: false, load, positions };
    return this.tethers?.adapt(this.model, frame, options, pins, place) ?? options;
  }

  get seen(): Float64Array {
    return this.state.positions;
  }

  /** what rigid bodies carry of it in the frame, and feel */
  get carried(): Carried | undefined {
    return this.current?.carried;
  }

  get touch(): Squeezing {
    return this.current!.squeezing;
  }

  get isFrozen(): boolean {
    return this.state.frozenAt !== 0;
  }

  step(frame: FrameInput, options: Readonly<GpbdStepOptions>, pins: PinTable): void {
    const { spin } = this.rods ?? this.tethers ?? this.guard ?? { spin: undefined };
    this.spin = isInflated(options) || this.isFrozen ? undefined : spin?.begin(this, frame, options, pins);
    this.stepAlone(frame, options, pins);
    const given = this.spin?.end(this.isFrozen);
    if (given) this.guard?.give(given);
  }

  private stepAlone(frame: FrameInput, options: Readonly<GpbdStepOptions>, pins: PinTable): void {
    this.lane = "cpu";
    const proxies = cpuProxies(frame, options.substeps);
    const isFast = !this.isFrozen && !this.lookAround(frame, options, pins) && this.fast?.serves(options, pins);
    if (isFast && this.fast!.step(frame, options, pins, proxies)) {
      this.lane = "simd";
      pins.changed = false;
      this.flow(frame.dt);
      return;
    }
    this.beginFrame(frame, options, pins);
    stepPhases([this], options, proxies, undefined, this.guard?.open([this.guard]));
  }

  private lookAround({ colliders }: FrameInput, options: Readonly<GpbdStepOptions>, pins: PinTable): boolean {
    return (this.isWithin = this.overlap.look(colliders, this.state.positions, options, pins, this.model));
  }

  beginFrame(frame: FrameInput, options: Readonly<GpbdStepOptions>, pins: PinTable): void {
    this.lane = "cpu";
    this.lookAround(frame, options, pins);
    pins.changed = false;
    const withFaces = facesMayTouch(frame.colliders.primitives, this.topology.longestEdge, options);
    const h = frame.dt / options.substeps;
    const law = this.inflate(options, h);
    const carried = carriedIn(pins, frame.colliders);
    const { model, state, scratch, fractions } = this;
    const squeezing = { start: scratch.start, material: options, fractions, sweep, hold: squeezed.by };
    this.current = { frame, options, pins, h, withFaces, law, carried, squeezing };
    if (frame.colliders.primitiveCount > 0) this.waits?.beginFrame(frame.colliders, state.positions);
    this.guard?.beginFrame({ ...this.current, model, state, scratch, inflation: law && this.inflation });
  }

  private inflate(options: Readonly<GpbdOptions>, h: number): PressureLaw | undefined {
    if (!isInflated(options)) return undefined;
    const cavity = cavityOf(this.model.name, this.model);
    this.inflation ??= new CpuInflation(this.model, cavity.side);
    return pressureLaw(options, cavity, h);
  }

  predict(substep: number): void {
    const { frame, options, pins, h, law } = this.current!;
    if (this.state.frozenAt > 0) return;
    this.left = 1;
    this.fractions[0] = substep / options.substeps;
    this.fractions[1] = (substep + 1) / options.substeps;
    if (substep % airInterval(options.substeps) === 0) this.evaluateSlowly(options, h);
    this.predictPositions(frame, options, pins, h, substep);
    if (law) this.inflation!.begin(law, this.scratch.start, this.state.positions, this.scratch.w);
    this.guard?.predicted();
    // A resting body has to press on the obstacle as before; its elements must not see it inside the obstacle.
    if (options.warmStart > 0) this.projectParticles(substep);
  }

  projectTerms(substep: number, iteration: number): void {
    const { options, h, law } = this.current!;
    if (this.state.frozenAt > 0) return;
    const recovery = this.solids?.recoveryIn(h, this.guard?.isKnown) ?? 1;
    this.guard?.swept(-1);
    if (law) this.inflation!.turn.begin(this.scratch.start, this.state.positions, this.scratch.w);
    if (this.fast?.projectTerms(options, substep, h, this.sweep.stiffening)) this.lane = "simd";
    else
      for (let index = 0; index < this.model.terms.length; index++)
        if (!this.rods?.solves(index) && substep % termInterval(this.model.terms[index].kind, options.substeps) === 0)
          this.sweep.run(index, this.topology.terms[index].offsets, options, h, iteration, recovery);
    this.rods?.sweep(this.state.positions, this.scratch, h, options, iteration === 0);
    const { start, w } = this.scratch;
    if (law) this.inflation!.end(law, start, this.state.positions, w);
    const { tetherSlack, threadSlack } = options;
    if (tetherSlack !== undefined) this.tethers!.project(this.state.positions, start, w, tetherSlack, h);
    if (threadSlack !== undefined) this.tethers!.threads!.project(this.state.positions, start, w, threadSlack, h);
    this.guard?.swept(1);
  }

  projectObstacles(substep: number, iteration: number): void {
    const { frame, options, withFaces, h, pins } = this.current!;
    if (this.state.frozenAt > 0) return;
    if (frame.colliders.primitiveCount > 0 && withFaces && iteration === options.iterations - 1)
      for (
        let pass = facePasses(options, h * (this.guard?.led ?? 0));
        pass > 0 && this.projectFaceContacts(substep);
        pass--
      )
        if (pass > 1) this.projectParticles(substep);
    this.projectParticles(substep);
    if (pins.range) holdInRange(pins.range, this.state.positions, this.scratch.w, this.fractions[1]);
    this.probe?.(this, substep, iteration);
  }

  finish(substep: number): void {
    const { frame, h, pins, options } = this.current!;
    if (this.state.frozenAt > 0) return;
    const { positions } = this.state;
    const { start, w, contact } = this.scratch;
    if (this.isWithin) this.overlap.recede(h, norm(frame.gravity) * Math.abs(options.gravityFactor), contact);
    // A guard that has looked at the substep has done that.
    if (pins.limits && this.guard?.substep !== substep)
      pullPins(pins, positions, start, w, gripShare(substep, options.substeps));
    const { share, guard } = this;
    metered.by?.note(this.scratch.reaction, frame.colliders, w, this.state.velocities, h, share);
    const isHeld = guard?.isOn === true && (share < 1 || guard.scale < 1);
    if (isHeld) guard.holdBack();
    if (!finishVelocities(this.state, this.scratch, this.current!, isHeld ? undefined : share))
      this.state.frozenAt = frame.frame;
    if (this.isWithin) this.overlap.letGo.finish(positions, start, this.state.velocities, h, norm(frame.gravity));
    this.rods?.frames.finish(positions, h, frame.pace);
    if (substep === options.substeps - 1) this.flow(frame.dt);
  }

  /** Part of the substep's impulses that counts. */
  private get share(): number {
    return this.guard?.isOn ? this.guard.share : this.left * (this.current!.frame.pace ?? 1);
  }

  readonly giveBack = (part: number): number => (this.left = 1 - part);

  returnReactions(substep: number): void {
    const { frame, h, carried, squeezing } = this.current!;
    const { scratch: own, share, state } = this;
    if (state.frozenAt > 0) return;
    this.spin?.push(own, frame.colliders.proxies, h * share, substep);
    returnReactions(own.reaction, frame.colliders, own.w, state.positions, h, squeezing, share);
    if (carried) addLoads(carried, state.positions, own.w, h * share, frame.colliders.substepWrenches, carried.given);
  }

  private evaluateSlowly(options: Readonly<GpbdStepOptions>, h: number): void {
    const { positions, velocities } = this.state;
    this.sweep.stiffening = this.tethers?.stiffening(this.model, options, this.state) ?? 1;
    if (options.airDensity === 0) return;
    const [{ faceAir, airAcceleration }, { faceCorners, arealMass, faces }] = [this.scratch, this.topology];
    const [substeps, interval] = [airInterval(options.substeps), airInterval(options.substeps) * h];
    const density = arealMass * (options.inertia ?? 1);
    if (this.rods) this.rods.air.evaluate(positions, velocities, options, arealMass, interval, airAcceleration);
    else
      airAccelerations(positions, velocities, faces, faceCorners, options, density, interval, faceAir, airAcceleration);
    this.spin?.blow(substeps, positions, velocities, airAcceleration);
  }

  /**
   * x = x̃ = x⁻ + h v + W f_ext (3), dᵢ = 0; pinned particles go their share of the way to their targets. Damping c is
   * implicit as all else, m (1 + h c) v = m v⁻ + h f: it divides W too, so that what is at rest carries its full weight.
   */
  private predictPositions(
    frame: FrameInput,
    options: Readonly<GpbdStepOptions>,
    pins: PinTable,
    h: number,
    substep: number,
  ): void {
    const { inertia = 1 } = options;
    const { positions, velocities } = this.state;
    const { start, airAcceleration, w, tracked, contact, movedByFaces } = this.scratch;
    start.set(positions);
    const air = options.airDensity > 0 ? 1 : 0;
    const decay = 1 / (1 + h * options.damping);
    const pinShare = 1 / (options.substeps - substep);
    const { carried } = this.current!;
    for (let p = 0; p < this.model.particleCount; p++) {
      const pinned = pinHolds(pins, p) || this.model.masses[p] === 0;
      w[p] = pinned ? 0 : (decay * h * h) / (inertia * this.model.masses[p]);
      for (let i = 3 * p; i < 3 * p + 3; i++)
        if (pinned) positions[i] += pinShare * (pins.targets[i] - positions[i]);
        else {
          const acceleration = options.gravityFactor * frame.gravity[i - 3 * p] + air * airAcceleration[i];
          positions[i] += h * decay * (velocities[i] + h * acceleration);
        }
    }
    if (carried) predictCarried(carried, frame.colliders, pins.arms!, positions, w, (substep + 1) * h, h);
    contact.fill(0);
    movedByFaces.fill(0);
    const share = warmShare(options.warmStart, h, this.lastH);
    if (this.solids) this.solids.warmStart(this.model, tracked, w, positions, share);
    else for (const d of tracked) d.fill(0);
    this.rods?.frames.predict(positions, w, h, decay, share);
    this.lastH = h;
  }

  /** Edges and faces against obstacles that lie between vertices. @returns whether another pass is of use */
  private projectFaceContacts(substep: number): boolean {
    const { frame, options, carried, pins } = this.current!;
    const { waits, fractions: at, topology: mesh } = this;
    const [{ faces }, { positions }, set, by] = [mesh, this.state, frame.colliders, pins.proxies];
    const { start, w, faceContact, faceTouched, pushedFaces, pushesAt, movedByFaces, reaction } = this.scratch;
    let pushed = 0;
    clearance.push = 0;
    if (isClearOfObstacles(set, positions, start, options)) return false;
    waits?.move(set, positions, start, substep, at[1], options.thickness);
    faceContact.fill(0);
    for (let f = 0; f < faces.length; f += 3)
      if (!waits?.isFaceWaiting(f) && (!this.isWithin || this.overlap.isFree(faces, f))) {
        faceTouched[f / 3] = resolveFaceContact(set, faces, f, positions, start, w, options, at, faceContact, mesh, by);
        if (faceTouched[f / 3] >= 0) pushedFaces[pushed++] = f / 3;
        waits?.noteFace(f, positions, start);
      }
    shareFacePushes(faces, pushedFaces, pushed, faceContact, pushesAt);
    recordFaces(reaction, set, faces, pushedFaces, pushed, faceTouched, faceContact, w);
    for (let i = 0; i < 3 * pushed; i++) {
      const face = pushedFaces[Math.floor(i / 3)];
      const corner = 3 * face + (i % 3);
      const p = faces[corner];
      if (carried?.isCarried[p] === 1) continue;
      const x = faceContact[3 * corner];
      const y = faceContact[3 * corner + 1];
      const z = faceContact[3 * corner + 2];
      positions[3 * p] += x;
      positions[3 * p + 1] += y;
      positions[3 * p + 2] += z;
      movedByFaces[p] += lengthOf(x, y, z);
      recordReaction(reaction, set, faceTouched[face], p, x, y, z);
    }
    return mayStayWithin(options);
  }

  projectParticles(substep: number): void {
    const { frame, options, carried } = this.current!;
    const { waits, fractions, isWithin, contactMaterial } = this;
    const { positions } = this.state;
    const { start, w, contact, reaction } = this.scratch;
    const { colliders } = frame;
    if (colliders.primitiveCount === 0) return;
    const material = isWithin ? contactMaterial : options;
    contactMaterial.friction = options.friction;
    contactMaterial.frictionFactors = options.frictionFactors;
    waits?.move(colliders, positions, start, substep, fractions[1], options.thickness);
    for (let p = 0; p < this.model.particleCount; p++) {
      if (!(w[p] > 0) || carried?.isCarried[p] === 1 || waits?.isWaiting(p)) continue;
      if (isWithin) contactMaterial.thickness = this.distanceOf(p);
      resolveParticleContact(colliders, p, positions, start, contact, material, fractions, w, reaction);
      if (!isWithin) waits?.note(p, positions, start);
    }
  }

  readonly distanceOf = (p: number): number => this.overlap.distanceOf(p, this.current!.options);

  async readState(): Promise<BodyState> {
    return this.copyState();
  }

  get readFrames(): (() => Float64Array) | undefined {
    return this.rods?.frames.read;
  }

  copyState(): BodyState {
    const [{ positions, velocities }, frames] = [this.state, this.readFrames?.()];
    return { positions: positions.slice(), velocities: velocities.slice(), frames, plastic: this.plastic?.read() };
  }

  writeState(state: BodyState): void {
    this.state.positions.set(state.positions);
    this.state.velocities.set(state.velocities);
    this.state.frozenAt = 0;
    this.guard?.forget();
    this.rods?.frames.write(state.positions, state.frames);
    this.plastic?.write(state.plastic, this.fast);
    if (this.plastic) this.solids?.forget?.();
    this.system?.forget(this);
    this.overlap.forget();
    this.scratch.reaction.anchors.load();
    this.lastH = 0;
  }

  readonly pushed = (): void => this.guard?.forget();

  /** Its depths within obstacles, the energy that its guard allows it, if that is known, and the places that it sticks to. */
  saveMemory(): readonly Float64Array[] {
    return [this.overlap.save(), ...(this.guard?.save() ?? []), ...this.scratch.reaction.anchors.save()];
  }

  loadMemory([depths, ...memory]: readonly Float64Array[]): void {
    if (depths) this.overlap.load(depths);
    if (memory.length > 1) this.guard!.load(memory);
    this.scratch.reaction.anchors.load(memory[memory.length & 2]);
  }

  replaceModel(model: GpbdModel): void {
    requireSameRods(this.model, model);
    const { tracked } = this.scratch;
    const kept = model.terms.map((term, k) => hasSameElements(term, this.model.terms[k]));
    this.guard?.forget();
    this.plastic?.replaceModel(model);
    this.plastic ??= this.plasticOf(model);
    this.model = model = this.plastic?.model ?? model;
    this.topology = createCpuTopology(model);
    this.scratch = createCpuScratch(model);
    // The displacements of warm starts stay where there are the same elements.
    this.scratch.tracked.forEach((values, k) => kept[k] && values.set(tracked[k]));
    this.sweep = new CpuSweep(model, this.state, this.scratch, this.solids);
    this.waits = this.waits?.anew(model.particleCount, this.topology.faces);
    this.rods?.replaceModel(model);
    this.fast = this.makeFast?.(this);
  }

  tear({ splits }: Tear): void {
    for (const { from, to } of splits)
      for (const values of [this.state.positions, this.state.velocities])
        values.copyWithin(3 * to, 3 * from, 3 * from + 3);
    this.topology = tornTopology(this.model, this.topology);
  }

  async frozenAt(): Promise<number> {
    return this.state.frozenAt;
  }

  dispose(): void {
    this.system?.leave(this);
  }
}
