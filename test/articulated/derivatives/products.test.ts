import { describe, it } from "vitest";
import { MassProductDerivatives } from "../../../src/articulated/derivatives/mass-product";
import { pointVelocityDerivatives, twistDerivatives } from "../../../src/articulated/derivatives/velocities";
import { addWrenchDerivatives } from "../../../src/articulated/derivatives/wrenches";
import { addWrenches, pointToWorld } from "../../../src/articulated/dynamics/jacobian";
import { updateKinematics, updatePositions } from "../../../src/articulated/dynamics/kinematics";
import { massMatrix, multiplyMass } from "../../../src/articulated/dynamics/mass-matrix";
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
  const { q, qd, qdd } = randomState(random, model);
  const scratch = new ArticulatedScratch(model);
  const other = new ArticulatedScratch(model);
  updateKinematics(scratch, q, qd);

  it("of the mass matrix with a vector", () => {
    const result = new Float64Array(nv * nv);
    new MassProductDerivatives(model).compute(q, qdd, result);
    const product = (x: Float64Array, out: Float64Array) => {
      updateKinematics(other, x, qd);
      massMatrix(other);
      multiplyMass(other, qdd, out);
    };
    expectWithin("∂(M x)/∂q", relativeError(result, riddersJacobian(product, q, nv)), 1e-8);
  });

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

  it("of Jacobians with velocities", () => {
    for (let link = 0; link < linkCount; link++) {
      const twists = new Float64Array(6 * nv);
      twistDerivatives(scratch, link, twists);
      const twist = (x: Float64Array, out: Float64Array) => {
        updateKinematics(other, x, qd);
        out.set(other.velocity.subarray(6 * link, 6 * link + 6));
      };
      expectWithin("∂v/∂q", relativeError(twists, riddersJacobian(twist, q, 6), 1), 1e-8);

      const local = random.vector(0.5);
      const point = new Float64Array(3);
      pointToWorld(scratch, link, local, point);
      const points = new Float64Array(3 * nv);
      pointVelocityDerivatives(scratch, link, point, points);
      const velocityOfPoint = (x: Float64Array, out: Float64Array) => {
        updateKinematics(other, x, qd);
        pointToWorld(other, link, local, point);
        const v = other.velocity.subarray(6 * link, 6 * link + 6);
        out[0] = v[3] + v[1] * point[2] - v[2] * point[1];
        out[1] = v[4] + v[2] * point[0] - v[0] * point[2];
        out[2] = v[5] + v[0] * point[1] - v[1] * point[0];
      };
      expectWithin("∂ẋ/∂q", relativeError(points, riddersJacobian(velocityOfPoint, q, 3), 1), 1e-8);
    }
  });
});
