import { DrawnMechanism, articulatedParameters, looksOf } from "../articulated";
import { SteppedMechanism } from "../free-motion";
import {
  CHEETAH_PERIOD,
  cheetahSimulation,
  drivenCheetah,
  driveCheetah,
  observeCheetah,
  placeCheetah,
} from "../learning/half-cheetah";
import { Network } from "../learning/policy";
import run from "../learning/policies/half-cheetah.json";
import { numberOf } from "../parameters";
import { mulberry } from "../random";
import type { Vec3 } from "../../src/index";
import type { Prop, SceneDefinition } from "../scene";

/** Slats of the treadmill: their number, distance and half sizes [m]. */
const [SLATS, APART] = [14, 0.4];
const SLAT: Vec3 = [0.18, 0.02, 0.5];
/** Speed is measured from then on [s]. */
const STARTED = 2;

/** A network that was trained by `npm run learn` sets the torques of the half-cheetah, which is drawn on a treadmill. */
export const learnedCheetah: SceneDefinition = {
  name: "learned-cheetah",
  title: "Half-cheetah by a learned policy",
  description:
    "A small network, trained by PPO, lets a half-cheetah run. The camera runs along: the ground passes by below.",
  frames: 600,
  articulated: true,
  groundHeight: -0.25,
  view: { target: [0, 0.55, 0], alpha: -1.75, beta: 1.4, radius: 3.6 },
  parameters: [
    ...articulatedParameters(0.01),
    { name: "seed", default: 1, unit: "", range: [0, 1e9], integer: true, description: "start" },
  ],
  metrics: [
    { name: "hundred", unit: "s", bound: 25, description: "time for 100 m at the mean speed after two seconds" },
    { name: "turned", unit: "rad", bound: 1.5, description: "largest pitch of the trunk" },
    { name: "way", unit: "m", description: "run" },
  ],
  build(_world, values) {
    const mechanism = drivenCheetah();
    const simulation = cheetahSimulation(mechanism, numberOf(values, "timeStep"));
    placeCheetah(simulation, mulberry(numberOf(values, "seed")));
    const colors = { b: "clay", f: "wood" } as const;
    const looks = looksOf(mechanism, (link) => (/^(back|front) /.test(link) ? colors[link[0] as "b" | "f"] : "amber"));
    const drawn = new DrawnMechanism(mechanism, looks);
    const stepped = new SteppedMechanism(simulation, drawn);
    const slats = Array.from({ length: SLATS }, () => ({
      shape: { type: "box", halfExtents: SLAT } as const,
      material: "stone" as const,
      position: [0, 0, 0] as Vec3,
    })) satisfies Prop[];
    const actor = new Network(run);
    const { q } = simulation;
    let [decisionAt, turned, passed] = [0, 0, 0];
    const control = (): void => {
      const { time } = stepped;
      turned = Math.max(turned, Math.abs(q[2]));
      if (time < STARTED) passed = q[0];
      if (time + 0.5 * simulation.timeStep < decisionAt) return;
      decisionAt += CHEETAH_PERIOD;
      observeCheetah(simulation, actor.input);
      driveCheetah(simulation, actor.run().map(Math.tanh));
    };
    const show = (): void => {
      const here = q.slice();
      here[0] = 0;
      drawn.show(here);
      const length = SLATS * APART;
      slats.forEach((slat, k) => {
        const way = k * APART - q[0];
        slat.position = [way - length * Math.floor(way / length) - length / 2, -SLAT[1], 0];
      });
    };
    show();
    return {
      props: [...drawn.props, ...slats],
      beforeStep: (time, dt) => {
        stepped.advanceTo(time + dt, control);
        show();
      },
      nonFinite: () => stepped.nonFinite(),
      measure: () =>
        Promise.resolve({ hundred: (100 * (stepped.time - STARTED)) / (q[0] - passed), turned, way: q[0] }),
    };
  },
};
