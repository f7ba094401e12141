// A wooden car tears the tape of the finish.

import type { Mesh, PBRMaterial } from "@babylonjs/core";
import {
  MeshBuilder,
  PhysicsAggregate,
  PhysicsMotionType,
  PhysicsShapeType,
  TransformNode,
  Vector3,
  type AbstractEngine,
} from "@babylonjs/core";
import { ClothAggregate, fabrics, PliantPlugin, type PliantPluginOptions } from "babylon-pliant";
import { createStudio } from "../../site/examples/studio";

/** s between two cars */
const LAP = 6;
/** s until a car is at the tape */
const ARRIVAL = 1.2;

export async function createScene(engine?: AbstractEngine, physics: PliantPluginOptions = {}) {
  const studio = await createStudio({
    engine,
    floor: "#d9c3a0",
    wall: "#bcdcec",
    glow: "rgba(255,255,255,0.85)",
    target: new Vector3(0.05, 0.46, 0),
    radius: 2.4,
    alpha: -0.62,
    beta: 1.3,
    aspect: 1.05,
  });
  const { scene, paint, weave, show } = studio;
  // A GPU reports tears some frames late, and a fast car draws the tape out
  // meanwhile. On the CPU this small tape tears at once.
  const options: PliantPluginOptions = { ...physics, backend: "cpu" };
  const plugin = await PliantPlugin.CreateAsync(studio.engine, options);
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  const ground = MeshBuilder.CreateGround("ground", { width: 12, height: 12 }, scene);
  ground.isVisible = false;
  new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0, friction: 0.6 }, scene);

  // The arch of the finish.
  const beech = paint("#e2bd8c", { roughness: 0.55 });
  const posts = [-1, 1].map((side) => {
    const post = MeshBuilder.CreateCylinder("post", { height: 0.74, diameter: 0.05, tessellation: 48 }, scene);
    post.position.set(0, 0.37, 0.62 * side);
    const foot = MeshBuilder.CreateCylinder("foot", { height: 0.03, diameter: 0.2, tessellation: 64 }, scene);
    foot.position.set(0, 0.015, 0.62 * side);
    return [post, foot];
  });
  show(beech, ...posts.flat());
  const board = MeshBuilder.CreateBox("board", { width: 0.03, height: 0.2, depth: 1.34 }, scene);
  board.position.y = 0.8;
  show(beech, board);
  const sign = MeshBuilder.CreatePlane("sign", { width: 1.3, height: 0.17 }, scene);
  sign.position.set(0.017, 0.8, 0);
  sign.rotation.y = -Math.PI / 2;
  const letters = weave("#ffffff", (context) => {
    context.fillStyle = "#fdf8ee";
    context.fillRect(0, 0, 1024, 1024);
    context.fillStyle = "#22262e";
    for (let k = 0; k < 10; k++)
      for (let row = 0; row < 8; row++)
        if ((k + row) % 2 === 0)
          for (const from of [0, 834]) if (k < 5) context.fillRect(from + 38 * k, 128 * row, 38, 128);
    context.save();
    context.scale(1, 6.5);
    context.font = "900 118px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText("FINISH", 512, 82);
    context.restore();
  });
  letters.sheen.isEnabled = false;
  show(letters, sign);

  // The car: a body of wood, a cabin, four wheels.
  const car = new TransformNode("car", scene);
  const turned = (mesh: Mesh, material: PBRMaterial): Mesh => {
    mesh.parent = car;
    show(material, mesh);
    return mesh;
  };
  const red = paint("#cf3a2b", { roughness: 0.25 });
  red.clearCoat.isEnabled = true;
  const cream = paint("#f6ead2", { roughness: 0.35 });
  const body = turned(
    MeshBuilder.CreateCapsule(
      "body",
      {
        height: 0.56,
        radius: 0.11,
        orientation: Vector3.Right(),
        tessellation: 48,
        capSubdivisions: 16,
      },
      scene,
    ),
    red,
  );
  body.position.y = 0.17;
  const cabin = turned(MeshBuilder.CreateSphere("cabin", { diameter: 0.17, segments: 32 }, scene), cream);
  cabin.position.set(-0.05, 0.265, 0);
  const driver = turned(MeshBuilder.CreateSphere("driver", { diameter: 0.1, segments: 32 }, scene), beech);
  driver.position.set(-0.05, 0.37, 0);
  const tyre = paint("#2b2d33", { roughness: 0.7 });
  const wheels = [-1, 1].flatMap((side) =>
    [-0.17, 0.17].map((x) => {
      const wheel = turned(
        MeshBuilder.CreateTorus("wheel", { diameter: 0.13, thickness: 0.055, tessellation: 48 }, scene),
        tyre,
      );
      const hub = MeshBuilder.CreateCylinder("hub", { height: 0.03, diameter: 0.09, tessellation: 5 }, scene);
      hub.parent = wheel;
      show(cream, hub);
      wheel.rotation.x = Math.PI / 2;
      wheel.position.set(x, 0.09, 0.125 * side);
      return wheel;
    }),
  );
  // Its collider is led by the mesh, which the loop below moves.
  const shell = MeshBuilder.CreateBox("shell", { width: 0.54, height: 0.26, depth: 0.18 }, scene);
  shell.isVisible = false;
  shell.position.set(-4, 3, 0);
  const led = new PhysicsAggregate(shell, PhysicsShapeType.BOX, { mass: 0, friction: 0.6 }, scene);
  led.body.setMotionType(PhysicsMotionType.ANIMATED);
  led.body.disablePreStep = false;

  // The tape bears 1.14 times its length.
  const paper = weave("#ffffff", (context) => {
    context.fillStyle = "#fdf8ee";
    context.fillRect(0, 0, 1024, 1024);
    context.fillStyle = "#d23b2c";
    for (let k = 0; k < 16; k += 2) {
      context.beginPath();
      context.moveTo(64 * k, 0);
      context.lineTo(64 * k + 64, 0);
      context.lineTo(64 * k + 110, 1024);
      context.lineTo(64 * k + 46, 1024);
      context.fill();
    }
  });
  let tape: ClothAggregate | undefined;
  const stretchTape = (): void => {
    tape?.mesh.dispose();
    const mesh = MeshBuilder.CreateGround(
      "tape",
      { width: 1.22, height: 0.13, subdivisionsX: 28, subdivisionsY: 3 },
      scene,
    );
    mesh.rotation.set(-Math.PI / 2, Math.PI / 2, 0);
    mesh.position.y = 0.2;
    mesh.bakeCurrentTransformIntoVertices();
    show(paper, mesh);
    tape = new ClothAggregate(
      mesh,
      {
        fabric: { ...fabrics.cotton, areaDensity: 0.08, bendingWarp: 3e-5 },
        tearing: { strain: 0.14 },
        substeps: 16,
      },
      scene,
    );
    void tape.pinEdge("left");
    void tape.pinEdge("right");
  };
  stretchTape();

  let [speed, time, isRun] = [2.4, 0, false];
  const again = (): void => {
    time = 0;
    stretchTape();
  };
  plugin.onBeforeStepObservable.add((dt) => {
    time += dt;
    if (time > LAP) isRun = true;
    const x = speed * (time - ARRIVAL) - 0.3;
    car.position.x = Math.min(x, 4);
    shell.position.x = car.position.x;
    // It goes back above the tape.
    shell.position.y = time < 0.1 || time > LAP - 0.2 ? 3 : 0.19;
    car.position.y = 0.004 * Math.sin(40 * time);
    for (const wheel of wheels) wheel.rotation.y = x / 0.09;
    tape!.setWind(new Vector3(0.5 * Math.sin(2 * time), 0, 0.1));
  });
  plugin.onAfterStepObservable.add(() => {
    if (!isRun) return;
    isRun = false;
    again();
  });

  return {
    scene,
    controls: {
      speed: {
        value: speed,
        range: [0.8, 5] as const,
        unit: "m/s",
        set: (value: number) => void (speed = value),
      },
      again: { press: again },
    },
  };
}
