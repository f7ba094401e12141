import { gridMesh, type RigidBody } from "../../src/index";
import { closestPointOnTriangle } from "../../src/geometry/triangles/triangle";
import { addCloth, type Cloth, clothInWorld, clothParameters, clothStepping, segmentsOf } from "../cloth";
import { numberOf } from "../parameters";
import { Cast } from "../rigid";
import type { ParameterValues, Prop, SceneDefinition } from "../scene";
import { gantry } from "../stands";

const SIDE = 1;
const RADIUS = 0.1;
/** Height of the sheet. */
const TOP = 0.6;
/** Beside the trampoline a ball hits a free sheet. */
const FREE = 2.2;
const GRAVITY = 9.81;
/** Initial velocity of the free sheet, m/s. */
const TOSS = 7;
/** A particle this much further than the radius from the center of a ball does not touch it, m. */
const CLEAR = 0.015;

/** A ball bounces in a sheet with a fixed edge; another one hits a free sheet. */
export const trampoline: SceneDefinition = {
  name: "trampoline",
  title: "Trampoline",
  description:
    "A ball of 0.05 to 5 kg falls on a rubber sheet in a frame and is thrown up again. Beside it, one hits a sheet that " +
    "nothing holds: there only gravity acts from outside.",
  frames: 54,
  groundHeight: 0,
  view: { target: [1.1, 1, 0], alpha: -1.4, beta: 1.35, radius: 4.5 },
  parameters: [
    ...clothStepping({ resolution: 16, substeps: 16, iterations: 1 }),
    ...clothParameters({ resolution: 16, highest: 64, fabric: "rubber-sheet" }),
    { name: "mass", default: 1, unit: "kg", range: [0.01, 20], description: "mass of the balls" },
    { name: "height", default: 0.5, unit: "m", range: [0.15, 3], description: "from which the first ball falls" },
    { name: "speed", default: 3, unit: "m/s", range: [0.5, 20], description: "with which the second one is thrown" },
  ],
  metrics: [
    {
      name: "momentumError",
      unit: "",
      bound: 0.02,
      description:
        "change of the total momentum of the free ball and sheet that is not gravity's, before their impact and after it, " +
        "against the ball's in the frame of the sheet",
    },
    {
      name: "flightError",
      unit: "",
      bound: 0.02,
      description: "as much for the first ball while it touches nothing, against its momentum when it meets the sheet",
    },
    {
      name: "reboundFraction",
      unit: "",
      bound: 1,
      description: "height to which the sheet throws the first ball over that from which it fell",
    },
    { name: "bounced", unit: "", description: "1: it was thrown up" },
    { name: "passedThrough", unit: "", bound: 0, description: "1: the first ball came out below" },
  ],
  build(world, values, makeCloth = clothInWorld(world)) {
    world.gravity = [0, -GRAVITY, 0];
    const cast = new Cast(world);
    const mass = numberOf(values, "mass");
    const height = numberOf(values, "height");
    const speed = numberOf(values, "speed");
    const addSheet = (name: string, x: number, isHeld: boolean): Cloth => sheet(makeCloth, values, name, x, isHeld);
    const addBall = (name: string, x: number, above: number): RigidBody =>
      cast.add("wood", {
        name,
        shape: { type: "sphere", radius: RADIUS },
        mass,
        position: [x, TOP + RADIUS + above, 0],
        restitution: 0,
      });
    const held = addSheet("trampoline", 0, true);
    const bouncing = addBall("ball", 0, height);
    const free = addSheet("free sheet", FREE, false);
    const thrown = addBall("thrown ball", FREE, 0.1);
    thrown.linearVelocity = [0, TOSS - speed, 0];
    // both are tossed up so that they are still above the ground at the end
    const velocities = free.restPositions.map((_, i) => (i % 3 === 1 ? TOSS : 0));
    free.body.writeState({ positions: free.restPositions.slice(), velocities });
    const start = world.time;
    let flight = { since: start, velocity: 0, isFree: true };
    let [momentumError, now, flightError, highest, hasBounced, below] = [0, 0, 0, -Infinity, false, 0];
    /** speed of a ball after a fall from this height [m/s] */
    const impact = Math.sqrt(2 * GRAVITY * height);
    return {
      props: [...cast.props, ...frame()],
      async afterStep() {
        const time = world.time - start;
        const { positions } = await held.body.readState();
        const isFree = isClear(bouncing, positions, held.faces);
        const velocity = bouncing.linearVelocity[1];
        if (isFree && flight.isFree) {
          const expected = flight.velocity - GRAVITY * (world.time - flight.since);
          flightError = Math.max(flightError, Math.abs(velocity - expected) / impact);
        } else flight = { since: world.time, velocity, isFree };
        const [, y] = bouncing.position;
        hasBounced ||= velocity > 0;
        if (hasBounced) highest = Math.max(highest, y - TOP - RADIUS);
        const sheetState = await free.body.readState();
        const total = mass * thrown.linearVelocity[1] + momentumY(free.masses, sheetState.velocities);
        const all = mass + free.masses.reduce((sum, m) => sum + m, 0);
        const expected = all * (TOSS - GRAVITY * time) - mass * speed;
        now = Math.abs((total - expected) / (mass * speed));
        // during contact, the impulses of a frame are still on their way to the ball
        if (isClear(thrown, sheetState.positions, free.faces)) momentumError = Math.max(momentumError, now);
        if (isBelow(bouncing, positions, held.faces)) below = 1;
      },
      measure() {
        return Promise.resolve({
          momentumError: Math.max(momentumError, now),
          flightError,
          reboundFraction: hasBounced ? Math.max(0, highest) / height : 0,
          bounced: hasBounced ? 1 : 0,
          passedThrough: below,
        });
      },
    };
  },
};

/** The rim to which the held sheet is fixed, on four legs. */
function frame(): Prop[] {
  const half = SIDE / 2;
  return [-half, half].flatMap((at) => [
    ...gantry(0, 0.012, [at, TOP, -half], [at, TOP, half]),
    ...gantry(0, 0.012, [-half, TOP, at], [half, TOP, at]),
  ]);
}

function sheet(
  makeCloth: ReturnType<typeof clothInWorld>,
  values: ParameterValues,
  name: string,
  x: number,
  isHeld: boolean,
): Cloth {
  const [columns, rows] = segmentsOf(values, SIDE, SIDE);
  const mesh = gridMesh({ width: SIDE, height: SIDE, columns, rows, center: [x, TOP, 0] });
  const edge: number[] = [];
  for (let p = 0; 3 * p < mesh.positions.length; p++) {
    const out = Math.max(Math.abs(mesh.positions[3 * p] - x), Math.abs(mesh.positions[3 * p + 2]));
    if (out > SIDE / 2 - 1e-6) edge.push(p);
  }
  return addCloth(makeCloth, values, {
    name,
    mesh,
    size: [SIDE, SIDE],
    pins: isHeld ? edge : [],
    // no other force changes momentum: no air, no damping against the world
    options: { airDensity: 0, damping: 0 },
  });
}

/** Whether a ball touches neither sheet. */
function isClear(ball: RigidBody, positions: ArrayLike<number>, faces: Uint32Array): boolean {
  return nearest(ball, positions, faces).distance > RADIUS + CLEAR;
}

/** Whether a ball is below the nearest part of a sheet. */
function isBelow(ball: RigidBody, positions: ArrayLike<number>, faces: Uint32Array): boolean {
  return ball.position[1] < nearest(ball, positions, faces).height - RADIUS / 2;
}

/**
 * The point of a sheet nearest to a ball, on faces too: between the vertices of a stretched fabric there is room for a
 * ball.
 */
function nearest(ball: RigidBody, positions: ArrayLike<number>, faces: Uint32Array) {
  const found = { distance: Infinity, height: 0 };
  const corners = new Float64Array(9);
  const closest = new Float64Array(6);
  for (let f = 0; f < faces.length; f += 3) {
    for (let k = 0; k < 9; k++) corners[k] = positions[3 * faces[f + ((k / 3) | 0)] + (k % 3)];
    const distance = Math.sqrt(closestPointOnTriangle(corners, 0, ...ball.position, closest));
    if (distance < found.distance) Object.assign(found, { distance, height: closest[1] });
  }
  return found;
}

/** kg m/s */
function momentumY(masses: ArrayLike<number>, velocities: ArrayLike<number>): number {
  let sum = 0;
  for (let p = 0; p < masses.length; p++) sum += masses[p] * velocities[3 * p + 1];
  return sum;
}
