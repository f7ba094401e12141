import type {
  InertiaTensor,
  JointType,
  LinkDescription,
  MechanismDescription,
} from "../../src/articulated/description";
import { degreesOfFreedom } from "../../src/articulated/joints/degrees-of-freedom";
import type { ArticulatedModel } from "../../src/articulated/model";
import type { RandomGeometry } from "../collision/random";

export const jointTypes = Object.keys(degreesOfFreedom) as JointType[];

export interface RandomState {
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly qdd: Float64Array;
  readonly tau: Float64Array;
}

/** A link whose joint has random frames and axes, and also springs, damping and armature if `driven`. */
export function randomLink(
  random: RandomGeometry,
  type: JointType,
  name: string,
  parent: string | undefined,
  driven = true,
): LinkDescription {
  const axis = random.direction();
  const other = random.direction();
  const d = axis[0] * other[0] + axis[1] * other[1] + axis[2] * other[2];
  const free = driven ? 1 : 0;
  return {
    name,
    ...(parent === undefined ? {} : { parent }),
    joint: {
      type,
      axis,
      secondAxis: [other[0] - d * axis[0], other[1] - d * axis[1], other[2] - d * axis[2]],
      pitch: random.between(-0.3, 0.3),
      order: (["xyz", "zyx", "zxz", "yxz"] as const)[Math.floor(random.between(0, 4))],
      parentFrame: { position: random.vector(0.4), rotation: random.rotation() },
      childFrame: { position: random.vector(0.4), rotation: random.rotation() },
      stiffness: free * random.between(0, 2),
      damping: free * random.between(0, 0.5),
      armature: free * random.between(0, 0.1),
      restPosition: random.between(-0.5, 0.5),
    },
    mass: random.between(0.5, 2),
    centerOfMass: random.vector(0.3),
    inertia: randomInertia(random),
  };
}

/** Moments of a random body of a few point masses; they are positive definite. */
export function randomInertia(random: RandomGeometry): InertiaTensor {
  const sum = [0.01, 0.01, 0.01, 0, 0, 0];
  for (let i = 0; i < 4; i++) {
    const [x, y, z] = random.vector(0.3);
    [y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z].forEach((v, c) => (sum[c] += v));
  }
  return sum as unknown as InertiaTensor;
}

/**
 * A random tree: each link hangs on one of the earlier ones.
 *
 * @param least smallest number of degrees of freedom
 */
export function randomTree(
  random: RandomGeometry,
  least: number,
  types: readonly JointType[] = jointTypes,
  driven = true,
): MechanismDescription {
  const links: LinkDescription[] = [];
  for (let dofs = 0; dofs < least;) {
    const type = types[Math.floor(random.between(0, types.length))];
    const parent = links.length === 0 ? -1 : Math.floor(random.between(Math.max(-0.4, links.length - 5), links.length));
    links.push(randomLink(random, type, `link ${links.length}`, parent < 0 ? undefined : `link ${parent}`, driven));
    dofs += degreesOfFreedom[type];
  }
  return { name: "random tree", links };
}

/** A mechanism for one type of joint: between two links of which the first moves too, and a third link behind them. */
export function jointBetween(random: RandomGeometry, type: JointType, driven = true): MechanismDescription {
  const root: JointType = type === "free" ? "weld" : "euler";
  return {
    name: `${type} joint`,
    links: [
      randomLink(random, root, "before", undefined, driven),
      randomLink(random, type, "link", "before", driven),
      randomLink(random, "revolute", "behind", "link", driven),
    ],
  };
}

export function randomState(random: RandomGeometry, model: ArticulatedModel): RandomState {
  const vector = (size: number) => Float64Array.from({ length: model.nv }, () => random.between(-size, size));
  return { q: vector(1.2), qd: vector(1.5), qdd: vector(2), tau: vector(5) };
}
