import loadMujoco from "@mujoco/mujoco";
import { beforeAll, describe, expect, it } from "vitest";
import { toMjcf } from "../../bench/mujoco/mjcf";
import { cartpole } from "../../samples/mechanisms/cartpole";
import { invertedDoublePendulum } from "../../samples/mechanisms/double-pendulum";
import { halfCheetah } from "../../samples/mechanisms/half-cheetah";
import { jumpWorm } from "../../samples/mechanisms/jump-worm";
import type { MechanismDescription } from "../../src/articulated/description";
import { ArticulatedModel } from "../../src/articulated/model";
import { RandomGeometry } from "../collision/random";
import { expectWithin } from "../figures";
import { FreeMotion } from "./integrate";

const duration = 2;
const samples = 20;
const referenceStep = 5e-4;

let mujoco: Awaited<ReturnType<typeof loadMujoco>>;
beforeAll(async () => {
  mujoco = await loadMujoco();
});

/** Coordinates at evenly spaced times. */
type Trajectory = Float64Array[];

function byMujoco(description: MechanismDescription, q: Float64Array, qd: Float64Array): Trajectory {
  const xml = toMjcf(description, { timeStep: referenceStep, integrator: "RK4", gravity: [0, -9.81, 0] });
  const model = mujoco.MjModel.from_xml_string(xml);
  const data = new mujoco.MjData(model);
  try {
    data.qpos.set(q);
    data.qvel.set(qd);
    return sample(
      referenceStep,
      () => mujoco.mj_step(model, data),
      () => data.qpos.slice(),
    );
  } finally {
    data.delete();
    model.delete();
  }
}

function byPliant(motion: FreeMotion, method: "eulerStep" | "rungeKuttaStep", dt: number): Trajectory {
  return sample(
    dt,
    () => motion[method](dt),
    () => motion.q.slice(),
  );
}

function sample(dt: number, step: () => void, read: () => Float64Array): Trajectory {
  const trajectory: Trajectory = [];
  const each = Math.round(duration / samples / dt);
  for (let at = 0; at < samples; at++) {
    for (let i = 0; i < each; i++) step();
    trajectory.push(read());
  }
  return trajectory;
}

/** Largest difference of a coordinate, relative to the largest value of this coordinate. */
function difference(a: Trajectory, b: Trajectory): number {
  const ofCoordinate = (k: number) => {
    const worst = Math.max(...a.map((row, i) => Math.abs(row[k] - b[i][k])));
    return worst / Math.max(...b.map((row) => Math.abs(row[k])));
  };
  return Math.max(...Array.from(b[0].keys(), ofCoordinate));
}

describe.each([
  ["cartpole", cartpole("actuated-cart")],
  ["cartpole of capsules", cartpole("capsules")],
  ["double pendulum", invertedDoublePendulum()],
  ["jump-worm", jumpWorm()],
  ["half-cheetah", halfCheetah()],
])("%s against MuJoCo over 2 s without contact", (_name, description) => {
  const model = new ArticulatedModel(description);
  const random = new RandomGeometry(41);
  const q = model.initialPosition.map((value) => value + random.between(-0.1, 0.1));
  const qd = Float64Array.from({ length: model.nv }, () => random.between(-0.5, 0.5));
  const start = () => new FreeMotion(model, q, qd);

  it("agrees, the better the smaller the step", () => {
    const reference = byMujoco(description, q, qd);
    const fine = difference(byPliant(start(), "rungeKuttaStep", 1e-3), reference);
    expectWithin("Runge-Kutta, 1 ms", fine, 1e-5);

    const errors = [1e-4, 5e-5, 2.5e-5].map((dt) => difference(byPliant(start(), "eulerStep", dt), reference));
    expectWithin("semi-implicit Euler, 25 µs", errors[2], 1e-3);
    // first order: half the step, half the error
    expect(errors[1] / errors[0]).toBeCloseTo(0.5, 1);
    expect(errors[2] / errors[1]).toBeCloseTo(0.5, 1);
  });
});
