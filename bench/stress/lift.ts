import { compileShape, type Primitive } from "../../src/collision/distance/primitives";
import { signedDistance } from "../../src/collision/distance/signed-distance";
import type { RigidBody, RigidBodyOptions, World } from "../../src/index";
import { conjugate, turn } from "../../src/math/quaternions";
import type { SceneData, SoftData } from "./scene";

/** Overlaps of less than this part of the size of things are contact. */
const OVERLAP = 0.02;

/**
 * Energy that rigid bodies get which begin in each other, and are lifted out of each other without speed. It counts where poses rise by more
 * than the velocities before and after a step explain, until no such pair is left.
 */
export class Lift {
  /** [J] */
  work = 0;
  private before: { readonly height: number; readonly speed: number }[] = [];
  private isOver = false;

  constructor(
    private readonly world: World,
    private readonly bodies: readonly RigidBody[],
    private readonly data: SceneData,
  ) {
    this.note();
  }

  /** Call after each step. */
  look(): void {
    if (this.isOver || this.bodies.length === 0) return;
    const { contacts } = this.world.rigid;
    this.isOver = true;
    for (let c = 0; c < contacts.count; c++)
      if (contacts.separation[c] < -OVERLAP * this.data.size) this.isOver = false;
    if (this.isOver) return;
    const { timeStep, gravity } = this.data;
    this.bodies.forEach(({ motion, mass, centerOfMass, linearVelocity }, i) => {
      const { height, speed } = this.before[i];
      const pushed = centerOfMass[1] - height - timeStep * Math.max(speed, linearVelocity[1]);
      if (motion === "dynamic") this.work += Math.max(0, -gravity[1] * mass * pushed);
    });
    this.note();
  }

  /** Call after bodies came or went. */
  note(): void {
    this.before = this.bodies.map(({ centerOfMass, linearVelocity }) => ({
      height: centerOfMass[1],
      speed: linearVelocity[1],
    }));
  }
}

/** Energy with which soft bodies leave what they begin in: at most that of a fall by their depth [J]. */
export function overlapEnergy({ bodies = [], softs = [], gravity }: SceneData): number {
  const fall = Math.hypot(...gravity);
  return softs.reduce((sum, soft) => {
    const mass = soft.model.masses.reduce((total, m) => total + m, 0);
    return sum + mass * fall * Math.max(0, ...bodies.map((body) => depthIn(soft, body)));
  }, 0);
}

const gradient = new Float64Array(3);

/** Depth of the deepest particle of a soft body in a rigid one, and of its radius [m]. */
function depthIn(
  { model }: SoftData,
  { shape, position = [0, 0, 0], rotation = [0, 0, 0, 1] }: RigidBodyOptions,
): number {
  if (!shape) return 0;
  const radius = "rods" in model && model.rods ? model.rods.radius : 0;
  const primitives = compileShape(shape);
  let depth = 0;
  for (let p = 0; p < model.masses.length; p++) {
    const local = turn(conjugate(rotation), from(position, model.positions, 3 * p));
    depth = Math.max(depth, radius - distanceTo(primitives, local));
  }
  return depth;
}

/** Distance of a point in the axes of a body from its shapes, negative inside [m]. */
export function distanceTo(primitives: readonly Primitive[], point: ArrayLike<number>): number {
  let least = Infinity;
  for (const primitive of primitives) {
    const [x, y, z] = turn(conjugate(primitive.rotation), from(primitive.position, point, 0));
    least = Math.min(least, signedDistance(primitive, x, y, z, gradient));
  }
  return least;
}

const from = (a: ArrayLike<number>, b: ArrayLike<number>, at: number): number[] =>
  [0, 1, 2].map((c) => b[at + c] - a[c]);
