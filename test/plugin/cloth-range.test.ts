import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, describe, expect, it } from "vitest";
import { ClothAggregate, ClothRange, SkeletonAggregate } from "../../plugin/index";
import { expectWithin } from "../figures";
import { expectRefusal, makeSheet, testScene, type TestScene } from "./fixtures";
import { makeArm } from "./skinned-arm";

let t: TestScene;
afterEach(() => t.dispose());

describe.each([1, 100])("a cloth with a range, with %i units in a meter", (scale) => {
  it("stays near its places on a node that moves, turns and is mirrored, and not behind them", async () => {
    t = await testScene({ worldScale: scale }, new Vector3(0, -10 * scale, 0));
    const parent = new TransformNode("parent", t.scene);
    parent.scaling.x = -1;
    const node = new TransformNode("node", t.scene);
    node.parent = parent;
    const sheet = makeSheet(t.scene, scale, 8, scale);
    const [maxDistance, backstop] = [0.1 * scale, 0.02 * scale];
    const cloth = new ClothAggregate(sheet, { range: new ClothRange({ node, maxDistance, backstop }) }, t.scene);
    const first = await cloth.readPositions();
    const toNode = node.getWorldMatrix().clone().invert();
    for (let frame = 1; frame <= 40; frame++) {
      node.position.x = 0.01 * scale * frame;
      node.rotationQuaternion = Quaternion.RotationAxis(Vector3.Right(), 0.01 * frame);
      t.run(1);
      if (frame % 10 > 0) continue;
      const way = toNode.multiply(node.computeWorldMatrix(true));
      const up = Vector3.TransformNormal(Vector3.Up(), way);
      const positions = await cloth.readPositions();
      let [farthest, deepest] = [0, 0];
      for (let i = 0; i < positions.length; i += 3) {
        const place = Vector3.TransformCoordinates(Vector3.FromArray(first, i), way);
        const offset = Vector3.FromArray(positions, i).subtract(place);
        farthest = Math.max(farthest, offset.length() / maxDistance);
        deepest = Math.max(deepest, -Vector3.Dot(offset, up) / backstop);
      }
      expectWithin("distance, of what is allowed", farthest, 1 + 1e-4);
      expectWithin("depth, of what is allowed", deepest, 1 + 1e-3);
      // It hangs on the backstop.
      expect(deepest).toBeGreaterThan(0.9);
    }
  });
});

it("follows a skin as attached vertices do where the distance is zero, also when the figure jumps", async () => {
  t = await testScene();
  const { mesh, lower } = makeArm(t.scene);
  const figure = new SkeletonAggregate(mesh, {}, t.scene);
  const made = (y: number, options: object): ClothAggregate => {
    const sheet = makeSheet(t.scene, 0.4, 6, y);
    return new ClothAggregate(sheet, options, t.scene);
  };
  const all = [...Array(49).keys()];
  const attached = made(0.2, { attach: { skin: mesh, vertices: all } });
  const ranged = made(0.2, { range: new ClothRange({ skin: mesh, maxDistance: () => 0 }) });
  const differ = async (): Promise<number> => {
    const [a, b] = [await attached.readPositions(), await ranged.readPositions()];
    return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
  };
  const before = await ranged.readPositions();
  for (let frame = 1; frame <= 10; frame++) {
    lower.setRotationQuaternion(Quaternion.RotationAxis(Vector3.Forward(), 0.05 * frame));
    t.run(1);
  }
  expectWithin("difference on the way [m]", await differ(), 1e-6);
  const bent = await ranged.readPositions();
  expect(Math.max(...bent.map((value, i) => Math.abs(value - before[i])))).toBeGreaterThan(0.05);
  mesh.position.y = 30;
  figure.teleport();
  t.run(2);
  expectWithin("difference after a jump [m]", await differ(), 1e-6);
  const speeds = (await ranged.readVelocities()).map(Math.abs);
  expectWithin("speed after a jump [m/s]", Math.max(...speeds), 1);
  ranged.reset();
  t.run(1);
  expectWithin("difference after a reset [m]", await differ(), 1e-6);
  expectWithin("speed after a reset [m/s]", Math.max(...(await ranged.readVelocities()).map(Math.abs)), 1);
});

it("takes maps, and refuses what it cannot take", async () => {
  t = await testScene();
  const node = new TransformNode("node", t.scene);
  const made = (options: object): ClothAggregate => new ClothAggregate(makeSheet(t.scene), options, t.scene);
  const cloth = made({ range: new ClothRange({ node, maxDistance: ({ x }: Vector3) => (x < 0 ? 0.01 : 10) }) });
  const first = await cloth.readPositions();
  t.run(30);
  const positions = await cloth.readPositions();
  for (let i = 0; i < positions.length; i += 3) if (first[i] < -0.01) expect(positions[i + 1]).toBeGreaterThan(0.989);
  expect(Math.min(...positions.filter((_, i) => i % 3 === 1))).toBeLessThan(0.95);
  expectRefusal(() => made({ range: new ClothRange({ node, maxDistance: -1 }) }), "invalid-argument", "maxDistance[0]");
  expectRefusal(
    () => made({ range: new ClothRange({ node, backstop: [1, 2] }) }),
    "invalid-argument",
    "one for each vertex",
  );
  expectRefusal(() => made({ solver: "newton", range: new ClothRange({ node }) }), "unsupported", "gpbd");
  expectRefusal(
    () => made({ range: new ClothRange({ node, maxDistance: { channel: "r" } }) }),
    "invalid-argument",
    "vertex colors",
  );
  expectRefusal(
    () => made({ range: new ClothRange({ node }), tearing: { strain: 1 } }),
    "unsupported",
    "does not tear",
  );
  node.dispose();
  t.run(30);
  expect(Math.max(...(await cloth.readPositions()).filter((_, i) => i % 3 === 1))).toBeLessThan(0.98);
});
