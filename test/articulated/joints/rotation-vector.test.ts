import { describe, expect, it } from "vitest";
import { ArticulatedModel } from "../../../src/articulated/model";
import {
  changeMap,
  changeMapDerivative,
  longestRotationVector,
  reparametrise,
} from "../../../src/articulated/joints/reparametrise";
import {
  coefficients,
  leftJacobian,
  rotationCoefficients,
  rotationOf,
} from "../../../src/articulated/joints/rotation-vector";
import { updateKinematics } from "../../../src/articulated/dynamics/kinematics";
import { ArticulatedScratch } from "../../../src/articulated/scratch";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { relativeError } from "../../math/differences";
import { jointBetween, randomState } from "../random-mechanism";
import { riddersJacobian } from "../ridders";

describe("rotation vectors", () => {
  it("have the same coefficients from the series and the closed forms where they meet", () => {
    rotationCoefficients(1 - 1e-12);
    const series = coefficients.slice();
    rotationCoefficients(1);
    expectWithin("A … C", relativeError(coefficients, series), 1e-11);
  });

  it("have coefficients whose derivatives are derivatives", () => {
    for (const s of [0.3, 0.9, 1.3, 4, 20, 36]) {
      rotationCoefficients(s);
      const [, A1, A2, , B1, B2] = coefficients;
      const slopes = riddersJacobian(
        (x, out) => {
          rotationCoefficients(x[0]);
          out.set([coefficients[0], coefficients[1], coefficients[3], coefficients[4]]);
        },
        Float64Array.of(s),
        4,
        0.02,
      );
      expectWithin("A′ A″ B′ B″", relativeError([A1, A2, B1, B2], slopes), 1e-7);
    }
  });

  it("of zero are no rotation, and their Jacobian is the identity", () => {
    const out = new Float64Array(9);
    rotationCoefficients(0);
    rotationOf(0, 0, 0, out);
    expect(Array.from(out)).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    leftJacobian(0, 0, 0, out);
    expect(Array.from(out)).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  });
});

describe("reparametrisation", () => {
  it.each(["ball", "free"] as const)("keeps pose and twists of a %s joint, and leaves short vectors alone", (type) => {
    const model = new ArticulatedModel(jointBetween(new RandomGeometry(61), type));
    const { q, qd } = randomState(new RandomGeometry(62), model);
    const before = new ArticulatedScratch(model);
    const after = new ArticulatedScratch(model);
    expect(reparametrise(model, q.slice(), qd.slice())).toBe(0);

    const dof = model.linkDof[1];
    q.set([3, -3.5, 2.5], dof);
    updateKinematics(before, q, qd);
    const changed = new Int32Array(2);
    const old = new Float64Array(12);
    const [from, rate] = [q.slice(dof, dof + 3), qd.slice(dof, dof + 3)];
    expect(reparametrise(model, q, qd, changed, old)).toBe(1);
    expect(changed[0]).toBe(dof);
    expect(old.subarray(0, 6)).toEqual(Float64Array.of(...from, ...rate));
    expect(Math.hypot(...q.subarray(dof, dof + 3))).toBeLessThan(2 * Math.PI - longestRotationVector);
    updateKinematics(after, q, qd);
    expectWithin("poses", relativeError(after.linkRotation, before.linkRotation), 1e-12);
    expectWithin("positions", relativeError(after.linkPosition, before.linkPosition), 1e-12);
    expectWithin("twists", relativeError(after.velocity, before.velocity), 1e-12);
  });

  it("has the derivatives that it says", () => {
    const phi = Float64Array.of(3, -3.5, 2.5);
    const rate = Float64Array.of(0.4, -0.8, 1.1);
    const E = new Float64Array(9);
    changeMap(phi, 0, E);
    const changedPhi = (x: Float64Array, out: Float64Array) => {
      const scale = 1 - (2 * Math.PI) / Math.hypot(...x);
      x.forEach((value, c) => (out[c] = scale * value));
    };
    expectWithin("E", relativeError(E, riddersJacobian(changedPhi, phi.slice(), 3)), 1e-9);
    const derivative = new Float64Array(9);
    changeMapDerivative(phi, 0, rate, 0, derivative);
    const changedRate = (x: Float64Array, out: Float64Array) => {
      const map = new Float64Array(9);
      changeMap(x, 0, map);
      for (let r = 0; r < 3; r++) out[r] = map[3 * r] * rate[0] + map[3 * r + 1] * rate[1] + map[3 * r + 2] * rate[2];
    };
    expectWithin("∂(E φ̇)/∂φ", relativeError(derivative, riddersJacobian(changedRate, phi.slice(), 3)), 1e-9);
  });
});
