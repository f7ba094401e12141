import { describe, it } from "vitest";
import { ForwardDynamicsDerivatives } from "../../../src/articulated/derivatives/forward-dynamics";
import type { MechanismDescription } from "../../../src/articulated/description";
import { ForwardDynamics } from "../../../src/articulated/dynamics/forward-dynamics";
import { updateKinematics } from "../../../src/articulated/dynamics/kinematics";
import { addPassiveForces } from "../../../src/articulated/dynamics/passive-forces";
import { ArticulatedModel } from "../../../src/articulated/model";
import { ArticulatedScratch } from "../../../src/articulated/scratch";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { relativeError } from "../../math/differences";
import { jointBetween, jointTypes, randomState, randomTree } from "../random-mechanism";
import { riddersJacobian } from "../ridders";

describe("derivatives of forward dynamics", () => {
  it.each(jointTypes)("of a %s joint", (type) => compare(jointBetween(new RandomGeometry(3), type), 3));

  it.each([10, 30])("of a random tree of %i degrees of freedom", (dofs) =>
    compare(randomTree(new RandomGeometry(dofs + 1), dofs), dofs),
  );
});

function compare(description: MechanismDescription, seed: number): void {
  const model = new ArticulatedModel(description);
  const scratch = new ArticulatedScratch(model);
  const { nv } = model;
  const { q, qd, tau } = randomState(new RandomGeometry(seed + 200), model);
  const derivatives = new ForwardDynamicsDerivatives(model);
  updateKinematics(scratch, q, qd);
  derivatives.compute(scratch, tau);

  // the reference uses the other algorithm: articulated bodies
  const other = new ArticulatedScratch(model);
  const dynamics = new ForwardDynamics(model);
  const total = new Float64Array(nv);
  const accelerate = (position: Float64Array, velocity: Float64Array, force: Float64Array, out: Float64Array) => {
    updateKinematics(other, position, velocity);
    total.set(force);
    addPassiveForces(model, position, velocity, total);
    dynamics.compute(other, total, undefined, out);
  };
  const qdd = new Float64Array(nv);
  accelerate(q, qd, tau, qdd);
  expectWithin("q̈", relativeError(derivatives.qdd, qdd), 1e-10);
  const byPosition = riddersJacobian((x, out) => accelerate(x, qd, tau, out), q, nv, 0.02);
  const byVelocity = riddersJacobian((x, out) => accelerate(q, x, tau, out), qd, nv);
  const byForce = riddersJacobian((x, out) => accelerate(q, qd, x, out), tau, nv);
  expectWithin("∂q̈/∂q", relativeError(derivatives.byPosition, byPosition), 1e-8);
  expectWithin("∂q̈/∂q̇", relativeError(derivatives.byVelocity, byVelocity), 1e-8);
  expectWithin("∂q̈/∂τ", relativeError(derivatives.byForce, byForce), 1e-8);
}
