import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  AttachmentAggregate,
  BakedMotion,
  CableAggregate,
  ArticulationAggregate,
  CharacterController,
  ClothAggregate,
  ClothRange,
  ClothMaps,
  ClothDragBehavior,
  DeformableScene,
  DeformableViewer,
  MotionRecorder,
  describeHierarchy,
  PliantPlugin,
  RopeAggregate,
  SceneWind,
  SkeletonAggregate,
  SmoothMesh,
  SoftBodyAggregate,
  type DeformableSceneOptions,
  type VertexAttachment,
} from "../../plugin/index";
import { exportedOptions, refusesTypingErrors, type OptionCase } from "../option-cases";
import { expectRefusal, makeSheet, testScene, type TestScene } from "./fixtures";
import { makeArm } from "./skinned-arm";

let t: TestScene;
beforeAll(async () => void (t = await testScene()));
afterAll(() => t.dispose());

const cloth = (options = {}): ClothAggregate => new ClothAggregate(makeSheet(t.scene), options, t.scene);
const soft = (options = {}): SoftBodyAggregate =>
  new SoftBodyAggregate(CreateBox("box", { size: 1 }, t.scene), { resolution: 2, ...options }, t.scene);
function inWind(call: (wind: SceneWind) => unknown): unknown {
  const wind = new SceneWind({}, t.scene);
  try {
    return call(wind);
  } finally {
    wind.dispose();
  }
}
const path = [new Vector3(0, 0, 0), new Vector3(1, 0, 0)];
const rope = (options = {}): RopeAggregate => new RopeAggregate({ path }, options, t.scene);
const node = (): TransformNode => new TransformNode("node", t.scene);
const mechanism = { name: "m", links: [{ name: "arm", mass: 1, joint: { type: "revolute" } }] } as const;

const cases: readonly OptionCase[] = [
  { of: "PliantPluginOptions", name: "maxStepsPerFrame", call: (o) => PliantPlugin.CreateAsync(new NullEngine(), o) },
  {
    of: "DeformableSceneOptions",
    name: "timestamps",
    call: (o) => DeformableScene.CreateAsync(t.scene, o as unknown as DeformableSceneOptions),
  },
  { of: "ClothOptions", name: "fabric", call: (o) => cloth(o) },
  { of: "ClothOptions", name: "airDensity", call: (o) => cloth({ solver: "newton", ...o }) },
  { of: "ClothMotionOptions", name: "substeps", call: (o) => cloth().setOptions(o) },
  { of: "ClothRangeOptions", name: "backstop", call: (o) => new ClothRange({ node: node(), ...o }) },
  { of: "TearingOptions", name: "strain", call: (o) => cloth({ tearing: { strain: 1, ...o } }) },
  { of: "PinOptions", name: "compliance", call: (o) => cloth().pin([0], o) },
  { of: "PinOptions", name: "compliance", call: (o) => cloth().attach([0], node(), undefined, o) },
  { of: "VertexAttachment", name: "vertices", call: (o) => cloth({ attach: { node: node(), ...o } }) },
  {
    of: "VertexAttachment",
    name: "node",
    call: (o) => cloth({ attach: { vertices: [0], ...o } as unknown as VertexAttachment }),
  },
  { of: "DeformableDisposeOptions", name: "restore", call: (o) => cloth().dispose(o) },
  { of: "SoftBodyOptions", name: "youngsModulus", call: (o) => soft(o) },
  { of: "MotionOptions", name: "damping", call: (o) => soft().setOptions(o) },
  { of: "SoftBodyMaterial", name: "density", call: (o) => soft().setMaterial(o) },
  { of: "SolidMaterial", name: "poissonRatio", call: (o) => soft({ material: o }) },
  { of: "VertexAttachment", name: "vertices", call: (o) => soft({ attach: [{ node: node(), ...o }] }) },
  {
    of: "DeformableViewerOptions",
    name: "particles",
    call: (o) => new DeformableViewer(t.scene).show(cloth(), o),
  },
  { of: "SceneWindOptions", name: "turbulence", call: (o) => new SceneWind(o, t.scene) },
  {
    of: "SceneTurbulenceOptions",
    name: "size",
    call: (o) => new SceneWind({ turbulence: { speed: 1, ...o } }, t.scene),
  },
  { of: "SceneWindZoneOptions", name: "falloff", call: (o) => inWind((wind) => wind.addZone(o)) },
  {
    of: "SceneWindEventOptions",
    name: "strength",
    call: (o) => inWind((wind) => wind.updraft(Vector3.Zero(), { radius: 1, height: 1, strength: 1, ...o })),
  },
  {
    of: "SceneWindShelterOptions",
    name: "spread",
    call: (o) => inWind((wind) => wind.addShelter(makeSheet(t.scene), o)),
  },
  { of: "RopeOptions", name: "segments", call: (o) => rope(o) },
  { of: "DeformableOptions", name: "canSleep", call: (o) => rope(o) },
  { of: "SmoothMeshOptions", name: "levels", call: (o) => new SmoothMesh(cloth(), o) },
  { of: "MotionOptions", name: "friction", call: (o) => rope().setOptions(o) },
  { of: "RopePath", name: "radius", call: (o) => new RopeAggregate({ path, ...o }, {}, t.scene) },
  { of: "RopeAttachment", name: "node", call: (o) => rope({ attach: { at: "end", ...o } }) },
  {
    of: "SkeletonOptions",
    name: "minimumRadius",
    call: (o) => new SkeletonAggregate(makeArm(t.scene).mesh, o, t.scene),
  },
  {
    of: "ArticulationOptions",
    name: "maxTimeStep",
    call: (o) => new ArticulationAggregate(mechanism, o, t.scene),
  },
  {
    of: "InverseKinematicsOptions",
    name: "restarts",
    call: (o) =>
      new ArticulationAggregate(mechanism, {}, t.scene).reach(
        [{ link: mechanism.links[0].name, position: Vector3.Zero() }],
        o,
      ),
  },
  {
    of: "SceneAttachmentOptions",
    name: "breakingForce",
    call: (o) => {
      const [aggregate, other] = [cloth(), cloth()];
      return new AttachmentAggregate(
        { aggregate, vertices: [0], to: { aggregate: other, vertices: [0] }, ...o },
        t.scene,
      );
    },
  },
  { of: "SceneCableOptions", name: "compliance", call: (o) => new CableAggregate({ points: [], ...o }, t.scene) },
  { of: "HierarchyLink", name: "density", call: (o) => describeHierarchy(node(), { node: o }) },
  { of: "MotionRecorderOptions", name: "frameRate", call: (o) => new MotionRecorder(cloth(), o) },
  {
    of: "MotionPlaybackOptions",
    name: "speedRatio",
    call: (o) => new BakedMotion(30, 9, new Float32Array(54)).play(makeSheet(t.scene, 1, 2), o),
  },
  {
    of: "VertexMapOptions",
    name: "channel",
    call: (o) => {
      const mesh = makeSheet(t.scene);
      mesh.setVerticesData("color", new Float32Array((4 * mesh.getVerticesData("position")!.length) / 3).fill(1));
      return new ClothAggregate(mesh, { maps: new ClothMaps({ mass: { from: 1, ...o } }) }, t.scene);
    },
  },
  { of: "ClothDragOptions", name: "tolerance", call: (o) => new ClothDragBehavior(o) },
  // names of Babylon
  {
    of: "CharacterShapeOptions",
    name: "capsuleHeight",
    call: (o) => new CharacterController(Vector3.Zero(), o, t.scene),
  },
  {
    of: "tetrahedra of SoftBodyOptions",
    name: "tetrahedra",
    call: (o) => soft({ tetrahedra: { positions: [], tetrahedra: [], ...o } }),
  },
];

describe("options of the plugin", () => {
  refusesTypingErrors(cases);

  it("are all looked at", () => {
    const seen = new Set(cases.map(({ of }) => of));
    // tested with the engine
    const elsewhere = ["CableOptions", "EnergyDefinition", "FabricCurves"];
    const all = exportedOptions("../plugin/index.ts");
    expect(all.length).toBeGreaterThan(15);
    expect(all.filter((name) => !seen.has(name) && !elsewhere.includes(name))).toEqual([]);
  });

  it("have values of the right kind", async () => {
    for (const [options, part] of [
      [{ snapshotInterval: "x" }, "World.snapshotInterval"],
      [{ timestamps: 1 }, "PliantPlugin.timestamps"],
      [{ useDeltaForWorldStep: "no" }, "PliantPlugin.useDeltaForWorldStep"],
      [{ worldScale: -1 }, "PliantPlugin.worldScale"],
      [{ maxStepsPerFrame: 0.5 }, "PliantPlugin.maxStepsPerFrame"],
      [{ load: "some" }, "PliantPlugin.load"],
    ] as const) {
      const made = PliantPlugin.CreateAsync(new NullEngine(), { backend: "cpu", ...(options as object) });
      await expect(made, part).rejects.toMatchObject({ code: "invalid-argument", object: part });
    }
    const names = "must be one of gpbd, local-global, newton, gauss-seidel, jacobi, hybrid";
    expectRefusal(() => cloth({ solver: "newtn" }), "invalid-argument", 'ClothAggregate "sheet".solver', names);
  });

  it("leave mesh and scene as they were where they are refused", () => {
    const mesh = makeSheet(t.scene);
    const [meshes, bodies] = [t.scene.meshes.length, t.plugin.world.bodies.length];
    const options: object = { fabrik: "silk" };
    expectRefusal(
      () => new ClothAggregate(mesh, options, t.scene),
      "invalid-argument",
      'ClothAggregate "sheet".fabrik',
    );
    expectRefusal(
      () => rope({ raduis: 0.1 }),
      "invalid-argument",
      'RopeAggregate "rope".raduis',
      '"radius" is, got 0.1',
    );
    expect([t.scene.meshes.length, t.plugin.world.bodies.length]).toEqual([meshes, bodies]);
    expect(new ClothAggregate(mesh, { fabric: "silk" }, t.scene).isDisposed).toBe(false);
  });
});
