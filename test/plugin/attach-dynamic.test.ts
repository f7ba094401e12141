import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, describe, expect, it } from "vitest";
import { ClothAggregate, DeformableScene, RopeAggregate, SoftBodyAggregate } from "../../plugin/index";
import { havokPlugin, havokScene } from "./both-plugins";
import { expectRefusal, makeSheet, testScene } from "./fixtures";

const { STATIC, ANIMATED, DYNAMIC } = PhysicsMotionType;
const path = [new Vector3(0, 2, 0), new Vector3(0, 1, 0)];

let dispose = (): void => undefined;
afterEach(() => dispose());

const worlds = {
  pliant: async (): Promise<Scene> => {
    const t = await testScene();
    ({ dispose } = t);
    return t.scene;
  },
  havok: async (): Promise<Scene> => {
    const t = await havokScene();
    ({ dispose } = t);
    await DeformableScene.CreateAsync(t.scene, { rigid: t.plugin, backend: "cpu" });
    return t.scene;
  },
};

function box(scene: Scene, mass: number): Mesh {
  const mesh = CreateBox("crate", { size: 0.2 }, scene);
  mesh.position.y = 0.9;
  new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass }, scene);
  return mesh;
}

describe.each(["pliant", "havok"] as const)("a node that a dynamic body of %s moves", (world) => {
  it("is refused where it would not feel what it carries", async () => {
    const scene = await worlds[world]();
    const crate = box(scene, 1);
    const hook = new TransformNode("hook", scene);
    hook.parent = crate;
    for (const node of [crate, hook]) {
      const parts = [node.name, "crate", "animated or static"];
      const options = { solver: "newton", segments: 4, attach: { node, at: "end" } } as const;
      expectRefusal(() => new RopeAggregate({ path }, options, scene), "unsupported", ...parts);
      const cloth = new ClothAggregate(makeSheet(scene, 1, 4), { solver: "local-global" }, scene);
      expectRefusal(() => cloth.attach([0], node), "unsupported", ...parts);
      const jelly = CreateBox("jelly", { size: 0.3 }, scene);
      const soft = { solver: "local-global", resolution: 2, attach: { node, vertices: [0] } } as const;
      expectRefusal(() => new SoftBodyAggregate(jelly, soft, scene), "unsupported", ...parts);
    }
    const cloth = new ClothAggregate(makeSheet(scene, 1, 4), { solver: "local-global" }, scene);
    crate.physicsBody!.setMotionType(ANIMATED);
    await cloth.attach([0], crate);
    expect(cloth.body.isPinned(cloth.particles[0])).toBe(true);
  });

  it("must not become one later, and may after it was detached", async () => {
    const scene = await worlds[world]();
    const crate = box(scene, 0);
    const hook = new TransformNode("hook", scene);
    hook.parent = crate;
    const cloth = new ClothAggregate(
      makeSheet(scene, 1, 4),
      { solver: "local-global", attach: { node: hook, vertices: [0] } },
      scene,
    );
    const parts = ["sheet", "DYNAMIC", "detach"];
    expectRefusal(() => new PhysicsBody(hook, DYNAMIC, false, scene), "unsupported", '"hook"', ...parts);
    expect(hook.physicsBody ?? undefined).toBe(undefined);
    new PhysicsBody(new TransformNode("other", scene), DYNAMIC, false, scene);
    const body = crate.physicsBody!;
    expectRefusal(() => body.setMotionType(DYNAMIC), "unsupported", '"crate"', ...parts);
    expect(body.getMotionType()).toBe(STATIC);
    cloth.detach(hook);
    body.setMotionType(DYNAMIC);
    new PhysicsBody(hook, DYNAMIC, false, scene).dispose();
  });
});

it("gives a foreign plugin its methods back", async () => {
  const havok = await havokPlugin();
  const { initBody, setMotionType, executeStep } = havok;
  const t = await testScene();
  ({ dispose } = t);
  t.scene.disablePhysicsEngine();
  t.scene.enablePhysics(Vector3.Down(), havok);
  const deformables = await DeformableScene.CreateAsync(t.scene, { rigid: havok, backend: "cpu" });
  expect(havok.initBody).not.toBe(initBody);
  deformables.dispose();
  expect([havok.initBody, havok.setMotionType, havok.executeStep]).toEqual([initBody, setMotionType, executeStep]);
});
