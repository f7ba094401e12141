import { ArticulatedSimulation } from "../../src/articulated/step/simulation";
import { articulatedParameters, DrawnMechanism, type LinkLook } from "../articulated";
import { energyOf, SteppedMechanism } from "../free-motion";
import { invertedDoublePendulum } from "../mechanisms/double-pendulum";
import { numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";
import { posts } from "../stands";

const pole = { shape: { type: "capsule", pointA: [0, 0, 0.06], pointB: [0, 0.3, 0.06], radius: 0.012 } } as const;
const looks: readonly LinkLook[] = [
  { link: "cart", shape: { type: "box", halfExtents: [0.1, 0.025, 0.04] }, material: "steel" },
  { link: "lower pole", ...pole, material: "amber" },
  { link: "upper pole", ...pole, material: "clay" },
  { link: "weight", shape: { type: "box", halfExtents: [0.04, 0.02, 0.04], center: [0, 0, 0.06] }, material: "wood" },
];

/** Two poles and a weight fall over on a free cart: chaotic motion whose energy is known. */
export const doublePendulum: SceneDefinition = {
  name: "double-pendulum",
  title: "Double pendulum on a cart",
  description:
    "Two hinged poles with a weight topple on a cart that runs freely. Friction in the hinges takes the energy.",
  frames: 300,
  articulated: true,
  groundHeight: -0.75,
  view: { target: [0, 0, 0], alpha: -1.6, beta: 1.4, radius: 2.4 },
  parameters: [
    ...articulatedParameters(0.0005),
    { name: "angle", default: 20, unit: "°", range: [0.1, 180], description: "lean of the lower pole at the start" },
    { name: "damping", default: 0.01, unit: "N m s", range: [0, 1], description: "damping of the hinges" },
  ],
  metrics: [
    {
      name: "energyError",
      unit: "",
      bound: 0.03,
      description: "energy that is unaccounted for, as a fraction of that between the highest and the lowest pose",
    },
    { name: "energy", unit: "J", description: "kinetic and potential energy at the end" },
    { name: "dissipated", unit: "J", description: "work of the damping" },
    {
      name: "momentumError",
      unit: "kg m/s",
      bound: 1e-3,
      description: "momentum along the rail, which no force changes",
    },
  ],
  build(_world, values) {
    const damping = numberOf(values, "damping");
    const mechanism = invertedDoublePendulum();
    const links = mechanism.links.map((link) =>
      link.joint.type === "revolute" ? { ...link, joint: { ...link.joint, damping } } : link,
    );
    const timeStep = numberOf(values, "timeStep");
    const simulation = new ArticulatedSimulation({ ...mechanism, links }, { timeStep });
    simulation.q[1] = (numberOf(values, "angle") * Math.PI) / 180;
    const drawn = new DrawnMechanism(mechanism, looks);
    drawn.show(simulation.q);
    const stepped = new SteppedMechanism(simulation, drawn);
    const start = energyOf(simulation);
    // The difference between everything upright and everything hanging.
    const range = 9.81 * (0.025 * (0.3 + 0.9) + 0.3 * 1.24);
    let dissipated = 0;
    const count = (): void => {
      for (const dof of [1, 2]) dissipated += damping * simulation.qd[dof] ** 2 * timeStep;
    };
    return {
      props: [
        ...drawn.props,
        { shape: { type: "box", halfExtents: [1.2, 0.008, 0.02] }, position: [0, -0.034, 0], material: "stone" },
        ...posts(-0.75, 0.012, [-1.15, -0.034, 0], [1.15, -0.034, 0]),
      ],
      beforeStep: (time, dt) => stepped.advanceTo(time + dt, count),
      nonFinite: () => stepped.nonFinite(),
      measure: () => {
        const energy = energyOf(simulation);
        return Promise.resolve({
          energyError: Math.abs(energy + dissipated - start) / range,
          energy,
          dissipated,
          momentumError: Math.abs(horizontalMomentum(simulation)),
        });
      },
    };
  },
};

/** Σ m ẋ along the rail: the first row of M q̇, as the cart's coordinate shifts everything. */
function horizontalMomentum({ model, q, qd }: ArticulatedSimulation): number {
  const [, a, b] = q;
  const [x, w1, w2] = qd;
  const [mp, mw] = [model.mass[1], model.mass[3]];
  // Points at height h along the lower pole move at −h w₁ cos a, those of the upper one also at −h (w₁ + w₂) cos(a + b).
  const lower = -0.15 * w1 * Math.cos(a);
  const joint = -0.3 * w1 * Math.cos(a);
  const upper = (h: number): number => joint - h * (w1 + w2) * Math.cos(a + b);
  return model.mass[0] * x + mp * (x + lower) + mp * (x + upper(0.15)) + mw * (x + upper(0.32));
}
