// A hand lifts silk off a bottle, and lets it fall again.

import {
  Color3,
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Vector3,
  VertexBuffer,
  type AbstractEngine,
  type Mesh,
} from "@babylonjs/core";
import {
  ClothAggregate,
  ClothDragBehavior,
  fabrics,
  PliantPlugin,
  SmoothMesh,
  type Fabric,
  type PliantPluginOptions,
} from "babylon-pliant";
import { createStudio } from "../../site/examples/studio";

export async function createScene(engine?: AbstractEngine, physics: PliantPluginOptions = {}) {
  const studio = await createStudio({
    engine,
    floor: "#c9ab92",
    wall: "#d9bfa6",
    glow: "rgba(255,246,230,0.75)",
    target: new Vector3(0, 0.34, 0),
    radius: 1.62,
    alpha: -1.35,
    beta: 1.4,
  });
  const { scene, camera, paint, weave, show } = studio;
  const plugin = await PliantPlugin.CreateAsync(studio.engine, physics);
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  camera.addBehavior(new ClothDragBehavior());

  // A plinth, and the bottle on it: a globe of glass, a collar, a cap.
  const plinth = MeshBuilder.CreateCylinder("plinth", { diameter: 0.46, height: 0.16, tessellation: 96 }, scene);
  plinth.position.y = 0.08;
  show(paint("#f1e7dc", { roughness: 0.4 }), plinth);
  const globe = MeshBuilder.CreateSphere("globe", { diameter: 0.26, segments: 64 }, scene);
  globe.position.y = 0.285;
  const glass = paint("#8a2f12", { roughness: 0.08 });
  glass.clearCoat.isEnabled = true;
  show(glass, globe);
  const gold = paint("#e3b35b", { roughness: 0.18, metallic: 1 });
  const turned = (name: string, profile: [number, number][]): Mesh =>
    MeshBuilder.CreateLathe(
      name,
      {
        shape: profile.map(([x, y]) => new Vector3(x, y, 0)),
        tessellation: 64,
        closed: true,
      },
      scene,
    );
  const collar = turned("collar", [
    [0.054, 0.395],
    [0.058, 0.401],
    [0.058, 0.418],
    [0.052, 0.424],
    [0, 0.424],
  ]);
  const cap = MeshBuilder.CreateCapsule(
    "cap",
    { radius: 0.034, height: 0.2, tessellation: 48, capSubdivisions: 12 },
    scene,
  );
  cap.position.y = 0.455;
  show(gold, collar, cap);
  const { BOX, CYLINDER, SPHERE, CAPSULE } = PhysicsShapeType;
  const fixed = { mass: 0, friction: 0.3 };
  new PhysicsAggregate(plinth, CYLINDER, fixed, scene);
  new PhysicsAggregate(globe, SPHERE, fixed, scene);
  new PhysicsAggregate(cap, CAPSULE, fixed, scene);
  const ground = MeshBuilder.CreateGround("ground", { width: 6, height: 6 }, scene);
  ground.isVisible = false;
  new PhysicsAggregate(ground, BOX, { mass: 0 }, scene);

  const sheet = MeshBuilder.CreateGround("silk", { width: 1, height: 1, subdivisions: 44 }, scene);
  sheet.position.y = 0.95;
  sheet.rotation.y = 0.7;
  const silk = weave("#0e6f5c");
  silk.roughness = 0.36;
  silk.sheen.color = new Color3(0.55, 1, 0.85);
  silk.sheen.intensity = 0.5;
  sheet.material = silk;
  // Duchesse: a heavy silk with large, soft folds.
  const duchesse: Fabric = {
    ...fabrics.silk,
    areaDensity: 0.15,
    bendingWarp: 3e-5,
    bendingWeft: 3e-5,
    bendingDamping: 0.05,
  };
  const kinds: Record<string, Fabric> = {
    duchesse,
    habotai: fabrics.silk,
    cotton: fabrics.cotton,
    denim: fabrics.denim,
  };
  const cloth = new ClothAggregate(sheet, { fabric: duchesse, substeps: 12 }, scene);
  show(silk, new SmoothMesh(cloth, { thickness: 0.002 }).mesh);

  // The hand holds the middle of the sheet.
  const places = sheet.getVerticesData(VertexBuffer.PositionKind)!;
  const middle = [...Array(places.length / 3).keys()].filter(
    (v) => Math.hypot(places[3 * v], places[3 * v + 2]) < 0.03,
  );
  let held: { vertex: number; from: Vector3 }[] = [];
  let time = 0;
  const take = async (): Promise<void> => {
    time = 0;
    await cloth.pin(middle);
    const now = await cloth.readPositions();
    held = middle.map((vertex) => ({
      vertex,
      from: Vector3.FromArray(now, 3 * vertex),
    }));
  };
  // Out of sight the sheet is spread again, and falls.
  const cover = (): void => {
    held = [];
    clock = 0;
    cloth.unpin(middle);
    cloth.reset();
  };

  const colors: Record<string, string> = {
    emerald: "#0e6f5c",
    rose: "#c8566b",
    champagne: "#c9a26a",
    midnight: "#1d2b58",
  };

  let clock = 0;
  plugin.onBeforeStepObservable.add((dt) => {
    const before = clock;
    clock += dt;
    const passes = (moment: number): boolean => before < moment && clock >= moment;
    if (passes(2.6)) void take();
    if (passes(7)) cover();
    if (held.length === 0) return;
    time += dt;
    const rise = 1.3 * smooth(time / 2);
    const lift = new Vector3(-0.12 * rise, rise, 0.12 * rise);
    for (const { vertex, from } of held) cloth.setPinPosition(vertex, from.add(lift));
  });

  return {
    scene,
    controls: {
      fabric: {
        value: "duchesse",
        choices: Object.keys(kinds),
        set: (name: string) => cloth.setFabric(kinds[name]),
      },
      color: {
        value: "emerald",
        choices: Object.keys(colors),
        set(name: string) {
          silk.albedoColor = Color3.FromHexString(colors[name]).toLinearSpace();
          silk.sheen.color = Color3.Lerp(silk.albedoColor, Color3.White(), 0.5);
        },
      },
      cover: { press: cover },
    },
  };
}

/** From 0 to 1 without a jerk. */
function smooth(t: number): number {
  const s = Math.min(1, Math.max(0, t));
  return s * s * s * (10 - 15 * s + 6 * s * s);
}
