import { kineticEnergy, potentialEnergy, totalMomentum } from "../../src/articulated/dynamics/energy";
import { updateKinematics } from "../../src/articulated/dynamics/kinematics";
import { ArticulatedScratch } from "../../src/articulated/scratch";
import { ArticulatedSimulation, type Vec3 } from "../../src/index";
import type { Reading } from "./reading";
import type { SceneData } from "./scene";
import type { Subject } from "./subject";

/** Mechanisms, each by itself. */
export class MechanismSubject implements Subject {
  private readonly simulations: readonly ArticulatedSimulation[];
  private time = 0;
  private stepped = 0;

  constructor(private readonly data: SceneData) {
    this.simulations = data.mechanisms!.map(({ mechanism, q, qd }) => {
      const simulation = new ArticulatedSimulation(mechanism, { gravity: data.gravity });
      simulation.q.set(q);
      simulation.qd.set(qd);
      return simulation;
    });
  }

  step(): Promise<void> {
    this.time += this.data.timeStep;
    const { timeStep } = this.simulations[0];
    for (; (this.stepped + 0.5) * timeStep < this.time; this.stepped++)
      for (const simulation of this.simulations) simulation.step();
    return Promise.resolve();
  }

  read(): Promise<Reading> {
    let [kinetic, potential] = [0, 0];
    const sum = new Float64Array(6);
    const one = new Float64Array(6);
    const parts = this.simulations.map(({ model, q, qd }) => {
      const scratch = new ArticulatedScratch(model);
      scratch.gravity.set(this.data.gravity);
      updateKinematics(scratch, q, qd);
      const own = kineticEnergy(scratch);
      kinetic += own;
      potential += potentialEnergy(scratch);
      totalMomentum(scratch, one);
      sum.forEach((value, i) => (sum[i] = value + one[i]));
      const mass = model.mass.reduce((total, m) => total + m, 0);
      const speed = Math.sqrt((2 * own) / Math.max(mass, Number.MIN_VALUE));
      // Its coordinates are what is watched: it has no place of its own.
      return { name: model.name, mass, travel: 0, height: 0, speed };
    });
    // moment, then force
    const [angular, momentum] = [sum.slice(0, 3), sum.slice(3)].map((v) => [...v] as unknown as Vec3);
    const mass = parts.reduce((total, part) => total + part.mass, 0);
    const momentumScale = Math.sqrt(2 * mass * kinetic);
    const angularScale = momentumScale * this.data.size;
    const scales = { momentumScale, angularScale };
    return Promise.resolve({ kinetic, potential, input: 0, momentum, angular, ...scales, parts, joints: [], depth: 0 });
  }

  frozen(): Promise<string | undefined> {
    return Promise.resolve(undefined);
  }

  dispose(): void {
    // nothing is held
  }
}
