import { describe, expect, it } from "vitest";
import { pointJacobian } from "../../../src/articulated/dynamics/jacobian";
import { updateKinematics } from "../../../src/articulated/dynamics/kinematics";
import { ArticulatedScratch } from "../../../src/articulated/scratch";
import { CartpoleEnvironment, pushTip } from "../../../samples/learning/cartpole";
import { leanOf, learningTask } from "../../../samples/learning/tasks";
import { mulberry } from "../../../samples/random";

function play(environment: CartpoleEnvironment, seed: number, action: number, decisions: number): number[] {
  environment.reset(mulberry(seed));
  return Array.from({ length: decisions }, () => {
    const { reward, ended } = environment.act([action]);
    return ended ? -reward : reward;
  });
}

describe("the environment of the cart-pole", () => {
  it.each(["balance", "swing-up"] as const)("%s plays the same episode from the same seed", (task) => {
    const [a, b] = [new CartpoleEnvironment(task), new CartpoleEnvironment(task)];
    play(b, 9, 1, 30);
    const [first, again, other] = [play(a, 4, 0.3, 60), play(b, 4, 0.3, 60), play(b, 5, 0.3, 60)];
    expect(again).toEqual(first);
    expect([...b.simulation.q]).not.toEqual([...a.simulation.q]);
    expect(task === "balance" || other.some((reward, i) => reward !== first[i])).toBe(true);
  });

  it("ends where the pole falls or the cart leaves, and not before", () => {
    const environment = new CartpoleEnvironment("balance");
    environment.reset(mulberry(1));
    environment.simulation.q.set([0, 0.05]);
    environment.simulation.qd.set([0, 0]);
    let decisions = 1;
    while (!environment.act([0]).ended) decisions++;
    expect(Math.abs(environment.simulation.q[1])).toBeGreaterThan(Math.PI / 15);
    expect(Math.abs(environment.simulation.q[1])).toBeLessThan(Math.PI / 15 + 0.02);
    expect(decisions).toBeGreaterThan(20);
    environment.simulation.q.set([2.39, 0]);
    environment.simulation.qd.set([1, 0]);
    expect(environment.act([0]).ended).toBe(true);
  });

  it("earns most upright, still and in the middle; actions beyond 1 count as 1", () => {
    const environment = new CartpoleEnvironment("swing-up", false);
    const rewardAt = (x: number, angle: number, action = 0): number => {
      environment.reset(mulberry(1));
      environment.simulation.q.set([x, angle]);
      environment.simulation.qd.set([0, 0]);
      return environment.act([action]).reward;
    };
    expect(rewardAt(0, 0)).toBeCloseTo(1, 6);
    expect(rewardAt(0, Math.PI)).toBeCloseTo(0, 6);
    expect(rewardAt(1, 0)).toBeCloseTo(1 / 1.2, 6);
    expect(rewardAt(0, 2 * Math.PI)).toBeCloseTo(1, 6);
    expect(rewardAt(0, 1, 7)).toBe(rewardAt(0, 1, 1));
    expect(rewardAt(0, 1, 1)).not.toBe(rewardAt(0, 1, 0.9));
  });

  it.each([0, 0.7, 2.5, -1.9])("pushes the tip of the pole as a force there does, at %d rad", (angle) => {
    const { simulation } = new CartpoleEnvironment("swing-up");
    const [force, tip] = [6, [1.3 - Math.sin(angle), Math.cos(angle), 0] as const];
    const speedsAfter = (): number[] => {
      simulation.q.set([1.3, angle]);
      simulation.qd.set([0.2, -0.4]);
      simulation.step();
      return [...simulation.qd];
    };
    simulation.q.set([1.3, angle]);
    pushTip(simulation, force);
    const pushed = speedsAfter();
    pushTip(simulation, 0);
    const scratch = new ArticulatedScratch(simulation.model);
    simulation.q.set([1.3, angle]);
    updateKinematics(scratch, simulation.q, new Float64Array(2));
    const jacobian = new Float64Array(6);
    pointJacobian(scratch, 1, [...tip], jacobian);
    for (let k = 0; k < 2; k++) simulation.control[k] = jacobian[k] * force;
    const driven = speedsAfter();
    expect(driven[0]).toBeCloseTo(pushed[0], 12);
    expect(driven[1]).toBeCloseTo(pushed[1], 12);
  });

  it("measures the lean after any number of turns", () => {
    for (const turns of [-3, 0, 2]) expect(leanOf(2 * Math.PI * turns - 0.2)).toBeCloseTo(0.2, 12);
    expect(leanOf(Math.PI)).toBeCloseTo(Math.PI, 12);
  });

  it("is refused by another name", async () => {
    await expect(learningTask("cart")).rejects.toThrow(/task.*cartpole, cartpole-swing-up/);
  });
});
