/**
 * All local-global bodies of a world on WebGPU. A frame of theirs is solved either here, in f32, or by `LocalGlobalGroup` in f64,
 * which `lane.ts` decides from frame to frame.
 *
 * From the CPU to the GPU bodies go over at once. The other way their state has to be read back first: for the frame or two
 * that this takes they stand still, as contact must not be missed.
 */
import type { BlockTree } from "../../../math/sparse/block-tree";
import { needCpu } from "../contact/cable";
import type { GpuContext } from "../../../gpu/device";
import { PassRecorder } from "../../../gpu/pass-recorder";
import type { DeformableSystem, GpuBodyState, GpuFrameInput, PinTable } from "../../deformable";
import { type FramePlan, planFrame } from "../body/frame-plan";
import type { LocalGlobalGroup } from "../group";
import type { GroupBody } from "../body/group-body";
import type { LocalGlobalModel } from "../model";
import { surfacesMeet } from "../contact/meeting";
import type { GpuContactStage, GpuSubstep, LocalGlobalBuffers, StepReport } from "./buffers";
import { FrameLog, type LoggedFrame } from "./frame-log";
import { GpuSystem } from "./gpu-system";
import { contactValues } from "./contact/contact-buffers";
import { type DeviceNeeds, factorNeeds, mostBytes, requireRoom } from "./contact/needs";
import { type Gate, openGate } from "./contact/pass-gate";
import { UNIFORM_SLOT } from "./passes";
import type { ElasticTables } from "./trust/trust-buffers";

/** A body of the group, whose state is on the GPU while it is away, and on the CPU else; see `GpuLocalGlobalSolver`. */
export interface GroupMember {
  readonly model: LocalGlobalModel;
  readonly body: GroupBody;
  readonly gpuState: GpuBodyState;
  readonly isAway: boolean;
  readonly staysOnCpu: boolean;
  readonly isPlaced: boolean;
  /** number of times that it was put somewhere */
  readonly placements: number;
  leave(): void;
  fetch(): Promise<void>;
  takePlacement(): boolean;
  takePins(): PinTable | undefined;
  pinsChanged(): void;
}

/** Number of times that steps may be encoded again while a caller waits for them: room doubles every time. */
const MOST_ROUNDS = 64;

export class GpuLocalGlobalGroup implements DeformableSystem {
  readonly isImplicit = true;
  /** where the last frame was solved */
  lane: "cpu" | "webgpu" = "cpu";
  private readonly solvers: GroupMember[] = [];
  private readonly needs = new WeakMap<GroupMember, readonly DeviceNeeds[]>();
  private system: GpuSystem | undefined;
  private contact: GpuContactStage | undefined;
  private readonly log = new FrameLog(this.context);
  /** the buffers and options that the frames in the log were encoded for */
  private structure: readonly unknown[] = [];
  /** whether bodies touch at more places than the device holds */
  private isTooMuch = false;
  private reading: Promise<void> | undefined;

  /** @param createContact contact for the buffers of a group */
  constructor(
    private readonly context: GpuContext,
    readonly reference: LocalGlobalGroup,
    private readonly createContact: (
      context: GpuContext,
      buffers: LocalGlobalBuffers,
      bodies: readonly GroupBody[],
      elastic: ElasticTables,
    ) => GpuContactStage,
  ) {}

  /**
   * Takes the needs of a body, as far as they are known.
   *
   * @throws PliantError `device-limit` if there is no room for them with the other bodies; its known needs stay the same then
   */
  requireRoom(solver: GroupMember, needs: readonly DeviceNeeds[]): void {
    const others = this.solvers.filter((other) => other !== solver).flatMap((other) => this.needs.get(other) ?? []);
    requireRoom(`body "${solver.model.name}"`, [...others, ...needs], this.context.device.limits);
    this.needs.set(solver, needs);
  }

  factorNeeds(tree: BlockTree): DeviceNeeds {
    return factorNeeds(tree, mostBytes(this.context.device.limits));
  }

  add(solver: GroupMember): void {
    this.solvers.push(solver);
    this.reference.add(solver.body);
  }

  remove(solver: GroupMember): void {
    this.solvers.splice(this.solvers.indexOf(solver), 1);
    this.reference.remove(solver.body);
    if (this.solvers.length > 0) return;
    this.contact?.dispose();
    this.system?.dispose();
    this.system = undefined;
    this.log.dispose();
  }

  step(frame: GpuFrameInput): void {
    const ready = this.solvers.filter(({ body }) => body.isPrepared(frame.frame));
    const bodies = ready.map(({ body }) => body);
    const plan = planFrame(bodies, frame);
    for (const body of plan.bodies) body.refresh(frame.dt / plan.substeps);
    const hasContact = this.hasContact(bodies, frame);
    const fits = !needCpu(this.reference.cables) && this.hasRoom(plan.bodies);
    const isAsked = this.solvers.some(({ staysOnCpu }) => staysOnCpu);
    const mayBeHere = !this.isTooMuch && !isAsked && bodies.every(({ options }) => options.lane === "auto");
    if (mayBeHere && (!hasContact || fits)) {
      this.lane = "webgpu";
      if (!hasContact) this.reference.forget();
      this.stepHere(plan, frame);
    } else if (this.hasCome(ready)) {
      this.lane = "cpu";
      this.reference.step(frame);
    }
  }

  /** Asks for states that are on the GPU. @returns whether all are on the CPU */
  callBack(): boolean {
    return this.hasCome(this.solvers);
  }

  /** Resolves when the states that were asked for are on the CPU. */
  async come(): Promise<void> {
    await this.reading;
  }

  /**
   * Whether the device holds the least that contact needs: the columns of S at all vertices that may be touched. Bodies that are too
   * large for that are solved on the CPU, with all others of their world, since they are one system.
   *
   * @param bodies with their factors
   */
  hasRoom(bodies: readonly GroupBody[]): boolean {
    let values = 0;
    for (const body of bodies) values += contactValues(body);
    return 4 * values <= mostBytes(this.context.device.limits);
  }

  /** Whether there may be any row of the contact problem. */
  private hasContact(bodies: readonly GroupBody[], { colliders }: GpuFrameInput): boolean {
    return colliders.primitives.length > 0 || this.reference.hasCables || surfacesMeet(bodies);
  }

  /** Copies the stresses of a body from the GPU to the CPU. */
  async fetchDuals({ body }: GroupMember): Promise<void> {
    await this.settled();
    (await this.system?.readDuals())?.(body);
  }

  /** Frame in which the body was frozen on the GPU, 0 for a sound one. */
  async frozenAt(solver: GroupMember): Promise<number> {
    const { system } = this;
    await this.settled();
    const place = system?.bodies.indexOf(solver.body) ?? -1;
    return place < 0 ? solver.body.frozenAt : system!.readFrozen(place);
  }

  private stepHere({ bodies, substeps }: FramePlan, frame: GpuFrameInput): void {
    if (bodies.length === 0) return;
    const { recorder } = frame;
    const solvers = this.solvers.filter(({ body }) => bodies.includes(body));
    const iterations = Math.max(...bodies.map(({ options }) => options.iterations));
    const h = frame.dt / substeps;
    recorder.end();
    this.renew(solvers, substeps, recorder.encoder);
    const system = this.system!;
    solvers.forEach((solver, b) => {
      if (solver.takePlacement()) {
        system.copyIn(recorder.encoder, b, solver.gpuState);
        system.writeDuals(b);
        system.writeFrozen(b, solver.body.frozenAt);
      }
      const pins = solver.takePins();
      if (pins) system.writePins(b, pins);
    });
    system.writeFrame({ frame, substeps });
    const { contact } = this;
    if (contact && (this.hasContact(bodies, frame) || !this.log.isEmpty)) {
      contact.onRepeated = frame.onRepeated;
      const told = contact.begin(frame, substeps);
      this.keepTrack(contact, solvers);
      const logged = { ...told, substeps, iterations, h };
      this.log.record(recorder.encoder, [...system.inputs, ...contact.inputs], logged);
      this.encode(recorder, logged, contact);
    } else this.encode(recorder, { number: 0, substeps, iterations, h }, undefined);
    for (const solver of solvers) solver.leave();
  }

  /** The steps of a frame, and where they take the bodies. */
  private encode(
    recorder: PassRecorder,
    frame: Omit<LoggedFrame, "steps">,
    contact: GpuContactStage | undefined,
  ): void {
    const system = this.system!;
    contact?.open(recorder);
    for (let k = 0; k < (contact?.attempts ?? 1); k++) {
      const parts = 2 ** k;
      this.encodeParts(recorder, frame, parts, contact, contact?.openAttempt(recorder, parts) ?? openGate);
      contact?.judge(recorder, parts);
    }
    contact?.close(recorder, frame.h);
    recorder.end();
    for (const { body, gpuState } of this.solvers) {
      const b = system.bodies.indexOf(body);
      if (b >= 0) system.copyOut(recorder.encoder, b, gpuState);
    }
  }

  /** An attempt at a frame, in so many times as many steps. */
  private encodeParts(
    recorder: PassRecorder,
    { substeps, iterations, h }: Omit<LoggedFrame, "steps">,
    parts: number,
    contact: GpuContactStage | undefined,
    gate: Gate,
  ): void {
    for (let n = 0; n < parts * substeps; n++) {
      const slot = (parts - 1) * substeps + n;
      const place = { slot, offset: UNIFORM_SLOT * slot, h: h / parts };
      const substep: GpuSubstep = { recorder, ...place, attempt: gate, gate, isFirstPass: true };
      this.system!.encode(substep, iterations, contact);
    }
  }

  /**
   * Frames can be encoded again as long as bodies, what is held of them, and obstacles are the same. If they change just when steps
   * halt, the bodies stand still in those frames that were under way.
   */
  private keepTrack(contact: GpuContactStage, solvers: readonly GroupMember[]): void {
    const next = [
      contact,
      contact.structure,
      ...solvers.flatMap(({ body, placements }) => [body.pinSolver.vertices, placements]),
    ];
    const isSame = next.length === this.structure.length && next.every((part, k) => part === this.structure[k]);
    this.structure = next;
    if (isSame || this.log.isEmpty) return;
    this.log.clear();
    contact.forget();
  }

  /** Frames are done; or there was no room, and they are encoded again with more. */
  private take({ number, haltedAt, generation }: StepReport): void {
    const { contact, log, context } = this;
    if (!contact || log.isEmpty || generation !== contact.generation) return;
    log.confirm(haltedAt === 0 ? number : haltedAt - 1);
    if (haltedAt === 0) return;
    const { queue } = context.device;
    let isFirst = true;
    for (const frame of log.from(haltedAt)) {
      const encoder = context.device.createCommandEncoder({ label: "Pliant frame, again" });
      const recorder = new PassRecorder(encoder, undefined);
      if (isFirst && !contact.resume(recorder)) {
        this.isTooMuch = true;
        log.clear();
        return;
      }
      isFirst = false;
      log.restore(encoder, frame);
      contact.again(frame.steps, frame.substeps);
      this.encode(recorder, frame, contact);
      queue.submit([encoder.finish()]);
    }
  }

  /** Waits for all steps that were submitted, also those that have to be encoded again. */
  async settled(): Promise<void> {
    for (let rounds = 0; !this.log.isEmpty && this.contact && rounds < MOST_ROUNDS; rounds++)
      this.take(await this.contact.read());
  }

  /** Buffers for the bodies and factors that there are now; what is remembered goes over. */
  private renew(solvers: readonly GroupMember[], substeps: number, encoder: GPUCommandEncoder): void {
    const bodies = solvers.map(({ body }) => body);
    const old = this.system;
    if (old?.fits(bodies, substeps)) return;
    const next = new GpuSystem(this.context, bodies, substeps);
    this.system = next;
    solvers.forEach((solver, b) => {
      next.copyIn(encoder, b, solver.gpuState);
      if (old && !solver.isPlaced) next.takeOver(encoder, b, old);
      solver.pinsChanged();
    });
    this.contact?.dispose();
    this.contact = this.createContact(this.context, next.buffers, bodies, next.elastic);
    this.contact.onReport = (report) => this.take(report);
    this.isTooMuch = false;
    this.log.clear();
    // Copies from them are under way in this frame.
    if (old) void this.context.device.queue.onSubmittedWorkDone().then(() => old.dispose());
  }

  /** Whether all states are on the CPU; those that are not are asked for. */
  private hasCome(solvers: readonly GroupMember[]): boolean {
    const away = solvers.filter(({ isAway }) => isAway);
    if (away.length === 0) return true;
    this.reading ??= this.bringBack(away)
      // The device was lost: the bodies are made anew on another one.
      .catch(() => undefined)
      .then(() => (this.reading = undefined));
    return false;
  }

  private async bringBack(solvers: readonly GroupMember[]): Promise<void> {
    const [takeDuals] = await Promise.all([this.system!.readDuals(), ...solvers.map((solver) => solver.fetch())]);
    for (const { isAway, body } of solvers) if (!isAway) takeDuals(body);
  }
}
