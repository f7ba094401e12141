/**
 * Bodies whose solver is still loading. They keep their places, and the world takes no step until the solver is loaded.
 * States and models that they are given meanwhile are handed on to it.
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
import type { Part } from "../../part";
import { firstState } from "../written-state";

/** The loading of a solver's code for a body. If it fails, the body stands still, and the world goes on. */
export class Arrival {
  isPending = true;
  /** rejects if the code cannot be loaded, or has no room for the body */
  readonly done: Promise<DeformableSolver>;
  private factor: WaitingFactor | undefined;

  /** @param arrive puts the solver in its place, and returns it */
  constructor(parts: readonly Part<unknown>[], arrive: () => DeformableSolver) {
    this.done = this.wait(parts, arrive);
  }

  /** The stand-in for the factor of a local-global body until its solver is loaded. */
  factorization(model: LocalGlobalModel): FactorHandle {
    return (this.factor ??= new WaitingFactor(model, this.done));
  }

  private async wait(parts: readonly Part<unknown>[], arrive: () => DeformableSolver): Promise<DeformableSolver> {
    try {
      // One after the other, see `loadSolvers`.
      for (const part of parts) await part.load();
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
    // No factor is being computed.
  }
}

/** The stand-in for a solver that is loading. */
export interface WaitingSolver extends DeformableSolver {
  /** the state that was written, with which the solver begins */
  readonly written: BodyState | undefined;
}

export class WaitingOnCpu implements WaitingSolver, CpuDeformableSolver {
  written: BodyState | undefined;
  state: BodyState = firstState(this.model);

  constructor(public model: DeformableModel) {}

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
    // There is nothing to free outside the heap.
  }
}
