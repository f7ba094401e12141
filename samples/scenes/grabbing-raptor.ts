import {
  addCable,
  ballTetrahedra,
  boxTetrahedra,
  type ColliderShape,
  type DeformableBody,
  type Vec3,
} from "../../src/index";
import { turn } from "../../src/math/quaternions";
import { GripMeter, type Held, type Surface } from "../grip";
import { addSolid, ContactMeter, contactMetrics, localGlobalParameters, meanOf } from "../local-global";
import { choiceOf, numberOf } from "../parameters";
import { aboutY, Cast } from "../rigid";
import type { SceneDefinition } from "../scene";
import { carried, gantry, stem } from "../stands";

/** Fingers: length, thickness and width [m], and cells along and across them. */
const FINGER: Vec3 = [0.12, 0.024, 0.072];
/** Radius of the grabbed body, before it is stretched along z [m]. */
const RADIUS = 0.03;
const STRETCH = 1.5;
/**
 * Half length of the axis of a rigid body: a ball would touch each finger in one point, and turn about the two points.
 */
const HALF = (STRETCH - 1) * RADIUS;
/** Gap between the open fingers and the grabbed body [m]. */
const ROOM = 0.004;
/** Numbers of frames in which the fingers close, and the body is lifted, turned and carried, and held. */
const [CLOSE, LIFT, TURN, CARRY, HOLD] = [40, 30, 30, 30, 20];
const FRAMES = CLOSE + LIFT + TURN + CARRY + HOLD;
const HEIGHT = 0.1;
const WAY = 0.15;
const THICKNESS = 0.001;
/** Tolerance [m]: surfaces touch if they are at most this much farther apart than the contact distance. */
const TOUCHING = 3e-4;

/** Two soft fingers, each bent by a cable, pick up a soft body (figures 2 and 11 of paper 2). */
export const grabbingRaptor: SceneDefinition = {
  name: "grabbing-raptor",
  title: "Grabbing raptor",
  description:
    "Two soft fingers, bent by cables, grab a soft body or a rigid capsule, lift it, turn it by 90° and carry it away.",
  frames: FRAMES,
  groundHeight: 0,
  view: { target: [0.07, 0.13, 0], alpha: -1.2, beta: 1.3, radius: 0.55 },
  parameters: [
    ...localGlobalParameters({ substeps: 2, youngsModulus: 3e5, poissonRatio: 0.4, iterations: 8, friction: 0.8 }),
    {
      name: "pull",
      default: 0.08,
      unit: "",
      range: [0, 0.5],
      live: true,
      description: "part by which the cables are shortened",
    },
    { name: "prey", default: "soft", unit: "", choices: ["soft", "rigid"], description: "what is grabbed" },
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
      description: "of the contact between fingers and prey that slips most, from when it was lifted on",
    },
    { name: "touches", unit: "", description: "places at which slip is measured" },
    { name: "height", unit: "m", description: "of its middle at the end: it lay at 0.03" },
    { name: "tension", unit: "N", description: "of the cables, their mean at the end" },
    ...contactMetrics,
  ],
  build(world, values) {
    world.gravity = [0, -9.81, 0];
    const friction = numberOf(values, "friction");
    const cast = new Cast(world);
    cast.floor({ friction });
    const cells = numberOf(values, "cells");
    const across = Math.max(2, 2 * Math.round(cells / 8));
    const options = { damping: 1, margin: 0.002 };
    const ball = ballTetrahedra({ radius: RADIUS, resolution: Math.max(3, Math.round(cells / 2)) });
    const positions = ball.positions.map((x, i) => (i % 3 === 2 ? STRETCH * x : i % 3 === 1 ? x + RADIUS : x));
    const raptor =
      choiceOf(values, "prey", ["soft", "rigid"] as const) === "soft"
        ? addSolid(world, values, "raptor", { ...ball, positions }, options)
        : undefined;
    const rigid =
      raptor === undefined
        ? cast.add("steel", {
            name: "capsule",
            shape: { type: "capsule", pointA: [0, 0, -HALF], pointB: [0, 0, HALF], radius: RADIUS },
            density: numberOf(values, "density"),
            position: [0, RADIUS, 0],
            friction,
            canSleep: false,
          })
        : undefined;
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
      way.sort((a, b) => mesh.positions[3 * b + 1] - mesh.positions[3 * a + 1]);
      const cable = addCable(world, { points: way.map((vertex) => ({ body, vertex })), length: FINGER[0] });
      return { body, held, rest: mesh.positions, cable, tip: way.slice(-2) };
    });
    for (const body of [...fingers.map((finger) => finger.body), ...(raptor ? [raptor] : [])])
      body.setOptions({ thickness: THICKNESS });
    const meter = new ContactMeter(world);
    const grip = new GripMeter();
    let hand = handAt(0);
    const carrier = {
      get position() {
        return hand.position;
      },
      get rotation() {
        return hand.rotation;
      },
    };
    const palm: ColliderShape = { type: "box", halfExtents: [0.07, 0.008, 0.045] };
    const stand = [
      carried(carrier, palm, [0, roots + 0.008, 0]),
      carried(carrier, stem(0.2, 0.008), [0, roots, 0]),
      ...gantry(0, 0.008, [-0.18, 0.28, 0], [0.4, 0.28, 0]),
    ];
    const fingersNow = (): Promise<Surface[]> =>
      Promise.all(fingers.map(async ({ body }) => ({ x: await body.readPositions(), faces: body.model.faces })));
    const heldNow = async (): Promise<Held> =>
      raptor
        ? { x: await raptor.readPositions(), faces: raptor.model.faces }
        : { capsule: rigid!, half: HALF, radius: RADIUS };
    let slip = 0;
    let frame = 0;
    return {
      props: [...cast.props, ...stand],
      softs: [
        ...(raptor ? [{ body: raptor, material: "amber" as const }] : []),
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
        const held = await heldNow();
        const surfaces = await fingersNow();
        const reach = (raptor ? 2 : 1) * THICKNESS + TOUCHING;
        if (now === CLOSE + LIFT) grip.start(surfaces, held, hand.rotation, reach);
        slip = Math.max(slip, grip.slip(surfaces, held, hand.rotation));
      },
      async measure() {
        return {
          // a body that is not held is lost
          slip: grip.count > 0 ? slip : RADIUS,
          touches: grip.count,
          height: rigid ? rigid.position[1] : meanOf(raptor!, await raptor!.readPositions())[1],
          tension: fingers.reduce((sum, { cable }) => sum + cable.tension / 2, 0),
          ...meter.measure(),
        };
      },
    };
  },
};

/** Pose of the hand after a number of frames. */
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
  return [...model.masses.keys()].filter((i) => test(p[3 * i], p[3 * i + 1], p[3 * i + 2]));
}
