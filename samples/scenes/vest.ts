import { surfaceIntersections } from "../../src/collision/surface/intersections";
import { joinSurfaces } from "../../src/collision/surface/surface-mesh";
import { compileShape } from "../../src/collision/distance/primitives";
import { addCloth, clothInWorld, clothParameters, clothStepping, fabricOf } from "../cloth";
import { dancePoses, dancer, type BoneName } from "../figure";
import { figureInWorld, inFrameOf } from "../figure-body";
import { type DistanceFunction, maxPenetration } from "../metrics";
import { distanceTo } from "../obstacles";
import { flagOf, numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";
import { vestMesh } from "../vest-pattern";

const THICKNESS = 0.004;
/** Frames from one check of the garment to the next. */
const LOOK = 5;
/** The figure that wears the garment. */
const TORSO: readonly BoneName[] = ["pelvis", "spine", "chest"];

/** A sleeveless vest on a figure that dances. */
export const vest: SceneDefinition = {
  name: "vest",
  title: "Vest",
  description:
    "A vest of a front and a back panel, sewn at the sides and the shoulders, is worn by a figure that dances. Bones lead its capsules; " +
    "the shoulder seams go with the chest bone, and all the rest is held up by contact and friction. In the gallery the bones are those " +
    "of a Babylon skeleton, which moves a skinned mesh.",
  frames: 240,
  groundHeight: 0.04,
  view: { target: [0, 1.14, 0], alpha: 1.15, beta: 1.4, radius: 2.3 },
  parameters: [
    ...clothStepping({ resolution: 20, substeps: 72, iterations: 1 }),
    ...clothParameters({ resolution: 20, highest: 96, fabric: "denim" }).map((parameter) =>
      // a vest has a curved rest shape
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
  build(world, values, makeCloth = clothInWorld(world), _, makeFigure = figureInWorld(world)) {
    world.gravity = [0, -9.81, 0];
    const description = dancer(fabricOf(values).friction);
    const figure = makeFigure(description);
    const [tempo, vigour] = [numberOf(values, "tempo"), numberOf(values, "vigour")];
    const { mesh, size, shoulders } = vestMesh(2 * Math.round(numberOf(values, "resolution") / 2));
    const cloth = addCloth(makeCloth, values, {
      name: "vest",
      mesh,
      size,
      options: { thickness: THICKNESS, damping: 0.5, selfCollision: flagOf(values, "selfCollision") },
    });
    const { body } = cloth;
    const surface = joinSurfaces([{ restPositions: cloth.restPositions, faces: cloth.faces, selfCollision: true }]);
    figure.carry(body, shoulders, "chest");
    /** place in the frame of the pelvis */
    const places = (of: ArrayLike<number>, vertices: readonly number[]): number[][] => {
      const pelvis = figure.poseOf("pelvis");
      return vertices.map((v) => inFrameOf(pelvis, [of[3 * v], of[3 * v + 1], of[3 * v + 2]]));
    };
    const primitives = new Map(description.bones.map(({ name, shape }) => [name, compileShape(shape)]));
    const distances = (names: Iterable<string>): DistanceFunction[] =>
      Array.from(names, (name) => {
        const { position, rotation } = figure.poseOf(name);
        return distanceTo(primitives.get(name)!, position, rotation);
      });
    const lowest = Math.min(...mesh.positions.filter((_, i) => i % 3 === 1));
    const hem = Array.from({ length: mesh.positions.length / 3 }, (_, v) => v).filter(
      (v) => mesh.positions[3 * v + 1] < lowest + 1e-6,
    );
    const hemAtStart = places(mesh.positions, hem);
    let [penetration, stretch, distance] = [0, 0, 0];
    const look = (positions: ArrayLike<number>): void => {
      penetration = Math.max(penetration, maxPenetration(positions, cloth.faces, distances(primitives.keys())));
      stretch = Math.max(stretch, cloth.stretchPercent(positions));
      const torso = distances(TORSO);
      for (let i = 0; i < positions.length; i += 3) {
        const [x, y, z] = [positions[i], positions[i + 1], positions[i + 2]];
        distance = Math.max(distance, Math.min(...torso.map((part) => part(x, y, z))));
      }
    };
    return {
      props: figure.props,
      beforeStep(time, dt) {
        figure.moveTo(dancePoses(time + dt, tempo, vigour));
      },
      async afterStep(frame) {
        if (frame % LOOK === 0) look((await body.readState()).positions);
      },
      async measure() {
        const { positions } = await body.readState();
        look(positions);
        const now = places(positions, hem);
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
