import { conjugate, product, turn } from "../src/math/quaternions";
import { distance } from "../src/math/vectors";
import type { ColliderShape, Quat, RigidBody, RigidBodyOptions, RigidWorld, Vec3, World } from "../src/index";
import { cos, sin } from "../src/math/deterministic";
import { frameTimeParameter, numberOf } from "./parameters";
import type { Parameter, ParameterValues, Prop, PropMaterial } from "./scene";
import { carried } from "./stands";

/** Parameters of every scene of rigid bodies. */
export function rigidParameters(defaults: { substeps: number }): Parameter[] {
  return [
    frameTimeParameter(),
    {
      name: "substeps",
      default: defaults.substeps,
      unit: "",
      range: [1, 64],
      integer: true,
      description: "time steps in a frame",
    },
  ];
}

/** Gravity and substeps of a scene of rigid bodies. */
export function setUp(world: World, values: ParameterValues, gravity = 9.81): RigidWorld {
  world.gravity = [0, -gravity, 0];
  world.rigid.substeps = numberOf(values, "substeps");
  return world.rigid;
}

/** Bodies of a scene together with how they are drawn. */
export class Cast {
  readonly props: Prop[] = [];
  readonly bodies: RigidBody[] = [];

  constructor(private readonly world: World) {}

  add(material: PropMaterial, options: RigidBodyOptions & { shape: ColliderShape }): RigidBody {
    return this.addOf([[material, options.shape, [0, 0, 0]]], options);
  }

  /** Adds a body that is drawn as several shapes at places in its axes. */
  addOf(looks: readonly (readonly [PropMaterial, ColliderShape, Vec3])[], options: RigidBodyOptions): RigidBody {
    const body = this.world.addRigidBody(options);
    this.bodies.push(body);
    for (const [material, shape, at] of looks) this.props.push(carried(body, shape, at, material));
    return body;
  }

  /** A wide static floor with its top at height 0. */
  floor(options: Partial<RigidBodyOptions> = {}): RigidBody {
    return this.world.addRigidBody({
      name: "floor",
      motion: "static",
      shape: { type: "box", halfExtents: [100, 1, 100] },
      position: [0, -1, 0],
      ...options,
    });
  }
}

export function box(width: number, height: number, depth: number): ColliderShape {
  return { type: "box", halfExtents: [width / 2, height / 2, depth / 2] };
}

/** Depth of contacts, m: at the poses at the start of each step, from a time on. */
export class PenetrationMeter {
  deepest = 0;

  constructor(private readonly rigid: RigidWorld) {}

  update(): void {
    const { contacts } = this.rigid;
    for (let c = 0; c < contacts.count; c++) this.deepest = Math.max(this.deepest, -contacts.separation[c]);
  }
}

/** Distances of bodies from their earlier places, m. */
export class DriftMeter {
  largest = 0;
  private start: readonly Vec3[];

  constructor(private readonly bodies: readonly RigidBody[]) {
    this.start = bodies.map((body) => body.position);
  }

  /** Measures from the present places on. */
  reset(): void {
    this.start = this.bodies.map((body) => body.position);
    this.largest = 0;
  }

  update(): void {
    this.bodies.forEach((body, k) => (this.largest = Math.max(this.largest, distance(body.position, this.start[k]))));
  }
}

/** Angular momentum of a body about its center of mass, I ω, in world axes [kg m²/s]. */
export function spinMomentum({ rotation, massProperties, angularVelocity }: RigidBody): Vec3 {
  const { inertia, inertiaRotation } = massProperties;
  const frame = product(rotation, inertiaRotation);
  const local = turn(conjugate(frame), angularVelocity);
  return turn(frame, [inertia[0] * local[0], inertia[1] * local[1], inertia[2] * local[2]]);
}

/** Root mean square of the speeds of the centers of mass, m/s. */
export function rmsSpeed(bodies: readonly RigidBody[]): number {
  let sum = 0;
  for (const body of bodies) {
    const [x, y, z] = body.linearVelocity;
    sum += x * x + y * y + z * z;
  }
  return Math.sqrt(sum / Math.max(1, bodies.length));
}

export function aboutY(angle: number): Quat {
  return [0, sin(angle / 2), 0, cos(angle / 2)];
}

export function aboutZ(angle: number): Quat {
  return [0, 0, sin(angle / 2), cos(angle / 2)];
}

/** A friction coefficient as a parameter. */
export function frictionParameter(value: number): Parameter {
  return { name: "friction", default: value, unit: "", range: [0, 2], description: "friction coefficient" };
}

/** Numbers in [0, 1) from a seed, the same everywhere. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
