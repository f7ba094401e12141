import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, describe, expect, it } from "vitest";
import {
  ArticulationAggregate,
  AttachmentAggregate,
  ClothAggregate,
  DeformableScene,
  RopeAggregate,
  SoftBodyAggregate,
} from "../../plugin/index";
import { addAttachment, World } from "../../src/index";
import { expectWithin } from "../figures";
import { havokScene, pliantScene, type PluginScene } from "./both-plugins";
import { expectRefusal, makeSheet } from "./fixtures";

let t: PluginScene;
afterEach(() => t.dispose());

/** A soft bar of 0.5 kg whose upper end is held, with a box of so many kilograms below it. */
async function hangCrate(solver: "newton" | "local-global", mass: number) {
  const bar = CreateBox("bar", { width: 0.1, depth: 0.1, height: 0.5 }, t.scene);
  bar.position.y = 0.75;
  const material = { youngsModulus: 1e6, density: 100, resolution: 5, elements: "linear", damping: 2 } as const;
  const soft = new SoftBodyAggregate(bar, { solver, ...material }, t.scene);
  await soft.pinWhere(({ y }) => y > 0.99);
  const crate = CreateBox("crate", { size: 0.1 }, t.scene);
  crate.position.y = 0.45;
  const { body } = new PhysicsAggregate(crate, PhysicsShapeType.BOX, { mass, friction: 0.5 }, t.scene);
  body.setAngularDamping(2);
  const places = bar.getVerticesData("position")!;
  const low = [...Array(places.length / 3).keys()].filter((v) => places[3 * v + 1] < -0.24);
  return { soft, crate, body, low };
}

describe.each(["Pliant", "Havok"] as const)("an attachment in a scene of %s", (engine) => {
  const begin = async (): Promise<void> => {
    t = engine === "Pliant" ? await pliantScene() : await havokScene();
    if (engine === "Havok") await DeformableScene.CreateAsync(t.scene, { rigid: t.plugin, backend: "cpu" });
  };

  it.each([
    ["newton", 0.05],
    ["newton", 5],
    ["local-global", 0.05],
    ["local-global", 5],
  ] as const)("hangs a body on a bar of %s: %f kg", async (solver, mass) => {
    await begin();
    const { soft, crate, body, low: end } = await hangCrate(solver, mass);

    new AttachmentAggregate({ aggregate: soft, vertices: end, to: { body } }, t.scene);
    t.run(200);
    const stretch = (0.5 * 10 * (mass + 0.25)) / (1e6 * 0.01);
    expectWithin("height - expected [m]", Math.abs(crate.position.y - 0.45 + stretch), 0.005);
    // Havok's bodies have a part of their weight as a speed between steps: places tell whether they rest.
    let [low, high] = [Infinity, -Infinity];
    for (let frame = 0; frame < 20; frame++) {
      t.run(1);
      low = Math.min(low, crate.position.y);
      high = Math.max(high, crate.position.y);
    }
    expectWithin("drift [m]", high - low, 0.001);
  });

  it("sews two cloths, and lets a seam break", async () => {
    await begin();
    const sheets = [0, 1].map((k) => {
      const mesh = makeSheet(t.scene, 1, 4);
      mesh.name = `sheet${k}`;
      mesh.position.set(k, 1, 0);
      return mesh;
    });
    const cloths = sheets.map((mesh) => new ClothAggregate(mesh, { airDensity: 0 }, t.scene));
    const places = cloths.map((cloth) => cloth.body.model.positions);
    const pairs = [...Array(places[0].length / 3).keys()].flatMap((v) => {
      const w = [...Array(places[1].length / 3).keys()].find((u) =>
        [0, 1, 2].every((c) => Math.abs(places[0][3 * v + c] - places[1][3 * u + c]) < 1e-6),
      );
      return w === undefined ? [] : [[v, w]];
    });
    expect(pairs.length).toBe(5);
    await cloths[0].pinWhere(({ x }) => x < -0.49);
    const seam = new AttachmentAggregate(
      {
        aggregate: cloths[0],
        vertices: ({ x }) => x > 0.49,
        to: { aggregate: cloths[1], vertices: ({ x }) => x < 0.51 },
        breakingForce: 100,
      },
      t.scene,
    );
    t.run(60);
    expect(seam.force).toBeGreaterThan(0.1);
    const [x, y] = [await cloths[0].readPositions(), await cloths[1].readPositions()];
    for (const [v, w] of pairs) for (let c = 0; c < 3; c++) expect(x[3 * v + c]).toBeCloseTo(y[3 * w + c], 5);
    seam.dispose();
    t.run(60);
    const fallen = await cloths[1].readPositions();
    expect(fallen[1]).toBeLessThan(-1);
    // It is where it has fallen to, not where it began.
    const above = { aggregate: cloths[1], vertices: ({ y }: Vector3) => y > 0.9 };
    const sewAgain = () => new AttachmentAggregate({ ...above, to: { aggregate: cloths[0], vertices: [0] } }, t.scene);
    await expectRefusal(sewAgain, "invalid-argument", "must be true for one of");
  });
});

it.each([0.01, 1, 100])("lets a body of Havok of %f times its mass hang on a rope of gpbd", async (ratio) => {
  t = await havokScene();
  await DeformableScene.CreateAsync(t.scene, { rigid: t.plugin, backend: "cpu" });
  const path = [new Vector3(0, 1, 0), new Vector3(0, 0, 0)];
  const options = { pins: [0], airDensity: 0, damping: 2, segments: 10, youngsModulus: 1e8, density: 1000 };
  const rope = new RopeAggregate({ path, radius: 0.005 }, options as object, t.scene);
  const mass = ratio * rope.body.model.masses.reduce((sum, value) => sum + value, 0);
  const crate = CreateBox("crate", { size: 0.1 }, t.scene);
  crate.position.y = -0.05;
  const { body } = new PhysicsAggregate(crate, PhysicsShapeType.BOX, { mass }, t.scene);
  body.setAngularDamping(2);
  body.setLinearDamping(2);
  const end = rope.body.particleCount - 1;
  new AttachmentAggregate({ aggregate: rope, vertices: [end], to: { body } }, t.scene);
  t.run(240);
  const stretch = (10 * mass * (1 + 0.5 / ratio)) / (1e8 * Math.PI * 0.005 ** 2);
  expectWithin("height - expected [m]", Math.abs(crate.position.y + 0.05 + stretch), 0.002);
});

it("of a scene has the bits of World", async () => {
  t = await pliantScene();
  const ends = [new Vector3(0, 2, 0), new Vector3(0, 1, 0), new Vector3(0.5, 1, 0)];
  const ropes = [0, 1].map(
    (k) => new RopeAggregate({ path: [ends[k], ends[k + 1]], radius: 0.01 }, { airDensity: 0 }, t.scene),
  );
  await ropes[0].pin([0]);
  const last = ropes[0].body.particleCount - 1;
  new AttachmentAggregate(
    { aggregate: ropes[0], vertices: [last], to: { aggregate: ropes[1], vertices: [0] } },
    t.scene,
  );
  const world = await World.create({ backend: "cpu", gravity: [0, -10, 0] });
  const bodies = ropes.map(({ body }) => world.addBody(body.model, { airDensity: 0 }));
  bodies[0].pin([0]);
  addAttachment(world, { body: bodies[0], vertices: [last], to: { body: bodies[1], vertices: [0] } });
  t.run(30);
  for (let frame = 0; frame < 30; frame++) world.step(1 / 60);
  for (const k of [0, 1])
    expect((await bodies[k].readState()).positions).toEqual((await ropes[k].body.readState()).positions);
  world.dispose();
});

it("refuses bodies that cannot hold each other, and bad options", async () => {
  t = await pliantScene();
  const mesh = makeSheet(t.scene, 1, 2);
  const cloth = new ClothAggregate(mesh, {}, t.scene);
  const crate = CreateBox("crate", { size: 0.1 }, t.scene);
  const { body } = new PhysicsAggregate(crate, PhysicsShapeType.BOX, { mass: 1 }, t.scene);
  const attach = (options: object) => () =>
    new AttachmentAggregate(
      { aggregate: cloth, vertices: [0], to: { aggregate: cloth, vertices: [1] }, ...options },
      t.scene,
    );
  await expectRefusal(attach({ to: { body } }), "unsupported", "its own attach");
  await expectRefusal(attach({ to: { body, instance: 0 } }), "unsupported", "its own attach");
  await expectRefusal(attach({ vertices: [99] }), "index-out-of-range", "99");
  await expectRefusal(attach({ compliance: -1 }), "invalid-argument", "compliance");
  await expectRefusal(attach({ breakingForce: 0 }), "invalid-argument", "breakingForce");
  await expectRefusal(attach({ to: { aggregate: cloth, vertices: [0] } }), "invalid-argument", "itself");
  await expectRefusal(attach({ to: { aggregate: cloth, vertices: [1, 2] } }), "invalid-argument", "as many as");
});

it("keeps a flag on a link that a hinge turns", async () => {
  t = await pliantScene();
  const shapes = [{ shape: { type: "sphere", radius: 0.1 } }] as const;
  const joint = { type: "revolute", name: "hinge", childFrame: { position: [0, 1, 0] } } as const;
  const mast = new ArticulationAggregate(
    { name: "mast", links: [{ name: "rod", mass: 2, joint, shapes }] },
    {},
    t.scene,
  );
  const node = mast.nodes.get("rod")!;
  const sheet = makeSheet(t.scene, 0.5, 2);
  sheet.position.set(node.position.x + 0.25, node.position.y, 0);
  const flag = new ClothAggregate(sheet, {}, t.scene);
  const drawn = sheet.getVerticesData("position")!;
  const hoist = [...Array(drawn.length / 3).keys()].filter((v) => drawn[3 * v] < -0.24);
  expect(hoist.length).toBe(3);
  new AttachmentAggregate({ aggregate: flag, vertices: hoist, to: { articulation: mast, link: "rod" } }, t.scene);
  for (let frame = 0; frame < 30; frame++) {
    mast.setControl("hinge", 60 * Math.sin(frame / 10));
    t.run(1);
  }
  expect(Math.abs(mast.getPosition("hinge")[0])).toBeGreaterThan(1);
  expect(Math.abs(mast.getPosition("hinge")[0])).toBeLessThan(10);
  const x = await flag.readPositions();
  const far = hoist.map((v) => Math.hypot(x[3 * v] - node.position.x, x[3 * v + 1] - node.position.y));
  expectWithin("way from the link [m]", Math.max(...far), 1e-3);
});

it("sews cloth of gpbd to a soft body of newton", async () => {
  t = await pliantScene();
  const sheet = makeSheet(t.scene, 0.4, 4);
  sheet.position.y = 1;
  const cloth = new ClothAggregate(sheet, { airDensity: 0 }, t.scene);
  await cloth.pinWhere(({ x }) => Math.abs(x) > 0.19);
  const box = CreateBox("box", { size: 0.1 }, t.scene);
  box.position.y = 0.95;
  const material = { youngsModulus: 1e5, density: 100, resolution: 2, elements: "linear" } as const;
  const soft = new SoftBodyAggregate(box, { solver: "newton", ...material }, t.scene);
  const of = (mesh: typeof box, is: (x: number, y: number, z: number) => boolean): number => {
    const places = mesh.getVerticesData("position")!;
    return [...Array(places.length / 3).keys()].find((v) => is(places[3 * v], places[3 * v + 1], places[3 * v + 2]))!;
  };
  const middle = of(sheet, (...place) => Math.hypot(...place) < 1e-6);
  const corner = of(box, (_, y) => y > 0);
  const seam = new AttachmentAggregate(
    { aggregate: soft, vertices: [corner], to: { aggregate: cloth, vertices: [middle] }, breakingForce: 1e3 },
    t.scene,
  );
  t.run(30);
  expect(seam.force).toBeGreaterThan(0.5);
  const [x, y] = [await cloth.readPositions(), await soft.body.readPositions()];
  const gap = Math.min(
    ...[...soft.body.model.masses.keys()].map((v) =>
      Math.hypot(...[0, 1, 2].map((c) => x[3 * middle + c] - y[3 * v + c])),
    ),
  );
  expectWithin("gap [m]", gap, 1e-6);
  expectWithin("sag [m]", 1 - x[3 * middle + 1], 0.2);
});
