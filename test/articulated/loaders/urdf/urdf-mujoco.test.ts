import loadMujoco from "@mujoco/mujoco";
import { beforeAll, describe, expect, it } from "vitest";
import { ForwardDynamics } from "../../../../src/articulated/dynamics/forward-dynamics";
import { updateKinematics } from "../../../../src/articulated/dynamics/kinematics";
import { addPassiveForces } from "../../../../src/articulated/dynamics/passive-forces";
import { loadUrdf } from "../../../../src/articulated/loaders/urdf/urdf";
import { ArticulatedModel } from "../../../../src/articulated/model";
import { ArticulatedScratch } from "../../../../src/articulated/scratch";
import { mulberry } from "../../../../samples/random";
import { expectWithin } from "../../../figures";
import { normal } from "../../optimise/mechanisms";

let mujoco: Awaited<ReturnType<typeof loadMujoco>>;
beforeAll(async () => {
  mujoco = await loadMujoco();
});

const inertial = (mass: number, ...[ixx, iyy, izz, ixy, ixz, iyz]: number[]): string =>
  `<inertial><origin xyz="0.02 -0.03 0.1" rpy="0.3 -0.2 0.5"/><mass value="${mass}"/>
    <inertia ixx="${ixx}" iyy="${iyy}" izz="${izz}" ixy="${ixy}" ixz="${ixz}" iyz="${iyz}"/></inertial>`;
const body = inertial(1.5, 0.02, 0.03, 0.025, 0.002, -0.001, 0.003);
const joint = (type: string, parent: string, child: string, more: string): string =>
  `<joint name="${type} ${child}" type="${type}"><parent link="${parent}"/><child link="${child}"/>
    <origin xyz="0.1 0.2 0.3" rpy="0.4 -0.5 0.6"/>${more}</joint>`;

/** Joints of all kinds, and inertias of thin rods and points below fixed ones. */
const text = `

<?xml version="0.0" ?>
<!-- <xacro:arm/> -->
<robot name="arm" xmlns:xacro="http://ros.org/wiki/xacro">
  <mujoco><option><flag constraint="disable"/></option></mujoco>
  <link name="base"/><link name="upper">${body}</link><link name="fore">${body}</link><link name="rail">${body}</link>
  <link name="puck">${body}</link><link name="wrist">${body}</link><link name="bird">${body}</link>
  <link name="rod">${inertial(0.2, 0, 0.002, 0.002, 0, 0, 0)}</link>
  <link name="point">${inertial(0.1, 0, 0, 0, 0, 0, 0)}</link>
  ${joint("revolute", "base", "upper", '<axis xyz="0 2 1"/><limit lower="-1" upper="2" effort="9" velocity="1"/>')}
  ${joint("continuous", "upper", "fore", '<axis xyz="1 0 1"/><dynamics damping="0.3" friction="0.2"/>')}
  ${joint("prismatic", "fore", "rail", '<axis xyz="0 0 -1"/><limit lower="0" upper="0.4" effort="5" velocity="1"/>')}
  ${joint("planar", "base", "puck", '<axis xyz="0 0 1"/>')}
  ${joint("revolute", "puck", "wrist", '<axis xyz="1 0 0"/><limit lower="0" upper="0" effort="0" velocity="0"/>')}
  ${joint("spherical", "rail", "bird", "")}
  ${joint("fixed", "rail", "rod", "")} ${joint("fixed", "wrist", "point", "")}
</robot>`;

describe("URDF against MuJoCo", () => {
  it("has the same accelerations, limits and friction, with joints of all kinds and rods", async () => {
    // MuJoCo refuses the declaration, and moments of zero.
    const theirs = mujoco.MjModel.from_xml_string(
      text.slice(text.indexOf("<robot")).replace('ixx="0" iyy="0.002"', 'ixx="1e-12" iyy="0.002"'),
    );
    const data = new mujoco.MjData(theirs);
    const { mechanism } = await loadUrdf(text);
    const model = new ArticulatedModel(mechanism);
    expect(model.nv).toBe(theirs.nv);
    // Limits of zero count as none in both.
    const single = [0, 1, 2, 9];
    expect(single.map((dof) => model.frictionLoss[dof])).toEqual(single.map((dof) => theirs.dof_frictionloss[dof]));
    expect(single.map((dof) => [model.lower[dof], model.upper[dof]])).toEqual([
      [-1, 2],
      [-Infinity, Infinity],
      [0, 0.4],
      [-Infinity, Infinity],
    ]);
    expect(single.map((dof) => model.effortLimit[dof])).toEqual([9, Infinity, 5, Infinity]);
    const scratch = new ArticulatedScratch(model);
    scratch.gravity.set([0, 0, -9.81]);
    const dynamics = new ForwardDynamics(model);
    const next = mulberry(5);
    const some = (): Float64Array => Float64Array.from({ length: model.nv }, () => normal(next));
    let worst = 0;
    for (let round = 0; round < 20; round++) {
      const [q, qd, tau, qdd] = [some(), some(), new Float64Array(model.nv), new Float64Array(model.nv)];
      // Balls have other coordinates away from zero.
      q.fill(0, 3, 6);
      data.qpos.set([...q.subarray(0, 3), 1, 0, 0, 0, ...q.subarray(6)]);
      data.qvel.set(qd);
      mujoco.mj_forward(theirs, data);
      updateKinematics(scratch, q, qd);
      addPassiveForces(model, q, qd, tau);
      dynamics.compute(scratch, tau, undefined, qdd);
      const scale = Math.max(...Array.from(data.qacc as Float64Array, Math.abs));
      qdd.forEach((value, i) => (worst = Math.max(worst, Math.abs(value - data.qacc[i]) / scale)));
    }
    data.delete();
    theirs.delete();
    expectWithin("of the largest acceleration", worst, 1e-10);
  });
});
