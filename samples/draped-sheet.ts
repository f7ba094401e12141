import { gridMesh, type Vec3, type World } from "../src/index";
import { localGlobalSheet } from "../src/models/local-global/local-global-cloth";
import { distance } from "../src/math/vectors";
import { ContactMeter, contactMetrics, fastest, localGlobalParameters, stepping } from "./local-global";
import type { DistanceFunction } from "./metrics";
import type { Obstacle } from "./obstacles";
import { numberOf } from "./parameters";
import type { SceneDefinition } from "./scene";

/** A sheet falls on obstacles. */
export interface DrapedSheet {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly frames: number;
  readonly cells: number;
  readonly substeps?: number;
  /** convex obstacles */
  readonly obstacles: (world: World, friction: number) => readonly Obstacle[];
}

const SIDE = 1;
/** Contact holds the sheet at this distance [m]. */
const THICKNESS = 0.003;
/** Steps of golden sections in a search: they leave a 10,000th of an edge. */
const SECTIONS = 18;

export function drapedSheet(sheet: DrapedSheet): SceneDefinition {
  return {
    name: sheet.name,
    title: sheet.title,
    description: sheet.description,
    frames: sheet.frames,
    groundHeight: -0.7,
    view: { target: [0, -0.2, 0], alpha: -1.1, beta: 1.1, radius: 1.9 },
    parameters: [
      ...localGlobalParameters({
        substeps: sheet.substeps ?? 1,
        youngsModulus: 1e5,
        poissonRatio: 0.4,
        model: "neo-hookean",
        friction: 0.3,
      }).filter(({ name }) => name !== "model"),
      {
        name: "cells",
        default: sheet.cells,
        unit: "",
        range: [4, 120],
        integer: true,
        description: "along a side of the sheet: 71 make 5.2k vertices, 100 make 10.2k",
      },
    ],
    metrics: [
      {
        name: "maxPenetration",
        unit: "m",
        bound: 1e-3,
        description: "of the sheet's deepest point in an obstacle at any time",
      },
      {
        name: "maxIntrusion",
        unit: "m",
        description:
          "the same in the layer of the sheet's thickness around an obstacle, in which nothing comes to rest",
      },
      {
        name: "speed",
        unit: "m/s",
        bound: 0.02,
        description: "of the fastest vertex at the end: it comes to rest",
      },
      ...contactMetrics,
    ],
    build(world, values) {
      world.gravity = [0, -9.81, 0];
      const friction = numberOf(values, "friction");
      const props = sheet.obstacles(world, friction);
      const distances = props.map((obstacle) => obstacle.distance());
      const cells = numberOf(values, "cells");
      const mesh = gridMesh({ width: SIDE, height: SIDE, columns: cells, rows: cells, center: [0.02, 0.03, 0.01] });
      const body = world.addBody(
        localGlobalSheet({
          ...mesh,
          thickness: 0.002,
          bendingStiffness: 1e-3,
          material: {
            youngsModulus: numberOf(values, "youngsModulus"),
            poissonRatio: numberOf(values, "poissonRatio"),
            density: numberOf(values, "density"),
            friction,
            model: "neo-hookean",
          },
        }),
        { ...stepping(values), thickness: THICKNESS, contactMargin: 0.006, damping: 4 },
      );
      const meter = new ContactMeter(world);
      let least = THICKNESS;
      return {
        props,
        softs: [{ body, material: "rubber" }],
        async afterStep() {
          meter.update();
          least = nearest(await body.readPositions(), mesh.indices, distances, least);
        },
        async measure() {
          return {
            maxPenetration: Math.max(0, -least),
            maxIntrusion: THICKNESS - least,
            speed: fastest((await body.readState()).velocities),
            ...meter.measure(),
          };
        },
      };
    },
  };
}

/**
 * The least distance of a sheet's faces to the obstacles, if it is less than `least` [m]. Obstacles are convex, and so is the distance to
 * one of them: golden sections find its least value along a line, and on a triangle those of the lines parallel to a side.
 */
function nearest(
  x: ArrayLike<number>,
  faces: Uint32Array,
  distances: readonly DistanceFunction[],
  least: number,
): number {
  const corner = (vertex: number): Vec3 => [x[3 * vertex], x[3 * vertex + 1], x[3 * vertex + 2]];
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [corner(faces[f]), corner(faces[f + 1]), corner(faces[f + 2])];
    const middle = between(a, between(b, c, 0.5), 2 / 3);
    const reach = Math.max(distance(a, middle), distance(b, middle), distance(c, middle));
    for (const to of distances) {
      // a distance changes no faster than the place
      if (to(...middle) - reach >= least) continue;
      const onLine = (s: number): number => {
        const [start, end] = [between(a, b, s), between(a, c, s)];
        return leastOf((t) => to(...between(start, end, t)));
      };
      least = Math.min(least, leastOf(onLine));
    }
  }
  return least;
}

function between(a: Vec3, b: Vec3, t: number): Vec3 {
  return [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];
}

/** Least value of a convex function between 0 and 1, ends included. */
function leastOf(value: (t: number) => number): number {
  const golden = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [0, 1];
  let [t, u] = [1 - golden, golden];
  let [atT, atU] = [value(t), value(u)];
  for (let k = 0; k < SECTIONS; k++)
    if (atT < atU) {
      [high, u, atU] = [u, t, atT];
      t = high - golden * (high - low);
      atT = value(t);
    } else {
      [low, t, atT] = [t, u, atU];
      u = low + golden * (high - low);
      atU = value(u);
    }
  return Math.min(atT, atU, low === 0 ? value(0) : Infinity, high === 1 ? value(1) : Infinity);
}
