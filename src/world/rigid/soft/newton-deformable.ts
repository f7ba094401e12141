import {
  pinGives,
  pinHolds,
  type BodyState,
  type CpuDeformableSolver,
  type FrameInput,
  type PinTable,
  type StepOptions,
} from "../../../solvers/deformable";
import type { NewtonBodyOptions } from "../../../solvers/newton/deformable/body-options";
import type { FemBody } from "../../../solvers/newton/deformable/fem-body";
import type { FemModel } from "../../../solvers/newton/deformable/fem-model";
import { NewtonGuest } from "./newton-guest";
import type { NewtonSystem } from "./newton-system";
import type { SoftBodies } from "./soft-bodies";

/**
 * A deformable body of the Newton solver in the form for the world. It is stepped with the rigid bodies, in one system.
 */
export class CpuNewtonDeformable implements CpuDeformableSolver {
  readonly body: FemBody;
  readonly guest: NewtonGuest;
  private frozen = 0;

  constructor(
    model: FemModel,
    private readonly soft: SoftBodies,
    readonly system?: NewtonSystem,
  ) {
    this.body = soft.add(model);
    this.guest = new NewtonGuest(this.body, soft);
  }

  get model(): FemModel {
    return this.body.model;
  }

  replaceModel(model: FemModel): void {
    this.body.replaceModel(model);
  }

  get state(): BodyState {
    return { positions: this.body.positions, velocities: this.body.velocities };
  }

  prepare(frame: FrameInput, options: Readonly<NewtonBodyOptions> & StepOptions, pins: PinTable): void {
    const { body } = this;
    body.isAsleep = false;
    body.gravityFactor = options.gravityFactor;
    body.damping = options.damping;
    body.elasticShare = options.elasticShare ?? 1;
    body.thickness = options.thickness;
    body.friction = options.friction;
    this.guest.bodyCollision = options.bodyCollision;
    this.guest.begin(frame.dt);
    for (let p = 0; p < body.count; p++) {
      body.fixed[p] = Number(pinHolds(pins, p));
      body.springs[p] = pinGives(pins, p) ? 1 / pins.compliances![p] : 0;
    }
    body.targets.set(pins.targets);
    pins.changed = false;
    body.timeLeft = frame.dt;
    this.soft.obstacles = frame.colliders;
    this.system?.join(this);
  }

  rest(): void {
    this.body.isAsleep = true;
  }

  finish(frame: FrameInput): void {
    if (this.body.isFrozen && this.frozen === 0) this.frozen = frame.frame;
  }

  async readState(): Promise<BodyState> {
    return { positions: this.body.positions.slice(), velocities: this.body.velocities.slice() };
  }

  writeState(state: BodyState): void {
    this.body.positions.set(state.positions);
    this.body.velocities.set(state.velocities);
    this.body.isFrozen = false;
    this.body.outer.fill(0);
    this.body.revision++;
    this.frozen = 0;
  }

  pushed(): void {
    this.body.revision++;
  }

  saveMemory(): readonly Float64Array[] {
    return [this.body.outer.slice()];
  }

  loadMemory([outer]: readonly Float64Array[]): void {
    this.body.outer.set(outer);
  }

  async frozenAt(): Promise<number> {
    return this.frozen;
  }

  dispose(): void {
    this.soft.remove(this.body);
  }
}
