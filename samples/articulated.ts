import type { MechanismDescription } from "../src/articulated/description";
import { updatePositions } from "../src/articulated/dynamics/kinematics";
import { linkPose } from "../src/articulated/link-pose";
import { apply, identity, multiply, type Transform } from "../src/articulated/loaders/transform";
import { ArticulatedModel } from "../src/articulated/model";
import { ArticulatedScratch } from "../src/articulated/scratch";
import type { ColliderShape, Mechanism, Quat, Vec3 } from "../src/index";
import { frameTimeParameter } from "./parameters";
import type { Parameter, Prop, PropMaterial } from "./scene";

/** Parameters of every scene with a mechanism. */
export function articulatedParameters(timeStep: number): Parameter[] {
  return [
    frameTimeParameter(),
    {
      name: "timeStep",
      default: timeStep,
      unit: "s",
      range: [timeStep / 20, 4 * timeStep],
      description: "length of a time step of the mechanism",
    },
  ];
}

/** A shape that is drawn with a link. */
export interface LinkLook {
  readonly link: string;
  readonly shape: ColliderShape;
  /** in the link's axes */
  readonly position?: Vec3;
  readonly rotation?: Quat;
  readonly material: PropMaterial;
}

/** The collision shapes of a mechanism as they are drawn. */
export function looksOf(mechanism: MechanismDescription, materialOf: (link: string) => PropMaterial): LinkLook[] {
  return mechanism.links.flatMap(({ name, shapes = [] }) =>
    shapes.map(({ shape, position, rotation }) => ({
      link: name,
      shape,
      ...(position === undefined ? {} : { position }),
      ...(rotation === undefined ? {} : { rotation }),
      material: materialOf(name),
    })),
  );
}

/** The links of a mechanism in a world as props. */
export function propsOf(mechanism: Mechanism, looks: readonly LinkLook[]): Prop[] {
  return looks.map(({ link, shape, material, position = identity.position, rotation = identity.rotation }): Prop => {
    const pose = () => multiply({ ...identity, ...mechanism.poseOf(link) }, { position, rotation });
    return {
      shape,
      material,
      get position() {
        return pose().position;
      },
      get rotation() {
        return pose().rotation;
      },
    };
  });
}

/** The links of a mechanism as props at the places that `show` gives them. */
export class DrawnMechanism {
  readonly props: readonly Prop[];
  readonly model: ArticulatedModel;
  private readonly scratch: ArticulatedScratch;
  private readonly parts: { prop: { position: Vec3; rotation: Quat }; link: number; local: Transform }[] = [];

  /** @param material instead of the look's own */
  constructor(mechanism: MechanismDescription, looks: readonly LinkLook[], material?: PropMaterial) {
    this.model = new ArticulatedModel(mechanism);
    this.scratch = new ArticulatedScratch(this.model);
    this.props = looks.map(({ link, shape, position = [0, 0, 0], rotation = [0, 0, 0, 1], ...look }) => {
      const prop = { shape, material: material ?? look.material, position, rotation };
      this.parts.push({ prop, link: this.model.linkIndex(link), local: { position, rotation } });
      return prop;
    });
    this.show(this.model.initialPosition);
  }

  /** @param q coordinates of the mechanism */
  show(q: ArrayLike<number>): void {
    updatePositions(this.scratch, Float64Array.from(q));
    for (const { prop, link, local } of this.parts) Object.assign(prop, multiply(linkPose(this.scratch, link), local));
  }

  /** World position of a point of a link, for coordinates q. */
  pointAt(q: ArrayLike<number>, link: string, local: Vec3): Vec3 {
    updatePositions(this.scratch, Float64Array.from(q));
    return apply(linkPose(this.scratch, this.model.linkIndex(link)), local);
  }
}

/** Coordinates of a motion at equal time intervals. */
export interface Motion {
  /** rows × nv */
  readonly positions: Float64Array;
  /** s between rows */
  readonly interval: number;
}

/** Coordinates at a time, linear between the rows; the first and last row outside. */
export function coordinatesAt({ positions, interval }: Motion, nv: number, time: number): Float64Array {
  const last = positions.length / nv - 1;
  const at = Math.min(last, Math.max(0, time / interval));
  const row = Math.min(last - 1, Math.floor(at));
  if (last === 0) return positions.slice();
  return Float64Array.from({ length: nv }, (_, i) => {
    const [a, b] = [positions[row * nv + i], positions[(row + 1) * nv + i]];
    return a + (at - row) * (b - a);
  });
}

/** The path of a point of a link along a motion, n × 3. */
export function pathOf(drawn: DrawnMechanism, motion: Motion, link: string, local: Vec3): Float64Array {
  const { nv } = drawn.model;
  const rows = motion.positions.length / nv;
  const points = new Float64Array(3 * rows);
  for (let row = 0; row < rows; row++)
    points.set(drawn.pointAt(motion.positions.subarray(row * nv, (row + 1) * nv), link, local), 3 * row);
  return points;
}
