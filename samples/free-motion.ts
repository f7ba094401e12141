import { kineticEnergy, potentialEnergy } from "../src/articulated/dynamics/energy";
import { updateKinematics } from "../src/articulated/dynamics/kinematics";
import { ArticulatedScratch } from "../src/articulated/scratch";
import type { ArticulatedSimulation } from "../src/articulated/step/simulation";
import type { DrawnMechanism } from "./articulated";

/** Steps a simulation along with the frames of a scene, in whole time steps, and draws it. */
export class SteppedMechanism {
  /** simulated time, s */
  time = 0;

  constructor(
    readonly simulation: ArticulatedSimulation,
    private readonly drawn: DrawnMechanism,
  ) {}

  /** Steps up to a time; `beforeStep` may set forces. */
  advanceTo(time: number, beforeStep?: () => void): void {
    const { simulation } = this;
    while (this.time + 0.5 * simulation.timeStep < time) {
      beforeStep?.();
      simulation.step();
      this.time += simulation.timeStep;
    }
    this.drawn.show(simulation.q);
  }

  /** The name of the mechanism if its state is not finite. */
  nonFinite(): string | undefined {
    const { q, qd, model } = this.simulation;
    return [...q, ...qd].every(Number.isFinite) ? undefined : `mechanism "${model.name}"`;
  }
}

/** Kinetic and potential energy of a simulation's state, J; the potential counts from height 0. */
export function energyOf(simulation: ArticulatedSimulation): number {
  const scratch = new ArticulatedScratch(simulation.model);
  scratch.gravity.set(simulation.contactStep.options.gravity);
  updateKinematics(scratch, simulation.q, simulation.qd);
  return kineticEnergy(scratch) + potentialEnergy(scratch);
}
