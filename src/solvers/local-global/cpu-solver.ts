import type { BodyState, CpuDeformableSolver, FrameInput, PinTable } from "../deformable";
import type { Factorization } from "./factor/factorization";
import type { LocalGlobalGroup } from "./group";
import { LocalGlobalGuest } from "./guest";
import { GroupBody } from "./body/group-body";
import type { LocalGlobalModel } from "./model";
import type { FactorPlace, LocalGlobalOptions } from "./options";

/** One body of a group, as the world sees it. f64, the reference. */
export class CpuLocalGlobalSolver implements CpuDeformableSolver {
  readonly body: GroupBody;
  readonly guest: LocalGlobalGuest;

  /**
   * @param system all local-global bodies of the world
   * @param place where its factor is made, as far as that is known
   * @throws PliantError `device-limit` for a factor that is made here, and too large
   */
  constructor(
    model: LocalGlobalModel,
    readonly system: LocalGlobalGroup,
    place: FactorPlace | undefined,
  ) {
    this.body = new GroupBody(model);
    this.guest = new LocalGlobalGuest(this.body, system);
    if (place !== "worker") this.factorization.plan();
    system.add(this.body);
  }

  get model(): LocalGlobalModel {
    return this.body.model;
  }

  get factorization(): Factorization {
    return this.body.factorization;
  }

  replaceModel(model: LocalGlobalModel): void {
    this.body.replaceModel(model);
  }

  get state(): BodyState {
    return this.body.state;
  }

  prepare(frame: FrameInput, options: Readonly<LocalGlobalOptions>, pins: PinTable): void {
    this.body.prepare(frame.frame, options, pins);
    this.guest.start.set(this.body.state.positions);
    this.guest.startVelocities.set(this.body.state.velocities);
  }

  rest(): void {
    this.body.isAsleep = true;
  }

  async readState(): Promise<BodyState> {
    const { positions, velocities } = this.body.state;
    return { positions: positions.slice(), velocities: velocities.slice() };
  }

  writeState(state: BodyState): void {
    this.body.writeState(state.positions, state.velocities);
    this.guest.revision++;
  }

  pushed(): void {
    this.guest.revision++;
  }

  saveMemory(): readonly Float64Array[] {
    return this.body.saveMemory();
  }

  loadMemory(memory: readonly Float64Array[]): void {
    this.body.loadMemory(memory);
  }

  async frozenAt(): Promise<number> {
    return this.body.frozenAt;
  }

  dispose(): void {
    this.system.remove(this.body);
    this.factorization.dispose();
  }
}
