import { centerOfMass, kineticEnergy, potentialEnergy, totalMomentum } from "../../src/articulated/dynamics/energy";
import { updateKinematics } from "../../src/articulated/dynamics/kinematics";
import { ArticulatedScratch } from "../../src/articulated/scratch";
import { ArticulatedSimulation } from "../../src/index";
import type { Reading } from "./reading";
import type { SceneData } from "./scene";
import type { Subject } from "./subject";

/** Mechanisms without a world, each by itself. */
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

  /** Angular momentum is about the center of each mechanism, which may be far away. */
  read(): Promise<Reading> {
    let [kinetic, potential, momentumScale, angularScale] = [0, 0, 0, 0];
    const momentum: [number, number, number] = [0, 0, 0];
    const angular: [number, number, number] = [0, 0, 0];
    const one = new Float64Array(6);
    const centre = new Float64Array(3);
    const parts = this.simulations.map(({ model, q, qd }) => {
      const scratch = new ArticulatedScratch(model);
      scratch.gravity.set(this.data.gravity);
      updateKinematics(scratch, q, qd);
      const own = kineticEnergy(scratch);
      kinetic += own;
      potential += potentialEnergy(scratch);
      // moment, then force
      totalMomentum(scratch, one);
      centerOfMass(scratch, centre);
      const mass = model.mass.reduce((total, m) => total + m, 0);
      let along = 0;
      for (let c = 0; c < 3; c++) {
        const [d, e] = [(c + 1) % 3, (c + 2) % 3];
        momentum[c] += one[3 + c];
        angular[c] += one[c] - centre[d] * one[3 + e] + centre[e] * one[3 + d];
        along += (0.5 * one[3 + c] ** 2) / mass;
      }
      momentumScale += Math.sqrt(2 * mass * own);
      // Slides take links far from each other: their angular momentum about the center has that arm.
      const reach = Math.max(this.data.size, gyration(scratch, centre));
      angularScale += reach * Math.sqrt(2 * mass * Math.max(0, own - along));
      // Its coordinates are checked: it has no place of its own.
      return { name: model.name, mass, travel: 0, height: 0, speed: Math.sqrt((2 * own) / mass) };
    });
    const scales = { momentumScale, angularScale };
    const rest = { input: 0, stored: 0, parts, joints: [], depth: 0 };
    return Promise.resolve({ kinetic, potential, momentum, angular, ...scales, ...rest });
  }

  frozen(): Promise<string | undefined> {
    return Promise.resolve(undefined);
  }

  dispose(): void {
    // nothing to release
  }
}

/** √(Σ m |x − c|² / Σ m) of the links' centers x [m]. With speeds of the same kind it bounds angular momentum (Cauchy). */
function gyration({ model, inertia }: ArticulatedScratch, centre: ArrayLike<number>): number {
  let [sum, mass] = [0, 0];
  for (let i = 0; i < model.linkCount; i++) {
    const m = inertia[10 * i];
    if (m === 0) continue;
    mass += m;
    for (let c = 0; c < 3; c++) sum += m * (inertia[10 * i + 1 + c] / m - centre[c]) ** 2;
  }
  return Math.sqrt(sum / mass);
}
