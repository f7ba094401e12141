import { distance } from "../src/math/vectors";
import { boxTetrahedra, type DeformableBody, type RigidBody, type Vec3, type World } from "../src/index";
import {
  addSolid,
  contactForces,
  ContactMeter,
  contactMetrics,
  localGlobalParameters,
  massOf,
  momentumOf,
} from "./local-global";
import { numberOf } from "./parameters";
import { box, Cast } from "./rigid";
import type { ParameterValues, SceneDefinition } from "./scene";

const GRAVITY = 9.81;
const SIDE = 0.2;
/** Beside the stack a pair meets without any other forces. */
const APART = 0.8;
const SPEED = 1;
const FRAMES = 150;
/** By then the pair has met and parted. */
const MET = 40;

/** A soft cube and a rigid box, one on the other, and another two that meet in free space. */
export function softAndRigid(
  text: { name: string; title: string; description: string },
  isSoftAbove: boolean,
): SceneDefinition {
  return {
    ...text,
    frames: FRAMES,
    groundHeight: 0,
    view: { target: [APART / 2, 0.25, 0], alpha: -1.2, beta: 1.25, radius: 2.2 },
    parameters: [
      ...localGlobalParameters({ youngsModulus: 2e5, poissonRatio: 0.4, iterations: 10 }),
      {
        name: "mass",
        default: 8,
        unit: "kg",
        range: [0.1, 100],
        description: "of the rigid boxes; the soft cubes have 8 kg",
      },
      {
        name: "cells",
        default: 3,
        unit: "",
        range: [1, 20],
        integer: true,
        description: "along a side of a soft cube",
      },
    ],
    metrics: [
      {
        name: "forceError",
        unit: "",
        bound: 0.01,
        description: "of what carries the upper body, against its weight, at rest",
      },
      {
        name: "groundForceError",
        unit: "",
        bound: 0.01,
        description: "of the ground on the lower body, against both weights, at rest",
      },
      { name: "drift", unit: "m", bound: 1e-3, description: "way of both bodies in the last second" },
      {
        name: "momentumError",
        unit: "",
        bound: 0.01,
        description: "of the free pair, against the momentum that was exchanged",
      },
      ...contactMetrics,
    ],
    build(world, values) {
      world.gravity = [0, -GRAVITY, 0];
      const cast = new Cast(world);
      const friction = numberOf(values, "friction");
      cast.floor({ friction });
      const stack = addPair(world, cast, values, isSoftAbove, [0, 0, 0], 1);
      const free = addPair(world, cast, values, isSoftAbove, [APART, isSoftAbove ? 0.8 : 0.3, 0], 0);
      const falling = free.soft.model.positions.map(() => 0);
      for (let i = 1; i < falling.length; i += 3) falling[i] = isSoftAbove ? -SPEED : SPEED;
      free.soft.writeState({ positions: free.soft.model.positions.slice(), velocities: Float64Array.from(falling) });
      const meter = new ContactMeter(world);
      const start = massOf(free.soft) * (isSoftAbove ? -SPEED : SPEED);
      let [momentum, exchanged] = [0, 0];
      let before: Vec3[] = [];
      let drift = 0;
      const centres = async (): Promise<Vec3[]> => [
        middle((await stack.soft.readState()).positions),
        stack.rigid.position,
      ];
      return {
        props: cast.props,
        softs: [
          { body: stack.soft, material: "rubber" },
          { body: free.soft, material: "amber" },
        ],
        async afterStep(frame) {
          meter.update();
          if (frame === MET) {
            const state = await free.soft.readState();
            momentum = momentumOf([[free.soft, state]], [free.rigid])[1];
            exchanged = Math.abs(momentumOf([], [free.rigid])[1]);
          }
          if (frame === FRAMES - 60) before = await centres();
          if (before.length > 0)
            drift = Math.max(drift, ...(await centres()).map((now, k) => distance(now, before[k])));
        },
        measure() {
          const [soft, rigid] = [massOf(stack.soft) * GRAVITY, stack.rigid.mass * GRAVITY];
          let [fromBelow, fromAbove] = [0, 0];
          for (const [, y] of contactForces(world, stack.soft)) {
            if (y > 0) fromBelow += y;
            else fromAbove -= y;
          }
          return Promise.resolve({
            forceError: Math.abs(isSoftAbove ? fromBelow / soft - 1 : fromAbove / rigid - 1),
            groundForceError: Math.abs(
              (isSoftAbove ? groundForce(stack.rigid, values) : fromBelow) / (soft + rigid) - 1,
            ),
            drift,
            // Until they have met there is nothing to report.
            momentumError: exchanged > 0 ? Math.abs(momentum - start) / exchanged : 0,
            ...meter.measure(),
          });
        },
      };
    },
  };
}

interface Pair {
  readonly soft: DeformableBody;
  readonly rigid: RigidBody;
}

/** Slightly apart, one above the other. */
function addPair(
  world: World,
  cast: Cast,
  values: ParameterValues,
  isSoftAbove: boolean,
  at: Vec3,
  gravityFactor: number,
): Pair {
  const gap = 0.005;
  const cells = numberOf(values, "cells");
  const height = (isAbove: boolean): number => at[1] + SIDE / 2 + gap + (isAbove ? SIDE + gap : 0);
  const center: Vec3 = [at[0], height(isSoftAbove), at[2]];
  const mesh = boxTetrahedra({ size: [SIDE, SIDE, SIDE], cells: [cells, cells, cells], center });
  const soft = addSolid(world, values, gravityFactor === 0 ? "free cube" : "cube", mesh, { gravityFactor });
  const rigid = cast.add("wood", {
    name: gravityFactor === 0 ? "free box" : "box",
    shape: box(1.3 * SIDE, SIDE, 1.3 * SIDE),
    mass: numberOf(values, "mass"),
    position: [at[0], height(!isSoftAbove), at[2]],
    friction: numberOf(values, "friction"),
    gravityFactor,
    canSleep: false,
  });
  return { soft, rigid };
}

/** Upward impulse of contacts with rigid bodies on a body in the last step [N]. */
function groundForce(body: RigidBody, values: ParameterValues): number {
  const wrench = new Float64Array(6);
  body.contactWrenchToRef(wrench);
  return wrench[1] / numberOf(values, "frameTime");
}

function middle(positions: ArrayLike<number>): Vec3 {
  const sum: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < positions.length; i++) sum[i % 3] += (3 * positions[i]) / positions.length;
  return sum;
}
