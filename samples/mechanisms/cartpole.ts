import type { LinkDescription, MechanismDescription } from "../../src/articulated/description";
import type { LinkLook } from "../articulated";
import { isotropicInertia, roundInertia, scriptDegrees } from "./solids";

/**
 * The variant of the published cart-poles: see paper 4 and the scripts of its engine. Gravity is −9.81 m/s² along y.
 */
export type CartpoleVariant = "actuated-pole" | "actuated-cart" | "capsules";

/** Time steps of the variants [s]. */
export const cartpoleTimeSteps: Readonly<Record<CartpoleVariant, number>> = {
  "actuated-pole": 0.001,
  "actuated-cart": 0.01,
  capsules: 0.02,
};

/** A box on the rail, and a rod beside it. */
export const cartLooks: readonly LinkLook[] = [
  { link: "cart", shape: { type: "box", halfExtents: [0.22, 0.07, 0.12] }, material: "steel" },
  {
    link: "pole",
    shape: { type: "capsule", pointA: [0, -0.5, 0.15], pointB: [0, 0.5, 0.15], radius: 0.035 },
    material: "amber",
  },
];

/**
 * A cart on a rail along x and a pole on it.
 *
 * - `actuated-pole`: both 1 kg with inertia 1, center of the pole 0.5 m above the hinge; torques at the hinge
 * - `actuated-cart`: the same, but forces on the cart
 * - `capsules`: the heavier pair with damping, limits, and inertias of capsules
 */
export function cartpole(variant: CartpoleVariant = "actuated-cart"): MechanismDescription {
  return { name: "cartpole", links: variant === "capsules" ? capsules() : unitBodies(variant) };
}

function unitBodies(variant: "actuated-pole" | "actuated-cart"): LinkDescription[] {
  const onPole = variant === "actuated-pole";
  return [
    {
      name: "cart",
      joint: { type: "prismatic", axis: [1, 0, 0], lower: -10, upper: 10, effortLimit: onPole ? 0 : 10 },
      mass: 1,
      inertia: isotropicInertia(1),
    },
    {
      name: "pole",
      parent: "cart",
      joint: {
        type: "revolute",
        axis: [0, 0, 1],
        childFrame: { position: [0, -0.5, 0] },
        lower: -10,
        upper: 10,
        effortLimit: onPole ? 1000 : 0,
        initialPosition: scriptDegrees(15),
      },
      mass: 1,
      inertia: isotropicInertia(1),
    },
  ];
}

function capsules(): LinkDescription[] {
  const cart = roundInertia(0.227137, 0.043354);
  const pole = roundInertia(0.313907, 0.0057615);
  return [
    {
      name: "cart",
      // the capsule lies along the rail
      joint: { type: "prismatic", axis: [1, 0, 0], lower: -1, upper: 1, damping: 1 },
      mass: 9.42477796,
      inertia: cart,
    },
    {
      name: "pole",
      parent: "cart",
      joint: { type: "revolute", axis: [0, 0, -1], lower: -1.57, upper: 1.57, damping: 1, effortLimit: 0 },
      mass: 4.8953899,
      centerOfMass: [0, 0.3, 0],
      inertia: pole,
    },
  ];
}
