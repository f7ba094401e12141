// A poncho on a skinned figure that walks, and swatches of its fabrics.

import {
  Mesh,
  MeshBuilder,
  PointerEventTypes,
  Vector3,
  VertexData,
  type AbstractEngine,
  type PBRMaterial,
  type Scene,
} from "@babylonjs/core";
import {
  ClothAggregate,
  ClothDragBehavior,
  fabrics,
  PliantPlugin,
  SkeletonAggregate,
  type Fabric,
  type PliantPluginOptions,
} from "babylon-pliant";
import { createStudio } from "../../site/examples/studio";
import { createFigure } from "../../site/examples/figure";

interface Stock {
  fabric: Fabric;
  look: PBRMaterial;
}

/** rings of vertices of the poncho, those of its collar, vertices around; half of its diagonal, m */
const [RINGS, COLLAR, AROUND, HEM] = [19, 3, 52, 0.72];

export async function createScene(engine?: AbstractEngine, physics: PliantPluginOptions = {}) {
  const studio = await createStudio({
    engine,
    floor: "#a8957f",
    wall: "#e2d6c5",
    glow: "rgba(255,252,246,0.8)",
    target: new Vector3(-0.4, 0.9, 0),
    radius: 3.9,
    alpha: 1.25,
    beta: 1.4,
    aspect: 1.15,
  });
  const { scene, camera, paint, weave, show } = studio;
  const plugin = await PliantPlugin.CreateAsync(studio.engine, physics);
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  camera.addBehavior(new ClothDragBehavior());

  // Load a GLB character instead of the wooden figure, and take its skinned mesh: the code below stays the same.
  const { figure, bones } = createFigure(scene);
  show(paint("#c9a27a", { roughness: 0.45 }), figure);

  const stocks: Record<string, Stock> = {
    wool: {
      fabric: { ...fabrics.cotton, areaDensity: 0.35, bendingWarp: 4e-4, bendingWeft: 4e-4, bendingDamping: 0.06 },
      look: weave("#b5482f", (context) => bands(context, "#b5482f", ["#f0dfc0", "#2c4a52", "#e3a13c"])),
    },
    silk: { fabric: fabrics.silk, look: weave("#2f6f73", (context) => plain(context, "#2f7a7c", "#3f8f8c")) },
    cotton: {
      fabric: fabrics.cotton,
      look: weave("#efe4cf", (context) => bands(context, "#efe6d4", ["#31486b", "#31486b", "#b8433a"])),
    },
    denim: { fabric: fabrics.denim, look: weave("#31486b", (context) => plain(context, "#34507a", "#28406a")) },
  };
  stocks.silk.look.roughness = 0.4;
  stocks.silk.look.sheen.intensity = 0.6;

  // The poncho lies above the shoulders at first. Its collar goes with the chest.
  const mesh = poncho(scene);
  show(stocks.wool.look, mesh);
  new SkeletonAggregate(figure, {}, scene);
  const collar = Array.from({ length: COLLAR * (AROUND + 1) }, (_, k) => k);
  const cloth = new ClothAggregate(
    mesh,
    {
      fabric: stocks.wool.fabric,
      attach: { bone: bones.get("chest")!, skinnedMesh: figure, vertices: collar },
      damping: 1,
      selfCollision: true,
      tethers: true,
      substeps: 16,
    },
    scene,
  );

  // Swatches on a rail: one that is clicked is chosen.
  const brass = paint("#c79a4b", { roughness: 0.25, metallic: 1 });
  const [left, step, top] = [-1.68, 0.27, 1.46];
  const along = (Object.keys(stocks).length - 1) * step;
  const rail = MeshBuilder.CreateCylinder("rail", { height: along + 0.4, diameter: 0.02 }, scene);
  rail.rotation.z = Math.PI / 2;
  rail.position.set(left + along / 2, top + 0.012, -0.1);
  show(brass, rail);
  for (const x of [left - 0.19, left + along + 0.19]) {
    const post = MeshBuilder.CreateCylinder("post", { height: top, diameter: 0.018 }, scene);
    post.position.set(x, top / 2, -0.1);
    const foot = MeshBuilder.CreateCylinder("foot", { height: 0.02, diameter: 0.24, tessellation: 64 }, scene);
    foot.position.set(x, 0.01, -0.1);
    show(brass, post, foot);
  }
  const swatches = Object.entries(stocks).map(([name, { fabric, look }], k) => {
    const swatch = MeshBuilder.CreateGround(
      name,
      { width: 0.22, height: 0.46, subdivisionsX: 7, subdivisionsY: 14 },
      scene,
    );
    swatch.rotation.x = -Math.PI / 2;
    swatch.position.set(left + k * step, top - 0.23, -0.1);
    show(look, swatch);
    const hung = new ClothAggregate(swatch, { fabric, bodyCollision: false }, scene);
    void hung.pinEdge("top");
    return hung;
  });
  const choose = (name: string): void => {
    mesh.material = stocks[name].look;
    cloth.setFabric(stocks[name].fabric);
  };
  scene.onPointerObservable.add(({ pickInfo }) => {
    const name = pickInfo?.pickedMesh?.name ?? "";
    if (Object.hasOwn(stocks, name)) choose(name);
  }, PointerEventTypes.POINTERTAP);

  let [pace, time, wind, worn] = [1, 0, 0.8, 0];
  const turn = (name: string, x: number, z = 0): void => bones.get(name)!.setRotation(new Vector3(x, 0, z));
  plugin.onBeforeStepObservable.add((dt) => {
    time += 4.6 * pace * dt;
    const step = Math.sin(time);
    // The arms hang still until the poncho lies on them.
    worn = Math.min(1, worn + 0.4 * dt);
    const swing = worn * worn * worn;
    for (const s of [1, -1]) {
      turn(`arm${s}`, 0.35 * swing * s * step, (0.42 - 0.2 * worn) * s);
      turn(`hand${s}`, -swing * (0.35 + 0.2 * s * step));
      turn(`thigh${s}`, -0.5 * s * step);
      turn(`shin${s}`, 0.35 + 0.35 * s * Math.cos(time));
    }
    turn("chest", 0.03 + 0.03 * Math.cos(2 * time), 0.04 * step);
    // The figure walks on the spot: the air moves as it does on its way, and in gusts.
    const gust = 0.6 * Math.sin(0.21 * time) + 0.4 * Math.sin(0.57 * time);
    const air = new Vector3(0.5 * gust * wind, 0, -0.4 * pace - wind * (0.3 + 0.3 * gust));
    cloth.setWind(air);
    for (const [k, swatch] of swatches.entries())
      swatch.setWind(new Vector3(0.2, 0, -0.3 * wind * (1 + Math.sin(1.1 * time + k))));
  });

  return {
    scene,
    controls: {
      fabric: { value: "wool", choices: Object.keys(stocks), set: choose },
      pace: { value: pace, range: [0, 1.6] as const, set: (value: number) => void (pace = value) },
      wind: { value: wind, range: [0, 4] as const, unit: "m/s", set: (value: number) => void (wind = value) },
    },
  };
}

/** A square with a hole and a collar: rings of vertices from the collar to the hem. */
function poncho(scene: Scene): Mesh {
  const [positions, indices, uvs, normals]: number[][] = [[], [], [], []];
  for (let ring = 0; ring <= RINGS; ring++)
    for (let k = 0; k <= AROUND; k++) {
      const angle = (2 * Math.PI * k) / AROUND;
      const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
      const out = Math.max(0, ring - COLLAR + 1) / (RINGS - COLLAR + 1);
      // corners in front, behind and at the sides, which are round
      const edge = HEM / (Math.abs(sin) ** 1.6 + Math.abs(cos) ** 1.6) ** (1 / 1.6);
      const up = Math.max(0, COLLAR - 1 - ring);
      const r = out === 0 ? 0.1 - 0.012 * up : 0.1 + (edge - 0.1) * out;
      positions.push(r * sin, 1.494 + 0.018 * up + 0.02 * Math.min(1, 4 * out), r * cos);
      uvs.push(0.5 + (r * sin) / (2 * HEM), 0.5 + (r * cos) / (2 * HEM));
      if (ring === RINGS || k === AROUND) continue;
      const a = ring * (AROUND + 1) + k;
      const b = a + AROUND + 1;
      indices.push(...((ring + k) % 2 ? [a, a + 1, b, a + 1, b + 1, b] : [a, a + 1, b + 1, a, b + 1, b]));
    }
  VertexData.ComputeNormals(positions, indices, normals);
  const mesh = new Mesh("poncho", scene);
  Object.assign(new VertexData(), { positions, indices, uvs, normals }).applyToMesh(mesh);
  return mesh;
}

/** Bands that are woven across. */
function bands(context: CanvasRenderingContext2D, ground: string, colors: string[]): void {
  plain(context, ground, ground);
  for (let k = 0; k < 8; k++) {
    const y = 64 + 128 * k;
    colors.forEach((color, n) => {
      context.fillStyle = color;
      context.fillRect(0, y + 18 * n - 22, 1024, [16, 8, 4][n]);
    });
  }
  threads(context);
}

function plain(context: CanvasRenderingContext2D, ground: string, twill: string): void {
  context.fillStyle = ground;
  context.fillRect(0, 0, 1024, 1024);
  context.fillStyle = twill;
  for (let k = 0; k < 1024; k += 16) context.fillRect(k, 0, 8, 1024);
  threads(context);
}

function threads(context: CanvasRenderingContext2D): void {
  context.fillStyle = "rgba(20,10,0,0.05)";
  for (let k = 0; k < 1024; k += 8) {
    context.fillRect(k, 0, 4, 1024);
    context.fillRect(0, k, 1024, 4);
  }
}
