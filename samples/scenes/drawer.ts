import type { MechanismDescription, Quat, Vec3 } from "../../src/index";
import { mechanismModel } from "../../src/index";
import { distance } from "../../src/math/vectors";
import { looksOf, propsOf } from "../articulated";
import { FetchRobot, type GripperPose } from "../fetch-robot";
import { fingerJoints } from "../mechanisms/fetch-arm";
import { boxInertia } from "../mechanisms/solids";
import { numberOf } from "../parameters";
import { box, Cast, frictionParameter, PenetrationMeter, rigidParameters, setUp } from "../rigid";
import type { SceneDefinition } from "../scene";
import { part } from "../smooth";
import { addSoftBall, softBallParameters } from "../soft-ball";

const GRAVITY = 9.81;
/** Depth, height and width of the drawer, thickness of its boards, and the gap to the cabinet [m]. */
const [DEEP, HIGH, WIDE] = [0.42, 0.16, 0.9];
const [BOARD, GAP] = [0.014, 0.004];
/** Middle of the front of the closed drawer, distance of the handle from it, and thickness and length of the handle [m]. */
const FRONT: Vec3 = [0.12, 0.72, 0];
const [AWAY, BAR, LONG] = [0.05, 0.02, 0.82];
/** Places of the robots along x, and of their hands along the handle [m]; mass of the drawer [kg], and its damping [N s/m]. */
const [BASE, SIDE] = [-0.88, 0.33];
const [MASS, DAMPING] = [5, 4];
/** The hands come from so far, and their fingers are at so far from the middle [m]. */
const [BEFORE, OPEN] = [0.06, 0.024];
/** Times at which the hands are at the handle, hold it, and have opened the drawer [s]. */
const [THERE, CLOSED, OPENED] = [0.4, 0.7, 2.3];
/** While nothing speeds up or slows down much, the pull is what the drawer's friction holds [s]. */
const STEADY = [1.4, 1.7] as const;
/** Elbows up, so that no joint comes near its limit while the arms fold [rad]. */
const POSTURE = { "shoulder lift": -0.1, "elbow flex": 1, "wrist flex": -0.9, "wrist roll": Math.PI / 2 };
/** One finger above the handle, and one below. */
const UPRIGHT: Quat = [0, 0, 0, 1];
const RADIUS = 0.04;

/** Two arms take the handle of a drawer and pull it open by friction (figure 15 of paper 3). */
export const drawer: SceneDefinition = {
  name: "drawer",
  title: "Drawer",
  description: "Two robot arms grip the handle of a drawer, pull it open by friction, and hold it.",
  frames: 168,
  groundHeight: 0,
  view: { target: [-0.2, 0.7, 0], alpha: -2.2, beta: 1.05, radius: 2.4 },
  parameters: [
    ...rigidParameters({ substeps: 2 }),
    { name: "opening", default: 0.18, unit: "m", range: [0.05, 0.2], description: "by which the drawer is opened" },
    { name: "gripForce", default: 25, unit: "N", range: [10, 60], description: "of a finger" },
    { name: "rubbing", default: 12, unit: "N", range: [0, 40], description: "dry friction of the rails" },
    ...softBallParameters("ball in the drawer", { youngsModulus: 1e5, poissonRatio: 0.45, resolution: 2.5 }),
    frictionParameter(0.8),
  ],
  metrics: [
    { name: "slip", unit: "m", bound: 2e-4, description: "largest way of the handle in a hand" },
    { name: "openingError", unit: "m", bound: 2e-3, description: "of the opening at the end" },
    { name: "forceError", unit: "", bound: 0.02, description: "of what fingers feel across the handle, at worst" },
    { name: "pullError", unit: "", bound: 0.02, description: "of the mean pull, of what the rails hold at that speed" },
    { name: "penetration", unit: "m", bound: 1e-3, description: "greatest depth of a contact" },
    { name: "inside", unit: "", description: "whether all things are in the drawer at the end" },
    { name: "opened", unit: "m", description: "way of the drawer" },
    { name: "pull", unit: "N", description: "of both hands, mean while the drawer slides steadily" },
    { name: "contacts", unit: "", description: "largest number of contacts" },
  ],
  async build(world, values) {
    setUp(world, values, GRAVITY);
    const cast = new Cast(world);
    const [opening, gripForce, rubbing, friction] = ["opening", "gripForce", "rubbing", "friction"].map((name) =>
      numberOf(values, name),
    );
    const dt = numberOf(values, "frameTime");
    const maxTimeStep = dt / numberOf(values, "substeps");
    addCabinet(cast, friction);
    const description = drawerOf(rubbing, friction);
    const sliding = world.addMechanism(mechanismModel(description, { maxTimeStep }));
    const floor = FRONT[1] - HIGH / 2 + BOARD;
    const inside = (x: number, height: number, z: number): Vec3 => [FRONT[0] + x, floor + height, z];
    const ball = addSoftBall(world, values, {
      name: "ball",
      radius: RADIUS,
      center: inside(0.15, RADIUS + 0.001, 0.12),
      density: 500,
      friction,
    });
    const things = [
      cast.add("amber", {
        name: "box",
        shape: box(0.08, 0.05, 0.12),
        density: 400,
        position: inside(0.12, 0.025, -0.1),
        friction,
      }),
      cast.add("porcelain", {
        name: "block",
        shape: box(0.05, 0.07, 0.05),
        density: 600,
        position: inside(0.2, 0.035, 0.27),
        friction,
      }),
    ];
    const way = (time: number): number => opening * part(time, CLOSED + 0.1, OPENED);
    const poseAt = (time: number, side: number): GripperPose => ({
      position: [FRONT[0] - AWAY - BEFORE * (1 - part(time, 0, THERE)) - way(time), FRONT[1], side * SIDE],
      rotation: UPRIGHT,
    });
    const robots = await Promise.all(
      [-1, 1].map((side) =>
        FetchRobot.create(world, {
          position: [BASE, 0, side * SIDE],
          start: poseAt(0, side),
          posture: POSTURE,
          friction,
          open: OPEN,
          gripForce,
          maxTimeStep,
        }),
      ),
    );
    const meter = new PenetrationMeter(world.rigid);
    const taken: Vec3[] = [];
    const pulls: number[] = [];
    const speeds: number[] = [];
    const handle = (side: number): Vec3 => {
      const { position } = sliding.poseOf("drawer");
      return [position[0] - AWAY, position[1], side * SIDE];
    };
    let [slip, forceError, contacts] = [0, 0, 0];
    const { q, qd } = sliding.simulation;
    return {
      props: [
        ...cast.props,
        ...robots.flatMap(({ props }) => props),
        ...propsOf(
          sliding,
          looksOf(description, (link) => (link === "drawer" ? "wood" : "steel")),
        ),
      ],
      softs: [{ body: ball.body, material: "rubber" }],
      beforeStep(time) {
        const now = time + dt;
        robots.forEach((robot, k) => {
          robot.close(OPEN * (1 - part(now, THERE, CLOSED - 0.1)));
          robot.moveTo(poseAt(now, 2 * k - 1), dt);
        });
      },
      afterStep() {
        meter.update();
        contacts = Math.max(contacts, world.rigid.contacts.count);
        const { time } = world;
        if (time < CLOSED) return;
        robots.forEach((robot, k) => {
          const at = robot.within(handle(2 * k - 1));
          taken[k] ??= at;
          slip = Math.max(slip, distance(at, taken[k]));
          const [right, left] = fingerJoints.map((finger) => robot.mechanism.contactForceOf(finger));
          forceError = Math.max(forceError, Math.abs((right[1] - left[1]) / (2 * gripForce) - 1));
        });
        if (time < STEADY[0] || time > STEADY[1]) return;
        speeds.push(qd[0]);
        pulls.push(
          robots.reduce(
            (sum, { mechanism }) =>
              sum + fingerJoints.reduce((s, finger) => s + mechanism.contactForceOf(finger)[0], 0),
            0,
          ),
        );
      },
      async measure() {
        const balls = await ball.body.readPositions();
        const pull = mean(pulls);
        const isInside = ([x, y]: Vec3): boolean => y > floor && x > FRONT[0] - q[0] && x < FRONT[0] - q[0] + DEEP;
        return {
          slip,
          openingError: Math.abs(q[0] - way(world.time)),
          forceError,
          ...(pulls.length > 0 ? { pullError: Math.abs(pull / (rubbing + DAMPING * mean(speeds)) - 1), pull } : {}),
          penetration: meter.deepest,
          inside: Number(
            [...things.map(({ position }) => position), [balls[0], balls[1], balls[2]] as Vec3].every(isInside),
          ),
          opened: q[0],
          contacts,
        };
      },
    };
  },
};

/** A drawer on rails with dry friction, and a bar as its handle. Its origin is the middle of its front. */
function drawerOf(rubbing: number, friction: number): MechanismDescription {
  const plate = (x: number, y: number, z: number, position: Vec3) => ({ shape: box(x, y, z), position, friction });
  const side = (sign: number) => plate(DEEP, HIGH, BOARD, [DEEP / 2, 0, (sign * (WIDE - BOARD)) / 2]);
  const post = (sign: number) => plate(AWAY, BAR, BAR, [-AWAY / 2, 0, (sign * (LONG - BAR)) / 2]);
  return {
    name: "drawer",
    links: [
      {
        name: "drawer",
        mass: MASS,
        centerOfMass: [DEEP / 2, 0, 0],
        inertia: boxInertia(MASS, [DEEP, HIGH, WIDE]),
        joint: {
          type: "prismatic",
          name: "rails",
          axis: [-1, 0, 0],
          parentFrame: { position: FRONT },
          lower: 0,
          upper: 0.4,
          damping: DAMPING,
          frictionLoss: rubbing,
        },
        shapes: [
          plate(BOARD, HIGH, WIDE, [BOARD / 2, 0, 0]),
          plate(BOARD, HIGH, WIDE, [DEEP - BOARD / 2, 0, 0]),
          plate(DEEP, BOARD, WIDE, [DEEP / 2, (BOARD - HIGH) / 2, 0]),
          side(-1),
          side(1),
        ],
      },
      {
        name: "handle",
        parent: "drawer",
        mass: 0.5,
        inertia: boxInertia(0.5, [BAR, BAR, LONG]),
        joint: { type: "weld" },
        shapes: [plate(BAR, BAR, LONG, [-AWAY, 0, 0]), post(-1), post(1)],
      },
    ],
  };
}

/** A cabinet around the closed drawer, with a gap on each side of it. */
function addCabinet(cast: Cast, friction: number): void {
  const [x, y] = FRONT;
  const wall = 0.03;
  const [width, top] = [WIDE + 2 * GAP + 2 * wall, y + HIGH / 2 + GAP];
  const bottom = y - HIGH / 2 - GAP;
  const deep = DEEP + GAP + wall;
  const parts: readonly (readonly [string, Vec3, Vec3])[] = [
    ["top", [deep, wall, width], [x + deep / 2, top + wall / 2, 0]],
    ["base", [deep, bottom, width], [x + deep / 2, bottom / 2, 0]],
    ["back", [wall, top - bottom, width], [x + deep - wall / 2, (top + bottom) / 2, 0]],
    ...[-1, 1].map(
      (side) =>
        [
          `side ${side}`,
          [deep, top - bottom, wall],
          [x + deep / 2, (top + bottom) / 2, (side * (width - wall)) / 2],
        ] as const,
    ),
  ];
  for (const [name, [a, b, c], position] of parts)
    cast.add(name === "base" ? "stone" : "clay", { name, motion: "static", shape: box(a, b, c), position, friction });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
