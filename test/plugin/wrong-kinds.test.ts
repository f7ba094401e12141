import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ArticulationAggregate,
  AttachmentAggregate,
  CableAggregate,
  ClothAggregate,
  ClothMaps,
  type DefinedEnergy,
  Fabric,
  loadMsh,
  MotionRecorder,
  PliantPlugin,
  RopeAggregate,
  SceneWind,
  SkeletonAggregate,
  SoftBodyAggregate,
} from "../../plugin/index";
import { expectRejected } from "../refusal";
import { makeSheet, refusal, testScene, type TestScene } from "./fixtures";

/** Things of another kind than the types allow: what JavaScript gives for a mesh that was not found, or a slip. */
const none = null as never;
const junk = 5 as never;
const nothing = {} as never;

let t: TestScene;
let cloth: ClothAggregate;
let wind: SceneWind;
beforeAll(async () => {
  t = await testScene();
  cloth = new ClothAggregate(makeSheet(t.scene, 1, 4), { pins: [0] }, t.scene);
  wind = new SceneWind({ velocity: Vector3.Right() }, t.scene);
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
];

describe("things of another kind are refused by name, and nothing changes", () => {
  it.each(cases)("%s", (_name, named, call) => {
    const before = [t.plugin.deformableAggregates.length, t.plugin.world.bodies.length, cloth.body.model];
    expect(refusal(call).message).toContain(named);
    expect([t.plugin.deformableAggregates.length, t.plugin.world.bodies.length, cloth.body.model]).toEqual(before);
  });

  it("an engine", async () => {
    await expectRejected(PliantPlugin.CreateAsync(nothing), "invalid-argument", /engine.*Babylon/);
  });

  it("but not to dispose of a thing twice", () => {
    const box = MeshBuilder.CreateBox("box", {}, t.scene);
    for (const thing of [new SoftBodyAggregate(box, { resolution: 2 }, t.scene), wind, cloth]) {
      thing.dispose();
      expect(() => thing.dispose()).not.toThrow();
    }
  });
});
