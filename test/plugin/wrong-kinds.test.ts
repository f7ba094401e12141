import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Scene } from "@babylonjs/core/scene";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as everything from "../../plugin/index";
import {
  ArticulationAggregate,
  AttachmentAggregate,
  BakedMotion,
  CableAggregate,
  ClothAggregate,
  ClothDragBehavior,
  ClothMaps,
  type DefinedEnergy,
  DeformableScene,
  DeformableViewer,
  Fabric,
  loadMsh,
  MotionRecorder,
  PliantError,
  PliantPlugin,
  RopeAggregate,
  SceneWind,
  SkeletonAggregate,
  SoftBodyAggregate,
} from "../../plugin/index";
import { articulationOptionNames } from "../../plugin/articulation/articulation-options";
import { clothNames } from "../../plugin/cloth/cloth-options";
import { pluginOptionNames } from "../../plugin/options";
import { ropeNames } from "../../plugin/rope/rope-options";
import { softBodyNames } from "../../plugin/soft-body/soft-body-options";
import type { OptionNames } from "../../src/option-names";
import { expectRejected } from "../refusal";
import { makeSheet, refusal, testScene, type TestScene } from "./fixtures";

/** Things of another kind than the types allow: what JavaScript gives for a mesh that was not found, or a slip. */
const none = null as never;
const junk = 5 as never;
const nothing = {} as never;

let t: TestScene;
let cloth: ClothAggregate;
let wind: SceneWind;
let arm: ArticulationAggregate;
const described = { name: "m", links: [{ name: "arm", mass: 1, joint: { type: "revolute" } }] } as const;
const line = { path: [Vector3.Zero(), Vector3.Right()] };
const motion = new BakedMotion(60, 1, new Float32Array(6));
beforeAll(async () => {
  t = await testScene();
  cloth = new ClothAggregate(makeSheet(t.scene, 1, 4), { pins: [0] }, t.scene);
  wind = new SceneWind({ velocity: Vector3.Right() }, t.scene);
  arm = new ArticulationAggregate(described, {}, t.scene);
});
afterAll(() => t.dispose());

const gone = (): ReturnType<typeof makeSheet> => {
  const mesh = makeSheet(t.scene, 1, 2);
  mesh.dispose();
  return mesh;
};
const clothWith = (options: object) => () => {
  const mesh = makeSheet(t.scene, 1, 2);
  try {
    return new ClothAggregate(mesh, options, t.scene);
  } finally {
    mesh.dispose();
  }
};

const tied = (to: object) => new AttachmentAggregate({ aggregate: cloth, vertices: [0], to: to as never }, t.scene);

const box = (): ReturnType<typeof makeSheet> => MeshBuilder.CreateBox("box", {}, t.scene);
const mechanismWith = (options: object): unknown => new ArticulationAggregate(described, options, t.scene);
function viewed(call: (viewer: DeformableViewer) => unknown): unknown {
  const viewer = new DeformableViewer(t.scene);
  try {
    return call(viewer);
  } finally {
    viewer.dispose();
  }
}

const cases: readonly (readonly [name: string, named: string, call: () => unknown])[] = [
  ["a cloth of no mesh", "ClothAggregate.mesh", () => new ClothAggregate(none)],
  ["a cloth of a node", "ClothAggregate.mesh", () => new ClothAggregate(new TransformNode("n", t.scene) as never)],
  ["a cloth in no scene", "scene", () => new ClothAggregate(makeSheet(t.scene, 1, 2), {}, nothing)],
  ["a soft body of no mesh", "SoftBodyAggregate.mesh", () => new SoftBodyAggregate(none, {}, t.scene)],
  ["a skeleton of no mesh", "SkeletonAggregate.mesh", () => new SkeletonAggregate(none)],
  ["a rope of nothing", "RopeAggregate", () => new RopeAggregate(none, {}, t.scene)],
  ["a mechanism of nothing", "ArticulationAggregate", () => new ArticulationAggregate(nothing, {}, t.scene)],
  ["a recorder of nothing", "MotionRecorder", () => new MotionRecorder(none)],
  ["a cable without points", "cable.points", () => new CableAggregate(nothing, t.scene)],
  [
    "an attachment to nothing",
    "attachment.to",
    () => new AttachmentAggregate({ aggregate: cloth, vertices: [1], to: nothing }, t.scene),
  ],
  ["an energy", "energy", clothWith({ energy: {} as DefinedEnergy })],
  ["a level of detail", "lod", clothWith({ lod: "far" })],
  ["a map", "ClothMaps.mass", () => clothWith({ maps: new ClothMaps({ mass: junk }) })()],
  ["a fabric", "fabric", () => cloth.setFabric(none)],
  ["a scale of strain", "showStrain", () => cloth.showStrain(true, -1)],
  ["a wind of a body", "setWind", () => cloth.setWind(none)],
  ["a predicate", "pinWhere", () => cloth.pinWhere(junk)],
  ["a place of a pin", "setPinPosition", () => cloth.setPinPosition(0, none)],
  ["a node that carries", "attach", () => cloth.attach([1], nothing)],
  ["a place in the wind", "velocityAt", () => wind.velocityAt(none)],
  ["a shelter that is gone", "shelter", () => wind.addShelter(gone())],
  ["a vortex", "vortex", () => wind.vortex(Vector3.Zero(), none)],
  ["gravity", "setGravity", () => t.plugin.setGravity(none)],
  ["the text of a mesh", "mesh.msh", () => loadMsh(none)],
  ["a table of a fabric", "fabric", () => Fabric.fromTable(none)],
  ["a material", "material", () => new SoftBodyAggregate(box(), { resolution: 2, material: -1 as never }, t.scene)],
  ["a carrier to detach", "detach", () => cloth.detach(junk)],
  ["a carrier to detach that was not found", "detach", () => cloth.detach(none)],
  ["pins to release that were not found", "unpin", () => cloth.unpin(none)],
  ["whether strain is shown", "showStrain", () => cloth.showStrain(junk)],
  ["a bone that carries", "attach", clothWith({ attach: { bone: junk, vertices: [0] } })],
  ["a frame of a motion", "BakedMotion.frame", () => motion.frame(2)],
  ["a mesh to play on", "BakedMotion.play", () => motion.play(none)],
  ["a mesh of morph targets", "BakedMotion.toMorphTargets", () => motion.toMorphTargets(junk)],
  ["a body to view", "DeformableViewer.show", () => viewed((viewer) => viewer.show(junk))],
  ["a body to hide", "DeformableViewer.hide", () => viewed((viewer) => viewer.hide(none))],
  ["a camera", "ClothDragBehavior.attach", () => new ClothDragBehavior().attach(none)],
  ["goals", "reach", () => arm.reach(junk)],
  ["visuals", "visuals", () => mechanismWith({ visuals: [null] })],
  ["the ground of a mechanism", "ground", () => mechanismWith({ ground: 5 })],
  ["actuators", "actuators", () => mechanismWith({ actuators: "motor" })],
  ["nodes of links", "nodes", () => mechanismWith({ nodes: { arm: {} } })],
  ["the rotation of a mechanism", "rotation", () => mechanismWith({ rotation: none })],
  ["a map that is no map", "maps", clothWith({ maps: NaN })],
  ["a range", "range", clothWith({ range: NaN })],
  ["the wind of a rope", "wind", () => new RopeAggregate(line, { wind: none }, t.scene)],
  ["the mass of a rope", "mass", () => new RopeAggregate(line, { mass: -1 }, t.scene)],
  ["the damping of a rope", "elasticDamping", () => new RopeAggregate(line, { elasticDamping: -1 }, t.scene)],
  ["the modulus of a rope", "youngsModulus", () => new RopeAggregate(line, { youngsModulus: -1 }, t.scene)],
  ["Poisson's ratio of a rope", "poissonRatio", () => new RopeAggregate(line, { poissonRatio: -1 }, t.scene)],
  ["a scene in the place of options", "options as an object", () => clothWith(t.scene)()],
  ["a mesh in the place of an attachment", "options as an object", () => clothWith({ attach: cloth.mesh })()],
  ["a wind whose arguments are swapped", "its last argument", () => new SceneWind(t.scene as never, {} as never)],
  ["wind as a list", "Vector3 of three finite numbers, got [1, 0, 0]", clothWith({ wind: [1, 0, 0] })],
  [
    "a plugin that is made by new",
    "await PliantPlugin.CreateAsync",
    () => new (PliantPlugin as never as new () => object)(),
  ],
  ["a mesh that a vertex is tied to", "{ aggregate, vertices }, { body }", () => tied(cloth.mesh)],
  ["a mesh in the place of its body", "such as mesh.physicsBody", () => tied({ body: cloth.mesh })],
  ["a hierarchy", "describeHierarchy", () => ArticulationAggregate.fromHierarchy(none, {})],
];

describe("things of another kind are refused by name, and nothing changes", () => {
  it.each(cases)("%s", (_name, named, call) => {
    const before = [t.plugin.deformableAggregates.length, t.plugin.world.bodies.length, cloth.body.model];
    expect(refusal(call).message).toContain(named);
    expect([t.plugin.deformableAggregates.length, t.plugin.world.bodies.length, cloth.body.model]).toEqual(before);
  });

  it("a plugin that is not awaited", () => {
    const scene = new Scene(t.scene.getEngine());
    // Babylon refuses the promise on the console, and leaves the scene without physics
    scene.enablePhysics(Vector3.Down(), PliantPlugin.CreateAsync(scene.getEngine(), { backend: "cpu" }) as never);
    expect(refusal(() => new RopeAggregate(line, {}, scene)).message).toContain("await PliantPlugin.CreateAsync");
  });

  it("an engine, and a scene beside another engine", async () => {
    await expectRejected(PliantPlugin.CreateAsync(nothing), "invalid-argument", /engine.*Babylon/);
    await expectRejected(DeformableScene.CreateAsync(nothing, nothing), "invalid-argument", /must be a scene/);
  });

  // Their constructors are private, their arguments are texts, or they take any object.
  const others = ["ClothPlugin", "DeformableScene", "PliantError", "PliantPlugin", "World", "filesFrom", "filesIn"];
  const callable = Object.entries(everything).filter(
    ([name, value]) => typeof value === "function" && !others.includes(name),
  ) as unknown as [string, new (thing: unknown) => unknown][];
  it.each(callable)("whatever the first argument of %s is", async (_name, value) => {
    const isClass = /^class\b/.test(Function.prototype.toString.call(value));
    const statics = Object.getOwnPropertyNames(value).filter((key) => /^from/i.test(key));
    const calls = [
      (thing: unknown) => (isClass ? new value(thing) : (value as unknown as (thing: unknown) => unknown)(thing)),
      ...statics.map(
        (key) => (thing: unknown) => (value as unknown as Record<string, (thing: unknown) => unknown>)[key](thing),
      ),
    ];
    for (const call of calls)
      for (const thing of [5, null, "text"]) {
        const error: unknown = await Promise.resolve(thing)
          .then(call)
          .catch((reason: unknown) => reason);
        expect(error, `${String(call)} of ${thing}`).toBeInstanceOf(PliantError);
      }
  });

  const makers: readonly (readonly [string, OptionNames, (options: object) => unknown])[] = [
    ["cloth", clothNames, (options) => clothWith(options)()],
    ["soft body", softBodyNames, (options) => new SoftBodyAggregate(box(), { resolution: 2, ...options }, t.scene)],
    ["rope", ropeNames, (options) => new RopeAggregate(line, options, t.scene)],
    ["mechanism", articulationOptionNames, mechanismWith],
    ["plugin", pluginOptionNames, (options) => PliantPlugin.CreateAsync(t.scene.getEngine(), options)],
  ];
  const flags = makers.flatMap(([kind, names, make]) =>
    Object.keys(names)
      .filter((name) => names[name])
      .map((name) => [kind, name, make] as const),
  );
  it.each(flags)("a %s whose %s is neither true nor false", async (_kind, name, make) => {
    for (const value of [1, null, "false"]) {
      const error: unknown = await Promise.resolve({ [name]: value })
        .then(make)
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "invalid-argument", value, rule: "must be true or false" });
      expect((error as PliantError).object).toContain(`.${name}`);
    }
  });

  it("but not to dispose of a thing twice", () => {
    const box = MeshBuilder.CreateBox("box", {}, t.scene);
    for (const thing of [new SoftBodyAggregate(box, { resolution: 2 }, t.scene), wind, cloth]) {
      thing.dispose();
      expect(() => thing.dispose()).not.toThrow();
    }
  });
});
