// Jellies drop onto cake stands, among berries and sugar.

import {
  Color3,
  Mesh,
  MeshBuilder,
  PhysicsAggregate,
  PhysicsBody,
  PhysicsMotionType,
  PhysicsShapeBox,
  PhysicsShapeContainer,
  PhysicsShapeCylinder,
  PhysicsShapeType,
  Quaternion,
  RenderTargetTexture,
  TransformNode,
  Vector3,
  VertexData,
  type AbstractEngine,
  type Scene,
  type ShadowGenerator,
} from "@babylonjs/core";
import {
  ClothDragBehavior,
  PliantPlugin,
  SoftBodyAggregate,
  type PliantPluginOptions,
  type SoftBodyMaterial,
} from "babylon-pliant";
import { createStudio } from "../../site/examples/studio";

/** Places of the stands, and their heights. */
const STANDS = [
  [-0.8, 0.3, 0.05],
  [-0.41, 0.14, 0.2],
  [0, 0.38, 0.08],
  [0.41, 0.19, 0.22],
  [0.8, 0.33, 0.04],
];
/** Most jellies before the stands. */
const MOST = 3;

export async function createScene(engine?: AbstractEngine, physics: PliantPluginOptions = {}) {
  const studio = await createStudio({
    engine,
    floor: "#eab3a6",
    wall: "#f6d3c8",
    glow: "rgba(255,255,255,0.75)",
    target: new Vector3(0, 0.36, 0),
    radius: 2.55,
    alpha: -1.5,
    beta: 1.27,
    aspect: 1.6,
  });
  const { scene, camera, paint, weave, show } = studio;
  const plugin = await PliantPlugin.CreateAsync(studio.engine, physics);
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  camera.addBehavior(new ClothDragBehavior());
  (scene.lights[0].getShadowGenerator() as ShadowGenerator).setDarkness(0.3);

  // A slab of marble and cake stands: one body, which the loop below leads.
  const [long, deep] = [2.1, 0.95];
  const table = new TransformNode("table", scene);
  table.position.y = 0.06;
  const shape = new PhysicsShapeContainer(scene);
  shape.material = { friction: 0.7 };
  shape.addChild(
    new PhysicsShapeBox(new Vector3(0, -0.03, 0), Quaternion.Identity(), new Vector3(long, 0.06, deep), scene),
  );
  const marble = weave("#ffffff", veins);
  marble.roughness = 0.25;
  marble.sheen.isEnabled = false;
  const slab = MeshBuilder.CreateBox("slab", { width: long, height: 0.06, depth: deep }, scene);
  slab.position.y = -0.03;
  slab.parent = table;
  show(marble, slab);
  const porcelain = paint("#fdf8f2", { roughness: 0.2 });
  porcelain.clearCoat.isEnabled = true;
  const gold = paint("#f0c98a", { roughness: 0.35, metallic: 1 });
  for (const [x, height, z] of STANDS) {
    // from the middle of the foot, up the stem, around the plate
    const outline = [
      [0, 0],
      [0.1, 0],
      [0.1, 0.008],
      [0.05, 0.02],
      [0.02, 0.045],
      [0.016, height / 2],
      [0.022, height - 0.05],
      [0.06, height - 0.025],
      [0.17, height - 0.016],
      [0.182, height - 0.006],
      [0.18, height],
      [0, height],
    ].map(([r, y]) => new Vector3(r, y, 0));
    const stand = MeshBuilder.CreateLathe("stand", { shape: outline, tessellation: 72, sideOrientation: 2 }, scene);
    stand.convertToFlatShadedMesh();
    const lip = MeshBuilder.CreateTorus("lip", { diameter: 0.362, thickness: 0.009, tessellation: 72 }, scene);
    lip.position.y = height - 0.005;
    lip.parent = stand;
    stand.position.set(x, 0, z);
    stand.parent = table;
    show(porcelain, stand);
    show(gold, lip);
    const cylinder = (bottom: number, top: number, radius: number): void =>
      shape.addChild(new PhysicsShapeCylinder(new Vector3(x, bottom, z), new Vector3(x, top, z), radius, scene));
    cylinder(height - 0.02, height, 0.18);
    cylinder(0, height - 0.02, 0.02);
  }
  const led = new PhysicsBody(table, PhysicsMotionType.ANIMATED, false, scene);
  led.shape = shape;
  led.disablePreStep = false;
  const ground = MeshBuilder.CreateGround("ground", { width: 12, height: 12 }, scene);
  ground.isVisible = false;
  new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0, friction: 0.6 }, scene);

  // Berries and sugar, which are rigid: one berry for each jelly.
  const blue = paint("#2b3566", { roughness: 0.45 });
  blue.sheen.isEnabled = true;
  blue.sheen.color = Color3.FromHexString("#a9b8e8").toLinearSpace();
  const berries = STANDS.map(([x, height, z]) => new Vector3(x + 0.004, height + 1.1 + x / 3, z));
  for (const x of [-0.6, 0.2, 0.64]) berries.push(new Vector3(x, 0.4, -0.28));
  for (const [k, place] of berries.entries()) {
    const berry = MeshBuilder.CreateSphere("berry", { diameter: 0.075 + 0.008 * (k % 3), segments: 32 }, scene);
    berry.position = place;
    show(blue, berry);
    new PhysicsAggregate(berry, PhysicsShapeType.SPHERE, { mass: 0.15, friction: 0.7, restitution: 0.1 }, scene);
  }
  const white = paint("#fffaf2", { roughness: 0.8 });
  for (let k = 0; k < 4; k++) {
    const lump = MeshBuilder.CreateBox("sugar", { width: 0.1, height: 0.07, depth: 0.07 }, scene);
    lump.position.set([-0.85, -0.2, -0.14, 0.85][k], 0.2 + 0.1 * k, [-0.2, -0.3, -0.32, -0.25][k]);
    lump.rotation.set(0.4 * k, k, 0.3);
    show(white, lump);
    new PhysicsAggregate(lump, PhysicsShapeType.BOX, { mass: 0.3, friction: 0.6 }, scene);
  }

  // Jellies refract a picture of all else.
  const behind = new RenderTargetTexture("behind", 512, scene, true);
  behind.gammaSpace = true;
  behind.clearColor = scene.clearColor;
  const jellies: SoftBodyAggregate[] = [];
  behind.renderListPredicate = (mesh) => !jellies.some((jelly) => jelly.mesh === mesh);
  scene.customRenderTargets.push(behind);
  const colors = ["#e8213f", "#f59a0b", "#35b34a", "#8d35c9", "#f6c915", "#ff5f94"];
  const looks = colors.map((color) => {
    const look = paint(color, { roughness: 0.06 });
    look.clearCoat.isEnabled = true;
    look.clearCoat.roughness = 0.03;
    const inside = look.subSurface;
    inside.isRefractionEnabled = true;
    inside.refractionTexture = behind;
    inside.indexOfRefraction = 1.34;
    inside.refractionIntensity = 0.9;
    inside.useAlbedoToTintRefraction = true;
    inside.maximumThickness = 0.25;
    inside.isTranslucencyEnabled = true;
    inside.translucencyIntensity = 0.45;
    inside.tintColor = Color3.FromHexString(color).toLinearSpace();
    return look;
  });

  let [softness, made] = [0.5, 0];
  const material = (): SoftBodyMaterial => ({
    material: { youngsModulus: 30e3 * 0.1 ** softness, poissonRatio: 0.4, density: 500, damping: 0.01 },
  });
  const drop = (x: number, y: number, z: number): void => {
    const { make, resolution } = molds[made % molds.length];
    const mesh = make(scene);
    mesh.scaling.setAll(0.86);
    mesh.position.set(x, y, z);
    mesh.rotation.set(0.12 * Math.sin(made), made, 0.12 * Math.cos(2 * made));
    show(looks[made % looks.length], mesh);
    made++;
    const options = { ...material(), resolution, substeps: 6, friction: 0.8, thickness: 0.006 };
    jellies.push(new SoftBodyAggregate(mesh, options, scene));
  };
  for (const [k, [x, height, z]] of STANDS.entries()) drop(x, height + 0.4 + 0.12 * ((2 * k) % 5), z);
  const dropAnother = (): void => {
    if (jellies.length === STANDS.length + MOST) jellies.splice(STANDS.length, 1)[0].mesh.dispose();
    drop(0.55 * ((made % MOST) - 1), 0.9, -0.26);
  };

  let [time, shaken] = [0, -10];
  plugin.onBeforeStepObservable.add((dt) => {
    time += dt;
    const since = time - shaken;
    const sway = since < 1.5 ? Math.sin((Math.PI * since) / 1.5) ** 2 : 0;
    table.position.x = 0.03 * sway * Math.sin(20 * since);
  });

  return {
    scene,
    controls: {
      softness: {
        value: softness,
        range: [0, 1] as const,
        set(value: number) {
          softness = value;
          for (const jelly of jellies) jelly.setMaterial(material());
        },
      },
      dropAnother: { press: dropAnother },
      shake: { press: () => void (shaken = time) },
    },
  };
}

/** Marble. */
function veins(context: CanvasRenderingContext2D): void {
  context.fillStyle = "#f7f3ef";
  context.fillRect(0, 0, 1024, 1024);
  for (let k = 0; k < 26; k++) {
    context.strokeStyle = `rgba(120,112,118,${0.05 + 0.03 * (k % 4)})`;
    context.lineWidth = 1 + (k % 5) ** 1.5;
    context.beginPath();
    for (let x = -20; x <= 1044; x += 16) {
      const wave = Math.sin(0.011 * x + k) + 0.5 * Math.sin(0.031 * x + 2.3 * k) + 0.2 * Math.sin(0.09 * x + k * k);
      context.lineTo(x, ((k * 167) % 1300) - 140 + 0.45 * x * Math.sin(k) + 34 * wave);
    }
    context.stroke();
  }
}

/** Closed surfaces, as turned out of molds, and cells of the simulation along each: thin shapes need more of them. */
const molds: { resolution: number; make(scene: Scene): Mesh }[] = [
  // a cake with a hole
  {
    resolution: 6,
    make: (scene) =>
      turned(
        scene,
        12,
        0.09,
        (a) => [0.125 + 0.085 * Math.cos(a), 0.1 * Math.sin(a) * (Math.sin(a) > 0 ? 1.15 : 0.8)],
        true,
      ),
  },
  // a dome
  {
    resolution: 4,
    make: (scene) => turned(scene, 8, 0.05, (a) => [0.17 * round(Math.sin(a), 0.7), 0.12 * round(Math.cos(a), 0.6)]),
  },
  // a cube
  {
    resolution: 4,
    make: (scene) =>
      turned(scene, 4, 0, (a) => [round(Math.sin(a), 0.35), 0.12 * round(Math.cos(a), 0.35)], false, square),
  },
  // a star
  {
    resolution: 4,
    make: (scene) => turned(scene, 5, 0.2, (a) => [0.175 * round(Math.sin(a), 0.45), 0.085 * round(Math.cos(a), 0.45)]),
  },
  // a pudding
  {
    resolution: 4,
    make: (scene) =>
      turned(scene, 16, 0.03, (a) => [
        (0.155 - 0.04 * Math.cos(a)) * round(Math.sin(a), 0.4),
        0.12 * round(Math.cos(a), 0.4),
      ]),
  },
];

function round(value: number, power: number): number {
  return Math.sign(value) * Math.abs(value) ** power;
}

/** Radius of a square with round corners. */
function square(angle: number): number {
  return 0.125 * (Math.cos(angle) ** 6 + Math.sin(angle) ** 6) ** (-1 / 6);
}

/**
 * A surface turned about the vertical axis.
 *
 * @param lobes around the axis, and their part of the radius
 * @param profile radius and height for an angle, from 0 at the top
 */
function turned(
  scene: Scene,
  lobes: number,
  part: number,
  profile: (angle: number) => [number, number],
  isRing = false,
  outline: (angle: number) => number = (angle) => 1 + part * Math.cos(lobes * angle),
): Mesh {
  const [rows, columns] = [48, 120];
  const positions: number[] = [];
  const indices: number[] = [];
  const count = isRing ? rows : rows - 1;
  for (let row = 0; row < count; row++) {
    const [r, y] = profile(isRing ? (2 * Math.PI * row) / rows : (Math.PI * (row + 1)) / rows);
    for (let k = 0; k < columns; k++) {
      const angle = (2 * Math.PI * k) / columns;
      const radius = r * outline(angle);
      positions.push(radius * Math.cos(angle), y, radius * Math.sin(angle));
    }
  }
  const at = (row: number, k: number): number => (row % count) * columns + (k % columns);
  for (let row = 0; row < (isRing ? count : count - 1); row++)
    for (let k = 0; k < columns; k++) {
      const [a, b, c, d] = [at(row, k), at(row, k + 1), at(row + 1, k), at(row + 1, k + 1)];
      indices.push(a, c, b, b, c, d);
    }
  if (!isRing) {
    const poles = [profile(0)[1], profile(Math.PI)[1]].map((y) => positions.push(0, y, 0) / 3 - 1);
    for (let k = 0; k < columns; k++)
      indices.push(poles[0], at(0, k), at(0, k + 1), poles[1], at(count - 1, k + 1), at(count - 1, k));
  }
  const normals: number[] = [];
  VertexData.ComputeNormals(positions, indices, normals);
  const mesh = new Mesh("jelly", scene);
  Object.assign(new VertexData(), { positions, indices, normals }).applyToMesh(mesh);
  return mesh;
}
