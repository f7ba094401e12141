// Enters XR with an emulated headset, and lifts a corner of a towel with a controller or a tracked hand.

import { Engine, Vector3, WebXRCamera, type Scene } from "@babylonjs/core";
import { metaQuest3, XRDevice } from "iwer";
import type { PliantPlugin } from "../../plugin/index";
import { createScene } from "../../samples/showcases/towels";

export interface Lift {
  readonly mode: "controller" | "hand";
  /** largest distance of the corner from the hand on its way up, m */
  readonly apart: number;
  /** heights that the corner and the opposite one have gained when the hand opens, m */
  readonly raised: number;
  readonly opposite: number;
  /** height that is left after the fall, m */
  readonly fallen: number;
}

/** height that a hand lifts the corner by, m; and stations on the way */
const LIFT = 0.14;
const STATIONS = 2;

/** Lifts a corner of the first towel with the right controller, and then another with the right hand. */
export async function tryInXR(): Promise<Lift[]> {
  const device = new XRDevice(metaQuest3);
  device.stereoEnabled = false;
  device.installRuntime({ forceInstall: true });
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [96, 64];
  document.body.replaceChildren(canvas);
  const engine = new Engine(canvas, false);
  const { scene } = await createScene(engine, { backend: "cpu", load: "all", maxStepsPerFrame: 1 });
  engine.runRenderLoop(() => scene.render());
  document.querySelector<HTMLElement>(".xr-button-overlay button")!.click();
  await until(scene, () => scene.activeCamera instanceof WebXRCamera);
  const lifts: Lift[] = [];
  for (const mode of ["controller", "hand"] as const) lifts.push(await lift(scene, device, mode));
  await device.activeSession!.end();
  engine.dispose();
  return lifts;
}

async function lift(scene: Scene, device: XRDevice, mode: "controller" | "hand"): Promise<Lift> {
  device.primaryInputMode = mode;
  const plugin = scene.getPhysicsEngine()!.getPhysicsPlugin() as unknown as PliantPlugin;
  const [towel] = plugin.clothAggregates;
  // The controller takes the last vertex and the hand the first one, which lies still meanwhile.
  const last = towel.mesh.getTotalVertices() - 1;
  const [corner, other] = mode === "hand" ? [0, last] : [last, 0];
  const isHeld = (): boolean => towel.body.isPinned(towel.particles[corner]);
  const place = async (vertex: number): Promise<Vector3> => Vector3.FromArray(await towel.readPositions(), 3 * vertex);
  const input = mode === "hand" ? device.hands.right! : device.controllers.right!;
  const grip = (value: number): void => {
    if ("updatePinchValue" in input) input.updatePinchValue(value);
    else input.updateButtonValue("trigger", value);
  };
  // The hand that the scene draws for the input; its guide has no side.
  const hand = (): Vector3 | undefined =>
    scene.transformNodes.find(({ name }) => name.includes("right"))?.getAbsolutePosition();
  const moveTo = async (goal: Vector3): Promise<void> => {
    await until(scene, () => {
      const at = hand();
      if (!at) return false;
      const way = goal.subtract(at);
      // XR looks along −z.
      input.position.set(input.position.x + way.x, input.position.y + way.y, input.position.z - way.z);
      return way.length() < 1e-3;
    });
  };

  const [start, otherStart] = [await place(corner), await place(other)];
  await moveTo(start);
  grip(1);
  await until(scene, isHeld);
  let apart = 0;
  for (let station = 1; station <= STATIONS; station++) {
    await moveTo(start.add(new Vector3(0, (LIFT * station) / STATIONS, 0)));
    apart = Math.max(apart, Vector3.Distance(await place(corner), hand()!));
  }
  const raised = (await place(corner)).y - start.y;
  const opposite = (await place(other)).y - otherStart.y;
  grip(0);
  await until(scene, () => !isHeld());
  let fallen = raised;
  while (fallen > LIFT / 2) {
    await until(scene, () => true);
    fallen = (await place(corner)).y - start.y;
  }
  return { mode, apart, raised, opposite, fallen };
}

/** Waits for a condition, which it checks after each picture. */
function until(scene: Scene, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const observer = scene.onAfterRenderObservable.add(() => {
      if (!holds()) return;
      observer.remove();
      resolve();
    });
  });
}
