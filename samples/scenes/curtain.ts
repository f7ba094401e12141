import { gridMesh, type DeformableBody } from "../../src/index";
import { addCloth, clothInWorld, clothParameters, clothStepping, segmentsOf } from "../cloth";
import { maxPenetration } from "../metrics";
import { Obstacle } from "../obstacles";
import { numberOf } from "../parameters";
import type { Prop, SceneDefinition } from "../scene";

/** Size of the flat cloth, m. */
const WIDTH = 2.2;
const HEIGHT = 1.7;
const RAIL = 2.1;
/** Width of the closed curtain: the rest of the cloth is in its pleats. */
const CLOSED = 1.6;
const LEFT = -CLOSED / 2;
const RINGS = 12;

/** A pleated curtain on rings. The wind of a window moves it, someone brushes past, and it is drawn aside. */
export const curtain: SceneDefinition = {
  name: "curtain",
  title: "Curtain",
  description:
    "A curtain hangs from rings. Wind blows through the window, a passer-by brushes it, the rings are drawn.",
  frames: 420,
  groundHeight: 0,
  view: { target: [0, 1.2, 0], alpha: -1.4, beta: 1.42, radius: 3.5 },
  parameters: [
    ...clothStepping({ resolution: 44, substeps: 40, iterations: 1 }),
    ...clothParameters({ resolution: 44, highest: 264, fabric: "cotton" }),
    {
      name: "wind",
      default: 2.5,
      unit: "m/s",
      range: [0, 10],
      live: true,
      description: "strongest wind through the window",
    },
    {
      name: "gather",
      default: 0.35,
      unit: "",
      range: [0, 0.5],
      description: "fraction of the width by which the rings are drawn to the left",
    },
    { name: "passer", default: true, unit: "", description: "a capsule as large as a person brushes past" },
  ],
  metrics: [
    { name: "maxStretchPercent", unit: "%", bound: 10, description: "largest elongation of an edge at the end" },
    { name: "maxPenetration", unit: "m", bound: 1e-3, description: "deepest point of the cloth inside the passer-by" },
  ],
  build(world, values, makeCloth = clothInWorld(world)) {
    world.gravity = [0, -9.81, 0];
    const [columns, rows] = segmentsOf(values, WIDTH, HEIGHT);
    const mesh = gridMesh({
      width: WIDTH,
      height: HEIGHT,
      columns,
      rows,
      plane: "xy",
      center: [0, RAIL - HEIGHT / 2, 0],
    });
    const rings = ringVertices(mesh.positions);
    const cloth = addCloth(makeCloth, values, {
      name: "curtain",
      mesh,
      size: [WIDTH, HEIGHT],
      pins: rings,
      options: { damping: 1 },
      material: "linen",
    });
    cloth.body.writeState({ positions: pleated(mesh.positions) });
    const passer = new Obstacle(
      world,
      { type: "capsule", pointA: [0, -0.5, 0], pointB: [0, 0.5, 0], radius: 0.2 },
      { name: "passer-by", position: passerAt(0), friction: 0.2 },
      "clay",
    );
    passer.collider.enabled = values.passer === true;
    const gather = numberOf(values, "gather");
    const startTime = world.time;
    return {
      props: [...(values.passer === true ? [passer] : []), ...windowFrame()],
      beforeStep(time, dt) {
        const t = time + dt - startTime;
        cloth.body.setWind(0, 0, -numberOf(values, "wind") * gust(t));
        passer.moveTo(passerAt(t));
        drawRings(cloth.body, rings, 1 - gather * smoothStep((t - 4.5) / 2));
      },
      async measure() {
        const { positions } = await cloth.body.readState();
        return {
          maxStretchPercent: cloth.stretchPercent(positions),
          maxPenetration: values.passer === true ? maxPenetration(positions, cloth.faces, [passer.distance()]) : 0,
        };
      },
    };
  },
};

/** The passer-by walks along the curtain from left to right between 1.5 and 4 s, close enough to brush it. */
function passerAt(time: number): readonly [number, number, number] {
  return [-2 + 4 * smoothStep((time - 1.5) / 2.5), 0.95, -0.24];
}

/** Strength of the wind between 0 and 1; it calms down while the passer-by walks. */
function gust(time: number): number {
  const calm = smoothStep((time - 0.8) / 0.7) * (1 - smoothStep((time - 4) / 0.7));
  return (1 - calm) * (0.6 + 0.4 * Math.sin(4.3 * time - 1.2)) * (0.75 + 0.25 * Math.sin(9.1 * time));
}

function smoothStep(x: number): number {
  const t = Math.min(1, Math.max(0, x));
  return t * t * (3 - 2 * t);
}

/** Places the rings on the rail; `spread` is the fraction of the closed width that they cover. */
function drawRings(body: DeformableBody, rings: readonly number[], spread: number): void {
  rings.forEach((vertex, k) => {
    body.setPinTarget(vertex, LEFT + (CLOSED * spread * k) / (rings.length - 1), RAIL, 0);
  });
}

/** The vertices of the upper edge that are nearest to equally spaced places. */
function ringVertices(positions: ArrayLike<number>): number[] {
  const topEdge: number[] = [];
  for (let i = 0; 3 * i < positions.length; i++) if (Math.abs(positions[3 * i + 1] - RAIL) < 1e-6) topEdge.push(i);
  topEdge.sort((a, b) => positions[3 * a] - positions[3 * b]);
  const rings = Math.min(RINGS, topEdge.length);
  return Array.from({ length: rings }, (_, k) => topEdge[Math.round((k * (topEdge.length - 1)) / (rings - 1))]);
}

/**
 * The flat cloth laid in pleats: along x a sine wave with its zeros at the rings. The amplitude makes the wave as long
 * as the cloth is wide, so the cloth starts without strain (except for bending).
 */
function pleated(flat: ArrayLike<number>): Float64Array {
  const wave = (Math.PI * (RINGS - 1)) / CLOSED;
  const steps = 4000;
  const arcLengths = (amplitude: number): number[] => {
    const lengths = [0];
    for (let i = 1; i <= steps; i++) {
      const slope = amplitude * wave * Math.cos((wave * CLOSED * (i - 0.5)) / steps);
      lengths.push(lengths[i - 1] + (CLOSED / steps) * Math.hypot(1, slope));
    }
    return lengths;
  };
  let [low, high] = [0, 1];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (arcLengths(middle)[steps] < WIDTH) low = middle;
    else high = middle;
  }
  const lengths = arcLengths(low);
  const positions = Float64Array.from(flat);
  for (let i = 0; i < positions.length; i += 3) {
    const along = flat[i] + WIDTH / 2;
    const next = Math.max(
      1,
      lengths.findIndex((length) => length >= along - 1e-9),
    );
    const x = (CLOSED * next) / steps;
    positions[i] = LEFT + x;
    positions[i + 2] = low * Math.sin(wave * x);
  }
  return positions;
}

/** Rail, and a wall with a window behind the curtain; drawn only. */
function windowFrame(): Prop[] {
  const box = (x: number, y: number, halfWidth: number, halfHeight: number, halfDepth: number): Prop => ({
    shape: { type: "box", halfExtents: [halfWidth, halfHeight, halfDepth], center: [x, y, 0.5] },
    material: "plaster",
  });
  const finial = (x: number): Prop => ({
    shape: { type: "sphere", radius: 0.03, center: [x, RAIL + 0.02, 0] },
    material: "steel",
  });
  return [
    {
      shape: { type: "cylinder", pointA: [-1, RAIL + 0.02, 0], pointB: [1, RAIL + 0.02, 0], radius: 0.014 },
      material: "steel",
    },
    finial(-1),
    finial(1),
    // the wall around the window, its bars, its sill
    box(0, 0.3, 1.7, 0.3, 0.05),
    box(0, 2.25, 1.7, 0.25, 0.05),
    box(-1.2, 1.3, 0.5, 0.7, 0.05),
    box(1.2, 1.3, 0.5, 0.7, 0.05),
    box(0, 1.3, 0.02, 0.7, 0.02),
    box(0, 1.45, 0.7, 0.02, 0.02),
    box(0, 0.6, 0.78, 0.015, 0.12),
  ];
}
