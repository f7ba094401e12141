import { describe, it } from "vitest";
import { updateKinematics } from "../../../src/articulated/dynamics/kinematics";
import { inverseDynamics } from "../../../src/articulated/dynamics/inverse-dynamics";
import { InverseDynamicsDerivatives } from "../../../src/articulated/derivatives/inverse-dynamics";
import type { MechanismDescription } from "../../../src/articulated/description";
import { ArticulatedModel } from "../../../src/articulated/model";
import { ArticulatedScratch } from "../../../src/articulated/scratch";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { relativeError } from "../../math/differences";
import { jointBetween, jointTypes, randomState, randomTree } from "../random-mechanism";
import { riddersJacobian } from "../ridders";

describe("derivatives of inverse dynamics", () => {
  it.each(jointTypes)("of a %s joint", (type) => {
    for (let seed = 0; seed < 3; seed++) compare(jointBetween(new RandomGeometry(seed), type), seed);
  });

  it.each([10, 30])("of a random tree of %i degrees of freedom", (dofs) => {
    compare(randomTree(new RandomGeometry(dofs), dofs), dofs);
  });

  it("of rotation vectors that are zero, tiny and near a full turn", () => {
    const random = new RandomGeometry(5);
    for (const size of [0, 1e-9, 1e-3, 0.99, 1.01, 3.5, 5.5])
      for (const type of ["ball", "free"] as const)
        compare(jointBetween(random, type), 7, (q, model) => {
          const [x, y, z] = random.direction();
          q.set([size * x, size * y, size * z], model.linkDof[1]);
        });
  });
});

function compare(
  description: MechanismDescription,
  seed: number,
  place: (q: Float64Array, model: ArticulatedModel) => void = () => {},
): void {
  const model = new ArticulatedModel(description);
  const scratch = new ArticulatedScratch(model);
  const { nv } = model;
  const { q, qd, qdd } = randomState(new RandomGeometry(seed + 100), model);
  place(q, model);
  const byPosition = new Float64Array(nv * nv);
  const byVelocity = new Float64Array(nv * nv);
  updateKinematics(scratch, q, qd);
  new InverseDynamicsDerivatives(model).compute(scratch, qdd, byPosition, byVelocity);

  const other = new ArticulatedScratch(model);
  const torque = (position: Float64Array, velocity: Float64Array, out: Float64Array) => {
    updateKinematics(other, position, velocity);
    inverseDynamics(other, qdd, out);
  };
  const expectedPosition = riddersJacobian((x, out) => torque(x, qd, out), q, nv);
  const expectedVelocity = riddersJacobian((x, out) => torque(q, x, out), qd, nv);
  expectWithin("∂τ/∂q", relativeError(byPosition, expectedPosition), 1e-8);
  expectWithin("∂τ/∂q̇", relativeError(byVelocity, expectedVelocity), 1e-8);
}
