import { expect } from "vitest";
import type { BatchSimulation } from "../../../src/articulated/batch/batch-simulation";
import type { MechanismDescription } from "../../../src/articulated/description";
import type { ArticulatedSimulation } from "../../../src/articulated/step/simulation";

/** An arm of three hinges that hangs. */
export function hangingArm(): MechanismDescription {
  return {
    name: "hanging arm",
    links: [0, 1, 2].map((i) => ({
      name: `link ${i}`,
      ...(i > 0 ? { parent: `link ${i - 1}` } : {}),
      mass: 1 + i,
      centerOfMass: [0, -0.2, 0] as const,
      inertia: [0.02, 0.01, 0.02, 0, 0, 0] as const,
      joint: {
        type: "revolute" as const,
        axis: i === 1 ? ([1, 0, 0] as const) : ([0, 0, 1] as const),
        parentFrame: { position: [0, i > 0 ? -0.4 : 0, 0] as const },
        lower: -0.3,
        upper: 0.4,
        damping: 0.05,
        armature: 0.01,
      },
    })),
  };
}

/** Rounds the state and the forces of a simulation to numbers that a batch can hold. */
export function roundState({ q, qd, control }: ArticulatedSimulation): void {
  for (const values of [q, qd, control]) values.forEach((value, k) => (values[k] = Math.fround(value)));
}

/** Gives simulations, one a world, to a batch. */
export function copyStates(batch: BatchSimulation, ones: readonly ArticulatedSimulation[]): void {
  ones.forEach(roundState);
  const all = (pick: (one: ArticulatedSimulation) => Float64Array): number[] => ones.flatMap((one) => [...pick(one)]);
  batch.setState(
    all(({ q }) => q),
    all(({ qd }) => qd),
  );
  batch.setControl(all(({ control }) => control));
}

/** Compares coordinates and velocities of all worlds with those of simulations. */
export async function expectSame(
  batch: BatchSimulation,
  ones: readonly ArticulatedSimulation[],
  bound: number,
): Promise<void> {
  const { q, qd } = await batch.readState();
  const { nv } = batch;
  ones.forEach((one, world) => {
    for (let k = 0; k < nv; k++) {
      const at = `world ${world}, coordinate ${k}`;
      expect(Math.abs(q[world * nv + k] - one.q[k]), at).toBeLessThan(bound * (1 + Math.abs(one.q[k])));
      expect(Math.abs(qd[world * nv + k] - one.qd[k]), at).toBeLessThan(bound * (1 + Math.abs(one.qd[k])));
    }
  });
}
