import { expect, it } from "vitest";
import { boxTetrahedra, solidModel } from "../../../src/index";
import { addFloor, gravity, inWorld, massOf, rubber, frameTime } from "./worlds";

// Otherwise what it stands on takes up only a part of what others give it: a solid of 4 mm threw another one off itself.
it.each([1, 2, 5])("the ground bears a solid by all of its weight in a frame of %d steps", async (substeps) => {
  await inWorld({ substeps }, async (world) => {
    addFloor(world);
    const mesh = boxTetrahedra({ size: [0.2, 0.1, 0.2], cells: [2, 1, 2], center: [0, 0.05, 0] });
    const body = world.addBody(solidModel({ solver: "newton", ...mesh, material: { ...rubber, youngsModulus: 1e6 } }));
    for (let frame = 0; frame < 30; frame++) world.step(frameTime);
    const { soft, dynamics } = world.rigid;
    const held = soft.heldContacts(dynamics.deformables.bodies[0]);
    let impulse = 0;
    for (let c = 0; c < held.count; c++) impulse += held.impulse[3 * c] * held.frame[9 * c + 1];
    expect(impulse / (massOf(body) * gravity * frameTime)).toBeCloseTo(1, 2);
  });
});
