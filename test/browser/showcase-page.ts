// Runs a showcase and measures its bodies.

import { Engine, Vector3, type Scene } from "@babylonjs/core";
import type { PliantPlugin } from "../../plugin/index";
import { maxPenetration, meanStretchPercent, uniqueEdges } from "../../samples/metrics";
import { showcases } from "../../samples/showcases/index";
import { signedDistance } from "../../src/collision/distance/signed-distance";
import { POSE, rotateBack } from "../../src/collision/shape/pose";
import { tryInXR, type Lift } from "./xr-trial";

export interface Trial {
  /** names of its controls */
  readonly controls: readonly string[];
  /** bodies that have turned non-finite */
  readonly frozen: number;
  /** largest distance of a vertex from the middle of the picture, radii of the camera */
  readonly away: number;
  /** depth of a body in an obstacle, m */
  readonly depth: number;
  /** largest mean elongation of the edges of a body that does not tear, % */
  readonly stretch: number;
  /** largest distance of a deformable body from the middle of the picture in each of `PAGES`: 1 at the edges */
  readonly reach: readonly number[];
  /** part of the width or the height of the picture that these bodies take up, in each of `PAGES` */
  readonly extent: readonly number[];
  /** as an address */
  readonly picture: string | undefined;
}

/** Sizes of the picture in the gallery on a phone of 390 × 844 and in a wide page of 1280 × 800. */
const PAGES = [
  [390, 442],
  [968, 800],
] as const;

declare global {
  function trial(name: string, frames: number, isDrawn: boolean): Promise<Trial>;
  function trialInXR(): Promise<Lift[]>;
}

// The package has no side effects by its manifest: an import alone would be dropped.
globalThis.trialInXR = tryInXR;

globalThis.trial = async (name, frames, isDrawn) => {
  // Each engine takes a canvas of its own.
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [240, 150];
  document.body.replaceChildren(canvas);
  const engine = new Engine(canvas, false, { preserveDrawingBuffer: true });
  const { createScene } = await showcases[name].load();
  // A page takes no step while code is on its way.
  const { scene, controls } = await createScene(engine, { backend: "cpu", load: "all" });
  const plugin = scene.getPhysicsEngine()!.getPhysicsPlugin() as unknown as PliantPlugin;
  scene.physicsEnabled = false;
  // A software GPU takes seconds for the materials.
  if (isDrawn) await scene.whenReadyAsync();
  let frozen = 0;
  plugin.world.onBodyFrozen.add(() => frozen++);
  for (let frame = 0; frame < frames; frame++) {
    scene._advancePhysicsEngineStep(1000 / 60);
    await plugin.world.settled();
  }
  if (isDrawn) for (let image = 0; image < 2; image++) scene.render();
  const picture = isDrawn ? canvas.toDataURL() : undefined;
  const { target, radius } = scene.activeCamera as unknown as {
    target: number[] & { asArray(): number[] };
    radius: number;
  };
  const middle = target.asArray();
  const obstacles = obstaclesOf(plugin);
  let [away, depth, stretch] = [0, 0, 0];
  const places: Vector3[] = [];
  for (const body of plugin.world.bodies) {
    const positions = await body.readPositions();
    const { faces, masses } = body.model;
    const isUsed = (p: number): boolean => masses[p] > 0;
    for (let p = 0; p < masses.length; p++) if (isUsed(p)) places.push(Vector3.FromArray(positions, 3 * p));
    for (let p = 0; p < masses.length; p++)
      if (isUsed(p)) away = Math.max(away, Math.hypot(...middle.map((m, c) => positions[3 * p + c] - m)) / radius);
    if (faces.length === 0 || !masses.every((mass) => mass > 0)) continue;
    depth = Math.max(depth, maxPenetration(positions, faces, obstacles));
    stretch = Math.max(stretch, meanStretchPercent(positions, body.model.positions, uniqueEdges(faces)));
  }
  const framed = PAGES.map(([width, height]) => framing(scene, places, width, height));
  engine.dispose();
  const [reach, extent] = (["reach", "extent"] as const).map((key) => framed.map((one) => one[key]));
  return { controls: Object.keys(controls), frozen, away, depth, stretch, reach, extent, picture };
};

/** See `Trial`. */
function framing(
  scene: Scene,
  places: readonly Vector3[],
  width: number,
  height: number,
): Record<"reach" | "extent", number> {
  scene.getEngine().setSize(width, height);
  // The studio widens its lens for narrow pictures before it draws one.
  scene.onBeforeRenderObservable.notifyObservers(scene);
  const camera = scene.activeCamera!;
  const toPicture = camera.getViewMatrix(true).multiply(camera.getProjectionMatrix(true));
  const drawn = places.map((place) => Vector3.TransformCoordinates(place, toPicture));
  const spread = [drawn.map(({ x }) => x), drawn.map(({ y }) => y)].map((list) => [
    Math.min(...list),
    Math.max(...list),
  ]);
  return {
    reach: Math.max(...spread.flat().map(Math.abs)),
    extent: Math.max(...spread.map(([least, most]) => (most - least) / 2)),
  };
}

function obstaclesOf({ world }: PliantPlugin): ((x: number, y: number, z: number) => number)[] {
  const { primitives, endPoses, substepEnds, proxyOf } = world.colliderSet;
  const local = new Float64Array(3);
  const gradient = new Float64Array(3);
  return primitives.map((primitive, k) => {
    // A rigid body that feels contact yields to it within the frame.
    const poses = proxyOf[k] < 0 ? endPoses : substepEnds;
    const pose = poses.subarray(POSE * k, POSE * (k + 1));
    return (x, y, z) => {
      rotateBack(pose, 0, x - pose[0], y - pose[1], z - pose[2], local, 0);
      return signedDistance(primitive, local[0], local[1], local[2], gradient);
    };
  });
}
