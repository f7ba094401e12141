import { surfaceIntersections } from "../../src/collision/surface/intersections";
import { joinSurfaces } from "../../src/collision/surface/surface-mesh";
import { conjugate, turn } from "../../src/math/quaternions";
import { addCloth, clothInWorld, clothParameters, clothStepping, fabricOf } from "../cloth";
import { Figure, type BoneName } from "../figure";
import { maxPenetration } from "../metrics";
import { flagOf, numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";
import { vestMesh } from "../vest-pattern";

const THICKNESS = 0.004;
/** Frames from one look at the garment to the next. */
const LOOK = 5;
/** What the garment is worn on. */
const TORSO: readonly BoneName[] = ["pelvis", "spine", "chest"];

/** A sleeveless vest on a figure that dances. */
export const vest: SceneDefinition = {
  name: "vest",
  title: "Vest",
  description:
    "A vest of a front and a back panel, sewn at the sides and the shoulders, is worn by a figure of capsules that dances. The " +
    "shoulder seams go with the chest bone; all the rest is held up by contact and friction.",
  frames: 240,
  groundHeight: 0.04,
  view: { target: [0, 1.14, 0], alpha: 1.15, beta: 1.4, radius: 2.3 },
  parameters: [
    ...clothStepping({ resolution: 20, substeps: 72, iterations: 1 }),
    ...clothParameters({ resolution: 20, highest: 96, fabric: "denim" }).map((parameter) =>
      // a worn vest is not flat at rest
      parameter.name === "bending" ? { ...parameter, default: "dihedral", choices: ["dihedral"] } : parameter,
    ),
    { name: "tempo", default: 0.8, unit: "1/s", range: [0, 3], description: "swings of arms and legs a second" },
    { name: "vigour", default: 1, unit: "", range: [0, 1.5], description: "how far the figure turns and swings" },
    { name: "selfCollision", default: false, unit: "", description: "the vest touches itself" },
  ],
  metrics: [
    {
      name: "maxPenetration",
      unit: "m",
      bound: 1e-3,
      description: "deepest point of the vest inside the body during the run",
    },
    { name: "maxStretchPercent", unit: "%", bound: 10, description: "largest elongation of an edge during the run" },
    {
      name: "maxDistance",
      unit: "m",
      bound: 0.08,
      description: "farthest that a point of the vest was from the torso during the run",
    },
    { name: "selfIntersections", unit: "", bound: 0, description: "edges through triangles of the vest at the end" },
    { name: "slip", unit: "m", description: "way of the hem along the pelvis from the start to the end, at most" },
  ],
  build(world, values, makeCloth = clothInWorld(world)) {
    world.gravity = [0, -9.81, 0];
    const figure = new Figure(world, numberOf(values, "tempo"), numberOf(values, "vigour"), fabricOf(values).friction);
    const { mesh, size, shoulders } = vestMesh(2 * Math.round(numberOf(values, "resolution") / 2));
    const cloth = addCloth(makeCloth, values, {
      name: "vest",
      mesh,
      size,
      pins: shoulders,
      options: { thickness: THICKNESS, damping: 0.5, selfCollision: flagOf(values, "selfCollision") },
    });
    const { body } = cloth;
    const surface = joinSurfaces([{ restPositions: cloth.restPositions, faces: cloth.faces, selfCollision: true }]);
    /** in the frame of the bone that carries them */
    const places = (bone: BoneName, of: ArrayLike<number>, vertices: readonly number[]): number[][] => {
      const { position, rotation } = figure.obstacles[bone];
      return vertices.map((v) =>
        turn(
          conjugate(rotation),
          [0, 1, 2].map((c) => of[3 * v + c] - position[c]),
        ),
      );
    };
    const carried = places("chest", mesh.positions, shoulders);
    const lowest = Math.min(...mesh.positions.filter((_, i) => i % 3 === 1));
    const hem = Array.from({ length: mesh.positions.length / 3 }, (_, v) => v).filter(
      (v) => mesh.positions[3 * v + 1] < lowest + 1e-6,
    );
    const hemAtStart = places("pelvis", mesh.positions, hem);
    let [penetration, stretch, distance] = [0, 0, 0];
    const look = (positions: ArrayLike<number>): void => {
      const obstacles = Object.values(figure.obstacles).map((obstacle) => obstacle.distance());
      penetration = Math.max(penetration, maxPenetration(positions, cloth.faces, obstacles));
      stretch = Math.max(stretch, cloth.stretchPercent(positions));
      const torso = TORSO.map((name) => figure.obstacles[name].distance());
      for (let i = 0; i < positions.length; i += 3) {
        const [x, y, z] = [positions[i], positions[i + 1], positions[i + 2]];
        distance = Math.max(distance, Math.min(...torso.map((part) => part(x, y, z))));
      }
    };
    return {
      props: Object.values(figure.obstacles),
      beforeStep(time, dt) {
        figure.moveTo(time + dt);
        const { position, rotation } = figure.obstacles.chest;
        shoulders.forEach((vertex, k) => {
          const [x, y, z] = turn(rotation, carried[k]);
          body.setPinTarget(vertex, position[0] + x, position[1] + y, position[2] + z);
        });
      },
      async afterStep(frame) {
        if (frame % LOOK === 0) look((await body.readState()).positions);
      },
      async measure() {
        const { positions } = await body.readState();
        look(positions);
        const now = places("pelvis", positions, hem);
        return {
          maxPenetration: penetration,
          maxStretchPercent: stretch,
          maxDistance: distance,
          selfIntersections: surfaceIntersections(surface, positions).length,
          slip: Math.max(...now.map((place, k) => Math.hypot(...place.map((value, c) => value - hemAtStart[k][c])))),
        };
      },
    };
  },
};
