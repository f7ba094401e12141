import { beforeAll, describe, expect, it } from "vitest";
import { personMjcf } from "../../samples/mechanisms/person";
import { mulberry } from "../../samples/random";
import { runScene } from "../../samples/run-scene";
import { RunningGait, running, startRunning } from "../../samples/running-gait";
import { humanoidRun } from "../../samples/scenes/humanoid-run";
import { BatchSimulation } from "../../src/articulated/batch/batch-simulation";
import { loadMjcf } from "../../src/articulated/loaders/mjcf/mjcf";
import type { LoadedMechanism } from "../../src/articulated/loaders/loaded";
import { ArticulatedModel } from "../../src/articulated/model";
import { ArticulatedSimulation } from "../../src/articulated/step/simulation";
import { copyStates, expectSame } from "../articulated/batch/compare";
import { testContext } from "../gpu/context";

let person: LoadedMechanism;
beforeAll(async () => {
  person = await loadMjcf(personMjcf);
});

const UP = [0, 0, 1] as const;

/** Options of simulations with z up. */
const common = (timeStep: number) => ({
  timeStep,
  gravity: [0, 0, -9.81] as const,
  limits: true,
  penetrationCorrection: 0.1,
  fastMotion: "whole" as const,
  actuators: person.actuators,
});

describe("a person of 21 servos", () => {
  it("is of a person's size, and read without notes", () => {
    const { mechanism, notes, actuators } = person;
    const mass = mechanism.links.reduce((sum, link) => sum + (link.mass ?? 0), 0);
    expect(notes).toEqual([]);
    expect(actuators).toHaveLength(21);
    expect(new ArticulatedModel(mechanism).nv).toBe(27);
    expect(mass).toBeCloseTo(69.7, 3);
  });

  it.each([
    ["policy", 1, 1, 4],
    ["policy", 7, 0.7, 5],
    ["gait", 7, 0.7, 5],
  ])("runs by the %s from start %d with friction %d in %d substeps", async (control, seed, friction, substeps) => {
    const { metrics } = await runScene(humanoidRun, {
      parameters: { control, seed, friction, substeps },
      frames: 210,
      backend: "cpu",
    });
    for (const { name, bound = Infinity } of humanoidRun.metrics)
      expect(metrics[name], name).toBeLessThan(name === "slip" && friction < 1 ? 2 * bound : bound);
    expect(metrics.way).toBeGreaterThan(8);
    // It has both feet in the air in each step.
    expect(metrics.air).toBeGreaterThan(0.08);
    expect(metrics.air).toBeLessThan(0.4);
  });

  it("is pushed over by the gait alone, and keeps running by the policy", async () => {
    const ways = ["policy", "gait"].map(async (control) => {
      const parameters = { control, push: 60, seed: 3 };
      const { metrics } = await runScene(humanoidRun, { parameters, frames: 600, backend: "cpu" });
      return metrics;
    });
    const [policy, gait] = await Promise.all(ways);
    expect(policy.leaned).toBeLessThan(0.6);
    expect(policy.way).toBeGreaterThan(25);
    expect(gait.leaned).toBeGreaterThan(1);
    expect(gait.way).toBeLessThan(25);
  });

  it("stands in a batch as on the CPU, and runs there", async () => {
    const { device } = await testContext();
    const [timeStep, worlds] = [1 / 240, 2];
    const { mechanism, actuators } = person;
    const ground = [{ shape: { type: "box", halfExtents: [50, 50, 1] } as const, position: [0, 0, -1] as const }];
    const one = new ArticulatedSimulation(mechanism, { ...common(timeStep), ground });
    const options = { ...common(timeStep), worlds, ground: [{ normal: UP }], device };
    const batch = await BatchSimulation.create(mechanism, options);
    for (let n = 0; n < 60; n++) one.step();
    copyStates(batch, [one, one]);
    for (let n = 0; n < 100; n++) one.step();
    expect(one.contacts.count).toBe(8);
    batch.step(100);
    await expectSame(batch, [one, one], 1e-3);

    const { nv } = batch;
    const gait = new RunningGait(new ArticulatedModel(mechanism), running);
    const states = Array.from({ length: worlds }, (_, seed) => {
      const [q, qd] = [new Float64Array(nv), new Float64Array(nv)];
      startRunning(one.model, q, qd, mulberry(seed));
      return { q, qd, input: new Float64Array(actuators.length) };
    });
    const all = (pick: (state: (typeof states)[number]) => Float64Array): number[] =>
      states.flatMap((state) => [...pick(state)]);
    batch.setState(
      all(({ q }) => q),
      all(({ qd }) => qd),
    );
    for (let n = 0; n < 60; n++) {
      for (const { q, qd, input } of states) gait.decide(q, qd, n / 60, input);
      batch.setInputs(all(({ input }) => input));
      batch.step(4);
      const { q, qd } = await batch.readState();
      states.forEach((state, world) => {
        state.q.set(q.subarray(world * nv, (world + 1) * nv));
        state.qd.set(qd.subarray(world * nv, (world + 1) * nv));
      });
    }
    for (const { q } of states) {
      expect(q[3]).toBeGreaterThan(1.8);
      expect(Math.abs(q[5])).toBeLessThan(0.2);
    }
    batch.dispose();
  });
});
