import { biasForces } from "../../src/articulated/dynamics/inverse-dynamics";
import { pointJacobian } from "../../src/articulated/dynamics/jacobian";
import { updateKinematics } from "../../src/articulated/dynamics/kinematics";
import { linkPose } from "../../src/articulated/link-pose";
import { loadUrdf } from "../../src/articulated/loaders/urdf/urdf";
import { apply } from "../../src/articulated/loaders/transform";
import { ArticulatedScratch } from "../../src/articulated/scratch";
import { ArticulatedSimulation } from "../../src/articulated/step/simulation";
import type { Vec3 } from "../../src/index";
import { articulatedParameters, DrawnMechanism, looksOf } from "../articulated";
import { SteppedMechanism } from "../free-motion";
import { robotArmUrdf } from "../mechanisms/robot-arm";
import { numberOf } from "../parameters";
import type { Handle, PropMaterial, SceneDefinition } from "../scene";

const TOOL: Vec3 = [0, 0.03, 0];
const looks: Readonly<Record<string, PropMaterial>> = {
  pedestal: "stone",
  turret: "steel",
  "upper arm": "amber",
  forearm: "amber",
  wrist: "steel",
  hand: "plaster",
  tool: "rubber",
};

/** An arm read from URDF text: its tool follows a circle, or the pointer that has grabbed it. */
export const robotArm: SceneDefinition = {
  name: "robot-arm",
  title: "Robot arm",
  description: "An arm of six hinges from a URDF file. Its tool follows a circle; take hold of the tool and pull.",
  frames: 360,
  articulated: true,
  groundHeight: 0,
  view: { target: [0.15, 0.4, 0], alpha: -1.9, beta: 1.3, radius: 1.7 },
  parameters: [
    ...articulatedParameters(0.002),
    { name: "radius", default: 0.15, unit: "m", range: [0, 0.25], description: "radius of the circle" },
    { name: "period", default: 3, unit: "s", range: [1, 20], description: "time of a turn" },
    { name: "stiffness", default: 1500, unit: "N/m", range: [50, 5000], description: "of the pull towards the target" },
  ],
  metrics: [
    {
      name: "trackingError",
      unit: "m",
      bound: 0.05,
      description: "largest distance from the circle after the first turn",
    },
    { name: "largestTorque", unit: "N m", bound: 150, description: "largest torque of a hinge" },
  ],
  async build(_world, values) {
    const { mechanism } = await loadUrdf(robotArmUrdf);
    const simulation = new ArticulatedSimulation(mechanism, { timeStep: numberOf(values, "timeStep"), limits: true });
    simulation.q.set([0.3, -0.5, -1.3, 0, -0.4, 0]);
    const drawn = new DrawnMechanism(
      mechanism,
      looksOf(mechanism, (link) => looks[link]),
    );
    drawn.show(simulation.q);
    const stepped = new SteppedMechanism(simulation, drawn);
    const scratch = new ArticulatedScratch(simulation.model);
    const tool = simulation.model.linkIndex("tool");
    const jacobian = new Float64Array(3 * simulation.nv);
    const handle: { position: Vec3; radius: number; target: Vec3 | undefined } = {
      position: drawn.pointAt(simulation.q, "tool", TOOL),
      radius: 0.07,
      target: undefined,
    };
    const mark = {
      shape: { type: "sphere", radius: 0.02 } as const,
      position: handle.position,
      material: "glass" as const,
    };
    const [radius, period, stiffness] = ["radius", "period", "stiffness"].map((name) => numberOf(values, name));
    let [worst, largestTorque] = [0, 0];

    const targetAt = (time: number): Vec3 => {
      const angle = (2 * Math.PI * time) / period;
      return handle.target ?? [0.45, 0.45 + radius * Math.sin(angle), radius * Math.cos(angle)];
    };
    /** τ = c + Jᵀ f: weight and Coriolis forces are compensated, and a damped spring pulls the tool. */
    const control = (): void => {
      const { q, qd, control: tau, nv } = simulation;
      updateKinematics(scratch, q, qd);
      biasForces(scratch, tau);
      const position = apply(linkPose(scratch, tool), TOOL);
      const target = targetAt(stepped.time);
      pointJacobian(scratch, tool, position, jacobian);
      const damping = 2 * Math.sqrt(stiffness);
      for (let axis = 0; axis < 3; axis++) {
        let speed = 0;
        for (let i = 0; i < nv; i++) speed += jacobian[axis * nv + i] * qd[i];
        const pull = limited(stiffness * (target[axis] - position[axis]) - damping * speed, 80);
        for (let i = 0; i < nv; i++) tau[i] += jacobian[axis * nv + i] * pull;
      }
      for (let i = 0; i < nv; i++) {
        tau[i] = limited(tau[i], simulation.model.effortLimit[i]);
        largestTorque = Math.max(largestTorque, Math.abs(tau[i]));
      }
      handle.position = position;
      mark.position = target;
      if (stepped.time > period && handle.target === undefined)
        worst = Math.max(worst, Math.hypot(...position.map((value, axis) => value - target[axis])));
    };
    const handles: readonly Handle[] = [handle];
    return {
      props: [...drawn.props, mark],
      handles,
      beforeStep: (time, dt) => stepped.advanceTo(time + dt, control),
      nonFinite: () => stepped.nonFinite(),
      measure: () => Promise.resolve({ trackingError: worst, largestTorque }),
    };
  },
};

function limited(value: number, limit: number): number {
  return Math.min(limit, Math.max(-limit, value));
}
