import { turn } from "../../src/math/quaternions";
import { type ColliderShape, type RigidBody, type RigidJoint, type Vec3, type World } from "../../src/index";
import { numberOf } from "../parameters";
import { aboutY, box, Cast, frictionParameter, rigidParameters, setUp } from "../rigid";
import type { SceneDefinition } from "../scene";
import { carried, posts, stem } from "../stands";
import { addSoftBall, softBallParameters } from "../soft-ball";

const GRAVITY = 9.81;
const RADIUS = 0.04;
const DENSITY = 1000;
/** Distance of the gripper from its swing axis [m]. */
const REACH = 0.3;
const TABLE = 0.05;
const PAN = 0.12;
/** Stiffness of the scale's spring [N/m]. */
const SPRING = 800;
const OPEN = 0.075;
const JAW = 0.01;

/** Times at which the gripper closes, lifts, swings, lowers and releases [s], and the duration of each. */
const CLOSE = [0.1, 0.4] as const;
const LIFT = [0.6, 0.5] as const;
const SWING = [1.1, 0.9] as const;
const LOWER = [2, 0.6] as const;
const RELEASE = [2.7, 0.4] as const;

/** Two jaws pick up a soft ball and weigh it (figure 1 of paper 3). */
export const tomato: SceneDefinition = {
  name: "tomato",
  title: "Tomato",
  description: "Two jaws on motors grip a soft ball, swing it over to a scale of hinges and a spring, and set it down.",
  frames: 300,
  groundHeight: 0,
  view: { target: [-0.1, 0.09, 0.15], alpha: -2.4, beta: 1.15, radius: 0.93 },
  parameters: [
    ...rigidParameters({ substeps: 2 }),
    ...softBallParameters("ball"),
    frictionParameter(0.75),
    { name: "gripForce", default: 8, unit: "N", range: [1, 50], description: "most force of each jaw's motor" },
  ],
  metrics: [
    { name: "slip", unit: "m", bound: 2e-3, description: "way along the jaws of what touches them, while it is held" },
    { name: "readingError", unit: "", bound: 0.01, description: "of the scale, as a part of the ball's weight" },
    { name: "weight", unit: "N", description: "of the ball" },
    { name: "reading", unit: "N", description: "of the scale at the end: stiffness times the way of its spring" },
    { name: "lift", unit: "m", description: "greatest height of the ball's lowest point over the table" },
    { name: "tetrahedra", unit: "", description: "in the ball" },
  ],
  build(world, values) {
    setUp(world, values, GRAVITY);
    const cast = new Cast(world);
    const friction = numberOf(values, "friction");
    cast.add("stone", {
      name: "table",
      motion: "static",
      shape: box(0.16, TABLE, 0.16),
      position: [-REACH, TABLE / 2, 0],
      friction,
    });
    const center: Vec3 = [-REACH, TABLE + RADIUS, 0];
    const {
      body: ball,
      mesh,
      mass,
    } = addSoftBall(world, values, { name: "tomato", radius: RADIUS, center, density: DENSITY, friction });
    const gripper = addGripper(world, cast, friction, numberOf(values, "gripForce"));
    const scale = addScale(world, cast, friction);
    const slip = new SlipMeter(gripper.jaws, ball.model.faces);
    const weight = mass * GRAVITY;
    let tare = 0;
    let lift = 0;
    const reach: ColliderShape = { type: "box", halfExtents: [REACH / 2, 0.008, 0.012], center: [REACH / 2, 0.1, 0] };
    return {
      props: [
        ...cast.props,
        carried(gripper.hand, reach),
        carried(gripper.hand, stem(0.02, 0.012), [0, 0.08, 0]),
        ...posts(0, 0.02, [0, 0.42, 0]),
      ],
      softs: [{ body: ball, material: "rubber" }],
      beforeStep(time, dt) {
        gripper.move(time + dt);
        if (time < CLOSE[0] + CLOSE[1]) tare = scale.position("linearY");
      },
      async afterStep() {
        const positions = await ball.readPositions();
        if (world.time > LIFT[0] - 0.05 && world.time < RELEASE[0] - 0.05) slip.update(positions);
        if (world.time < LOWER[0]) lift = Math.max(lift, lowest(positions) - TABLE);
      },
      measure() {
        const reading = SPRING * (scale.position("linearY") - tare);
        return Promise.resolve({
          slip: slip.largest,
          readingError: Math.abs(reading / weight - 1),
          weight,
          reading,
          lift,
          tetrahedra: mesh.tetrahedra.length / 4,
        });
      },
    };
  },
};

interface Gripper {
  readonly hand: RigidBody;
  readonly jaws: readonly RigidBody[];
  /** Moves to the planned place at a time [s]. */
  move(time: number): void;
}

/** A led hand with two jaws on prismatic motors. */
function addGripper(world: World, cast: Cast, friction: number, force: number): Gripper {
  const start: Vec3 = [-REACH, TABLE + RADIUS, 0];
  const hand = cast.add("steel", {
    name: "hand",
    motion: "kinematic",
    shape: { type: "box", halfExtents: [0.025, 0.012, 0.1], center: [0, 0.075, 0] },
    position: start,
    collideWith: 0,
  });
  const jaws: RigidBody[] = [];
  const motors: RigidJoint[] = [];
  for (const side of [-1, 1]) {
    const jaw = cast.add("steel", {
      name: side < 0 ? "left jaw" : "right jaw",
      shape: box(0.06, 0.07, 2 * JAW),
      mass: 0.2,
      friction,
      position: [start[0], start[1], side * OPEN],
      canSleep: false,
    });
    jaws.push(jaw);
    motors.push(
      world.addJoint({
        type: "prismatic",
        bodyA: hand,
        bodyB: jaw,
        axisA: [0, 0, side],
        axisB: [0, 0, side],
        axes: { linearX: { motor: "position", target: OPEN, maxForce: force } },
      }),
    );
  }
  return {
    hand,
    jaws,
    move(time) {
      const grip = part(time, CLOSE) - part(time, RELEASE);
      for (const motor of motors) motor.configure("linearX", { target: OPEN - (OPEN - 0.5 * RADIUS) * grip });
      const down = part(time, LOWER);
      const height = TABLE + RADIUS + 0.15 * part(time, LIFT) + (PAN - TABLE - 0.15 - 0.001) * down;
      const rotation = aboutY((Math.PI / 2) * part(time, SWING));
      hand.moveTo(turn(rotation, [-REACH, height, 0]), rotation);
    },
  };
}

/** A pan on two parallel arms, which keep it level, and a spring; returns the spring's joint. */
function addScale(world: World, cast: Cast, friction: number): RigidJoint {
  const half = 0.12;
  const rim = 0.004;
  const children: { shape: ColliderShape; position: Vec3 }[] = [
    { shape: box(2 * half, 0.01, 2 * half), position: [0, -0.005, 0] },
    { shape: box(0.02, 0.09, 0.03), position: [half - 0.01, -0.055, 0] },
  ];
  for (const side of [-1, 1]) {
    children.push({ shape: box(2 * rim, 0.008, 2 * half), position: [side * half, 0.004, 0] });
    children.push({ shape: box(2 * half, 0.008, 2 * rim), position: [0, 0.004, side * half] });
  }
  const pan = cast.add("porcelain", {
    name: "pan",
    shape: { type: "container", children },
    mass: 0.3,
    centerOfMass: [0, 0, 0],
    inertia: [1.5e-3, 3e-3, 1.5e-3],
    position: [0, PAN, REACH],
    friction,
    canSleep: false,
  });
  const post = cast.add("stone", {
    name: "post",
    motion: "static",
    shape: box(0.04, 0.13, 0.05),
    position: [0.25, 0.065, REACH],
  });
  for (const height of [PAN - 0.08, PAN - 0.03]) {
    const arm = cast.add("wood", {
      name: `arm at ${height}`,
      shape: box(0.11, 0.006, 0.03),
      mass: 0.03,
      position: [0.175, height, REACH],
      canSleep: false,
      collideWith: 0,
    });
    for (const [body, x] of [
      [post, 0.23],
      [pan, half],
    ] as const) {
      const at = body.position;
      world.addJoint({
        type: "hinge",
        bodyA: body,
        bodyB: arm,
        pivotA: [x - at[0], height - at[1], REACH - at[2]],
        pivotB: [x - 0.175, 0, 0],
        axisA: [0, 0, 1],
        axisB: [0, 0, 1],
      });
    }
  }
  const spring = { mode: "limited", min: 0, max: 0, stiffness: SPRING, damping: 15 } as const;
  return world.addJoint({
    type: "six-dof",
    bodyA: post,
    bodyB: pan,
    pivotA: [0 - 0.25, PAN - 0.065, 0],
    axes: { linearY: spring },
  });
}

/** Slip of a surface's points along the jaws that they touch. */
class SlipMeter {
  largest = 0;
  /** by particle and jaw: place in the frame of the jaw at the first touch */
  private readonly held = new Map<string, readonly [number, number]>();

  constructor(
    private readonly jaws: readonly RigidBody[],
    private readonly faces: Uint32Array,
  ) {}

  update(positions: ArrayLike<number>): void {
    for (const jaw of this.jaws) {
      const [x, y, z, w] = jaw.rotation;
      for (const p of new Set(this.faces)) {
        const offset = [0, 1, 2].map((k) => positions[3 * p + k] - jaw.position[k]) as unknown as Vec3;
        const local = turn([-x, -y, -z, w], offset);
        const key = `${jaw.name} ${p}`;
        if (Math.abs(local[2]) - JAW > 2e-4) {
          this.held.delete(key);
          continue;
        }
        const first = this.held.get(key);
        if (first === undefined) this.held.set(key, [local[0], local[1]]);
        else this.largest = Math.max(this.largest, Math.hypot(local[0] - first[0], local[1] - first[1]));
      }
    }
  }
}

/** 0 before, 1 after, smooth in between. */
function part(time: number, [from, duration]: readonly [number, number]): number {
  const s = Math.min(1, Math.max(0, (time - from) / duration));
  return s * s * (3 - 2 * s);
}

function lowest(positions: ArrayLike<number>): number {
  let least = Infinity;
  for (let i = 1; i < positions.length; i += 3) least = Math.min(least, positions[i]);
  return least;
}
