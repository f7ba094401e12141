import { describe, expect, it } from "vitest";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import { Trajectory } from "../../../src/articulated/step/trajectory";
import { jumpWorm, jumpWormFloor } from "../../../samples/mechanisms/jump-worm";
import { expectRefused } from "../../refusal";
import { riddersJacobian } from "../ridders";

function worm(): ArticulatedSimulation {
  const simulation = new ArticulatedSimulation(jumpWorm({ rootHeight: -0.1 }), {
    timeStep: 0.002,
    ground: jumpWormFloor(-0.56, 0),
  });
  simulation.setParameters([{ kind: "mass", link: "segment 2" }]);
  return simulation;
}

describe("Trajectory", () => {
  it("gradient by start, controls and parameters, over steps with contact, by differences", () => {
    const simulation = worm();
    const { nv } = simulation;
    const steps = 30;
    const trajectory = new Trajectory(simulation, steps);
    const loss = (q: Float64Array, qd: Float64Array, t: number): number =>
      t === steps ? q[1] + 0.3 * qd[2] * qd[2] : t === 12 ? 0.5 * q[3] * q[3] : 0;
    const run = (x: Float64Array, out: Float64Array): void => {
      const [q, qd] = [x.slice(0, nv), x.slice(nv, 2 * nv)];
      const controls = new Float64Array(nv * steps);
      for (let t = 0; t < steps; t++) controls.set(x.subarray(2 * nv, 3 * nv), t * nv);
      simulation.shiftParameter({ kind: "mass", link: "segment 2" }, x[3 * nv] - 1);
      out[0] = 0;
      trajectory.run(q, qd, controls, (t, at, rate) => (out[0] += loss(at, rate, t)));
      simulation.shiftParameter({ kind: "mass", link: "segment 2" }, 1 - x[3 * nv]);
    };
    const x = new Float64Array(3 * nv + 1);
    x.set(simulation.q);
    x.set([0, -0.4, 0.1, 0.2, 0], nv);
    x.set([0, 0, 2, -1, 3], 2 * nv);
    x[3 * nv] = 1;
    const numeric = riddersJacobian(run, x, 1, 1e-4);
    run(x, new Float64Array(1));
    const gradient = trajectory.gradient((t, q, qd, byQ, byQd) => {
      if (t === steps) {
        byQ[1] = 1;
        byQd[2] = 0.6 * qd[2];
      } else if (t === 12) byQ[3] = q[3];
    });
    const held = new Float64Array(nv);
    for (let t = 0; t < steps; t++) for (let k = 0; k < nv; k++) held[k] += gradient.control[t * nv + k];
    const analytic = [...gradient.position, ...gradient.velocity, ...held, ...gradient.parameter];
    const scale = Math.max(...numeric.map(Math.abs));
    expect(simulation.statistics.solved).toBeGreaterThan(steps);
    numeric.forEach((value, i) => expect(Math.abs(value - analytic[i]) / scale, `entry ${i}`).toBeLessThan(1e-6));
  });

  it("keeps about 2 √T states", () => {
    const simulation = worm();
    for (const steps of [1, 10, 100, 10_000]) {
      const states = new Trajectory(simulation, steps).storage / (2 * simulation.nv);
      expect(states).toBeLessThanOrEqual(2 * Math.ceil(Math.sqrt(steps)) + 2);
    }
  });

  it("refuses what it cannot run, and leaves the state as it was", () => {
    const simulation = worm();
    expectRefused(() => new Trajectory(simulation, 0), "invalid-argument", /steps/);
    const trajectory = new Trajectory(simulation, 3);
    expectRefused(() => trajectory.gradient(() => undefined), "invalid-argument", /run/);
    const [q, qd] = [simulation.q.slice(), simulation.qd.slice()];
    expectRefused(() => trajectory.run(q, qd, new Float64Array(4)), "invalid-argument", /controls/);
    const controls = new Float64Array(15);
    controls[12] = NaN;
    expectRefused(() => trajectory.run(q, qd, controls), "non-finite", /control/);
    expect(q).toEqual(simulation.q);
    expect(qd).toEqual(simulation.qd);
  });
});
