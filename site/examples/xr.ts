import {
  Engine,
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Vector3,
  WebXRDefaultExperience,
  WebXRSessionManager,
} from "@babylonjs/core";
import {
  ClothAggregate,
  ClothDragBehavior,
  PliantPlugin,
} from "babylon-pliant";
import { createStudio } from "./studio";

// XR draws with WebGL: where there is a headset, the page does so, too.
const canvas = document.querySelector("canvas");
const hasXR = await WebXRSessionManager.IsSessionSupportedAsync("immersive-vr");
const { engine, scene, camera, paint, weave, show } = await createStudio({
  engine: hasXR ? new Engine(canvas, true, { xrCompatible: true }) : undefined,
  floor: "#a9a391",
  wall: "#e9e6da",
  target: new Vector3(0, 0.9, 0),
  radius: 2.6,
  beta: 1.2,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
camera.addBehavior(new ClothDragBehavior()); // without a headset

const stand = MeshBuilder.CreateCylinder(
  "stand",
  { height: 0.9, diameter: 0.5, tessellation: 64 },
  scene,
);
stand.position.y = 0.45;
show(paint("#b98a5c"), stand);
const fixed = { mass: 0, friction: 0.6 };
new PhysicsAggregate(stand, PhysicsShapeType.CYLINDER, fixed, scene);

const size = { width: 0.8, height: 0.8, subdivisions: 24 };
const sheet = MeshBuilder.CreateGround("sheet", size, scene);
sheet.position.y = 0.98;
show(weave("#3f6f8f"), sheet);
const cloth = new ClothAggregate(sheet, { fabric: "cotton" }, scene);

if (hasXR) {
  const xr = await WebXRDefaultExperience.CreateAsync(scene, {
    disableTeleportation: true,
    disablePointerSelection: true,
    disableNearInteraction: true,
    inputOptions: { doNotLoadControllerMeshes: true },
  });
  xr.input.onControllerAddedObservable.add(({ inputSource, grip, pointer }) => {
    const hand = grip ?? pointer;
    const palm = MeshBuilder.CreateSphere("palm", { diameter: 0.06 }, scene);
    palm.parent = hand;
    show(paint("#f4f6f5"), palm);
    // A closed hand takes the vertices within 6 cm along.
    const { session } = xr.baseExperience.sessionManager;
    session.addEventListener("selectstart", async (event) => {
      if (event.inputSource !== inputSource) return;
      const places = await cloth.readPositions();
      const at = hand.getAbsolutePosition();
      const near = [...Array(places.length / 3).keys()].filter(
        (v) => Vector3.Distance(Vector3.FromArray(places, 3 * v), at) < 0.06,
      );
      if (near.length > 0) await cloth.attach(near, hand);
    });
    session.addEventListener("selectend", (event) => {
      if (event.inputSource === inputSource) cloth.detach(hand);
    });
  });
}

engine.runRenderLoop(() => scene.render());
