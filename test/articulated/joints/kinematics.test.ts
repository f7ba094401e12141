import { mat4, quat } from "gl-matrix";
import { describe, expect, it } from "vitest";
import type { Frame, JointDescription, JointType } from "../../../src/articulated/description";
import { updateKinematics, updatePositions } from "../../../src/articulated/dynamics/kinematics";
import { ArticulatedModel } from "../../../src/articulated/model";
import { ArticulatedScratch } from "../../../src/articulated/scratch";
import type { Vec3 } from "../../../src/math/types";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { relativeError } from "../../math/differences";
import { jointBetween, jointTypes, randomState } from "../random-mechanism";
import { riddersJacobian } from "../ridders";

const unit: Readonly<Record<string, Vec3>> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

function turn(axis: Vec3, angle: number): mat4 {
  return mat4.fromRotation(mat4.create(), angle, axis) ?? mat4.create();
}

function shift(v: Vec3): mat4 {
  return mat4.fromTranslation(mat4.create(), v);
}

function scaled(v: Vec3, s: number): Vec3 {
  const length = Math.hypot(...v);
  return [(v[0] * s) / length, (v[1] * s) / length, (v[2] * s) / length];
}

function product(...factors: mat4[]): mat4 {
  return factors.reduce((a, b) => mat4.multiply(mat4.create(), a, b), mat4.create());
}

function rotationVector([x, y, z]: number[]): mat4 {
  return turn([x, y, z], Math.hypot(x, y, z));
}

/** T(q) of a joint, from its definition. */
function transform(joint: Required<JointDescription>, q: number[]): mat4 {
  const { axis, secondAxis, pitch, order } = joint;
  const normal: Vec3 = [
    axis[1] * secondAxis[2] - axis[2] * secondAxis[1],
    axis[2] * secondAxis[0] - axis[0] * secondAxis[2],
    axis[0] * secondAxis[1] - axis[1] * secondAxis[0],
  ];
  const transforms: Record<JointType, () => mat4> = {
    weld: () => mat4.create(),
    revolute: () => turn(axis, q[0]),
    prismatic: () => shift(scaled(axis, q[0])),
    screw: () => product(shift(scaled(axis, pitch * q[0])), turn(axis, q[0])),
    universal: () => product(turn(axis, q[0]), turn(secondAxis, q[1])),
    euler: () => product(...[...order].map((letter, i) => turn(unit[letter], q[i]))),
    ball: () => rotationVector(q),
    planar: () => product(shift(scaled(axis, q[0])), shift(scaled(secondAxis, q[1])), turn(normal, q[2])),
    "translational-2d": () => product(shift(scaled(axis, q[0])), shift(scaled(secondAxis, q[1]))),
    translational: () => shift([q[0], q[1], q[2]]),
    free: () => product(shift([q[3], q[4], q[5]]), rotationVector(q.slice(0, 3))),
  };
  return transforms[joint.type]();
}

function frame({ position = [0, 0, 0], rotation = [0, 0, 0, 1] }: Frame): mat4 {
  return mat4.fromRotationTranslation(mat4.create(), quat.clone(rotation), position);
}

describe.each(jointTypes)("kinematics of a %s joint", (type) => {
  const description = jointBetween(new RandomGeometry(51), type);
  const model = new ArticulatedModel(description);
  const { nv } = model;
  const { q, qd, qdd } = randomState(new RandomGeometry(52), model);
  const scratch = new ArticulatedScratch(model);
  const other = new ArticulatedScratch(model);
  updateKinematics(scratch, q, qd);

  it("places links as the product of its frames says", () => {
    let above = mat4.create();
    description.links.forEach((link, i) => {
      const joint = link.joint as Required<JointDescription>;
      const own = Array.from(q.subarray(model.linkDof[i], model.linkDof[i] + model.linkDofCount[i]));
      const child = mat4.invert(mat4.create(), frame(joint.childFrame)) ?? mat4.create();
      above = product(above, frame(joint.parentFrame), transform(joint, own), child);
      // gl-matrix keeps single precision, column-major
      for (let row = 0; row < 3; row++) {
        expect(scratch.linkPosition[3 * i + row]).toBeCloseTo(above[12 + row], 5);
        for (let column = 0; column < 3; column++)
          expect(scratch.linkRotation[9 * i + 3 * row + column]).toBeCloseTo(above[4 * column + row], 5);
      }
    });
  });

  it("has orthonormal frames", () => {
    const R = scratch.linkRotation;
    for (let i = 0; i < model.linkCount; i++)
      for (let a = 0; a < 3; a++)
        for (let b = 0; b < 3; b++) {
          const dot = [0, 1, 2].reduce((sum, c) => sum + R[9 * i + 3 * a + c] * R[9 * i + 3 * b + c], 0);
          expect(dot).toBeCloseTo(a === b ? 1 : 0, 13);
        }
  });

  it("has twists that are the rates of the poses", () => {
    const along = (t: Float64Array) => q.map((value, k) => value + t[0] * qd[k]);
    for (let i = 0; i < model.linkCount; i++) {
      const rates = riddersJacobian(
        (t, out) => {
          updatePositions(other, along(t));
          out.set(other.linkRotation.subarray(9 * i, 9 * i + 9));
          out.set(other.linkPosition.subarray(3 * i, 3 * i + 3), 9);
        },
        new Float64Array(1),
        12,
      );
      const [w0, w1, w2, v0, v1, v2] = scratch.velocity.subarray(6 * i, 6 * i + 6);
      const cross = (x: number, y: number, z: number) => [w1 * z - w2 * y, w2 * x - w0 * z, w0 * y - w1 * x];
      const R = scratch.linkRotation.subarray(9 * i, 9 * i + 9);
      const columns = [0, 1, 2].map((c) => cross(R[c], R[3 + c], R[6 + c]));
      const [p0, p1, p2] = scratch.linkPosition.subarray(3 * i, 3 * i + 3);
      const carried = cross(p0, p1, p2);
      const expected = [0, 1, 2].flatMap((row) => columns.map((column) => column[row]));
      expected.push(v0 + carried[0], v1 + carried[1], v2 + carried[2]);
      expectWithin("Ṫ", relativeError(rates, expected), 1e-9);
    }
  });

  it("has rates of S and accelerations that are derivatives by time", () => {
    const state = (t: Float64Array) => {
      const position = q.map((value, k) => value + t[0] * qd[k] + 0.5 * t[0] * t[0] * qdd[k]);
      updateKinematics(
        other,
        position,
        qd.map((value, k) => value + t[0] * qdd[k]),
      );
    };
    const motionRates = riddersJacobian(
      (t, out) => {
        state(t);
        out.set(other.motion);
      },
      new Float64Array(1),
      6 * nv,
    );
    expectWithin("Ṡ", relativeError(scratch.motionRate, motionRates), 1e-9);
  });
});
