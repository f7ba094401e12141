import { describe, it } from "vitest";
import { addWrenchDerivatives } from "../../../src/articulated/derivatives/wrenches";
import { addWrenches } from "../../../src/articulated/dynamics/jacobian";
import { updateKinematics, updatePositions } from "../../../src/articulated/dynamics/kinematics";
import { ArticulatedModel } from "../../../src/articulated/model";
import { ArticulatedScratch } from "../../../src/articulated/scratch";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { relativeError } from "../../math/differences";
import { jointBetween, jointTypes, randomState, randomTree } from "../random-mechanism";
import { riddersJacobian } from "../ridders";

const mechanisms = [
  ...jointTypes.map((type) => [`a ${type} joint`, jointBetween(new RandomGeometry(11), type)] as const),
  ["a random tree", randomTree(new RandomGeometry(12), 25)] as const,
];

describe.each(mechanisms)("derivatives of products for %s", (_what, description) => {
  const model = new ArticulatedModel(description);
  const { nv, linkCount } = model;
  const random = new RandomGeometry(13);
  const { q, qd } = randomState(random, model);
  const scratch = new ArticulatedScratch(model);
  const other = new ArticulatedScratch(model);
  updateKinematics(scratch, q, qd);

  it("of transposed Jacobians with forces", () => {
    const wrenches = Float64Array.from({ length: 6 * linkCount }, () => random.between(-1, 1));
    const result = new Float64Array(nv * nv);
    addWrenchDerivatives(scratch, wrenches, result);
    const product = (x: Float64Array, out: Float64Array) => {
      updatePositions(other, x);
      out.fill(0);
      addWrenches(other, wrenches.slice(), out);
    };
    expectWithin("∂(Jᵀ w)/∂q", relativeError(result, riddersJacobian(product, q, nv)), 1e-8);
  });
});
