// The page of a player. It draws, and the server simulates.

import {
  ArcRotateCamera,
  Engine,
  HemisphericLight,
  MeshBuilder,
  Scene,
  Vector3,
} from "@babylonjs/core";
import { Client } from "@colyseus/sdk";

const engine = new Engine(document.querySelector("canvas"), true);
const scene = new Scene(engine);
const camera = new ArcRotateCamera(
  "camera",
  -1.5,
  1.2,
  12,
  Vector3.Zero(),
  scene,
);
camera.attachControl(true);
new HemisphericLight("light", Vector3.Up(), scene);
MeshBuilder.CreateGround("ground", { width: 10, height: 10 }, scene);
const ball = MeshBuilder.CreateSphere("ball", { diameter: 1 }, scene);

const room = await new Client("http://localhost:2567").joinOrCreate("ball");
room.onMessage("ball", (position) => ball.position.fromArray(position));
scene.onPointerPick = () => room.send("push", 1);
engine.runRenderLoop(() => scene.render());
