import { boxTetrahedra, type TetMesh, type Vec3, type World } from "../src/index";
import {
  addSolid,
  ContactMeter,
  contactMetrics,
  localGlobalParameters,
  type SolidDefaults,
  shapeDeviation,
} from "./local-global";
import { numberOf } from "./parameters";
import type { Prop, SceneDefinition } from "./scene";
import { carried, legs, stem } from "./stands";

/** A ball of a shape: x, y, z, radius [m]. */
export type Lump = readonly [number, number, number, number];

/** The solid that is pulled through the gap between two bars. */
export interface PulledSolid {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly defaults: SolidDefaults;
  readonly lumps: readonly Lump[];
  /** flattened in z by this factor */
  readonly flatness: number;
  /** greatest extent [m] */
  readonly size: number;
  /** vertices below this height are held and pulled down [m] */
  readonly grip: number;
  /** half the distance between the bars' surfaces, and their radius [m] */
  readonly gap: number;
  readonly bar: number;
  /** depth of the bars below the middle of the shape, and distance of the pull [m] */
  readonly below: number;
  readonly way: number;
  readonly cell: number;
}

const FRAMES = 150;
/** Length of the bars [m]. */
const LENGTH = 0.44;
/** Part of the run in which the solid is pulled; then it has time to recover. */
const PULL = 0.6;

/** A stiff body is pulled through a gap narrower than itself, and recovers its shape. */
export function pulledSolid(solid: PulledSolid): SceneDefinition {
  const groundHeight = -solid.below - solid.way - solid.size;
  return {
    name: solid.name,
    title: solid.title,
    description: solid.description,
    frames: FRAMES,
    groundHeight,
    view: { target: [0, -solid.below - 0.3 * solid.way, 0], alpha: -1.25, beta: 1.3, radius: 3.3 * solid.size },
    parameters: [
      ...localGlobalParameters(solid.defaults),
      {
        name: "cell",
        default: solid.cell,
        unit: "m",
        range: [solid.cell / 8, 2 * solid.cell],
        description: "of the lattice",
      },
      {
        name: "gap",
        default: 2 * solid.gap,
        unit: "m",
        range: [0.05, 0.5],
        description: "between the bars",
      },
    ],
    metrics: [
      {
        name: "height",
        unit: "m",
        bound: -solid.below - solid.bar,
        description: "of its highest vertex at the end: it is through below the bars, which this bound is",
      },
      { name: "shapeError", unit: "", bound: 0.01, description: "of its shape at the end, over its size" },
      { name: "squeeze", unit: "", description: "largest deviation of its shape on the way, over its size" },
      { name: "vertices", unit: "", description: "of the mesh" },
      ...contactMetrics,
    ],
    build(world, values) {
      world.gravity = [0, -9.81, 0];
      const gap = numberOf(values, "gap") / 2;
      const props = addBars(world, solid, gap, numberOf(values, "friction"));
      props.push(...legs(groundHeight, 0.015, [gap + 0.4, -solid.below - solid.bar, 0.42 * LENGTH]));
      const mesh = lumpMesh(solid, numberOf(values, "cell"));
      const body = addSolid(world, values, solid.name, mesh);
      const x = mesh.positions;
      const held = [...body.model.masses.keys()].filter((i) => x[3 * i + 1] < solid.grip);
      body.pin(held);
      const bottom = x.reduce((least, y, i) => (i % 3 === 1 ? Math.min(least, y) : least), Infinity);
      const piston = { position: [0, bottom, 0] as Vec3, rotation: [0, 0, 0, 1] as const };
      const plate = { type: "box", halfExtents: [0.4 * solid.size, 0.015, 0.3 * solid.size] } as const;
      props.push(
        carried(piston, plate, [0, -0.015, 0], "wood"),
        carried(piston, stem(bottom - groundHeight, 0.02), [0, groundHeight - bottom, 0]),
      );
      const meter = new ContactMeter(world);
      const duration = PULL * FRAMES * (1 / 60);
      let squeeze = 0;
      return {
        props,
        softs: [{ body, material: "rubber" }],
        beforeStep(time, dt) {
          const part = Math.min(1, (time + dt) / duration);
          piston.position = [0, bottom - part * solid.way, 0];
          for (const p of held) body.setPinTarget(p, x[3 * p], x[3 * p + 1] - part * solid.way, x[3 * p + 2]);
        },
        async afterStep(frame) {
          meter.update();
          if (frame % 10 === 0) squeeze = Math.max(squeeze, shapeDeviation(x, await body.readPositions()) / solid.size);
        },
        async measure() {
          const now = await body.readPositions();
          let highest = -Infinity;
          for (let i = 1; i < now.length; i += 3) highest = Math.max(highest, now[i]);
          return {
            height: highest,
            shapeError: shapeDeviation(x, now) / solid.size,
            squeeze,
            vertices: body.particleCount,
            ...meter.measure(),
          };
        },
      };
    },
  };
}

function addBars(world: World, { bar, below }: PulledSolid, gap: number, friction: number): Prop[] {
  return [-1, 1].flatMap((side) => {
    const x = side * (gap + bar);
    const edge = {
      type: "capsule",
      pointA: [x, -below, -LENGTH / 2],
      pointB: [x, -below, LENGTH / 2],
      radius: bar,
    } as const;
    const plate = { type: "box", halfExtents: [0.2, bar, LENGTH / 2], center: [x + side * 0.2, -below, 0] } as const;
    return [edge, plate].map((shape): Prop => {
      world.addCollider(shape, { friction });
      return { shape, material: "steel" };
    });
  });
}

/** The union of balls: those cells of a block whose middle is inside. */
function lumpMesh({ lumps, flatness }: PulledSolid, cell: number): TetMesh {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (const [x, y, z, radius] of lumps)
    [x, y, z].forEach((value, c) => {
      const r = c === 2 ? flatness * radius : radius;
      min[c] = Math.min(min[c], value - r);
      max[c] = Math.max(max[c], value + r);
    });
  const size = [0, 1, 2].map((c) => max[c] - min[c]) as unknown as Vec3;
  const cells = size.map((length) => Math.max(1, Math.round(length / cell))) as unknown as Vec3;
  const center = [0, 1, 2].map((c) => (min[c] + max[c]) / 2) as unknown as Vec3;
  const block = boxTetrahedra({ size, cells, center });
  const isInside = (px: number, py: number, pz: number): boolean =>
    lumps.some(([x, y, z, radius]) => (px - x) ** 2 + (py - y) ** 2 + ((pz - z) / flatness) ** 2 < radius * radius);
  const place = new Map<number, number>();
  const positions: number[] = [];
  const tetrahedra: number[] = [];
  // tetrahedra of a cell follow one another
  const cellSize = block.tetrahedra.length / (cells[0] * cells[1] * cells[2]);
  for (let t = 0; t < block.tetrahedra.length; t += cellSize) {
    const corners = [...block.tetrahedra.subarray(t, t + cellSize)];
    const middle = [0, 1, 2].map((c) => {
      const all = [...new Set(corners)].map((v) => block.positions[3 * v + c]);
      return (Math.min(...all) + Math.max(...all)) / 2;
    });
    if (!isInside(middle[0], middle[1], middle[2])) continue;
    for (const v of corners) {
      if (!place.has(v)) {
        place.set(v, positions.length / 3);
        for (let c = 0; c < 3; c++) positions.push(block.positions[3 * v + c]);
      }
      tetrahedra.push(place.get(v)!);
    }
  }
  return { positions: Float64Array.from(positions), tetrahedra: Uint32Array.from(tetrahedra) };
}
