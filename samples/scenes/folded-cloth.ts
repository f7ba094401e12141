import { gridMesh } from "../../src/index";
import { surfaceIntersections } from "../../src/collision/surface/intersections";
import { joinSurfaces } from "../../src/collision/surface/surface-mesh";
import { addCloth, clothInWorld, clothParameters, segmentsOf } from "../cloth";
import { Folding, foldingTime, MOST_FOLDS } from "../folding";
import { rmsSpeed } from "../metrics";
import { Obstacle } from "../obstacles";
import { commonParameters, numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";

const SIDE = 1;
/** Heights of the tray on which the cloth is folded, and of the box's top [m]. */
const TRAY = 0.5;
const BOX = 0.3;
/** Frames after the last fold, some of which are lost to hands that slow down. */
const AFTER = 240;
const GRAVITY = 9.81;
/** Half the height of the press [m]. */
const PRESS = 0.02;
/** Damping [1/s] while the cloth is folded, in hands that let nothing spring, and afterwards. */
const HANDS = 300;
const DAMPING = 10;

/**
 * A cloth is folded in half a few times, without weight; then the tray is removed, and the cloth falls on a box and stays there. Folded n
 * times it has 2ⁿ layers; with the thickness set here 16 of them are a tenth as high as the stack is wide.
 */
export const foldedCloth: SceneDefinition = {
  name: "folded-cloth",
  title: "Folded cloth",
  description:
    "A cloth is folded in half and pressed, again and again, without weight. Then the tray is pulled from under it, and it drops on a box.",
  frames: Math.ceil(60 * foldingTime(MOST_FOLDS)) + AFTER,
  groundHeight: 0,
  view: { target: [0, 0.35, 0], alpha: 1.1, beta: 1.15, radius: 2 },
  parameters: [
    // Nothing hangs on a few threads here, so finer cloth needs fewer extra substeps than elsewhere.
    ...commonParameters({
      substeps: 20,
      iterations: 1,
      followSubsteps: (values) => Math.round(20 * Math.sqrt(numberOf(values, "resolution") / 16)),
    }),
    ...clothParameters({ resolution: 16, highest: 128, fabric: "cotton" }),
    {
      name: "folds",
      default: 2,
      unit: "",
      range: [0, MOST_FOLDS],
      integer: true,
      description: "how often it is folded",
    },
    { name: "thickness", default: 0.0015, unit: "m", range: [0.0005, 0.02], description: "distance that layers keep" },
  ],
  metrics: [
    {
      name: "selfIntersections",
      unit: "",
      bound: 0,
      description: "edges that pass through triangles of the same cloth at the end, counted exactly",
    },
    { name: "mostIntersections", unit: "", description: "as many at the worst moment; counted every fourth frame" },
    { name: "rmsSpeed", unit: "m/s", bound: 0.02, description: "root mean square speed at the end" },
    { name: "height", unit: "m", description: "of the highest point of the cloth above the box" },
  ],
  build(world, values, makeCloth = clothInWorld(world)) {
    // Cloth that hangs out of the hands would fall between the layers.
    world.gravity = [0, 0, 0];
    const [columns, rows] = segmentsOf(values, SIDE, SIDE);
    const [folds, thickness] = [numberOf(values, "folds"), numberOf(values, "thickness")];
    // Each fold leaves one half of the cloth: first that with the lowest x, then that with the lowest z, and so on. The box is under its
    // middle, or, after one fold or none, under a quarter of the cloth.
    const middle = [Math.ceil(folds / 2), Math.floor(folds / 2)].map(
      (halvings) => (SIDE / 2) * (0.5 ** Math.max(1, halvings) - 1),
    );
    const mesh = gridMesh({ width: SIDE, height: SIDE, columns, rows, center: [0, TRAY + thickness, 0] });
    const cloth = addCloth(makeCloth, values, {
      name: "cloth",
      mesh,
      size: [SIDE, SIDE],
      options: { selfCollision: true, thickness, damping: HANDS, friction: 0.3 },
    });
    const tray = new Obstacle(
      world,
      { type: "box", halfExtents: [0.6, 0.05, 0.6] },
      { name: "tray", position: [0, TRAY - 0.05, 0], friction: 0.2 },
      "ghost",
    );
    const box = new Obstacle(
      world,
      { type: "box", halfExtents: [0.12, BOX / 2, 0.12] },
      { name: "box", position: [middle[0], BOX / 2, middle[1]], friction: 0.5 },
      "wood",
    );
    world.addCollider(
      { type: "box", halfExtents: [3, 0.5, 3] },
      { name: "ground", position: [0, -0.5, 0], friction: 0.5 },
    );
    const surface = joinSurfaces([{ restPositions: cloth.restPositions, faces: cloth.faces, selfCollision: true }]);
    const press = new Obstacle(
      world,
      { type: "box", halfExtents: [0.6, PRESS, 0.6] },
      { name: "press", position: [0, TRAY + 0.2, 0], friction: 0.2 },
      "ghost",
    );
    press.collider.enabled = false;
    const folding = new Folding(cloth.body, folds, TRAY, thickness, (1.5 * SIDE) / columns, press, PRESS);
    let worst = 0;
    return {
      props: [tray, box],
      beforeStep(_time, dt) {
        folding.advance(dt);
        if (!folding.isDone || !tray.collider.enabled) return;
        tray.collider.enabled = false;
        tray.moveTo([0, -1, 0]);
        world.gravity = [0, -GRAVITY, 0];
        cloth.body.setOptions({ damping: DAMPING });
      },
      steer: () => folding.prepare(),
      async afterStep(frame) {
        if (frame % 4 !== 0) return;
        const { positions } = await cloth.body.readState();
        worst = Math.max(worst, surfaceIntersections(surface, positions).length);
      },
      async measure() {
        const { positions, velocities } = await cloth.body.readState();
        let top = -Infinity;
        for (let i = 1; i < positions.length; i += 3) top = Math.max(top, positions[i]);
        return {
          selfIntersections: surfaceIntersections(surface, positions).length,
          mostIntersections: worst,
          rmsSpeed: rmsSpeed(velocities, cloth.masses),
          height: top - BOX,
        };
      },
    };
  },
};
