import type { GpuContext } from "../../../gpu/device";
import { BodyBuffers } from "../../body-buffers";
import type { BodyState, FrameInput, GpuDeformableSolver, PinTable } from "../../deformable";
import type { Factorization } from "../factor/factorization";
import { GroupBody } from "../body/group-body";
import type { LocalGlobalModel } from "../model";
import type { FactorPlace, LocalGlobalOptions } from "../options";
import { LocalGlobalGuest } from "../guest";
import type { GpuLocalGlobalGroup } from "./gpu-group";
import { modelNeeds } from "./contact/needs";

/**
 * One body of a group on WebGPU, as the world sees it. Between frames its state is in `gpuState`; while the
 * group is solved on the CPU they are copies of that of `body`.
 */
export class GpuLocalGlobalSolver implements GpuDeformableSolver {
  readonly body: GroupBody;
  /** whether the state is on the GPU alone */
  isAway = false;
  /** whether it was put somewhere since `takePlacement` */
  isPlaced = true;
  readonly gpuState: BodyBuffers;
  private pins: PinTable | undefined;
  private havePinsChanged = true;
  /** counts the states that it was given, and those of them that somebody wrote */
  private epoch = 0;
  placements = 0;
  /** whether it may meet bodies of other solvers, so that the CPU has to solve its group */
  staysOnCpu = false;
  private readonly asGuest: LocalGlobalGuest;

  /**
   * @param place where its factor is made, as far as that is known
   * @throws PliantError `device-limit` when the body does not fit the device, with those that are there; what its factor takes is
   * known here if it is made here
   */
  constructor(
    context: GpuContext,
    model: LocalGlobalModel,
    readonly system: GpuLocalGlobalGroup,
    place: FactorPlace | undefined,
  ) {
    this.body = new GroupBody(model);
    this.asGuest = new LocalGlobalGuest(this.body, system.reference);
    system.requireRoom(this, [modelNeeds(model)]);
    this.factorization.check = (tree) =>
      system.requireRoom(this, [modelNeeds(this.factorization.model), system.factorNeeds(tree)]);
    if (place !== "worker") this.factorization.plan();
    this.gpuState = new BodyBuffers(context, model);
    this.mirror();
    system.add(this);
  }

  get model(): LocalGlobalModel {
    return this.body.model;
  }

  get lane(): "cpu" | "webgpu" {
    return this.system.lane;
  }

  /** for bodies of other solvers, which meet it on the CPU only */
  get guest(): LocalGlobalGuest | undefined {
    return this.staysOnCpu && !this.isAway ? this.asGuest : undefined;
  }

  get hostState(): BodyState | undefined {
    return this.isAway ? undefined : this.body.state;
  }

  stayOnCpu(isWanted: boolean): boolean {
    // It expects nothing from others any more.
    if (this.staysOnCpu && !isWanted) this.body.outer.fill(0);
    this.staysOnCpu = isWanted;
    return !isWanted || this.system.callBack();
  }

  come(): Promise<void> {
    return this.system.come();
  }

  get factorization(): Factorization {
    return this.body.factorization;
  }

  replaceModel(model: LocalGlobalModel): void {
    this.body.replaceModel(model);
  }

  prepare(frame: FrameInput, options: Readonly<LocalGlobalOptions>, pins: PinTable): void {
    this.pins = pins;
    if (pins.changed) this.havePinsChanged = true;
    this.body.prepare(frame.frame, options, pins);
    this.asGuest.start.set(this.body.state.positions);
  }

  async readState(): Promise<BodyState> {
    if (!this.isAway) {
      const { positions, velocities } = this.body.state;
      return { positions: positions.slice(), velocities: velocities.slice() };
    }
    await this.system.settled();
    return this.gpuState.read();
  }

  writeState(state: BodyState): void {
    this.epoch++;
    this.placements++;
    this.body.writeState(state.positions, state.velocities);
    this.asGuest.revision++;
    this.isAway = false;
    this.mirror();
  }

  pushed(): void {
    this.asGuest.revision++;
    this.mirror();
  }

  async saveMemory(): Promise<readonly Float64Array[]> {
    if (this.isAway) await this.system.fetchDuals(this);
    return this.body.saveMemory();
  }

  loadMemory(memory: readonly Float64Array[]): void {
    this.body.loadMemory(memory);
  }

  async frozenAt(): Promise<number> {
    return this.isAway ? this.system.frozenAt(this) : this.body.frozenAt;
  }

  dispose(): void {
    this.system.remove(this);
    this.factorization.dispose();
    this.gpuState.dispose();
  }

  show(): void {
    if (!this.isAway && this.system.lane === "cpu") this.mirror();
  }

  /** After a step on the CPU: what the GPU has becomes that. */
  private mirror(): void {
    this.isPlaced = true;
    this.gpuState.write(this.body.state);
  }

  /** After a step on the GPU: what the CPU has is of the past. */
  leave(): void {
    this.epoch++;
    this.isAway = true;
  }

  /** Brings the state to the CPU, unless there is another before it has come. */
  async fetch(): Promise<void> {
    const { epoch } = this;
    const [state, frozenAt] = await Promise.all([this.readState(), this.frozenAt()]);
    if (epoch !== this.epoch) return;
    this.body.writeState(state.positions, state.velocities);
    this.body.frozenAt = frozenAt;
    this.asGuest.revision++;
    this.isAway = false;
  }

  /** Whether it was put somewhere since this was asked for last. */
  takePlacement(): boolean {
    const { isPlaced } = this;
    this.isPlaced = false;
    return isPlaced;
  }

  /** Pins, if they have changed since they were asked for last. */
  takePins(): PinTable | undefined {
    const { havePinsChanged } = this;
    this.havePinsChanged = false;
    return havePinsChanged ? this.pins : undefined;
  }

  /** The system that had taken the pins is gone: the next one takes them again. */
  pinsChanged(): void {
    this.havePinsChanged = true;
  }
}
