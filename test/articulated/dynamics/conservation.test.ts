import { describe, expect, it } from "vitest";
import type { JointType } from "../../../src/articulated/description";
import { centerOfMass, kineticEnergy, potentialEnergy, totalMomentum } from "../../../src/articulated/dynamics/energy";
import { ForwardDynamics } from "../../../src/articulated/dynamics/forward-dynamics";
import { addPassiveForces } from "../../../src/articulated/dynamics/passive-forces";
import { ArticulatedModel } from "../../../src/articulated/model";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { FreeMotion } from "../integrate";
import { randomLink, randomState, randomTree } from "../random-mechanism";
import { riddersJacobian } from "../ridders";

const moving: JointType[] = ["revolute", "universal", "ball", "prismatic", "screw", "planar", "euler"];

describe("energy of a passive chain without friction", () => {
  const random = new RandomGeometry(71);
  const types: JointType[] = ["revolute", "universal", "ball", "screw", "euler"];
  const links = types.map((type, i) => {
    const link = randomLink(random, type, `link ${i}`, i === 0 ? undefined : `link ${i - 1}`);
    return { ...link, joint: { ...link.joint, damping: 0 } };
  });
  const model = new ArticulatedModel({ name: "chain", links });
  const { q, qd } = randomState(random, model);

  /** Largest change of the energy within half a second. */
  function drift(method: "eulerStep" | "rungeKuttaStep", dt: number): number {
    const motion = new FreeMotion(model, q, qd);
    const energy = () => {
      const scratch = motion.update();
      return kineticEnergy(scratch) + potentialEnergy(scratch);
    };
    const start = energy();
    let worst = 0;
    for (let step = 0; step < 0.5 / dt - 0.5; step++) {
      motion[method](dt);
      worst = Math.max(worst, Math.abs(energy() - start));
    }
    return worst / Math.abs(start);
  }

  it("drifts less the smaller the step of equation (1) is: of first order", () => {
    const errors = [4e-4, 2e-4, 1e-4].map((dt) => drift("eulerStep", dt));
    for (const ratio of [errors[1] / errors[0], errors[2] / errors[1]]) {
      expect(ratio).toBeGreaterThan(0.45);
      expect(ratio).toBeLessThan(0.55);
    }
    expectWithin("drift at 0.1 ms", errors[2], 1e-3);
  });

  it("does not change along the exact motion", () => {
    expectWithin("drift of Runge-Kutta at 0.5 ms", drift("rungeKuttaStep", 5e-4), 1e-9);
  });

  it("has a rate of zero for the computed acceleration", () => {
    const motion = new FreeMotion(model, q, qd);
    const rate = rateOf(
      motion,
      (out) => {
        out[0] = kineticEnergy(motion.scratch) + potentialEnergy(motion.scratch);
      },
      1,
    );
    expectWithin("dE/dt", Math.abs(rate[0]), 1e-9);
  });
});

describe("momentum of a free-floating tree", () => {
  const random = new RandomGeometry(72);
  const tree = randomTree(random, 15, moving, false);
  const links = [randomLink(random, "free", "base", undefined, false)].concat(
    tree.links.map((link) => ({ ...link, parent: link.parent ?? "base" })),
  );
  const model = new ArticulatedModel({ name: "floating", links });
  const { q, qd } = randomState(random, model);

  function float(): FreeMotion {
    const motion = new FreeMotion(model, q, qd);
    motion.scratch.gravity.fill(0);
    return motion;
  }

  it("stays along the exact motion", () => {
    const motion = float();
    const start = new Float64Array(6);
    const end = new Float64Array(6);
    totalMomentum(motion.update(), start);
    const size = Math.hypot(...start);
    for (let step = 0; step < 1000; step++) motion.rungeKuttaStep(2.5e-4);
    totalMomentum(motion.update(), end, 0);
    end.forEach((value, c) => expectWithin("momentum", Math.abs(value - start[c]) / size, 1e-9));
  });

  it("has a rate of zero for the computed acceleration, and the weight with gravity", () => {
    const motion = float();
    const rate = rateOf(motion, (out) => totalMomentum(motion.scratch, out), 6);
    for (const value of rate) expectWithin("dh/dt", Math.abs(value), 1e-9);

    motion.scratch.gravity.set([1, -9.81, 2]);
    const falling = rateOf(motion, (out) => totalMomentum(motion.scratch, out), 6);
    const mass = model.mass.reduce((sum, value) => sum + value);
    [1, -9.81, 2].forEach((g, c) => expect(falling[3 + c] / mass).toBeCloseTo(g, 9));
  });

  it("moves its centre of mass on a line", () => {
    const motion = float();
    const start = new Float64Array(3);
    const momentum = new Float64Array(6);
    const end = new Float64Array(3);
    centerOfMass(motion.update(), start);
    totalMomentum(motion.scratch, momentum);
    const mass = model.mass.reduce((sum, value) => sum + value);
    for (let step = 0; step < 1000; step++) motion.rungeKuttaStep(2.5e-4);
    centerOfMass(motion.update(), end);
    for (let c = 0; c < 3; c++) expect(end[c]).toBeCloseTo(start[c] + (0.25 * momentum[3 + c]) / mass, 9);
  });
});

/** d/dt of a quantity of the state, along the motion of forward dynamics. */
function rateOf(motion: FreeMotion, quantity: (out: Float64Array) => void, count: number): Float64Array {
  const { model, scratch } = motion;
  const [q, qd] = [motion.q.slice(), motion.qd.slice()];
  const qdd = new Float64Array(model.nv);
  const passive = new Float64Array(model.nv);
  motion.update();
  addPassiveForces(model, q, qd, passive);
  new ForwardDynamics(model).compute(scratch, passive, undefined, qdd);
  return riddersJacobian(
    (t, out) => {
      for (let k = 0; k < model.nv; k++) {
        motion.q[k] = q[k] + t[0] * qd[k] + 0.5 * t[0] * t[0] * qdd[k];
        motion.qd[k] = qd[k] + t[0] * qdd[k];
      }
      motion.update();
      quantity(out);
    },
    new Float64Array(1),
    count,
    0.02,
  );
}
