import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, describe, expect, it } from "vitest";
import {
  ArticulationAggregate,
  AttachmentAggregate,
  ClothAggregate,
  DeformableScene,
  RopeAggregate,
  SoftBodyAggregate,
  type PhysicsProblem,
  type ClothPlugin,
} from "../../plugin/index";
import { havokPlugin, havokScene } from "./both-plugins";
import { expectRefusal, makeSheet, testScene } from "./fixtures";
import { makeArm } from "./skinned-arm";

const { STATIC, ANIMATED, DYNAMIC } = PhysicsMotionType;
const path = [new Vector3(0, 2, 0), new Vector3(0, 1, 0)];

let dispose = (): void => undefined;
afterEach(() => dispose());

interface Place {
  readonly scene: Scene;
  run(frames: number): void;
  /** backend of the deformable bodies */
  readonly plugin: ClothPlugin;
}

const worlds = {
  pliant: async (): Promise<Place> => {
    const t = await testScene();
    ({ dispose } = t);
    return t;
  },
  havok: async (): Promise<Place> => {
    const t = await havokScene();
    ({ dispose } = t);
    const { plugin } = await DeformableScene.CreateAsync(t.scene, { rigid: t.plugin, backend: "cpu" });
    return { scene: t.scene, run: (frames) => t.run(frames), plugin };
  },
};

function problemsOf(plugin: ClothPlugin): PhysicsProblem[] {
  const problems: PhysicsProblem[] = [];
  plugin.onProblemObservable.add((problem) => problems.push(problem));
  return problems;
}

function box(scene: Scene, mass: number): Mesh {
  const mesh = CreateBox("crate", { size: 0.2 }, scene);
  mesh.position.y = 0.9;
  new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass }, scene);
  return mesh;
}

describe.each(["pliant", "havok"] as const)("a node that a dynamic body of %s moves", (world) => {
  it("is refused where it would not feel what it carries", async () => {
    const { scene } = await worlds[world]();
    const crate = box(scene, 1);
    const hook = new TransformNode("hook", scene);
    hook.parent = crate;
    for (const node of [crate, hook]) {
      const parts = [node.name, "crate", "AttachmentAggregate", "animated or static"];
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

  it("holds a rope of the Newton solver in the way that the refusal names", async () => {
    const { scene, run } = await worlds[world]();
    const crate = box(scene, 1);
    const rope = new RopeAggregate({ path }, { solver: "newton", segments: 4, pins: [0] }, scene);
    expectRefusal(() => rope.attach([4], crate), "unsupported", "use an AttachmentAggregate");
    new AttachmentAggregate({ aggregate: rope, vertices: [4], to: { body: crate.physicsBody! } }, scene);
    run(60);
    expect(crate.position.y).toBeGreaterThan(0.85);
    const end = Vector3.FromArray(await rope.readPositions(), 12);
    expect(Vector3.Distance(end, crate.position)).toBeLessThan(0.11);
  });

  it("must not become one later, and may after it was detached", async () => {
    const { scene } = await worlds[world]();
    const crate = box(scene, 0);
    const hook = new TransformNode("hook", scene);
    hook.parent = crate;
    const cloth = new ClothAggregate(
      makeSheet(scene, 1, 4),
      { solver: "local-global", attach: { node: hook, vertices: [0] } },
      scene,
    );
    const parts = ["sheet", "DYNAMIC", "detach", "AttachmentAggregate"];
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

describe("what is attached to a node that gets a dynamic parent", () => {
  it.each([
    ["pliant", "local-global"],
    ["pliant", "newton"],
    ["havok", "gpbd"],
  ] as const)("of %s is let go, and told of, with solver %s", async (world, solver) => {
    const { scene, run, plugin } = await worlds[world]();
    const problems = problemsOf(plugin);
    const crate = box(scene, 1);
    const hook = new TransformNode("hook", scene);
    hook.position.y = 1;
    const attach = { node: hook, vertices: [4] };
    const held =
      solver === "local-global"
        ? new ClothAggregate(makeSheet(scene, 1, 4), { solver, pins: [0], attach }, scene)
        : new RopeAggregate({ path }, { solver, segments: 4, pins: [0], attach: { node: hook, at: "end" } }, scene);
    run(1);
    hook.setParent(crate);
    run(2);
    expect(problems).toHaveLength(1);
    expect(problems[0].subject).toBe(held);
    expect(problems[0].error.message).toMatch(/hook.*crate|crate.*hook/);
    expect(problems[0].error.message).toContain("animated or static");
    const ends = held.body.model.masses.map((_, p) => p).filter((p) => held.body.isPinned(p));
    expect(ends).toHaveLength(1);
  });
});

describe("a bone that a node with a dynamic body moves", () => {
  it("hangs on what is attached to it", async () => {
    const { scene, run, plugin } = await worlds.pliant();
    const problems = problemsOf(plugin);
    const { lower, mesh } = makeArm(scene);
    const crate = box(scene, 1);
    lower.linkTransformNode(crate);
    const rope = new RopeAggregate({ path }, { segments: 8, pins: [0] }, scene);
    await rope.attach([8], lower, mesh);
    for (let frame = 0; frame < 60; frame++) {
      run(1);
      scene.render();
    }
    expect(crate.position.y).toBeGreaterThan(0.85);
    expect(problems).toEqual([]);
  });

  it("is refused where it would not feel that", async () => {
    const { scene } = await worlds.pliant();
    const { lower, mesh } = makeArm(scene);
    lower.linkTransformNode(box(scene, 1));
    const rope = new RopeAggregate({ path }, { solver: "newton", segments: 8, pins: [0] }, scene);
    expectRefusal(() => rope.attach([8], lower, mesh), "unsupported", "crate", "animated or static");
  });
});

it("tells once of what is drawn apart, as by the link of a mechanism that falls", async () => {
  const { scene, run, plugin } = await worlds.pliant();
  const problems = problemsOf(plugin);
  const link = new TransformNode("link", scene);
  link.position.y = 1;
  const joint = { type: "prismatic", axis: [0, 1, 0], parentFrame: { position: [0, 1, 0] } } as const;
  new ArticulationAggregate(
    { name: "lift", links: [{ name: "link", mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0], joint }] },
    { nodes: { link } },
    scene,
  );
  const rope = new RopeAggregate({ path }, { segments: 8, pins: [0], attach: { node: link, at: "end" } }, scene);
  run(20);
  expect(problems).toEqual([]);
  run(40);
  expect(problems).toHaveLength(1);
  expect(problems[0].subject).toBe(rope);
  expect(problems[0].error.message).toMatch(/rope.*within its reach/);
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
