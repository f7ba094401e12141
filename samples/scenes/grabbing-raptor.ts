import { addCable, ballTetrahedra, boxTetrahedra, type DeformableBody, type Vec3 } from "../../src/index";
import { distance } from "../../src/math/vectors";
import { conjugate, turn } from "../../src/math/quaternions";
import { addSolid, ContactMeter, contactMetrics, localGlobalParameters, meanOf } from "../local-global";
import { numberOf } from "../parameters";
import { aboutY } from "../rigid";
import type { SceneDefinition } from "../scene";

/** Fingers: length, thickness and width [m], and cells along and across them. */
const FINGER: Vec3 = [0.12, 0.024, 0.036];
/** Radius of what is grabbed, before it is drawn out along z [m]. */
const RADIUS = 0.03;
const STRETCH = 1.5;
/** Between the fingers and what is grabbed, when they are open [m]. */
const ROOM = 0.004;
/** Frames in which the fingers close, it is lifted, turned and carried, and held. */
const [CLOSE, LIFT, TURN, CARRY, HOLD] = [40, 30, 30, 30, 20];
const FRAMES = CLOSE + LIFT + TURN + CARRY + HOLD;
const HEIGHT = 0.1;
const WAY = 0.15;
const THICKNESS = 0.001;

/** Two soft fingers, each bent by a cable, pick something soft up (figures 2 and 11 of paper 2). */
export const grabbingRaptor: SceneDefinition = {
  name: "grabbing-raptor",
  title: "Grabbing raptor",
  description: "Two soft fingers, bent by cables, grab a soft body, lift it, turn it by 90° and carry it away.",
  frames: FRAMES,
  groundHeight: 0,
  view: { target: [0.07, 0.12, 0], alpha: -1.2, beta: 1.25, radius: 0.7 },
  parameters: [
    ...localGlobalParameters({ substeps: 2, youngsModulus: 3e5, poissonRatio: 0.4, iterations: 8, friction: 0.8 }),
    { name: "pull", default: 0.08, unit: "", range: [0, 0.5], description: "part by which the cables are shortened" },
    {
      name: "cells",
      default: 8,
      unit: "",
      range: [4, 40],
      integer: true,
      description: "along a finger, a quarter as many across; half as many through what is grabbed",
    },
  ],
  metrics: [
    {
      name: "slip",
      unit: "m",
      bound: 2e-3,
      description: "how far the middle of the body has moved between the fingertips, from when it was lifted on",
    },
    { name: "height", unit: "m", description: "of its middle at the end: it lay at 0.03" },
    { name: "tension", unit: "N", description: "of the cables, their mean at the end" },
    ...contactMetrics,
  ],
  build(world, values) {
    world.gravity = [0, -9.81, 0];
    const friction = numberOf(values, "friction");
    world.addCollider({ type: "box", halfExtents: [2, 1, 2], center: [0, -1, 0] }, { friction });
    const cells = numberOf(values, "cells");
    const across = Math.max(2, 2 * Math.round(cells / 8));
    const options = { damping: 1, margin: 0.002 };
    const ball = ballTetrahedra({ radius: RADIUS, resolution: Math.max(3, Math.round(cells / 2)) });
    const positions = ball.positions.map((x, i) => (i % 3 === 2 ? STRETCH * x : i % 3 === 1 ? x + RADIUS : x));
    const raptor = addSolid(world, values, "raptor", { ...ball, positions }, options);
    const roots = 0.2 * RADIUS + FINGER[0];
    const fingers = [-1, 1].map((side) => {
      const x = side * (RADIUS + ROOM + FINGER[1] / 2);
      const mesh = boxTetrahedra({
        size: [FINGER[1], FINGER[0], FINGER[2]],
        cells: [across, cells, across],
        center: [x, roots - FINGER[0] / 2, 0],
      });
      const body = addSolid(world, values, side < 0 ? "left finger" : "right finger", mesh, options);
      const held = where(body, (_x, y) => y > roots - 1e-9);
      body.pin(held);
      // along the inner side, from the root to the tip
      const way = where(body, (px, _y, z) => Math.abs(px - side * (RADIUS + ROOM)) < 1e-9 && Math.abs(z) < 1e-9);
      way.sort((a, b) => mesh.positions[3 * b + 1]! - mesh.positions[3 * a + 1]!);
      const cable = addCable(world, { points: way.map((vertex) => ({ body, vertex })), length: FINGER[0] });
      return { body, held, rest: mesh.positions, cable, tip: way.slice(-2) };
    });
    for (const { body } of [...fingers, { body: raptor }]) body.setOptions({ thickness: THICKNESS });
    const meter = new ContactMeter(world);
    /** what `inHand` was when it was lifted */
    let start: Vec3 | undefined;
    let hand = handAt(0);
    /** The middle of the body as the fingertips see it, in the axes of the hand. */
    const inHand = async (): Promise<Vec3> => {
      const place = meanOf(raptor, (await raptor.readState()).positions);
      const sum: [number, number, number] = [...place];
      for (const { body, tip } of fingers) {
        const x = await body.readPositions();
        for (const vertex of tip) for (let c = 0; c < 3; c++) sum[c]! -= x[3 * vertex + c]! / (2 * tip.length);
      }
      return turn(conjugate(hand.rotation), sum);
    };
    let slip = 0;
    let frame = 0;
    return {
      props: [],
      softs: [
        { body: raptor, material: "amber" },
        ...fingers.map(({ body }) => ({ body, material: "rubber" as const })),
      ],
      beforeStep() {
        frame++;
        hand = handAt(frame);
        const pulled = numberOf(values, "pull") * smooth(frame / CLOSE);
        for (const { body, held, rest, cable } of fingers) {
          cable.length = FINGER[0] * (1 - pulled);
          for (const vertex of held) {
            const [x, y, z] = turn(hand.rotation, rest.subarray(3 * vertex, 3 * vertex + 3));
            const [cx, cy, cz] = hand.position;
            body.setPinTarget(vertex, x + cx, y + cy, z + cz);
          }
        }
      },
      async afterStep(now) {
        meter.update();
        if (now < CLOSE + LIFT) return;
        const place = await inHand();
        start ??= place;
        slip = Math.max(slip, distance(place, start));
      },
      async measure() {
        return {
          // until it is lifted, as if it were lost
          slip: start ? slip : RADIUS,
          height: meanOf(raptor, (await raptor.readState()).positions)[1],
          tension: fingers.reduce((sum, { cable }) => sum + cable.tension / 2, 0),
          ...meter.measure(),
        };
      },
    };
  },
};

/** Where the hand is after a number of frames. */
function handAt(frame: number): { position: Vec3; rotation: readonly [number, number, number, number] } {
  const lifted = smooth((frame - CLOSE) / LIFT);
  const turned = smooth((frame - CLOSE - LIFT) / TURN);
  const carried = smooth((frame - CLOSE - LIFT - TURN) / CARRY);
  return { position: [WAY * carried, HEIGHT * lifted, 0], rotation: aboutY((Math.PI / 2) * turned) };
}

/** From 0 to 1 without a jerk at either end. */
function smooth(t: number): number {
  const s = Math.min(1, Math.max(0, t));
  return s * s * (3 - 2 * s);
}

function where({ model }: DeformableBody, test: (x: number, y: number, z: number) => boolean): number[] {
  const p = model.positions;
  return [...model.masses.keys()].filter((i) => test(p[3 * i]!, p[3 * i + 1]!, p[3 * i + 2]!));
}
