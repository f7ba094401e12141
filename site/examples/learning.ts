import { MeshBuilder, Vector3 } from "@babylonjs/core";
import { ArticulatedSimulation } from "babylon-pliant/engine";
import { createStudio } from "./studio";

const { engine, scene, paint, show } = await createStudio({
  floor: "#7b8798",
  wall: "#dfe5ea",
  target: new Vector3(0, 0.75, 0),
  radius: 4.4,
  alpha: -1.45,
  beta: 1.4,
});

// A cart on a rail, and a pole on a hinge.
const [size, limit] = [1, 10];
const round = [0.1, 0.1, 0.1, 0, 0, 0] as const;
const mechanism = {
  name: "cart-pole",
  links: [
    {
      name: "cart",
      mass: 1,
      inertia: round,
      joint: { type: "prismatic", axis: [1, 0, 0] },
    },
    {
      name: "pole",
      parent: "cart",
      mass: 0.5,
      centerOfMass: [0, size / 2, 0],
      inertia: round,
      joint: { type: "revolute", axis: [0, 0, 1] },
    },
  ],
} as const;
const timeStep = 1 / 60;
const make = () => new ArticulatedSimulation(mechanism, { timeStep });

// A policy is four numbers: the force is their product with the state.
const step = (cart: ArticulatedSimulation, policy: number[]) => {
  const state = [...cart.q, ...cart.qd];
  const force = state.reduce((sum, value, i) => sum + policy[i] * value, 0);
  cart.control[0] = Math.min(limit, Math.max(-limit, force));
  cart.step();
  return Math.abs(cart.q[0]) < 1.4 && Math.abs(cart.q[1]) < 0.8;
};
const start = (cart: ArticulatedSimulation) => {
  cart.q.set([0, 0.4 * Math.random() - 0.2]);
  cart.qd.fill(0);
};

// It earns most that stands for five seconds, near the middle.
const trial = make();
const play = (policy: number[]) => {
  let earned = 0;
  start(trial);
  for (let k = 0; k < 300 && step(trial, policy); k++)
    earned += 1 - trial.q[0] ** 2 - trial.q[1] ** 2;
  return earned;
};

// The cross-entropy method: try policies around the present one, keep the
// best, and go on around their mean with their spread.
const normal = () =>
  Math.sqrt(-2 * Math.log(1 - Math.random())) *
  Math.cos(2 * Math.PI * Math.random());
const [tries, kept] = [40, 8];
let policy = [0, 0, 0, 0];
let spread = [20, 50, 20, 20];
let tried: { policy: number[]; earned: number }[] = [];
const learn = () => {
  const next = policy.map((value, i) => value + spread[i] * normal());
  tried.push({ policy: next, earned: play(next) });
  if (tried.length < tries) return;
  const best = tried.sort((a, b) => b.earned - a.earned).slice(0, kept);
  const mean = (values: number[]) =>
    values.reduce((a, b) => a + b) / values.length;
  policy = policy.map((_, i) => mean(best.map((one) => one.policy[i])));
  spread = policy.map((value, i) =>
    Math.sqrt(mean(best.map((one) => (one.policy[i] - value) ** 2))),
  );
  tried = [];
};

// The cart that is drawn follows the present policy, and starts anew where
// it fails.
const shown = make();
start(shown);
const base = 0.3;
const rail = MeshBuilder.CreateBox(
  "rail",
  { width: 3.2, height: 0.04, depth: 0.06 },
  scene,
);
rail.position.y = base - 0.1;
const cart = MeshBuilder.CreateBox(
  "cart",
  { width: 0.4, height: 0.16, depth: 0.26 },
  scene,
);
const pole = MeshBuilder.CreateCapsule(
  "pole",
  { height: size, radius: 0.04 },
  scene,
);
pole.setPivotPoint(new Vector3(0, -size / 2, 0));
show(paint("#5a6472", { roughness: 0.5 }), rail);
show(paint("#f2f0ea", { roughness: 0.35 }), cart);
show(paint("#e8743b", { roughness: 0.4 }), pole);

engine.runRenderLoop(() => {
  learn();
  if (!step(shown, policy)) start(shown);
  const [x, angle] = shown.q;
  cart.position.set(x, base, 0);
  pole.position.set(x, base + size / 2, -0.18);
  pole.rotation.z = angle;
  scene.render();
});
