import { distance } from "../../src/math/vectors";
import { turn } from "../../src/math/quaternions";
import { type DeformableBody, solidModel, type Quat, type Vec3, type World } from "../../src/index";
import { numberOf } from "../parameters";
import { aboutY, Cast, frictionParameter, rigidParameters, setUp } from "../rigid";
import type { ParameterValues, SceneDefinition } from "../scene";
import { carried, gantry, stem } from "../stands";
import { softFinger } from "../soft-finger";

const DENSITY = 1200;
const FINGERS = 3;
const BALL_RADIUS = 0.04;
const BALL_MASS = 0.32;
/** Distance of the palms of the straight fingers from the axis [m]. */
const OPEN = 0.05;
const LENGTH = 0.1;
const LIFT_HEIGHT = 0.12;
/** Height of the roots before the lift [m]. */
const ROOT_HEIGHT = 0.125;

/** Times at which the fingers are inflated and the hand rises [s], and the duration of each. */
const INFLATE = [0.1, 0.5] as const;
const LIFT = [0.8, 0.7] as const;
/** From this time on the ball has to keep its place in the hand [s]. */
const HELD = 1.6;
const HOLD = 5;

/** Three inflated fingers pick up a ball (figure 2 of paper 3). */
export const pneunet: SceneDefinition = {
  name: "pneunet",
  title: "Soft gripper",
  description:
    "Fingers of silicone with arches on their backs curl when the arches are inflated, and lift a rigid ball.",
  frames: Math.round((HELD + HOLD) * 60),
  groundHeight: 0,
  view: { target: [0, 0.13, 0], alpha: -1.2, beta: 1.25, radius: 0.6 },
  parameters: [
    ...rigidParameters({ substeps: 2 }),
    { name: "youngsModulus", default: 1e7, unit: "Pa", range: [1e5, 1e9], description: "of the fingers" },
    { name: "poissonRatio", default: 0.47, unit: "", range: [0, 0.49], description: "of the fingers" },
    frictionParameter(0.7),
    {
      name: "swelling",
      default: 0.3,
      unit: "",
      range: [0, 1],
      description:
        "internal stress of the inflated arches, as a part of three bulk moduli: what they would swell by in every direction",
    },
    { name: "arches", default: 6, unit: "", range: [2, 12], integer: true, description: "on the back of a finger" },
    { name: "across", default: 3, unit: "", range: [1, 8], integer: true, description: "cells across a finger" },
  ],
  metrics: [
    {
      name: "slip",
      unit: "m",
      bound: 2e-3,
      description: "way of the ball in the hand while it is held for five seconds",
    },
    { name: "dropped", unit: "", bound: 0, description: "1 if the ball was not lifted with the hand" },
    { name: "lift", unit: "m", description: "of the ball at the end" },
    { name: "speed", unit: "m/s", description: "of the ball at the end" },
    { name: "tetrahedra", unit: "", description: "in all fingers" },
  ],
  build(world, values) {
    setUp(world, values);
    const cast = new Cast(world);
    const friction = numberOf(values, "friction");
    cast.floor({ friction });
    const ball = cast.add("porcelain", {
      name: "ball",
      shape: { type: "sphere", radius: BALL_RADIUS },
      mass: BALL_MASS,
      friction,
      position: [0, BALL_RADIUS, 0],
      canSleep: false,
    });
    const hand = cast.add("steel", {
      name: "hand",
      motion: "kinematic",
      shape: { type: "cylinder", pointA: [0, -0.01, 0], pointB: [0, 0.01, 0], radius: 0.075 },
      position: [0, ROOT_HEIGHT + 0.01, 0],
      collideWith: 0,
    });
    const fingers = Array.from({ length: FINGERS }, (_, k) =>
      addFinger(world, values, aboutY((2 * Math.PI * k) / FINGERS)),
    );
    let held: Vec3 | undefined;
    let slip = 0;
    const inHand = (): Vec3 => [ball.position[0], ball.position[1] - hand.position[1], ball.position[2]];
    return {
      props: [...cast.props, carried(hand, stem(0.15, 0.008)), ...gantry(0, 0.008, [-0.2, 0.3, 0], [0.2, 0.3, 0])],
      softs: fingers.map(({ body }) => ({ body, material: "rubber" })),
      beforeStep(time, dt) {
        const up = LIFT_HEIGHT * part(time + dt, LIFT);
        hand.moveTo([0, ROOT_HEIGHT + 0.01 + up, 0]);
        for (const finger of fingers) finger.move(up, part(time + dt, INFLATE));
      },
      afterStep() {
        if (world.time < HELD) return;
        held ??= inHand();
        slip = Math.max(slip, distance(held, inHand()));
      },
      measure() {
        const lift = ball.position[1] - BALL_RADIUS;
        return Promise.resolve({
          slip,
          dropped: lift < 0.8 * (hand.position[1] - ROOT_HEIGHT - 0.01) ? 1 : 0,
          lift,
          speed: Math.hypot(...ball.linearVelocity),
          tetrahedra: fingers.reduce((sum, { body }) => sum + body.model.tetrahedra!.length / 4, 0),
        });
      },
    };
  },
};

interface Finger {
  readonly body: DeformableBody;
  /** Moves to this height above the start [m]; the fingers are inflated by a part from 0 to 1. */
  move(up: number, inflation: number): void;
}

/** A finger that hangs from the hand, its palm towards the axis. */
function addFinger(world: World, values: ParameterValues, rotation: Quat): Finger {
  const mesh = softFinger({
    arches: numberOf(values, "arches"),
    across: numberOf(values, "across"),
    length: LENGTH,
    width: 0.022,
    thickness: 0.005,
    archHeight: 0.012,
  });
  const { positions } = mesh;
  // The finger points down, its palm towards the axis.
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, z] = positions.subarray(i, i + 3);
    positions.set(turn(rotation, [OPEN - y, ROOT_HEIGHT - x, -z]), i);
  }
  const youngsModulus = numberOf(values, "youngsModulus");
  const poissonRatio = numberOf(values, "poissonRatio");
  const model = solidModel({
    solver: "newton",
    ...mesh,
    elements: "linear",
    name: "finger",
    material: {
      youngsModulus,
      poissonRatio,
      density: DENSITY,
      friction: numberOf(values, "friction"),
      model: "corotational",
    },
  });
  const body = world.addBody(model, { pins: mesh.root });
  const stress = (numberOf(values, "swelling") * youngsModulus) / (1 - 2 * poissonRatio);
  return {
    body,
    move(up, inflation) {
      for (const p of mesh.root)
        body.setPinTarget(p, model.positions[3 * p], model.positions[3 * p + 1] + up, model.positions[3 * p + 2]);
      mesh.arched.forEach((isArched, t) => (model.activation[t] = isArched * inflation * stress));
    },
  };
}

/** 0 before, 1 after, smooth in between. */
function part(time: number, [from, duration]: readonly [number, number]): number {
  const s = Math.min(1, Math.max(0, (time - from) / duration));
  return s * s * (3 - 2 * s);
}
