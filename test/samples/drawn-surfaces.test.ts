import { expect, it } from "vitest";
import { resolveParameters } from "../../samples/parameters";
import { scenes } from "../../samples/scenes/index";
import { World } from "../../src/index";
import { enclosedVolume } from "../../src/solvers/gpbd/pressure/inflation";

/** Whether each side of each triangle belongs to one neighbor, which traverses it in the opposite direction. */
function isClosed(faces: Uint32Array): boolean {
  const sides = new Set<string>();
  faces.forEach((from, i) => sides.add(`${from} ${faces[i % 3 === 2 ? i - 2 : i + 1]}`));
  return [...sides].every((side) => sides.has(side.split(" ").reverse().join(" ")));
}

it("draws every closed body of every scene right side out", async () => {
  const closed: string[] = [];
  const insideOut: string[] = [];
  for (const scene of scenes.filter(({ articulated }) => !articulated)) {
    const world = await World.create({ backend: "cpu", snapshotInterval: 0 });
    try {
      const instance = await scene.build(world, resolveParameters(scene, {}));
      for (const { body, faces = body.model.faces, skin } of instance.softs ?? []) {
        if (skin !== undefined || !isClosed(faces)) continue;
        closed.push(scene.name);
        // Babylon draws the side from which a triangle appears clockwise.
        if (enclosedVolume(body.model.positions, faces) > 0) insideOut.push(`${scene.name}: ${body.name}`);
      }
      instance.dispose?.();
    } finally {
      world.dispose();
    }
  }
  expect(insideOut).toEqual([]);
  expect(closed).toEqual(expect.arrayContaining(["balloon", "soft-beam", "soft-cube"]));
});
