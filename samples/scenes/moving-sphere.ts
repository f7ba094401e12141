import { gridMesh } from "../../src/index";
import { addCloth, type Cloth, clothInWorld, clothParameters, clothStepping, segmentsOf } from "../cloth";
import { forEachSample, maxPenetration } from "../metrics";
import { Obstacle } from "../obstacles";
import { numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";
import { gantry } from "../stands";

const SIDE = 1.2;
const TOP = 1.5;
const RADIUS = 0.2;
/** Height of the sphere's path: the middle of the cloth. */
const HEIGHT = TOP - 0.65;
const START = -0.6;
const STOP = 0.55;

/** A fast sphere hits a hanging cloth, and pushes it without passing through it. */
export const movingSphere: SceneDefinition = {
  name: "moving-sphere",
  title: "Moving sphere",
  description: "A sphere of 0.2 m hits a hanging cloth at 20 m/s, a third of a meter a frame, and stops behind it.",
  frames: 90,
  groundHeight: 0,
  view: { target: [0, 0.85, 0.1], alpha: -0.45, beta: 1.3, radius: 2.9 },
  parameters: [
    ...clothStepping({ resolution: 32, substeps: 26, iterations: 1 }),
    ...clothParameters({ resolution: 32, highest: 256, fabric: "cotton" }),
    { name: "speed", default: 20, unit: "m/s", range: [0.5, 40], description: "speed of the sphere" },
  ],
  metrics: [
    {
      name: "passedThrough",
      unit: "",
      bound: 0,
      description: "most particles, edges and faces on the sphere's way that were behind its center while it moved",
    },
    {
      name: "maxPenetration",
      unit: "m",
      bound: 0.01,
      description: "deepest point of the cloth inside it, at any frame",
    },
  ],
  build(world, values, makeCloth = clothInWorld(world)) {
    world.gravity = [0, -9.81, 0];
    const speed = numberOf(values, "speed");
    const sphere = new Obstacle(
      world,
      { type: "sphere", radius: RADIUS },
      { name: "sphere", position: [0, HEIGHT, START], friction: 0.3 },
      "porcelain",
    );
    const [columns, rows] = segmentsOf(values, SIDE, SIDE);
    const mesh = gridMesh({
      width: SIDE,
      height: SIDE,
      columns,
      rows,
      plane: "xy",
      center: [0, TOP - SIDE / 2, 0],
    });
    const topEdge = verticesAtY(mesh.positions, TOP);
    const cloth = addCloth(makeCloth, values, {
      name: "cloth",
      mesh,
      size: [SIDE, SIDE],
      pins: topEdge,
      options: { damping: 0.5 },
    });
    const startTime = world.time;
    const stopTime = (STOP - START) / speed;
    const onPath = samplesOnPath(cloth);
    let passedThrough = 0;
    let deepest = 0;
    let position = START;
    return {
      props: [sphere, ...gantry(0, 0.012, [-0.75, TOP + 0.01, 0], [0.75, TOP + 0.01, 0])],
      beforeStep(time, dt) {
        position = Math.min(STOP, START + speed * (time + dt - startTime));
        sphere.moveTo([0, HEIGHT, position]);
      },
      async afterStep() {
        // Later the cloth may slide off the resting sphere, which does not count as passing through.
        const { positions } = await cloth.body.readState();
        deepest = Math.max(deepest, maxPenetration(positions, cloth.faces, [sphere.distance()]));
        if (world.time - startTime > stopTime + 0.02) return;
        passedThrough = Math.max(passedThrough, countPassed(positions, cloth.faces, onPath, position));
      },
      measure() {
        return Promise.resolve({ passedThrough, maxPenetration: deepest });
      },
    };
  },
};

/** For each sample of the cloth (see `forEachSample`), whether the sphere flies straight at it. */
function samplesOnPath(cloth: Cloth): boolean[] {
  const onPath: boolean[] = [];
  forEachSample(cloth.restPositions, cloth.faces, (x, y) => onPath.push(Math.hypot(x, y - HEIGHT) < 0.7 * RADIUS));
  return onPath;
}

/** Number of samples in the sphere's path that are now behind its center: it has passed through them. */
function countPassed(
  positions: ArrayLike<number>,
  faces: ArrayLike<number>,
  onPath: boolean[],
  centre: number,
): number {
  if (centre <= 0) return 0; // the sphere is still in front of the cloth
  let [count, sample] = [0, 0];
  forEachSample(positions, faces, (_x, _y, z) => {
    if (onPath[sample++] && z < centre) count++;
  });
  return count;
}

function verticesAtY(positions: ArrayLike<number>, y: number): number[] {
  const found: number[] = [];
  for (let i = 0; 3 * i < positions.length; i++) if (Math.abs(positions[3 * i + 1] - y) < 1e-6) found.push(i);
  return found;
}
