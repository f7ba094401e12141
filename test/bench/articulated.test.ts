import { describe, expect, it } from "vitest";
import { Differences } from "../../bench/articulated/differences";
import type { ArticulatedResult } from "../../bench/articulated/suite";
import { benchCommand } from "../../bench/command";
import { toMjcf } from "../../bench/mujoco/mjcf";
import { catapult, catapultFloor } from "../../samples/mechanisms/catapult";
import type { MechanismDescription } from "../../src/articulated/description";
import { expectWithin } from "../figures";
import { relativeError } from "../math/differences";
import { expectRefused } from "../refusal";

describe("the articulated benchmark", () => {
  it("times steps and Jacobians beside MuJoCo, says how right they are and how they grow", async () => {
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    const code = await benchCommand(["--suite", "articulated", "--frames", "2", "--json"], {
      print,
      log: { write: () => undefined },
    });
    expect(code).toBe(0);
    const { suite, versions, rows, growths } = JSON.parse(lines[0]) as ArticulatedResult;
    expect(suite).toBe("articulated");
    expect(versions["@mujoco/mujoco"]).toMatch(/^\d+\.\d+/);
    const scenes = [...new Set(rows.map((row) => `${row.scene} ${row.size}`))];
    expect(scenes).toEqual([
      ...["cartpole 2", "jump-worm 5", "catapult 5", "half-cheetah 9", "humanoid 33"],
      ...["cartpole copies 2", "half-cheetah copies 9", "half-cheetah copies on the ground 9"],
      ...["humanoid copies 33", "humanoid copies on the ground 33"],
    ]);
    const copies = rows.filter((row) => row.scene === "humanoid copies").map((row) => row.worlds);
    expect(copies).toEqual([1, 1, 16]);
    for (const row of rows) {
      expect(row.msPerFrame).toBeGreaterThan(0);
      if (row.jacobianError !== undefined) expectWithin("error of the Jacobians", row.jacobianError, 1e-5);
    }
    for (const scene of ["jump-worm", "half-cheetah", "humanoid"]) {
      const [own, ...others] = rows.filter((row) => row.scene === scene).map((row) => row.contacts);
      expect(own).toBeGreaterThan(0);
      expect(new Set([own, ...others]), scene).toEqual(new Set([own]));
    }
    expect(rows.filter((row) => row.speedupOverMujoco !== undefined)).toHaveLength(5);
    expect(growths.map(({ scene, settings }) => `${scene}: ${settings}`)).toEqual([
      "chain: step",
      "chain: Jacobians, analytic",
      "binary tree: step",
      "binary tree: Jacobians, analytic",
    ]);
    for (const { exponent } of growths) expect(exponent).toBeGreaterThan(0);
  }, 30_000);

  it("has differences that are derivatives", () => {
    const f = ([x, y]: Float64Array, out: Float64Array) => {
      out[0] = Math.sin(x) * y;
      out[1] = Math.exp(x - y);
      out[2] = x * x * y;
    };
    const differences = new Differences(f, 2, 3);
    const [x, y] = [0.3, 0.7];
    const e = Math.exp(x - y);
    const expected = [Math.cos(x) * y, Math.sin(x), e, -e, 2 * x * y, x * x];
    const at = Float64Array.of(x, y);
    expectWithin("central", relativeError(differences.central(at, 1e-6), expected), 1e-8);
    expectWithin("Ridders", relativeError(differences.ridders(at, 0.05), expected), 1e-11);
    expect(Array.from(at)).toEqual([x, y]);
  });
});

describe("the MJCF writer", () => {
  const options = { timeStep: 1e-3, integrator: "Euler", gravity: [0, -9.81, 0] } as const;

  it("writes a motor for every coordinate, and shapes only where there is ground", () => {
    const without = toMjcf(catapult(), options);
    expect(without.match(/<motor /g)).toHaveLength(5);
    expect(without).not.toMatch(/<geom /);
    expect(toMjcf(catapult(), { ...options, ground: catapultFloor() }).match(/<geom /g)).toHaveLength(5);
  });

  it("refuses what it cannot write", () => {
    const link = { name: "a", mass: 1, inertia: [1, 1, 1, 0, 0, 0] } as const;
    const ball: MechanismDescription = { name: "m", links: [{ ...link, joint: { type: "ball" } }] };
    expectRefused(() => toMjcf(ball, options), "unsupported", /no MJCF writer, got "ball"/);
    const turned: MechanismDescription = {
      name: "m",
      links: [{ ...link, joint: { type: "weld", childFrame: { rotation: [0, 0, 1, 0] } } }],
    };
    expectRefused(() => toMjcf(turned, options), "unsupported", /must not be turned/);
  });
});
