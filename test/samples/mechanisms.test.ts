import { describe, expect, it } from "vitest";
import type { MechanismDescription } from "../../src/articulated/description";
import { pointToWorld } from "../../src/articulated/dynamics/jacobian";
import { updateKinematics } from "../../src/articulated/dynamics/kinematics";
import { factorMassMatrix, massMatrix } from "../../src/articulated/dynamics/mass-matrix";
import { ArticulatedModel } from "../../src/articulated/model";
import { ArticulatedScratch } from "../../src/articulated/scratch";
import { cartpole } from "../../samples/mechanisms/cartpole";
import { catapult } from "../../samples/mechanisms/catapult";
import { invertedDoublePendulum } from "../../samples/mechanisms/double-pendulum";
import { halfCheetah } from "../../samples/mechanisms/half-cheetah";
import { humanoid } from "../../samples/mechanisms/humanoid";
import { jumpWorm } from "../../samples/mechanisms/jump-worm";

function start(description: MechanismDescription): ArticulatedScratch {
  const model = new ArticulatedModel(description);
  const scratch = new ArticulatedScratch(model);
  updateKinematics(scratch, model.initialPosition, model.initialVelocity);
  return scratch;
}

describe("mechanisms of the samples", () => {
  it.each([
    ["cartpole", cartpole("actuated-pole"), 2],
    ["cartpole", cartpole("actuated-cart"), 2],
    ["cartpole", cartpole("capsules"), 2],
    ["inverted double pendulum", invertedDoublePendulum(), 3],
    ["jump-worm", jumpWorm(), 5],
    ["catapult", catapult(), 5],
    ["half-cheetah", halfCheetah(), 9],
    ["humanoid", humanoid(), 33],
  ])("%s compiles, with the published number of coordinates", (name, description, dofs) => {
    const scratch = start(description);
    expect(scratch.model.name).toBe(name);
    expect(scratch.model.nv).toBe(dofs);
    massMatrix(scratch);
    expect(() => factorMassMatrix(scratch)).not.toThrow();
  });

  it.each([
    ["jump-worm", jumpWorm({ rootHeight: 0 }), "segment 1", [-0.125, 0]],
    ["jump-worm", jumpWorm({ rootHeight: 0 }), "segment 2", [-0.25, -0.125]],
    ["jump-worm", jumpWorm({ rootHeight: 0 }), "segment 3", [-0.1616, -0.3384]],
    ["catapult", catapult(), "arm 1", [0.4116, -0.3616]],
    ["catapult", catapult(), "arm 2", [0.2348, -0.1848]],
    ["catapult", catapult(), "arm 3", [0.0215, -0.0964]],
  ])("%s has its links where the published one has: %s, %s", (_name, description, link, [x, y]) => {
    const scratch = start(description);
    const at = 3 * scratch.model.linkIndex(link);
    expect(scratch.massCentre[at]).toBeCloseTo(x, 3);
    expect(scratch.massCentre[at + 1]).toBeCloseTo(y, 3);
  });

  it("the legs of the half-cheetah hang together: each capsule starts at its joint and ends at the next", () => {
    const scratch = start(halfCheetah());
    const { model } = scratch;
    const end = new Float64Array(3);
    for (const [name, next] of [
      ["back thigh", "back shin"],
      ["back shin", "back foot"],
      ["front thigh", "front shin"],
      ["front shin", "front foot"],
    ]) {
      const link = model.linkIndex(name);
      const { shape } = model.shapes[link][0];
      if (shape.type !== "capsule") throw new Error("a capsule was expected");
      const at = 3 * model.linkIndex(next);
      const distances = [shape.pointA, shape.pointB].map((point) => {
        pointToWorld(scratch, link, point, end);
        return Math.hypot(end[0] - scratch.linkPosition[at], end[1] - scratch.linkPosition[at + 1]);
      });
      expect(Math.min(...distances), name).toBeLessThan(0.06);
    }
  });

  it("the humanoid stands on twelve spheres that touch the ground", () => {
    const scratch = start(humanoid());
    const { model } = scratch;
    const centre = new Float64Array(3);
    let count = 0;
    for (let link = 0; link < model.linkCount; link++)
      for (const { shape, position } of model.shapes[link]) {
        if (shape.type !== "sphere" || position === undefined) throw new Error("a placed sphere was expected");
        pointToWorld(scratch, link, position, centre);
        expect(centre[1]).toBeCloseTo(shape.radius, 12);
        count++;
      }
    expect(count).toBe(12);
    expect(model.mass.reduce((sum, mass) => sum + mass)).toBeCloseTo(152.4, 6);
  });
});
