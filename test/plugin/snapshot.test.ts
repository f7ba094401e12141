import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { BallAndSocketConstraint } from "@babylonjs/core/Physics/v2/physicsConstraint";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ArticulationAggregate, ClothAggregate, type PliantPlugin } from "../../plugin/index";
import { pliantScene, type PluginScene } from "./both-plugins";
import { makeSheet } from "./fixtures";

let t: PluginScene;
beforeEach(async () => {
  t = await pliantScene();
});
afterEach(() => t.dispose());

/** Two boxes on a joint, far above a cloth, beside a mechanism. */
function fill(): readonly PhysicsAggregate[] {
  const boxes = [0, 1].map((k) => {
    const mesh = CreateBox(`box${k}`, { size: 0.3 }, t.scene);
    mesh.position.set(0.4 * k, 1, 0);
    return new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass: 1 }, t.scene);
  });
  boxes[0].body.setLinearVelocity(new Vector3(0.5, 0, 1));
  const joint = new BallAndSocketConstraint(
    new Vector3(0.2, 0, 0),
    new Vector3(-0.2, 0, 0),
    Vector3.Up(),
    Vector3.Up(),
    t.scene,
  );
  boxes[0].body.addConstraint(boxes[1].body, joint);
  const sheet = makeSheet(t.scene, 1, 4);
  sheet.position.y = -2;
  new ClothAggregate(sheet, { pins: [0, 4, 20, 24] }, t.scene);
  const shapes = [{ shape: { type: "sphere", radius: 0.1 } }] as const;
  const hinge = { type: "revolute", name: "hinge", childFrame: { position: [0, 1, 0] }, initialPosition: 0.4 } as const;
  const links = [{ name: "rod", mass: 2, joint: hinge, shapes }];
  new ArticulationAggregate({ name: "pendulum", links }, { position: new Vector3(0, 0, 2) }, t.scene);
  return boxes;
}

it.each([0, 3])("a scene goes on from a snapshot after %i frames", async (frames) => {
  const boxes = fill();
  t.run(frames);
  const { world } = t.plugin as PliantPlugin;
  const snapshot = await world.snapshot();
  expect(snapshot.rigid!.joints.length).toBe(1);
  const places: number[][] = [];
  for (const isAgain of [false, true]) {
    if (isAgain) world.restore(snapshot);
    t.run(12);
    places.push(boxes.flatMap(({ transformNode }) => transformNode.position.asArray()));
  }
  expect(Math.abs(places[0][1] - 1)).toBeGreaterThan(0.01);
  expect(places[1]).toEqual(places[0]);
});
