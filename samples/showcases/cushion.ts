// A press lowers on a cushion; choose its material, its color and how firm it is.

import {
  Color3,
  Mesh,
  MeshBuilder,
  PhysicsAggregate,
  PhysicsMotionType,
  PhysicsShapeType,
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
  type Fabric,
  type PliantPluginOptions,
} from "babylon-pliant";
import { createStudio } from "../../site/examples/studio";

/** half of the side and of the height of the cushion, height of the table, m */
const [HALF, HIGH, TABLE] = [0.27, 0.105, 0.14];
/** heights of the plate above the table, m; s of a whole trial */
const [UP, DOWN, LAP] = [0.36, 0.085, 6];

interface Cover {
  fabric: Fabric;
  roughness: number;
  sheen: number;
  coat: number;
  /** what is drawn over the color, in 1024 × 1024 pixels */
  draw(context: CanvasRenderingContext2D): void;
}

export async function createScene(engine?: AbstractEngine, physics: PliantPluginOptions = {}) {
  const studio = await createStudio({
    engine,
    floor: "#b9c4c0",
    wall: "#dfe5e0",
    glow: "rgba(255,255,255,0.8)",
    target: new Vector3(0, 0.31, 0),
    radius: 1.95,
    alpha: -1.12,
    beta: 1.24,
    aspect: 1.2,
  });
  const { scene, camera, paint, weave, show } = studio;
  const plugin = await PliantPlugin.CreateAsync(studio.engine, physics);
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  camera.addBehavior(new ClothDragBehavior());

  // A table, and the frame of the press.
  const oak = paint("#c99a6b", { roughness: 0.5 });
  const table = MeshBuilder.CreateCylinder("table", { diameter: 1.06, height: TABLE, tessellation: 128 }, scene);
  table.position.y = TABLE / 2;
  show(oak, table);
  const top = MeshBuilder.CreateBox("top", { width: 2, height: TABLE, depth: 2 }, scene);
  top.position.y = TABLE / 2;
  top.isVisible = false;
  new PhysicsAggregate(top, PhysicsShapeType.BOX, { mass: 0, friction: 0.5 }, scene);
  const steel = paint("#d9dcdd", { roughness: 0.22, metallic: 1 });
  const brass = paint("#d9a952", { roughness: 0.22, metallic: 1 });
  for (const side of [-1, 1]) {
    const post = MeshBuilder.CreateCylinder("post", { diameter: 0.028, height: 0.58, tessellation: 48 }, scene);
    post.position.set(0.45 * side, TABLE + 0.29, 0);
    const foot = MeshBuilder.CreateCylinder("foot", { diameter: 0.07, height: 0.018, tessellation: 64 }, scene);
    foot.position.set(0.45 * side, TABLE + 0.009, 0);
    show(steel, post);
    show(brass, foot);
  }
  const beam = MeshBuilder.CreateCapsule(
    "beam",
    { radius: 0.026, height: 0.98, orientation: Vector3.Right(), tessellation: 48, capSubdivisions: 12 },
    scene,
  );
  beam.position.y = TABLE + 0.56;
  show(brass, beam);

  // The plate moves up and down: its body is led by its node.
  const plate = MeshBuilder.CreateCylinder("plate", { diameter: 0.27, height: 0.026, tessellation: 128 }, scene);
  plate.position.y = TABLE + UP;
  show(brass, plate);
  const spindle = MeshBuilder.CreateCylinder("spindle", { diameter: 0.024, height: 0.52, tessellation: 48 }, scene);
  spindle.position.y = 0.27;
  const hub = MeshBuilder.CreateCylinder("hub", { diameter: 0.06, height: 0.02, tessellation: 64 }, scene);
  hub.position.y = 0.02;
  const knob = MeshBuilder.CreateSphere("knob", { diameter: 0.055, segments: 32 }, scene);
  knob.position.y = 0.53;
  for (const part of [spindle, hub, knob]) part.parent = plate;
  show(steel, spindle, hub);
  show(paint("#23282d", { roughness: 0.25 }), knob);
  const led = new PhysicsAggregate(plate, PhysicsShapeType.CYLINDER, { mass: 0, friction: 0.5 }, scene);
  led.body.setMotionType(PhysicsMotionType.ANIMATED);
  led.body.disablePreStep = false;

  // Firm fabrics: the cushion keeps its shape by the pressure inside.
  const cotton: Fabric = { ...fabrics.cotton, bendingWarp: 2e-4, bendingWeft: 2e-4, bendingDamping: 0.05 };
  const looks: Record<string, Cover> = {
    linen: { fabric: { ...cotton, areaDensity: 0.25 }, roughness: 0.95, sheen: 0.25, coat: 0, draw: threads },
    velvet: {
      fabric: { ...cotton, areaDensity: 0.4, stretchWarp: 1200, stretchWeft: 1200 },
      roughness: 0.75,
      sheen: 1,
      coat: 0,
      draw: () => undefined,
    },
    leather: {
      fabric: { ...fabrics.denim, areaDensity: 0.7, bendingWarp: 1e-3, bendingWeft: 1e-3, bendingDamping: 0.08 },
      roughness: 0.42,
      sheen: 0,
      coat: 0.25,
      draw: grain,
    },
    stripes: { fabric: cotton, roughness: 0.9, sheen: 0.2, coat: 0, draw: stripes },
  };
  const colors: Record<string, string> = {
    terracotta: "#c4623f",
    petrol: "#1f6a78",
    mustard: "#d6a12f",
    blush: "#d99a98",
    graphite: "#3f444c",
  };
  let [material, color, firmness, swollen] = ["linen", "terracotta", 0.5, 0];
  const pressure = (): number => 250 * 8 ** firmness * smooth(swollen);
  const covers = new Map<string, PBRMaterial>();
  const coverOf = (name: string): PBRMaterial => {
    const known = covers.get(name);
    if (known) return known;
    const { roughness, sheen, coat, draw } = looks[name];
    const cover = weave("#ffffff", (context) => {
      context.fillStyle = "#ffffff";
      context.fillRect(0, 0, 1024, 1024);
      draw(context);
    });
    cover.backFaceCulling = true;
    cover.roughness = roughness;
    cover.sheen.isEnabled = sheen > 0;
    cover.sheen.intensity = sheen;
    cover.clearCoat.isEnabled = coat > 0;
    cover.clearCoat.intensity = coat;
    covers.set(name, cover);
    return cover;
  };
  const mesh = cushion(scene);
  mesh.position.y = TABLE + HIGH + 0.006;
  mesh.rotation.y = 0.5;
  const dress = (): void => {
    const cover = coverOf(material);
    cover.albedoColor = Color3.FromHexString(colors[color]).toLinearSpace();
    cover.sheen.color = Color3.Lerp(cover.albedoColor, Color3.White(), 0.3);
    mesh.material = cover;
  };
  show(coverOf(material), mesh);
  dress();
  const cloth = new ClothAggregate(
    mesh,
    { fabric: looks[material].fabric, thickness: 0.006, friction: 0.5, damping: 1 },
    scene,
  );

  let time = 0;
  plugin.onBeforeStepObservable.add((dt) => {
    time += dt;
    // Within the first second it swells.
    if (swollen < 1) {
      swollen = Math.min(1, swollen + dt);
      cloth.pressure = pressure();
    }
    const s = Math.min(1, (time % (LAP + 2)) / LAP);
    const lowered = smooth(3 * s) - smooth(3 * s - 2);
    plate.position.y = TABLE + UP + lowered * (DOWN - UP);
  });

  return {
    scene,
    controls: {
      material: {
        value: material,
        choices: Object.keys(looks),
        set(name: string) {
          material = name;
          dress();
          cloth.setFabric(looks[name].fabric);
        },
      },
      color: {
        value: color,
        choices: Object.keys(colors),
        set(name: string) {
          color = name;
          dress();
        },
      },
      firmness: {
        value: firmness,
        range: [0, 1] as const,
        set(value: number) {
          firmness = value;
          cloth.pressure = pressure();
        },
      },
      press: { press: () => void (time = 0) },
    },
  };
}

/** From 0 to 1 without a jerk. */
function smooth(t: number): number {
  const s = Math.min(1, Math.max(0, t));
  return s * s * s * (10 - 15 * s + 6 * s * s);
}

/** Two panels that are sewn together at their borders: their vertices there lie at the same places. */
function cushion(scene: Scene): Mesh {
  const cells = 24;
  const [positions, indices, uvs, normals]: number[][] = [[], [], [], []];
  const place = (k: number): number => {
    const s = (2 * k) / cells - 1;
    return 0.6 * s + 0.4 * Math.sin((Math.PI / 2) * s);
  };
  for (const side of [1, -1]) {
    const first = positions.length / 3;
    for (let j = 0; j <= cells; j++)
      for (let i = 0; i <= cells; i++) {
        const [u, v] = [place(i), place(j)];
        // Borders curve inward, so that corners stand out.
        const x = HALF * u * (1 - 0.1 * (1 - v * v));
        const z = HALF * v * (1 - 0.1 * (1 - u * u));
        const thick = Math.sqrt(Math.max(0, (1 - u ** 4) * (1 - v ** 4))) ** 0.9;
        positions.push(x, side * HIGH * thick, z);
        uvs.push((u + 1) / 2, (v + 1) / 2);
        if (i === cells || j === cells) continue;
        const a = first + j * (cells + 1) + i;
        const [b, c, d] = [a + 1, a + cells + 1, a + cells + 2];
        // diagonals toward the corners
        const quads = i < cells / 2 === j < cells / 2 ? [a, d, b, a, c, d] : [a, c, b, b, c, d];
        for (let k = 0; k < 6; k += 3)
          indices.push(quads[k], ...(side > 0 ? [quads[k + 2], quads[k + 1]] : [quads[k + 1], quads[k + 2]]));
      }
  }
  VertexData.ComputeNormals(positions, indices, normals);
  const mesh = new Mesh("cushion", scene);
  Object.assign(new VertexData(), { positions, indices, uvs, normals }).applyToMesh(mesh);
  return mesh;
}

function threads(context: CanvasRenderingContext2D): void {
  for (let k = 0; k < 1024; k += 8) {
    context.fillStyle = `rgba(60,40,30,${0.06 + 0.06 * Math.abs(Math.sin(k * 12.9898))})`;
    context.fillRect(k, 0, 4, 1024);
    context.fillRect(0, k, 1024, 4);
  }
}

function grain(context: CanvasRenderingContext2D): void {
  for (let k = 0; k < 9000; k++) {
    const [x, y] = [(k * 7919) % 1024, (k * 104729) % 1021];
    context.fillStyle = k % 2 ? "rgba(0,0,0,0.05)" : "rgba(255,255,255,0.05)";
    context.fillRect(x, y, 5 + (k % 4), 4 + (k % 3));
  }
}

function stripes(context: CanvasRenderingContext2D): void {
  context.fillStyle = "#fff";
  context.fillRect(0, 0, 1024, 1024);
  context.fillStyle = "rgba(245,238,224,0.9)";
  for (let k = 0; k < 9; k++) context.fillRect(120 * k + 20, 0, 50, 1024);
}
