import loadMujoco from "@mujoco/mujoco";
import { describe, expect, it } from "vitest";
import { ForwardDynamics } from "../../../src/articulated/dynamics/forward-dynamics";
import { updateKinematics } from "../../../src/articulated/dynamics/kinematics";
import { addPassiveForces } from "../../../src/articulated/dynamics/passive-forces";
import { loadMjcf } from "../../../src/articulated/loaders/mjcf";
import { ArticulatedModel } from "../../../src/articulated/model";
import { ArticulatedScratch } from "../../../src/articulated/scratch";
import { normal, random } from "../optimise/mechanisms";

/**
 * Everything that affects the motion: classes, units, anchors, references, several joints per body, all ways to give
 * masses.
 */
const file = `<mujoco model="beast">
  <compiler angle="degree" eulerseq="zyx"/>
  <option gravity="0.3 -1 -9.8"><flag contact="disable" limit="disable"/></option>
  <default>
    <joint damping="0.4" armature="0.02"/>
    <geom density="700"/>
    <default class="leg"><joint damping="1.5" stiffness="20" springref="12"/><geom type="capsule" size="0.04"/></default>
  </default>
  <asset><mesh name="wedge" vertex="0 0 0 0.3 0 0 0 0.2 0 0 0 0.25" inertia="exact"/></asset>
  <worldbody>
    <body name="trunk" pos="0 0 0.7" quat="0.9 0.1 -0.2 0.3">
      <joint name="x" type="slide" axis="1 0 0.5"/>
      <joint name="z" type="slide" axis="0 0 2" ref="0.7"/>
      <joint name="pitch" axis="0 1 0" pos="0.1 0.2 0.1" ref="20"/>
      <geom type="capsule" fromto="-0.5 0 0.1 0.5 0.1 0" size="0.05"/>
      <geom type="sphere" size="0.1" pos="0.5 0 0" mass="1"/>
      <body name="thigh" pos="-0.5 0 0" euler="10 90 20" childclass="leg">
        <joint name="hip" axis="0 1 1" pos="0 0 0.05" range="-30 60" ref="15"/>
        <geom fromto="0 0 0 0.1 0 -0.4"/>
        <geom type="cylinder" size="0.05 0.2" axisangle="1 1 0 30"/>
        <geom type="box" size="0.05 0.2 0.1" xyaxes="1 1 0 0 1 1" mass="0.8"/>
        <body name="shin" pos="0 0 -0.4" zaxis="0.2 0.1 1">
          <inertial pos="0.1 0 0.02" mass="3" diaginertia="0.3 0.2 0.25" quat="0.8 0.2 0.1 0.4"/>
          <joint name="knee" axis="1 0 0"/>
          <body name="foot" pos="0 0.1 -0.2">
            <inertial pos="0 0 0" mass="0.6" fullinertia="0.02 0.03 0.025 0.001 0.002 -0.003"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>`;

describe("MJCF against MuJoCo", () => {
  it("has the same accelerations in every state", async () => {
    const mujoco = await loadMujoco();
    const theirs = mujoco.MjModel.from_xml_string(file);
    const data = new mujoco.MjData(theirs);
    const { mechanism, gravity } = await loadMjcf(file);
    const ours = new ArticulatedModel(mechanism);
    expect(ours.nv).toBe(theirs.nv);
    const scratch = new ArticulatedScratch(ours);
    scratch.gravity.set(gravity!);
    const dynamics = new ForwardDynamics(ours);
    const next = random(7);
    const some = (): Float64Array => Float64Array.from({ length: ours.nv }, () => normal(next));
    const [tau, qdd] = [new Float64Array(ours.nv), new Float64Array(ours.nv)];
    let worst = 0;
    for (let round = 0; round < 20; round++) {
      const [q, qd] = [some(), some()];
      data.qpos.set(q);
      data.qvel.set(qd);
      mujoco.mj_forward(theirs, data);
      updateKinematics(scratch, q, qd);
      tau.fill(0);
      addPassiveForces(ours, q, qd, tau);
      dynamics.compute(scratch, tau, undefined, qdd);
      const scale = Math.max(...Array.from(data.qacc as Float64Array, Math.abs));
      qdd.forEach((value, i) => (worst = Math.max(worst, Math.abs(value - data.qacc[i]) / scale)));
    }
    data.delete();
    theirs.delete();
    expect(worst).toBeLessThan(1e-9);
  });
});
