/** A box hangs on a body of any solver that hangs on a link of a mechanism, and the joint of the link bears both. */
import { describe, it } from "vitest";
import { addAttachment, type MechanismDescription, mechanismModel, type SolverName } from "../../../src/index";
import { expectWithin } from "../../figures";
import { inWorld, run } from "../worlds";
import { GRAVITY, hang, type Kind, massOf } from "./hanging";

const gravity = [0, -GRAVITY, 0] as const;
const STIFFNESS = 2000;

/** A slide on a spring, with a plate that reaches up to the origin. */
const slide: MechanismDescription = {
  name: "slide",
  links: [
    {
      name: "plate",
      mass: 1,
      inertia: [0.01, 0.01, 0.01, 0, 0, 0],
      joint: { type: "prismatic", axis: [0, 1, 0], stiffness: STIFFNESS, damping: 200 },
      shapes: [{ shape: { type: "box", halfExtents: [0.2, 0.02, 0.2] }, position: [0, 0.02, 0] }],
    },
  ],
};

const kinds: readonly (readonly [SolverName, Kind])[] = [
  ["gpbd", "rope"],
  ["gpbd", "cloth"],
  ["newton", "rope"],
  ["newton", "solid"],
  ["local-global", "cloth"],
  ["local-global", "solid"],
];

describe.each(kinds)("a body of %s, %s, on a link", (solver, kind) => {
  // A local-global bar and its box of a hundred times the link's mass throw the link about.
  const ratios = solver === "local-global" && kind === "solid" ? [1] : [1, 20];
  it.each(ratios)("is felt by its joint, with a box of %f times its mass", (ratio) =>
    inWorld("cpu", { gravity }, async (world) => {
      const mechanism = world.addMechanism(mechanismModel(slide));
      const hanging = hang(world, solver, kind, { damping: 3 });
      const rigid = mechanism.bodyOf("plate")!;
      addAttachment(world, { body: hanging.body, vertices: hanging.top, to: { rigid } });
      const own = massOf(hanging.body);
      const shape = { type: "box", halfExtents: [0.05, 0.05, 0.05] } as const;
      const box = world.addRigidBody({ shape, mass: ratio * own, position: [0, -1.05, 0] });
      addAttachment(world, { body: hanging.body, vertices: hanging.low, to: { rigid: box } });
      run(world, 240);
      let mean = 0;
      for (let frame = 0; frame < 60; frame++) {
        run(world, 1);
        mean += mechanism.simulation.q[0] / 60;
      }
      // A link does not bear the weight of the particles of GPBD that it carries.
      const carried = solver === "gpbd" ? hanging.top.reduce((sum, v) => sum + hanging.body.model.masses[v], 0) : 0;
      const expected = (GRAVITY * (1 + own * (1 + ratio) - carried)) / STIFFNESS;
      expectWithin("sag / expected - 1", Math.abs(-mean / expected - 1), 0.01);
    }),
  );
});
