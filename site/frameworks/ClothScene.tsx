import {
  ArcRotateCamera,
  Engine,
  HemisphericLight,
  MeshBuilder,
  PBRMaterial,
  Scene,
  Vector3,
  WebGPUEngine,
} from "@babylonjs/core";
import { ClothAggregate, PliantPlugin, type FabricName } from "babylon-pliant";
import { useEffect, useRef, useState } from "react";

/** A sheet on two pins; its fabric changes while it moves. */
export function ClothScene({ fabric }: { fabric: FabricName }) {
  const host = useRef<HTMLDivElement>(null);
  const [cloth, setCloth] = useState<ClothAggregate>();

  useEffect(() => {
    // React's strict mode mounts twice: each time has a canvas of its own.
    const canvas = document.createElement("canvas");
    canvas.style.cssText = "width: 100%; height: 100%";
    host.current!.append(canvas);
    let isGone = false;
    const scene = createScene(canvas);
    void scene.then((made) => {
      if (!isGone) setCloth(made.cloth);
    });
    return () => {
      isGone = true;
      setCloth(undefined);
      canvas.remove();
      void scene.then(({ engine }) => engine.dispose());
    };
  }, []);

  useEffect(() => cloth?.setFabric(fabric), [cloth, fabric]);

  return <div ref={host} style={{ width: "100%", height: "100%" }} />;
}

async function createScene(canvas: HTMLCanvasElement) {
  const engine = await createEngine(canvas);
  const scene = new Scene(engine);
  const plugin = await PliantPlugin.CreateAsync(engine);
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  const camera = new ArcRotateCamera("camera", 1, 1.1, 3, Vector3.Zero(), scene);
  camera.attachControl(canvas);
  new HemisphericLight("light", new Vector3(0.3, 1, 0.2), scene);

  const size = { width: 1.2, height: 1.2, subdivisions: 24 };
  const sheet = MeshBuilder.CreateGround("sheet", size, scene);
  sheet.position.y = 0.5;
  const material = new PBRMaterial("material", scene);
  material.metallic = 0;
  material.backFaceCulling = false;
  sheet.material = material;
  const cloth = new ClothAggregate(sheet, { pins: [0, 24] }, scene);

  engine.runRenderLoop(() => scene.render());
  return { engine, cloth };
}

async function createEngine(canvas: HTMLCanvasElement) {
  if (!(await WebGPUEngine.IsSupportedAsync)) return new Engine(canvas, true);
  const engine = new WebGPUEngine(canvas);
  await engine.initAsync();
  return engine;
}
