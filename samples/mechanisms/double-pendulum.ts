import type { LinkDescription, MechanismDescription } from "../../src/articulated/description";
import type { Vec3 } from "../../src/math/types";
import { boxInertia } from "./solids";

const poleSize: Vec3 = [0.02, 0.3, 0.02];
const cartSize: Vec3 = [0.2, 0.05, 0.05];
const weightSize: Vec3 = [0.08, 0.04, 0.08];

/** An inverted double pendulum on a cart that runs along x, with a weight at its tip: 3 degrees of freedom. */
export function invertedDoublePendulum(): MechanismDescription {
  return {
    name: "inverted double pendulum",
    links: [
      {
        name: "cart",
        joint: { type: "prismatic", axis: [1, 0, 0] },
        mass: 0.75,
        inertia: boxInertia(0.75, cartSize),
      },
      pole("lower pole", "cart", 0),
      pole("upper pole", "lower pole", 0.3),
      {
        name: "weight",
        parent: "upper pole",
        joint: { type: "weld", parentFrame: { position: [0, 0.32, 0] } },
        mass: 0.3,
        inertia: boxInertia(0.3, weightSize),
      },
    ],
  };
}

function pole(name: string, parent: string, height: number): LinkDescription {
  const parentFrame = { position: [0, height, 0] } as const;
  return {
    name,
    parent,
    joint: { type: "revolute", axis: [0, 0, 1], damping: 0.1, effortLimit: 0, parentFrame },
    mass: 0.025,
    centerOfMass: [0, 0.15, 0],
    inertia: boxInertia(0.025, poleSize),
  };
}
