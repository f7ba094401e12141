/**
 * Bodies whose solver is still being loaded. They stand where they were put, and the world takes no step until it is here; what they
 * are told meanwhile is handed on to it.
 */
import type {
  BodyState,
  CpuDeformableSolver,
  DeformableModel,
  DeformableSolver,
  FactorControl,
  FactorHandle,
} from "../../solvers/deformable";
import type { LocalGlobalModel } from "../../solvers/local-global/model";
import type { Part } from "./part";

/** The way of a solver's code to a body. Where it does not come the body stands still, and the world goes on. */
export class Arrival {
  isPending = true;
  /** rejects where the code cannot be loaded, or has no room for the body */
  readonly done: Promise<DeformableSolver>;
  private factor: WaitingFactor | undefined;

  /** @param arrive puts the solver in its place, and returns it */
  constructor(part: Part<unknown>, arrive: () => DeformableSolver) {
    this.done = this.wait(part, arrive);
  }

  /** What stands for the factor of a local-global body until its solver is here. */
  factorization(model: LocalGlobalModel): FactorHandle {
    return (this.factor ??= new WaitingFactor(model, this.done));
  }

  private async wait(part: Part<unknown>, arrive: () => DeformableSolver): Promise<DeformableSolver> {
    try {
      await part.load();
      const solver = arrive();
      if (this.factor && solver.factorization) solver.factorization.isKept = this.factor.isKept;
      return solver;
    } finally {
      this.isPending = false;
    }
  }
}

class WaitingFactor implements FactorHandle {
  isKept = true;
  readonly state = "none";
  readonly progress = 1;

  constructor(
    readonly model: LocalGlobalModel,
    private readonly solver: Promise<DeformableSolver>,
  ) {}

  async whenReadyAsync(control?: FactorControl): Promise<void> {
    const { factorization } = await this.solver;
    await factorization?.whenReadyAsync(control);
  }

  cancel(): void {
    // No factor is on its way.
  }
}

/** Stands for a solver that is on its way. */
export interface WaitingSolver extends DeformableSolver {
  /** the state that was written, which its successor begins with */
  readonly written: BodyState | undefined;
}

export class WaitingOnCpu implements WaitingSolver, CpuDeformableSolver {
  written: BodyState | undefined;
  state: BodyState;

  constructor(public model: DeformableModel) {
    this.state = { positions: model.positions.slice(), velocities: new Float64Array(model.positions.length) };
  }

  replaceModel(model: DeformableModel): void {
    this.model = model;
  }

  async readState(): Promise<BodyState> {
    return { ...this.state, positions: this.state.positions.slice(), velocities: this.state.velocities.slice() };
  }

  writeState(state: BodyState): void {
    this.written = this.state = state;
  }

  async frozenAt(): Promise<number> {
    return 0;
  }

  dispose(): void {
    // Nothing outside the heap is held.
  }
}
