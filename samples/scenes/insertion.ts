import { type Quat, type RigidBody, type RigidJoint, type Vec3, type World } from "../../src/index";
import { turn } from "../../src/math/quaternions";
import { distance } from "../../src/math/vectors";
import { FetchRobot, type GripperPose } from "../fetch-robot";
import { numberOf } from "../parameters";
import { aboutY, aboutZ, box, Cast, frictionParameter, PenetrationMeter, rigidParameters, setUp } from "../rigid";
import type { SceneDefinition } from "../scene";
import { part } from "../smooth";

const GRAVITY = 9.81;
/** Length, width and mass of each body of the beam [m], [kg]. */
const [LINK, WIDTH, MASS] = [0.025, 0.012, 0.003];
/** Place of the beam at first, the middle of its rear end, and distance of the hole from its tip [m]. */
const START: Vec3 = [-0.25, 0.7, 0];
const AWAY = 0.08;
/** The hand takes hold this far from the rear end of the beam, lifts it by this, and pushes it this far into the hole [m]. */
const [HOLD, LIFT, DEPTH] = [0.025, 0.06, 0.15];
/** Distance of each finger from the middle at the start [m]. */
const OPEN = 0.02;
/** Slope of the funnel, and length of its plates [m]. */
const [SLOPE, FUNNEL] = [0.6, 0.05];
/** Times at which the fingers have closed, the beam is lifted, and the push has ended [s]. */
const [CLOSED, LIFTED, PUSHED] = [0.3, 0.6, 1.8];
/** Turn of the gripper's axes, z up, to the scene's: fingers to the left and right of the beam. */
const LEVEL: Quat = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];

/** The Fetch robot takes a flexible beam and pushes it into a hole that is a little beside (figures 7 and 16 of paper 3). */
export const insertion: SceneDefinition = {
  name: "insertion",
  title: "Insertion",
  description:
    "A robot arm grips a beam of sixteen springy links by friction and pushes it through a funnel into a hole.",
  frames: 132,
  groundHeight: 0,
  view: { target: [-0.1, 0.75, 0], alpha: -1.25, beta: 1.2, radius: 1.2 },
  parameters: [
    ...rigidParameters({ substeps: 4 }),
    { name: "count", default: 16, unit: "", range: [10, 24], integer: true, description: "bodies of the beam" },
    { name: "stiffness", default: 250, unit: "N·m/rad", range: [5, 1e4], description: "bending stiffness of a joint" },
    { name: "offset", default: 0.004, unit: "m", range: [-0.02, 0.02], description: "of the hole, upward" },
    { name: "aside", default: 0.0025, unit: "m", range: [-0.02, 0.02], description: "of the hole, sideways" },
    { name: "clearance", default: 0.001, unit: "m", range: [2e-4, 0.01], description: "on each side of the beam" },
    { name: "gripForce", default: 30, unit: "N", range: [8, 30], description: "of a finger" },
    frictionParameter(0.2),
  ],
  metrics: [
    { name: "slip", unit: "m", bound: 2e-3, description: "way of the gripped end in the hand" },
    { name: "depthError", unit: "m", bound: 2e-3, description: "of the tip in the hole, as the hand pushes it" },
    {
      name: "forceError",
      unit: "",
      bound: 0.02,
      description: "of what the fingers feel at the end, of the grip force",
    },
    {
      name: "balanceError",
      unit: "",
      bound: 0.02,
      description: "of all forces on the beam at rest, of the grip force",
    },
    { name: "jointError", unit: "m", bound: 1e-4, description: "largest gap of a joint of the beam" },
    { name: "penetration", unit: "m", bound: 1e-3, description: "greatest depth of a contact" },
    { name: "push", unit: "N", description: "greatest force of the hand along the hole" },
    { name: "bend", unit: "rad", description: "greatest angle between links of the beam" },
    { name: "contacts", unit: "", description: "largest number of contacts" },
  ],
  async build(world, values) {
    setUp(world, values, GRAVITY);
    const cast = new Cast(world);
    const [friction, gripForce] = ["friction", "gripForce"].map((name) => numberOf(values, name));
    const count = numberOf(values, "count");
    const { links, joints } = addBeam(world, cast, count, numberOf(values, "stiffness"), friction);
    const tip = START[0] + count * LINK;
    for (const x of [START[0] + 0.3 * count * LINK, tip - 0.03])
      cast.add("wood", {
        name: `rest at ${x}`,
        motion: "static",
        shape: box(0.02, START[1] - WIDTH / 2, 0.06),
        position: [x, (START[1] - WIDTH / 2) / 2, 0],
        friction,
      });
    const hole: Vec3 = [tip + AWAY, START[1] + LIFT + numberOf(values, "offset"), numberOf(values, "aside")];
    addHole(cast, hole, WIDTH + 2 * numberOf(values, "clearance"), friction);
    const start: GripperPose = { position: [START[0] + HOLD, START[1], 0], rotation: LEVEL };
    const robot = await FetchRobot.create(world, {
      position: [-0.95, 0, 0],
      start,
      friction: 0.8,
      open: OPEN,
      gripForce,
      maxTimeStep: numberOf(values, "frameTime") / numberOf(values, "substeps"),
    });
    const { mechanism } = robot;
    const meter = new PenetrationMeter(world.rigid);
    const wrench = new Float64Array(6);
    const inHand = (): Vec3 => robot.within(links[1].position);
    let taken: Vec3 | undefined;
    let [slip, jointError, bend, push, contacts] = [0, 0, 0, 0, 0];
    const way = AWAY + DEPTH;
    return {
      props: [...cast.props, ...robot.props],
      beforeStep(time, dt) {
        const now = time + dt;
        robot.close(OPEN * (1 - part(now, 0.05, CLOSED)));
        const position: Vec3 = [
          START[0] + HOLD + way * part(now, LIFTED, PUSHED),
          START[1] + LIFT * part(now, CLOSED + 0.05, LIFTED),
          0,
        ];
        robot.moveTo({ position, rotation: LEVEL }, dt);
      },
      afterStep() {
        meter.update();
        contacts = Math.max(contacts, world.rigid.contacts.count);
        for (const joint of joints) {
          for (const axis of ["linearX", "linearY", "linearZ"] as const)
            jointError = Math.max(jointError, Math.abs(joint.position(axis)));
          bend = Math.max(bend, ...(["angularY", "angularZ"] as const).map((axis) => Math.abs(joint.position(axis))));
        }
        push = Math.max(push, -force("right finger")[0] - force("left finger")[0]);
        if (world.time < CLOSED) return;
        taken ??= inHand();
        slip = Math.max(slip, distance(inHand(), taken));
      },
      measure() {
        const total: [number, number, number] = [0, -count * MASS * GRAVITY, 0];
        for (const link of links) {
          link.contactWrenchToRef(wrench);
          for (let c = 0; c < 3; c++)
            total[c] += (wrench[c] * numberOf(values, "substeps")) / numberOf(values, "frameTime");
        }
        const felt = ["right finger", "left finger"].map((finger) => Math.abs(force(finger)[2]));
        const [end] = [links[count - 1]].map(
          ({ position, rotation }) => position[0] + turn(rotation, [LINK / 2, 0, 0])[0],
        );
        return Promise.resolve({
          slip,
          depthError: Math.abs(end - tip - way * part(world.time, LIFTED, PUSHED)),
          forceError: Math.abs((felt[0] + felt[1]) / (2 * gripForce) - 1),
          balanceError: Math.hypot(...total) / gripForce,
          jointError,
          penetration: meter.deepest,
          push,
          bend,
          contacts,
        });
      },
    };

    function force(link: string): Vec3 {
      return mechanism.contactForceOf(link);
    }
  },
};

/** A beam along x, with the middle of its rear end at `START`. */
function addBeam(world: World, cast: Cast, count: number, stiffness: number, friction: number) {
  const links: RigidBody[] = [];
  const joints: RigidJoint[] = [];
  const spring = { mode: "limited", min: 0, max: 0, stiffness } as const;
  for (let k = 0; k < count; k++) {
    const link = cast.add(k % 2 === 0 ? "porcelain" : "amber", {
      name: `link ${k + 1}`,
      // Round: a box of the next link would catch with its front on the edge on which the link before it slides.
      shape: { type: "capsule", pointA: [-LINK / 2, 0, 0], pointB: [LINK / 2, 0, 0], radius: WIDTH / 2 },
      mass: MASS,
      position: [START[0] + (k + 0.5) * LINK, START[1], START[2]],
      friction: k < 3 ? 0.8 : friction,
      canSleep: false,
    });
    if (k > 0)
      joints.push(
        world.addJoint({
          type: "ball",
          bodyA: links[k - 1],
          bodyB: link,
          pivotA: [LINK / 2, 0, 0],
          pivotB: [-LINK / 2, 0, 0],
          axes: { angularX: spring, angularY: spring, angularZ: spring },
        }),
      );
    links.push(link);
  }
  return { links, joints };
}

/** A square hole along x that begins at a place, in a block with a funnel before it. */
function addHole(cast: Cast, [x, y, z]: Vec3, width: number, friction: number): void {
  const [wall, length] = [0.06, 0.22];
  for (let side = 0; side < 4; side++) {
    const [up, aside] = [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ][side];
    const out = (width + wall) / 2;
    const isAcross = up === 0;
    cast.add("stone", {
      name: `wall ${side}`,
      motion: "static",
      shape: isAcross ? box(length, width, wall) : box(length, wall, width + 2 * wall),
      position: [x + length / 2, y + up * out, z + aside * out],
      friction,
    });
    // A plate from the edge of the hole outward and back.
    const tilt = isAcross ? aboutY(aside * SLOPE) : aboutZ(-up * SLOPE);
    const thick = 0.01;
    const local: Vec3 = [-FUNNEL / 2, (up * thick) / 2, (aside * thick) / 2];
    const edge = turn(tilt, local);
    cast.add("steel", {
      name: `plate ${side}`,
      motion: "static",
      shape: isAcross ? box(FUNNEL, 0.06, thick) : box(FUNNEL, thick, 0.06),
      position: [x + edge[0], y + (up * width) / 2 + edge[1], z + (aside * width) / 2 + edge[2]],
      rotation: tilt,
      friction,
    });
  }
}
