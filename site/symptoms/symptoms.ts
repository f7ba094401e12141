// Pictures of the guide "Troubleshooting": the symptom at the left, its mend at the right. scripts/symptom-pictures.ts draws them.

import { Engine, type Mesh, MeshBuilder, PhysicsAggregate, PhysicsShapeType, Vector3 } from "@babylonjs/core";
import { ClothAggregate, PliantPlugin, SoftBodyAggregate, type ClothOptions } from "babylon-pliant";
import { createStudio, type Studio } from "../examples/studio";

const APART = 0.75;

/** One half of a picture: what stands at `x`, as it should not be and as it should. */
type Half = (studio: Studio, x: number, isMended: boolean) => unknown;
interface Symptom {
  readonly frames: number;
  readonly half: Half;
}

const RED = "#c8443a";
const CREAM = "#f4efe6";

function ballAt({ scene, paint, show }: Studio, x: number, isSolid = true): Mesh {
  const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.6, segments: 32 }, scene);
  ball.position.set(x, 0.3, 0);
  show(paint(CREAM, { roughness: 0.3 }), ball);
  if (isSolid) new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 0, friction: 0.5 }, scene);
  return ball;
}

/** A level sheet above the middle of its half. */
function sheetAt({ scene, weave, show }: Studio, x: number, y: number, subdivisions: number, color = RED): Mesh {
  const sheet = MeshBuilder.CreateGround("sheet", { width: 0.9, height: 0.9, subdivisions }, scene);
  sheet.position.set(x, y, 0);
  show(weave(color), sheet);
  return sheet;
}

const cloth = (mesh: Mesh, options: ClothOptions = {}): ClothAggregate =>
  new ClothAggregate(mesh, { fabric: "cotton", bodyCollision: false, ...options }, mesh.getScene());

function hang(studio: Studio, x: number, options: ClothOptions): ClothAggregate {
  const sheet = sheetAt(studio, x, 0.95, 20);
  sheet.rotation.x = -Math.PI / 2;
  sheet.position.y = 0.62;
  const pins = Array.from({ length: 21 }, (_, k) => k);
  return cloth(sheet, { pins, ...options });
}

const symptoms: Readonly<Record<string, Symptom>> = {
  still: {
    frames: 50,
    half(studio, x, isMended) {
      ballAt(studio, x);
      const sheet = sheetAt(studio, x, 0.75, 24);
      if (isMended) cloth(sheet);
    },
  },
  stretched: {
    frames: 60,
    half: (studio, x, isMended) => hang(studio, x, isMended ? {} : { substeps: 1, iterations: 1, tethers: false }),
  },
  stiff: {
    frames: 60,
    half(studio, x, isMended) {
      ballAt(studio, x);
      cloth(sheetAt(studio, x, 0.62, isMended ? 28 : 4));
    },
  },
  through: {
    frames: 22,
    half(studio, x, isMended) {
      ballAt(studio, x, isMended);
      cloth(sheetAt(studio, x, 0.75, 24));
    },
  },
  itself: {
    frames: 70,
    half(studio, x, isMended) {
      // It stands upright, and falls into folds.
      const sheet = sheetAt(studio, x, 0.47, 24);
      sheet.rotation.x = -Math.PI / 2 + 0.04;
      cloth(sheet, { selfCollision: isMended });
    },
  },
  other: {
    frames: 50,
    half(studio, x, isMended) {
      ballAt(studio, x);
      cloth(sheetAt(studio, x, 0.64, 20), { bodyCollision: isMended });
      cloth(sheetAt(studio, x, 0.78, 20, "#2f6f8f"), { bodyCollision: isMended });
    },
  },
  behind: {
    frames: 40,
    half(studio, x, isMended) {
      const sheet = sheetAt(studio, x, 0.62, 20);
      // seen from behind
      sheet.rotation.x = Math.PI / 2;
      sheet.material!.backFaceCulling = !isMended;
      cloth(sheet, { pins: [420, 430, 440] });
    },
  },
  inverted: {
    frames: 40,
    half({ scene, paint, show }, x, isMended) {
      const box = MeshBuilder.CreateBox("jelly", { size: 0.5 }, scene);
      box.position.set(x, 0.5, 0);
      show(paint("#3f8f4f", { roughness: 0.25 }), box);
      const soft = { poissonRatio: 0.4, density: 1000, resolution: 5, youngsModulus: isMended ? 6e4 : 1500 };
      new SoftBodyAggregate(box, soft, scene);
    },
  },
};

/** Draws a symptom to the page's canvas, and returns it as an address. */
globalThis.symptomPicture = async (name) => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [560, 260];
  document.body.replaceChildren(canvas);
  const engine = new Engine(canvas, true, { preserveDrawingBuffer: true });
  const target = new Vector3(0, 0.42, 0);
  const studio = await createStudio({ engine, target, radius: 2.7, alpha: -Math.PI / 2, beta: 1.3, aspect: 2.1 });
  const { scene } = studio;
  const plugin = await PliantPlugin.CreateAsync(engine, { backend: "cpu", load: "all" });
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  const floor = MeshBuilder.CreateGround("ground", { width: 6, height: 6 }, scene);
  floor.isVisible = false;
  new PhysicsAggregate(floor, PhysicsShapeType.BOX, { mass: 0, friction: 0.6 }, scene);
  const { frames, half } = symptoms[name];
  half(studio, -APART, false);
  half(studio, APART, true);
  scene.physicsEnabled = false;
  for (let frame = 0; frame < frames; frame++) {
    scene._advancePhysicsEngineStep(1000 / 60);
    await plugin.world.settled();
  }
  await scene.whenReadyAsync();
  for (let image = 0; image < 2; image++) scene.render();
  const picture = canvas.toDataURL("image/webp", 0.8);
  engine.dispose();
  return picture;
};

declare global {
  function symptomPicture(name: string): Promise<string>;
}

document.documentElement.dataset.symptoms = Object.keys(symptoms).join();
