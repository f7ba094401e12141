import { describe, expect, it } from "vitest";
import type { JointType, MechanismDescription } from "../../../src/articulated/description";
import { centerOfMass, kineticEnergy, totalMomentum } from "../../../src/articulated/dynamics/energy";
import { updateKinematics } from "../../../src/articulated/dynamics/kinematics";
import { ArticulatedScratch } from "../../../src/articulated/scratch";
import type { StepParameter } from "../../../src/articulated/step/derivatives/parameters";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import { RandomGeometry } from "../../collision/random";
import { FreeMotion } from "../integrate";
import { randomLink } from "../random-mechanism";
import { blockError, stackJacobians, stepDifferences } from "./differences";
import { expectTransposed } from "./transposed";

const inner = ["revolute", "prismatic", "ball", "universal", "revolute", "free"] as const;

/** Links behind a root of some kind, with occasional branches, without springs and dampers. */
function tree(random: RandomGeometry, count: number, root: JointType, driven = false): MechanismDescription {
  const links = Array.from({ length: count }, (_, i) => {
    const type = i === 0 ? root : inner[Math.floor(random.between(0, inner.length - 1e-9))];
    const parent = i === 0 ? undefined : `link ${Math.floor(random.between(Math.max(0, i - 2), i))}`;
    return randomLink(random, type, `link ${i}`, parent, driven);
  });
  return { name: "tree", links };
}

/** A simulation in which every coordinate moves at up to this rate. */
function thrown(random: RandomGeometry, mechanism: MechanismDescription, speed: number, timeStep: number) {
  const simulation = new ArticulatedSimulation(mechanism, { timeStep, gravity: [0, 0, 0] });
  simulation.q.forEach((_, k) => (simulation.q[k] = random.between(-0.5, 0.5)));
  simulation.qd.forEach((_, k) => (simulation.qd[k] = random.between(-speed, speed)));
  return simulation;
}

/** Energy, momentum, angular momentum about the center of mass, and the largest values that such speeds give. */
function measure({ model, q, qd }: ArticulatedSimulation) {
  const scratch = new ArticulatedScratch(model);
  updateKinematics(scratch, q, qd);
  const [sum, centre] = [new Float64Array(6), new Float64Array(3)];
  totalMomentum(scratch, sum);
  centerOfMass(scratch, centre);
  const energy = kineticEnergy(scratch);
  const mass = model.mass.reduce((total, m) => total + m, 0);
  let spread = 0;
  let along = 0;
  const angular = [0, 1, 2].map((c) => {
    const [d, e] = [(c + 1) % 3, (c + 2) % 3];
    for (let i = 0; i < model.linkCount; i++)
      spread += model.mass[i] * (scratch.massCentre[3 * i + c] - centre[c]) ** 2;
    along += (0.5 * sum[3 + c] ** 2) / mass;
    return sum[c] - centre[d] * sum[3 + e] + centre[e] * sum[3 + d];
  });
  const most = Math.sqrt(2 * mass * energy);
  const mostAngular = Math.sqrt(2 * spread * Math.max(0, energy - along));
  return { energy, momentum: [...sum.subarray(3)], angular, most, mostAngular };
}

const apart = (a: readonly number[], b: readonly number[]): number => Math.hypot(...a.map((x, c) => x - b[c]));

describe("a mechanism that turns fast", () => {
  it.each([1, 2.5, 4, 8, 20, 50])(
    "keeps energy and momentum for ten seconds at %f rad/s, with default steps",
    (speed) => {
      const random = new RandomGeometry(Math.round(10 * speed));
      for (const count of [2, 4, 12]) {
        const mechanism = tree(random, count, "free");
        const simulation = thrown(random, mechanism, speed / Math.sqrt(count), 0.001);
        const start = measure(simulation);
        let [mostAngular, lost] = [start.mostAngular, 0];
        for (let n = 1; n <= 10_000; n++) {
          simulation.step();
          if (n % 500 > 0) continue;
          const now = measure(simulation);
          mostAngular = Math.max(mostAngular, now.mostAngular);
          lost = Math.max(lost, apart(now.angular, start.angular));
          expect(Math.abs(now.energy / start.energy - 1), `${count} links, step ${n}`).toBeLessThan(0.01);
          expect(apart(now.momentum, start.momentum) / start.most, `${count} links, step ${n}`).toBeLessThan(0.01);
        }
        expect(lost / mostAngular, `${count} links`).toBeLessThan(0.01);
      }
    },
  );

  it.each([
    [1, 2, 0.002],
    [10, 4, 0.002],
  ])("at %f rad/s its steps are of order %i", (speed, order, timeStep) => {
    const random = new RandomGeometry(4);
    const mechanism = tree(random, 4, "ball");
    const start = thrown(random, mechanism, speed, timeStep);
    const exact = new FreeMotion(start.model, start.q, start.qd);
    for (let n = 0; n < 320; n++) exact.rungeKuttaStep(0.1 / 320);
    const missOf = (count: number): number => {
      const simulation = new ArticulatedSimulation(mechanism, { timeStep: 0.1 / count });
      simulation.q.set(start.q);
      simulation.qd.set(start.qd);
      for (let n = 0; n < count; n++) {
        simulation.step();
        expect(simulation.partCount).toBe(1);
      }
      return apart([...simulation.q, ...simulation.qd], [...exact.q, ...exact.qd]);
    };
    const count = 0.1 / timeStep;
    const measured = Math.log2(missOf(count) / missOf(2 * count));
    expect(Math.abs(measured - order), `order ${measured}`).toBeLessThan(0.2);
  });

  it("takes whole steps where it is slow, where it is one body, and where it is asked to", () => {
    const random = new RandomGeometry(5);
    const partsAt = (mechanism: MechanismDescription, speed: number, fastMotion: "parts" | "whole"): number => {
      const simulation = new ArticulatedSimulation(mechanism, { fastMotion });
      simulation.qd.fill(speed);
      simulation.step();
      return simulation.partCount;
    };
    const chain = tree(random, 5, "revolute");
    expect(partsAt(chain, 0.05, "parts")).toBe(0);
    expect(partsAt(chain, 2, "parts")).toBe(1);
    expect(partsAt(chain, 500, "parts")).toBeGreaterThan(4);
    expect(partsAt(chain, 500, "whole")).toBe(0);
    for (const type of ["free", "ball", "revolute", "prismatic"] as const)
      expect(partsAt(tree(random, 1, type), 500, "parts"), type).toBe(0);
    expect(partsAt(tree(random, 1, "universal"), 500, "parts")).toBeGreaterThan(0);
  });

  it("stays bounded with dampers of any stiffness", () => {
    const random = new RandomGeometry(6);
    const { links } = tree(random, 5, "free");
    const damped = links.map((link, i) => ({
      ...link,
      joint: { ...link.joint, damping: i === 0 ? 0 : 10 ** (3 * i) },
    }));
    const simulation = thrown(random, { name: "damped", links: damped }, 50, 0.001);
    const { energy } = measure(simulation);
    for (let n = 0; n < 500; n++) simulation.step();
    expect(simulation.partCount).toBeGreaterThan(0);
    expect(measure(simulation).energy).toBeLessThan(energy);
  });
});

describe("Jacobians of steps in parts", () => {
  it.each([
    [1.5, 1],
    [15, 1],
    [120, 2],
  ])("are those by differences, and so are products: %f rad/s", (speed, least) => {
    const random = new RandomGeometry(7);
    const mechanism = tree(random, 4, "free", true);
    const simulation = thrown(random, mechanism, speed, 0.001);
    const parameters = mechanism.links.flatMap(({ name }): StepParameter[] => [
      { kind: "mass", link: name },
      { kind: "center-of-mass", link: name, component: 1 },
      { kind: "inertia", link: name, component: 3 },
      { kind: "parent-offset", link: name, direction: [0.3, 0.8, -0.5] },
    ]);
    simulation.setParameters(parameters);
    simulation.control.forEach((_, k) => (simulation.control[k] = random.between(-5, 5)));
    simulation.wrenches.forEach((_, i) => (simulation.wrenches[i] = random.between(-5, 5)));
    simulation.advance(simulation.q, simulation.qd, simulation.control, simulation.q.slice(), simulation.qd.slice());
    expect(simulation.partCount).toBeGreaterThanOrEqual(least);
    const numeric = stepDifferences(simulation, 1e-3);
    expect(blockError(stackJacobians(simulation.jacobians(), simulation.nv), numeric, simulation.nv)).toBeLessThan(
      1e-7,
    );
    expectTransposed(simulation, random);
  });

  it("hold the change of a rotation vector between parts", () => {
    const random = new RandomGeometry(8);
    const simulation = thrown(random, tree(random, 2, "ball"), 3, 0.1);
    simulation.q.set([2.3, 2.2, 2.1]);
    simulation.qd.set([2, 2, 2]);
    simulation.advance(simulation.q, simulation.qd, simulation.control, simulation.q.slice(), simulation.qd.slice());
    expect(simulation.partCount).toBeGreaterThan(3);
    const numeric = stepDifferences(simulation, 1e-3);
    expect(blockError(stackJacobians(simulation.jacobians(), simulation.nv), numeric, simulation.nv)).toBeLessThan(
      1e-7,
    );
    expectTransposed(simulation, random);
  });
});
