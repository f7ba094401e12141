import { CreateCylinder } from "@babylonjs/core/Meshes/Builders/cylinderBuilder";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { expect, it } from "vitest";
import { surfacesAreFree } from "../../src/collision/surface/free-surfaces";
import { ClothAggregate, type ClothOptions } from "../../plugin/index";
import { expectRefusal, testScene, type TestScene } from "./fixtures";

/** An open tube around the y axis. */
function wear({ scene }: TestScene, name: string, diameter: number, options: ClothOptions, x = 0): ClothAggregate {
  const sizes = { diameter, height: 0.3, tessellation: 12, subdivisions: 5, cap: Mesh.NO_CAP };
  const mesh = CreateCylinder(name, sizes, scene);
  mesh.rotation.y = diameter;
  mesh.position.x = x;
  return new ClothAggregate(mesh, { airDensity: 0, substeps: 6, ...options }, scene);
}

/** Distance of the nearest and the furthest vertex from the axis [m]. */
async function girth(cloth: ClothAggregate): Promise<[least: number, most: number]> {
  const x = await cloth.readPositions();
  const radii = Array.from({ length: x.length / 3 }, (_, p) => Math.hypot(x[3 * p], x[3 * p + 2]));
  return [Math.min(...radii), Math.max(...radii)];
}

async function areApart(a: ClothAggregate, b: ClothAggregate): Promise<boolean> {
  const [one, other] = await Promise.all(
    [a, b].map(async ({ body }) => ({ positions: await body.readPositions(), faces: body.model.faces })),
  );
  return surfacesAreFree(one, other, 1e-5);
}

it.each([true, false])(
  "a jacket begins outside a shirt of its size, and again after a reset; right-handed: %s",
  async (right) => {
    const t = await testScene({}, Vector3.Zero());
    t.scene.useRightHandedSystem = right;
    const shirt = wear(t, "shirt", 0.2, { layer: 0 });
    const jacket = wear(t, "jacket", 0.196, { layer: 1, fabric: "denim" });
    t.run(1);
    expect(await areApart(shirt, jacket)).toBe(true);
    expect((await girth(jacket))[0]).toBeGreaterThan((await girth(shirt))[0]);
    expect((await girth(shirt))[1]).toBeLessThan(0.102);
    t.run(5);
    expect(await areApart(shirt, jacket)).toBe(true);
    jacket.reset();
    shirt.reset();
    t.run(1);
    expect(await areApart(shirt, jacket)).toBe(true);
    expect((await girth(jacket))[0]).toBeGreaterThan((await girth(shirt))[0]);
    t.dispose();
  },
);

it("the side of the normals is outside", async () => {
  const t = await testScene({}, Vector3.Zero());
  const lining = wear(t, "lining", 0.2, { layer: 0, flipNormals: true });
  const other = wear(t, "other", 0.2, { layer: 1 });
  t.run(1);
  expect((await girth(other))[1]).toBeLessThan((await girth(lining))[1]);
  expect(await areApart(lining, other)).toBe(true);
  t.dispose();
});

it("a loose jacket that began partly inside slides down its shirt, and friction holds it", async () => {
  const falls: number[] = [];
  for (const friction of [0, 2]) {
    const t = await testScene({}, new Vector3(4, -1, 0));
    const shirt = wear(t, "shirt", 0.2, { layer: 0, friction, pins: () => true });
    const jacket = wear(t, "jacket", 0.24, { layer: 1, friction }, 0.04);
    t.run(15);
    const x = await jacket.readPositions();
    falls.push(-x.reduce((sum, value, i) => sum + (i % 3 === 1 ? value : 0), 0) / (x.length / 3));
    expect(await areApart(shirt, jacket)).toBe(true);
    t.dispose();
  }
  // g t² / 2 = 0.031. Edges that cross edges may hold it up without friction: it falls by 0.019 to 0.036, as it begins.
  expect(falls[0]).toBeGreaterThan(0.02);
  expect(falls[1]).toBeLessThan(0.5 * falls[0]);
});

it("refuses a layer that is no number", async () => {
  const t = await testScene();
  expectRefusal(() => wear(t, "shirt", 0.2, { layer: "top" as never }), "non-finite", "shirt", "layer");
  t.dispose();
});
