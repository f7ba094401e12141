// A sailing boat at its moorings: sails, a flag and ropes in the wind.

import {
  Color3,
  DynamicTexture,
  Mesh,
  MeshBuilder,
  PBRMaterial,
  Scene,
  Texture,
  TransformNode,
  Vector3,
  VertexData,
  type AbstractEngine,
} from "@babylonjs/core";
import {
  ClothAggregate,
  ClothDragBehavior,
  fabrics,
  PliantPlugin,
  RopeAggregate,
  SceneWind,
  type Fabric,
  type PliantPluginOptions,
} from "babylon-pliant";
import { createStudio } from "../../site/examples/studio";

export async function createScene(engine?: AbstractEngine, physics: PliantPluginOptions = {}) {
  const sky = "#f3d9c0";
  const studio = await createStudio({
    engine,
    floor: "#6f8f9c",
    wall: sky,
    glow: "rgba(255,244,222,0.9)",
    target: new Vector3(0.1, 1.5, 0),
    radius: 7,
    alpha: -1.8,
    beta: 1.45,
    sun: -0.75,
    aspect: 0.95,
  });
  const { scene, camera, paint, weave, show } = studio;
  const plugin = await PliantPlugin.CreateAsync(studio.engine, physics);
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  camera.addBehavior(new ClothDragBehavior());
  scene.lights[0].intensity = 4;
  scene.fogMode = Scene.FOGMODE_LINEAR;
  scene.fogColor = Color3.FromHexString(sky).toLinearSpace().scale(1.5);
  scene.fogStart = 9;
  scene.fogEnd = 26;

  // Water, with ripples that drift.
  const water = MeshBuilder.CreateGround("water", { width: 70, height: 70 }, scene);
  water.position.y = 0.01;
  water.isPickable = false;
  const sea = new PBRMaterial("sea", scene);
  sea.albedoColor = Color3.FromHexString("#175a70").toLinearSpace();
  sea.roughness = 0.12;
  sea.metallic = 0;
  const ripples = waves(scene);
  sea.bumpTexture = ripples;
  water.material = sea;
  water.receiveShadows = true;

  // The quay, and a bollard for each rope.
  const stone = paint("#b9aa97", { roughness: 0.95 });
  for (let k = 0; k < 17; k++) {
    const block = MeshBuilder.CreateBox("block", { width: 1.18, height: 0.5, depth: 2.4 }, scene);
    block.position.set(1.2 * (k - 8), 0.18 + 0.006 * (k % 3), 2.15);
    show(stone, block);
  }
  const iron = paint("#3a3f47", { roughness: 0.5, metallic: 0.6 });
  const bollards = [-1.9, 1.9].map((x) => {
    const bollard = MeshBuilder.CreateLathe(
      "bollard",
      {
        shape: [
          [0.12, 0],
          [0.1, 0.04],
          [0.075, 0.1],
          [0.075, 0.2],
          [0.11, 0.25],
          [0.11, 0.28],
          [0.06, 0.31],
          [0, 0.315],
        ].map(([r, y]) => new Vector3(r, y, 0)),
        tessellation: 48,
      },
      scene,
    );
    bollard.position.set(x, 0.43, 1.3);
    show(iron, bollard);
    return bollard.position.add(new Vector3(0, 0.2, 0));
  });

  // The boat: sections of the hull from bow to stern, a deck, a mast, a boom.
  const boat = new TransformNode("boat", scene);
  const stations = Array.from({ length: 25 }, (_, k) => k / 24);
  const beam = (s: number): number => 0.46 * Math.min(1, Math.sqrt(2.4 * s)) * (1 - 0.25 * s * s);
  const rail = (s: number): number => 0.5 + 0.16 * (1 - s) ** 2;
  const hull = MeshBuilder.CreateRibbon(
    "hull",
    {
      pathArray: stations.map((s) =>
        Array.from({ length: 21 }, (_, k) => {
          const angle = Math.PI * (k / 20);
          const depth = rail(s) + 0.22 * Math.min(1, 3 * s + 0.25);
          return new Vector3(
            2.9 * (s - 0.48) + 0.12 * (1 - s) ** 4 * -Math.sin(angle),
            rail(s) - depth * Math.sin(angle) ** 0.8,
            beam(s) * Math.cos(angle) + 1e-4,
          );
        }),
      ),
      sideOrientation: Mesh.DOUBLESIDE,
    },
    scene,
  );
  const transom = MeshBuilder.CreateRibbon(
    "transom",
    {
      pathArray: [0, 1].map((side) =>
        Array.from({ length: 21 }, (_, k) => {
          const angle = Math.PI * (k / 20);
          const y = rail(1) - (rail(1) + 0.22) * Math.sin(angle) ** 0.8;
          return new Vector3(2.9 * 0.52, side ? rail(1) : y, beam(1) * Math.cos(angle));
        }),
      ),
      sideOrientation: Mesh.DOUBLESIDE,
    },
    scene,
  );
  const deck = MeshBuilder.CreateRibbon(
    "deck",
    {
      pathArray: stations.map((s) =>
        [-1, 0, 1].map((side) => new Vector3(2.9 * (s - 0.48), rail(s) - 0.07, 0.97 * side * beam(s))),
      ),
      sideOrientation: Mesh.DOUBLESIDE,
    },
    scene,
  );
  const enamel = paint("#1d3a5c", { roughness: 0.2 });
  enamel.clearCoat.isEnabled = true;
  enamel.backFaceCulling = false;
  const teak = paint("#a9713f", { roughness: 0.5 });
  show(enamel, hull, transom);
  const spar = (from: Vector3, to: Vector3, radius: number): Mesh =>
    MeshBuilder.CreateTube("spar", { path: [from, to], radius, tessellation: 24, cap: Mesh.CAP_ALL }, scene);
  const [foot, head] = [new Vector3(-0.25, 0.4, 0), new Vector3(-0.25, 3.3, 0)];
  const mast = spar(foot, head, 0.028);
  const boom = spar(new Vector3(-0.25, 0.85, 0), new Vector3(1.2, 0.9, 0), 0.02);
  const rails = [-1, 1].map((side) =>
    MeshBuilder.CreateTube(
      "rail",
      {
        path: stations.map((s) => new Vector3(2.9 * (s - 0.48), rail(s), side * beam(s))),
        radius: 0.018,
        tessellation: 12,
      },
      scene,
    ),
  );
  show(teak, deck, mast, boom, ...rails);
  for (const part of [hull, transom, deck, mast, boom, ...rails]) part.parent = boat;

  // Sails hang along a line of the boat, and their free corner is held.
  const dacron: Fabric = {
    ...fabrics.cotton,
    areaDensity: 0.1,
    stretchWarp: 4000,
    stretchWeft: 4000,
    shear: 800,
    bendingWarp: 4e-5,
    bendingWeft: 4e-5,
  };
  const canvas = weave("#fbf6ea", (context) => {
    context.fillStyle = "#fbf6ea";
    context.fillRect(0, 0, 1024, 1024);
    context.fillStyle = "rgba(160,130,90,0.25)";
    for (let k = 1; k < 9; k++) context.fillRect(0, 114 * k, 1024, 3);
    context.fillStyle = "#c8452f";
    context.fillRect(0, 690, 1024, 96);
  });
  canvas.subSurface.isTranslucencyEnabled = true;
  canvas.subSurface.translucencyIntensity = 0.35;
  canvas.subSurface.tintColor = Color3.FromHexString("#f6dcb4").toLinearSpace();
  const sail = (
    name: string,
    corners: { tack: Vector3; peak: Vector3; clew: Vector3 },
    [rows, columns]: [number, number],
  ): ClothAggregate => {
    const mesh = triangle(name, corners, rows, columns, scene);
    show(canvas, mesh);
    const luff = Array.from({ length: rows + 1 }, (_, r) => r * (columns + 1));
    return new ClothAggregate(
      mesh,
      {
        fabric: dacron,
        attach: { node: boat, vertices: [...luff, columns] },
        bodyCollision: false,
        substeps: 10,
      },
      scene,
    );
  };
  sail(
    "main",
    {
      tack: new Vector3(-0.21, 0.92, 0),
      peak: new Vector3(-0.21, 3.2, 0),
      clew: new Vector3(1.14, 0.97, 0),
    },
    [36, 20],
  );
  sail(
    "jib",
    {
      tack: new Vector3(-1.38, 0.72, 0),
      peak: new Vector3(-0.31, 2.85, 0),
      clew: new Vector3(-0.36, 0.78, -0.22),
    },
    [32, 14],
  );

  // The flag flies from a staff at the stern.
  const staff = spar(new Vector3(1.47, 0.45, 0), new Vector3(1.66, 1.35, 0), 0.012);
  staff.parent = boat;
  show(teak, staff);
  const cloth = MeshBuilder.CreateGround(
    "flag",
    { width: 0.62, height: 0.4, subdivisionsX: 28, subdivisionsY: 18 },
    scene,
  );
  cloth.rotation.x = -Math.PI / 2;
  cloth.position.set(1.66 + 0.31, 1.14, 0);
  show(
    weave("#c8452f", (context) => {
      context.fillStyle = "#c8452f";
      context.fillRect(0, 0, 1024, 1024);
      context.fillStyle = "#f6ecd9";
      context.fillRect(0, 400, 1024, 224);
    }),
    cloth,
  );
  const hoist = Array.from({ length: 19 }, (_, k) => 29 * k);
  new ClothAggregate(
    cloth,
    {
      fabric: dacron,
      attach: { node: boat, vertices: hoist },
      bodyCollision: false,
      substeps: 10,
    },
    scene,
  );

  // A rope from each end of the boat to its bollard.
  const hemp = paint("#d8bd8a", { roughness: 0.9 });
  const cleats = [new Vector3(-1.3, 0.62, 0.1), new Vector3(1.4, 0.52, 0.3)];
  for (const [k, cleat] of cleats.entries()) {
    const middle = Vector3.Center(cleat, bollards[k]);
    middle.y -= 0.25;
    const rope = new RopeAggregate(
      { path: [bollards[k], middle, cleat], radius: 0.02, name: "rope" },
      {
        segments: 20,
        pins: [0],
        attach: { node: boat, at: [20] },
        density: 700,
        bodyCollision: false,
      },
      scene,
    );
    show(hemp, rope.mesh);
  }

  let [wind, swell, time] = [3.2, 1, 0];
  const air = new SceneWind({}, scene);
  const blow = (speed: number): void => {
    wind = speed;
    const velocity = new Vector3(0.93, 0, 0.36).scale(speed);
    air.setOptions({ velocity, turbulence: { speed: 0.35 * speed, size: 4 } });
  };
  blow(wind);
  plugin.onBeforeStepObservable.add((dt) => {
    time += dt;
    boat.position.y = 0.03 * swell * Math.sin(1.3 * time);
    boat.rotation.x = swell * (0.03 * Math.sin(0.9 * time) + 0.006 * wind);
    boat.rotation.z = 0.02 * swell * Math.sin(1.3 * time + 1);
    ripples.uOffset = 0.004 * wind * time;
    ripples.vOffset = 0.003 * wind * time;
  });

  return {
    scene,
    controls: {
      wind: {
        value: wind,
        range: [0, 7] as const,
        unit: "m/s",
        set: blow,
      },
      swell: {
        value: swell,
        range: [0, 2.5] as const,
        set: (size: number) => void (swell = size),
      },
    },
  };
}

/** A sail: rows from the tack to the peak, each from the luff to the leech. */
function triangle(
  name: string,
  { tack, peak, clew }: { tack: Vector3; peak: Vector3; clew: Vector3 },
  rows: number,
  columns: number,
  scene: Scene,
): Mesh {
  const [positions, indices, uvs, normals]: number[][] = [[], [], [], []];
  for (let row = 0; row <= rows; row++)
    for (let column = 0; column <= columns; column++) {
      const [u, v] = [column / columns, row / rows];
      const across = clew.subtract(tack).scale(u * (1 - 0.96 * v));
      const place = Vector3.Lerp(tack, peak, v).add(across);
      positions.push(place.x, place.y, place.z);
      uvs.push(u, v);
      if (row === rows || column === columns) continue;
      const a = row * (columns + 1) + column;
      const b = a + columns + 1;
      indices.push(a, b, a + 1, a + 1, b, b + 1);
    }
  VertexData.ComputeNormals(positions, indices, normals);
  const mesh = new Mesh(name, scene);
  Object.assign(new VertexData(), {
    positions,
    indices,
    uvs,
    normals,
  }).applyToMesh(mesh);
  return mesh;
}

/** Normals of small waves in all directions, which tile. */
function waves(scene: Scene): DynamicTexture {
  const size = 256;
  const texture = new DynamicTexture("waves", size, scene, true);
  const context = texture.getContext();
  const image = context.getImageData(0, 0, size, size);
  const trains = Array.from({ length: 14 }, (_, k) => ({
    kx: 1 + ((k * 5) % 9),
    ky: ((k * 7) % 13) - 6,
    phase: 2.4 * k,
  }));
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      let [dx, dy] = [0, 0];
      for (const { kx, ky, phase } of trains) {
        const at = (2 * Math.PI * (kx * x + ky * y)) / size + phase;
        const slope = (0.9 * Math.cos(at)) / Math.hypot(kx, ky);
        dx += slope * kx * 0.05;
        dy += slope * ky * 0.05;
      }
      const length = Math.hypot(dx, dy, 1);
      const i = 4 * (y * size + x);
      image.data[i] = 128 + (127 * dx) / length;
      image.data[i + 1] = 128 + (127 * dy) / length;
      image.data[i + 2] = 128 + 127 / length;
      image.data[i + 3] = 255;
    }
  (context as CanvasRenderingContext2D).putImageData(image as ImageData, 0, 0);
  texture.update(true);
  texture.uScale = texture.vScale = 44;
  texture.wrapU = texture.wrapV = Texture.WRAP_ADDRESSMODE;
  texture.anisotropicFilteringLevel = 8;
  return texture;
}
