import { gridMesh, localGlobalSheet, type Vec3, type World } from "../src/index";
import { ContactMeter, contactMetrics, fastest, localGlobalParameters, stepping } from "./local-global";
import { numberOf } from "./parameters";
import type { Prop, SceneDefinition } from "./scene";

/** A sheet falls on obstacles. */
export interface DrapedSheet {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly frames: number;
  readonly cells: number;
  readonly obstacles: (world: World, friction: number) => Prop[];
  /** how deep a point is in the obstacles [m]; negative outside */
  readonly depth: (point: Vec3) => number;
}

const SIDE = 1;
const THICKNESS = 0.003;

export function drapedSheet(sheet: DrapedSheet): SceneDefinition {
  return {
    name: sheet.name,
    title: sheet.title,
    description: sheet.description,
    frames: sheet.frames,
    groundHeight: -0.7,
    view: { target: [0, -0.15, 0], alpha: -1.1, beta: 1.05, radius: 2.4 },
    parameters: [
      ...localGlobalParameters({ youngsModulus: 1e5, poissonRatio: 0.4, model: "neo-hookean", friction: 0.3 }).filter(
        ({ name }) => name !== "model",
      ),
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
        description: "deepest vertex or middle of a face or edge at any time",
      },
      {
        name: "speed",
        unit: "m/s",
        bound: 0.1,
        description: "root mean square over the vertices at the end: it comes to rest",
      },
      ...contactMetrics,
    ],
    build(world, values) {
      world.gravity = [0, -9.81, 0];
      const friction = numberOf(values, "friction");
      const props = sheet.obstacles(world, friction);
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
        { ...stepping(values), thickness: THICKNESS, contactMargin: 0.006, damping: 2 },
      );
      const meter = new ContactMeter(world, sheet.frames);
      let maxPenetration = 0;
      return {
        props,
        softs: [{ body, material: "rubber" }],
        async afterStep(frame) {
          meter.update(frame);
          maxPenetration = Math.max(maxPenetration, deepest(await body.readPositions(), mesh.indices, sheet.depth));
        },
        async measure() {
          const { velocities } = await body.readState();
          let squares = 0;
          for (const v of velocities) squares += v * v;
          return {
            maxPenetration,
            speed: Math.min(Math.sqrt((3 * squares) / velocities.length), fastest(velocities)),
            ...meter.measure(),
          };
        },
      };
    },
  };
}

function deepest(x: ArrayLike<number>, faces: Uint32Array, depth: (point: Vec3) => number): number {
  let most = 0;
  for (let f = 0; f < faces.length; f += 3)
    for (const [a, b, c] of PLACES) {
      const at = (k: number): number =>
        a * x[3 * faces[f]! + k]! + b * x[3 * faces[f + 1]! + k]! + c * x[3 * faces[f + 2]! + k]!;
      most = Math.max(most, depth([at(0), at(1), at(2)]));
    }
  return most;
}

/** Corners, middles of edges, middle: barycentric. */
const PLACES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [0.5, 0.5, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [1 / 3, 1 / 3, 1 / 3],
] as const;
