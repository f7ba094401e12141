// Curtains in the draft of a window.

import {
  Color3,
  type DirectionalLight,
  DynamicTexture,
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  StandardMaterial,
  Vector3,
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
    floor: "#b98a5e",
    wall: "#e9ddcc",
    glow: "rgba(255,255,255,0.4)",
    target: new Vector3(0, 1.18, 0),
    radius: 4.85,
    alpha: -1.75,
    beta: 1.5,
    aspect: 1.35,
  });
  const { scene, camera, paint, weave, show } = studio;
  const plugin = await PliantPlugin.CreateAsync(studio.engine, physics);
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  camera.addBehavior(new ClothDragBehavior());

  const box = (x: number, y: number, z: number, size: number[]): Mesh => {
    const [width, height, depth] = size;
    const mesh = MeshBuilder.CreateBox("box", { width, height, depth }, scene);
    mesh.position.set(x, y, z);
    return mesh;
  };

  // Much light: the room is seen from the dark side of its wall.
  scene.environmentIntensity = 1.25;
  scene.imageProcessingConfiguration.exposure = 1.6;
  const sun = scene.lights[0] as DirectionalLight;
  sun.intensity = 7;
  sun.direction = new Vector3(-0.5, -0.8, -0.85).normalize();
  sun.position = sun.direction.scale(-9);

  // A wall with a window, its frame, and what is seen through it.
  const plaster = paint("#e6c7a4", { roughness: 0.95 });
  const wall = [
    box(-2.9, 1.5, 0.55, [4, 3, 0.2]),
    box(2.9, 1.5, 0.55, [4, 3, 0.2]),
    box(0, 0.3, 0.55, [1.8, 0.6, 0.2]),
    box(0, 2.65, 0.55, [1.8, 0.7, 0.2]),
  ];
  show(plaster, ...wall);
  const white = paint("#fbf8f2", { roughness: 0.5 });
  const sill = box(0, 0.61, 0.42, [2, 0.04, 0.18]);
  show(
    white,
    sill,
    box(0, 1.45, 0.57, [0.05, 1.7, 0.05]),
    box(0, 1.72, 0.57, [1.8, 0.05, 0.05]),
    box(-0.88, 1.45, 0.57, [0.05, 1.7, 0.06]),
    box(0.88, 1.45, 0.57, [0.05, 1.7, 0.06]),
  );
  for (const solid of [...wall, sill])
    new PhysicsAggregate(solid, PhysicsShapeType.BOX, { mass: 0, friction: 0.4 }, scene);
  const view = MeshBuilder.CreatePlane("view", { width: 9, height: 5 }, scene);
  view.position.set(0.4, 1.3, 4);
  const sky = new StandardMaterial("sky", scene);
  sky.disableLighting = true;
  sky.emissiveTexture = garden();
  view.material = sky;

  // Boards of oak.
  const floor = MeshBuilder.CreateGround("boards", { width: 8, height: 6 }, scene);
  floor.position.z = -2.45;
  const oak = paint("#ffffff", { roughness: 0.5 });
  oak.metallicF0Factor = 0.4;
  oak.albedoTexture = boards();
  show(oak, floor);

  const vase = MeshBuilder.CreateLathe(
    "vase",
    {
      shape: Array.from({ length: 30 }, (_, k) => {
        const y = k / 29;
        return new Vector3(0.08 + 0.1 * Math.sin(2.6 * y + 0.25) ** 2, 0.48 * y, 0);
      }),
      tessellation: 64,
      sideOrientation: 2,
    },
    scene,
  );
  vase.position.set(1.85, 0, -0.35);
  show(paint("#b4583a", { roughness: 0.35 }), vase);

  const brass = paint("#c79a4b", { roughness: 0.25, metallic: 1 });
  const [top, height] = [2.42, 2.34];
  const rod = MeshBuilder.CreateCylinder("rod", { height: 2.9, diameter: 0.03 }, scene);
  rod.rotation.z = Math.PI / 2;
  rod.position.set(0, top + 0.03, 0.2);
  show(brass, rod);
  for (const side of [-1, 1]) {
    const knob = MeshBuilder.CreateSphere("knob", { diameter: 0.09 }, scene);
    knob.position.set(1.47 * side, top + 0.03, 0.2);
    show(brass, knob);
  }

  // Two panels, half as wide again as the place that they cover.
  const [columns, rows, width] = [24, 30, 1.4];
  const rings = Array.from({ length: columns / 2 + 1 }, (_, k) => 2 * k);
  const linen = weave("#f0e2cd");
  linen.roughness = 0.95;
  linen.subSurface.isTranslucencyEnabled = true;
  linen.subSurface.translucencyIntensity = 1;
  linen.subSurface.tintColor = Color3.FromHexString("#fff1d8").toLinearSpace();
  const kinds: Record<string, Fabric> = {
    linen: { ...fabrics.cotton, areaDensity: 0.12, bendingDamping: 0.03 },
    silk: fabrics.silk,
    denim: fabrics.denim,
  };
  const panels = [-1, 1].map((side) => {
    const sheet = MeshBuilder.CreateGround(
      "curtain",
      { width, height, subdivisionsX: columns, subdivisionsY: rows },
      scene,
    );
    sheet.rotation.x = -Math.PI / 2;
    sheet.position.set((side * width) / 2, top - height / 2, 0.2);
    sheet.material = linen;
    const cloth = new ClothAggregate(
      sheet,
      {
        fabric: kinds.linen,
        pins: rings,
        substeps: 8,
        selfCollision: true,
        bodyCollision: false,
      },
      scene,
    );
    show(linen, new SmoothMesh(cloth, { levels: 2 }).mesh);
    return { cloth, side };
  });

  let [wind, open, drawn, time] = [1.3, 0.45, 0.45, 0];
  plugin.onBeforeStepObservable.add((dt) => {
    time += dt;
    drawn += (1 - Math.exp(-3 * dt)) * (open - drawn);
    // Gathered within the first second, from flat cloth.
    const gathered = Math.min(1, time);
    const span = 1.31 - 0.95 * drawn;
    // Pleats are as deep as the cloth between two rings is long.
    const flatStep = (0.96 * width) / (rings.length - 1);
    const step = (width + gathered * (span - width)) / (rings.length - 1);
    const depth = Math.sqrt(Math.max(0, flatStep ** 2 - step ** 2)) / 2;
    for (const { cloth, side } of panels) {
      for (const ring of rings) {
        // from the outer end to the inner one
        const u = side < 0 ? ring / columns : 1 - ring / columns;
        const flat = width * (1 - u);
        const hung = 1.36 - u * span;
        const x = side * (flat + gathered * (hung - flat));
        const z = 0.2 + depth * (ring % 4 === 0 ? 1 : -1);
        cloth.setPinPosition(ring, new Vector3(x, top, z));
      }
      // gusts through the window, later at the right panel
      const gust = Math.sin(1.1 * time - 0.5 * side) ** 2;
      const swirl = 0.4 * Math.sin(2.7 * time + side);
      cloth.setWind(new Vector3(swirl, 0.15, -0.35 - gust).scale(wind));
    }
  });

  return {
    scene,
    controls: {
      wind: {
        value: wind,
        range: [0, 5] as const,
        unit: "m/s",
        set: (speed: number) => void (wind = speed),
      },
      open: {
        value: open,
        range: [0, 1] as const,
        set: (part: number) => void (open = part),
      },
      fabric: {
        value: "linen",
        choices: Object.keys(kinds),
        set(name: string) {
          for (const { cloth } of panels) cloth.setFabric(kinds[name]);
        },
      },
    },
  };

  function garden(): DynamicTexture {
    const texture = new DynamicTexture("garden", 512, scene, true);
    const context = texture.getContext();
    const gradient = context.createLinearGradient(0, 0, 0, 512);
    gradient.addColorStop(0, "#bfe0f7");
    gradient.addColorStop(0.45, "#f4fbff");
    gradient.addColorStop(0.62, "#d5e8b5");
    gradient.addColorStop(1, "#7fa65a");
    context.fillStyle = gradient;
    context.fillRect(0, 0, 512, 512);
    // trees far out of focus
    for (let k = 0; k < 70; k++) {
      const [x, y] = [(k * 197) % 512, 300 + ((k * 83) % 130)];
      const size = 24 + ((k * 31) % 46);
      const leaf = context.createRadialGradient(x, y, 0, x, y, size);
      leaf.addColorStop(0, k % 3 ? "rgba(104,148,72,0.5)" : "rgba(170,198,112,0.5)");
      leaf.addColorStop(1, "rgba(120,160,80,0)");
      context.fillStyle = leaf;
      context.fillRect(0, 0, 512, 512);
    }
    texture.update(true);
    return texture;
  }

  function boards(): DynamicTexture {
    const texture = new DynamicTexture("oak", 1024, scene, true);
    const context = texture.getContext();
    for (let k = 0; k < 16; k++)
      for (let part = 0; part < 3; part++) {
        const y = 1024 * ((part + (k % 2) / 2) / 3);
        const tone = ((k * 7 + part * 11) % 9) - 4;
        context.fillStyle = `rgb(${178 + 3 * tone},${128 + 3 * tone},${84 + 2 * tone})`;
        context.fillRect(64 * k, y - 342, 63, 341);
        context.fillRect(64 * k, y, 63, 341);
      }
    texture.update(true);
    texture.anisotropicFilteringLevel = 8;
    return texture;
  }
}
