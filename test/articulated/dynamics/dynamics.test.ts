import { describe, it } from "vitest";
import type { MechanismDescription } from "../../../src/articulated/description";
import { kineticEnergy, potentialEnergy } from "../../../src/articulated/dynamics/energy";
import { ForwardDynamics } from "../../../src/articulated/dynamics/forward-dynamics";
import { biasForces, inverseDynamics } from "../../../src/articulated/dynamics/inverse-dynamics";
import { addWrenches, linkJacobian, pointJacobian, pointToWorld } from "../../../src/articulated/dynamics/jacobian";
import { updateKinematics, updatePositions } from "../../../src/articulated/dynamics/kinematics";
import { factorMassMatrix, massMatrix, solveMass } from "../../../src/articulated/dynamics/mass-matrix";
import { inverseMass, solveMassColumns } from "../../../src/articulated/dynamics/mass-solve";
import { ArticulatedModel } from "../../../src/articulated/model";
import { ArticulatedScratch } from "../../../src/articulated/scratch";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { relativeError } from "../../math/differences";
import { multiplyMass } from "../multiply-mass";
import { jointBetween, jointTypes, randomState, randomTree } from "../random-mechanism";
import { riddersJacobian } from "../ridders";

const mechanisms: (readonly [string, MechanismDescription])[] = [
  ...jointTypes.map((type) => [`a ${type} joint`, jointBetween(new RandomGeometry(31), type)] as const),
  ...[5, 12, 30].map(
    (dofs) => [`a random tree of ${dofs} degrees of freedom`, randomTree(new RandomGeometry(dofs), dofs)] as const,
  ),
];

describe.each(mechanisms)("dynamics of %s", (_what, description) => {
  const model = new ArticulatedModel(description);
  const { nv, linkCount } = model;
  const random = new RandomGeometry(32);
  const { q, qd, qdd, tau } = randomState(random, model);
  const scratch = new ArticulatedScratch(model);
  updateKinematics(scratch, q, qd);
  massMatrix(scratch);
  factorMassMatrix(scratch);

  it("mass matrix is the sum of Jᵀ I J", () => {
    const expected = new Float64Array(nv * nv);
    const J = new Float64Array(6 * nv);
    for (let link = 0; link < linkCount; link++) {
      linkJacobian(scratch, link, J);
      const I = spatialInertia(scratch, link);
      for (let k = 0; k < nv; k++)
        for (let j = 0; j < nv; j++)
          for (let r = 0; r < 6; r++)
            for (let c = 0; c < 6; c++) expected[k * nv + j] += J[r * nv + k] * I[r][c] * J[c * nv + j];
    }
    for (let k = 0; k < nv; k++) expected[k * nv + k] += model.armature[k];
    expectWithin("M", relativeError(scratch.mass, expected), 1e-10);
  });

  it("articulated bodies give M⁻¹ (τ − c + Jᵀ w)", () => {
    const wrenches = Float64Array.from({ length: 6 * linkCount }, () => random.between(-1, 1));
    const direct = new Float64Array(nv);
    biasForces(scratch, direct);
    direct.forEach((c, k) => (direct[k] = tau[k] - c));
    addWrenches(scratch, wrenches.slice(), direct);
    solveMass(scratch, direct);
    const result = new Float64Array(nv);
    new ForwardDynamics(model).compute(scratch, tau, wrenches, result);
    expectWithin("q̈", relativeError(result, direct), 1e-10);
  });

  it("inverse dynamics undoes forward dynamics", () => {
    const acceleration = new Float64Array(nv);
    const back = new Float64Array(nv);
    new ForwardDynamics(model).compute(scratch, tau, undefined, acceleration);
    inverseDynamics(scratch, acceleration, back);
    expectWithin("τ", relativeError(back, tau), 1e-10);
  });

  it("inverse dynamics is M q̈ + c", () => {
    const c = new Float64Array(nv);
    const product = new Float64Array(nv);
    const result = new Float64Array(nv);
    biasForces(scratch, c);
    multiplyMass(scratch, qdd, product);
    inverseDynamics(scratch, qdd, result);
    expectWithin(
      "τ",
      relativeError(
        result,
        product.map((value, k) => value + c[k]),
      ),
      1e-10,
    );
  });

  it("Coriolis and gravity follow from the energies by Lagrange", () => {
    // c = d/dt (∂T/∂q̇) − ∂T/∂q + ∂V/∂q at q̈ = 0; springs count as external forces
    const other = new ArticulatedScratch(model);
    const momentum = (x: Float64Array, out: Float64Array) => {
      updateKinematics(other, x, qd);
      massMatrix(other);
      multiplyMass(other, qd, out);
    };
    const byTime = riddersJacobian(
      (t, out) =>
        momentum(
          q.map((value, k) => value + t[0] * qd[k]),
          out,
        ),
      new Float64Array(1),
      nv,
    );
    const lagrangian = (x: Float64Array, out: Float64Array) => {
      updateKinematics(other, x, qd);
      out[0] = kineticEnergy(other) - potentialEnergy(other);
    };
    const slope = riddersJacobian(lagrangian, q, 1);
    const expected = byTime.map((value, k) => {
      const spring = model.stiffness[k] * (q[k] - model.restPosition[k]);
      return value - slope[k] - spring;
    });
    const c = new Float64Array(nv);
    biasForces(scratch, c);
    expectWithin("c", relativeError(c, expected), 1e-8);
  });

  it("kinetic energy is ½ q̇ᵀ M q̇", () => {
    const product = new Float64Array(nv);
    multiplyMass(scratch, qd, product);
    const expected = product.reduce((sum, value, k) => sum + 0.5 * value * qd[k], 0);
    expectWithin("T", Math.abs(kineticEnergy(scratch) - expected) / expected, 1e-10);
  });

  it("solves with M for one and many right-hand sides", () => {
    const columns = 7;
    const many = Float64Array.from({ length: nv * columns }, () => random.between(-1, 1));
    const solved = many.slice();
    solveMassColumns(scratch, solved, columns);
    const inverse = new Float64Array(nv * nv);
    inverseMass(scratch, inverse);
    for (let column = 0; column < columns; column++) {
      const right = Float64Array.from({ length: nv }, (_, k) => many[k * columns + column]);
      const x = Float64Array.from({ length: nv }, (_, k) => solved[k * columns + column]);
      const back = new Float64Array(nv);
      multiplyMass(scratch, x, back);
      expectWithin("M x", relativeError(back, right), 1e-10);
      const one = right.slice();
      solveMass(scratch, one);
      expectWithin("x", relativeError(one, x), 1e-10);
      const byInverse = right.map((_, k) => right.reduce((sum, value, j) => sum + inverse[k * nv + j] * value, 0));
      expectWithin("M⁻¹ b", relativeError(byInverse, x), 1e-9);
    }
  });

  it("Jacobian of a point is the derivative of its position", () => {
    const other = new ArticulatedScratch(model);
    const point = new Float64Array(3);
    const J = new Float64Array(3 * nv);
    for (let link = 0; link < linkCount; link++) {
      const local = random.vector(0.5);
      pointToWorld(scratch, link, local, point);
      pointJacobian(scratch, link, point, J);
      const place = (x: Float64Array, out: Float64Array) => {
        updatePositions(other, x);
        pointToWorld(other, link, local, out);
      };
      expectWithin("J", relativeError(J, riddersJacobian(place, q, 3), 1), 1e-9);
    }
  });
});

/** Inertia about the world's origin from mass, center of mass and inertia about it: 6 × 6. */
function spatialInertia(scratch: ArticulatedScratch, link: number): number[][] {
  const { model, linkRotation } = scratch;
  const m = model.mass[link];
  const R = [0, 1, 2].map((r) => Array.from(linkRotation.subarray(9 * link + 3 * r, 9 * link + 3 * r + 3)));
  const [xx, yy, zz, xy, xz, yz] = Array.from(model.inertia.subarray(6 * link, 6 * link + 6));
  const local = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ];
  const centre = new Float64Array(3);
  pointToWorld(scratch, link, model.centerOfMass.subarray(3 * link, 3 * link + 3), centre);
  const [x, y, z] = centre;
  const skew = [
    [0, -z, y],
    [z, 0, -x],
    [-y, x, 0],
  ];
  const multiply = (a: number[][], b: number[][]) =>
    a.map((row) => b[0].map((_, c) => row.reduce((sum, value, i) => sum + value * b[i][c], 0)));
  const transpose = (a: number[][]) => a[0].map((_, c) => a.map((row) => row[c]));
  const turned = multiply(multiply(R, local), transpose(R));
  const steiner = multiply(skew, transpose(skew));
  return Array.from({ length: 6 }, (_, r) =>
    Array.from({ length: 6 }, (_unused, c) => {
      if (r < 3 && c < 3) return turned[r][c] + m * steiner[r][c];
      if (r >= 3 && c >= 3) return r === c ? m : 0;
      return r < 3 ? m * skew[r][c - 3] : m * skew[c][r - 3];
    }),
  );
}
