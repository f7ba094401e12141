import loadMujoco from "@mujoco/mujoco";
import { beforeAll, describe, expect, it } from "vitest";
import { kineticEnergy } from "../../../src/articulated/dynamics/energy";
import { loadMjcf } from "../../../src/articulated/loaders/mjcf/mjcf";
import { filesIn } from "../../../src/articulated/loaders/sources";
import { principalAxes } from "../../../src/geometry/principal-axes";
import { expectWithin } from "../../figures";
import { mulberry } from "../../../samples/random";
import { normal } from "../optimise/mechanisms";
import { block, everyTag, included } from "./every-tag";
import { OurMotion } from "./our-motion";

let mujoco: Awaited<ReturnType<typeof loadMujoco>>;
beforeAll(async () => {
  mujoco = await loadMujoco();
});

function theirModel(text: string, files: Readonly<Record<string, string>> = {}) {
  const folder = new mujoco.MjVFS();
  for (const [name, content] of Object.entries(files)) folder.addBuffer(name, new TextEncoder().encode(content));
  return mujoco.MjModel.from_xml_string(text, folder);
}

const files = { "classes.xml": included, "parts/block.obj": block };

describe("MJCF against MuJoCo", () => {
  // MuJoCo has meshes in f32, and their axes to nine digits.
  it.each([
    ["without meshes", everyTag.replace(/<geom [^>]*mesh=[^>]*>/g, '<geom size="0.1"/>'), 1e-10],
    ["with meshes", everyTag, 1e-6],
  ])("has the same accelerations in every state, with every tag, %s", async (_, text, bound) => {
    // MuJoCo itself wants keyframes as long as the mechanism was before its replicas.
    const theirs = theirModel(text.replace(/<keyframe>.*<\/keyframe>/, ""), files);
    const data = new mujoco.MjData(theirs);
    const loaded = await loadMjcf(text, { file: filesIn(files) });
    const ours = new OurMotion(loaded);
    const { nv } = ours.model;
    expect([nv, loaded.actuators.filter(({ gain }) => gain !== 0).length]).toEqual([theirs.nv, theirs.nu]);
    const next = mulberry(7);
    const some = (count: number): Float64Array => Float64Array.from({ length: count }, () => normal(next));
    let worst = 0;
    for (let round = 0; round < 20; round++) {
      const [q, qd, input] = [some(nv), some(nv), some(theirs.nu)];
      data.qpos.set(q);
      data.qvel.set(qd);
      data.ctrl.set(input);
      ours.actuators.input.set(input);
      mujoco.mj_forward(theirs, data);
      const qdd = ours.accelerations(q, qd);
      const scale = Math.max(...Array.from(data.qacc as Float64Array, Math.abs));
      qdd.forEach((value, i) => (worst = Math.max(worst, Math.abs(value - data.qacc[i]) / scale)));
    }
    data.delete();
    theirs.delete();
    expectWithin("relative to the largest acceleration", worst, bound);
  });

  it("weighs open and hollow meshes, bounds moments, and evens out impossible ones, as MuJoCo does", async () => {
    // A box with a dent, without two of its sides.
    const dented = `vertex="0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1 0.375 0.25 0.25"
      face="0 3 2 0 2 1 4 5 8 5 6 8 6 7 8 7 4 8 0 1 5 0 5 4 1 2 6 1 6 5"`;
    const text = `<mujoco><compiler balanceinertia="true" boundinertia="0.25"/>
      <asset><mesh name="legacy" ${dented}/><mesh name="exact" ${dented} inertia="exact"/>
        <mesh name="shell" ${dented} inertia="shell"/></asset><worldbody>
      ${["legacy", "exact", "shell"].map((name) => `<body name="${name}"><joint/><geom mesh="${name}" type="mesh"/></body>`).join("")}
      <body name="bound"><joint/><inertial pos="0 0 0" mass="1" diaginertia="0.05 0.1 0.4"/></body>
      <body name="even"><joint/><inertial pos="0 0 0" mass="1" diaginertia="0.3 0.05 0.9"/></body></worldbody></mujoco>`;
    const theirs = theirModel(text);
    const { mechanism } = await loadMjcf(text);
    mechanism.links.forEach(({ name, mass, centerOfMass, inertia }, i) => {
      const [xx, yy, zz, xy, xz, yz] = inertia!;
      const ours = [...principalAxes([xx, xy, xz, xy, yy, yz, xz, yz, zz]).moments].sort((a, b) => b - a);
      const moments = [0, 1, 2].map((c) => theirs.body_inertia[3 * (i + 1) + c] as number).sort((a, b) => b - a);
      expect(mass / theirs.body_mass[i + 1], name).toBeCloseTo(1, 6);
      ours.forEach((value, c) => expect(value / moments[c], name).toBeCloseTo(1, 6));
      for (let c = 0; c < 3; c++) expect(centerOfMass![c], name).toBeCloseTo(theirs.body_ipos[3 * (i + 1) + c], 6);
    });
    theirs.delete();
  });

  it("has the same poses and energies at keyframes of balls and floating bodies", async () => {
    const text = `<mujoco><compiler eulerseq="zyx"/><option gravity="0 0 0"/><worldbody>
      <body name="torso" pos="1 2 3" euler="20 30 40"><freejoint/><geom type="box" size="0.1 0.2 0.3"/>
        <body name="arm" pos="0 0 0.4" euler="0 50 0"><joint type="ball" pos="0 0.1 0"/>
          <geom type="capsule" fromto="0 0 0 0 0.1 0.5" size="0.05"/>
          <body name="hand" pos="0 0.1 0.5"><joint name="wrist" axis="1 0 0" ref="10"/><geom size="0.1" pos="0 0 0.1"/>
          </body></body></body></worldbody>
      <keyframe>
        <key qpos="3 1 2 0.5 0.6 -0.3 0.2  0.9 0.1 0.2 -0.4  0.3" qvel="1 2 3 0.4 0.5 -0.6  0.7 -0.8 0.9  1.1"/>
        <key qpos="1 2 3 -0.1 0.9 -0.3 0.2  -0.2 0.1 0.2 -0.4  0.3" qvel="1 0 0 0 5 0  0 3 0  2"/>
      </keyframe></mujoco>`;
    const theirs = theirModel(text);
    const data = new mujoco.MjData(theirs);
    const loaded = await loadMjcf(text);
    const ours = new OurMotion(loaded);
    for (const [key, { position, velocity }] of loaded.keyframes.entries()) {
      mujoco.mj_resetDataKeyframe(theirs, data, key);
      mujoco.mj_forward(theirs, data);
      const [q, qd] = [Float64Array.from(position), Float64Array.from(velocity)];
      const qdd = ours.accelerations(q, qd);
      ["torso", "arm", "hand"].forEach((name, i) => {
        const link = ours.model.linkIndex(name);
        for (let c = 0; c < 3; c++)
          expect(ours.scratch.linkPosition[3 * link + c], name).toBeCloseTo(data.xpos[3 * (i + 1) + c], 12);
        for (let c = 0; c < 9; c++)
          expect(ours.scratch.linkRotation[9 * link + c], name).toBeCloseTo(data.xmat[9 * (i + 1) + c], 12);
      });
      mujoco.mj_energyVel(theirs, data);
      expect(kineticEnergy(ours.scratch) / data.energy[1]).toBeCloseTo(1, 12);
      expect(qdd[9] / data.qacc[9]).toBeCloseTo(1, 10);
    }
    data.delete();
    theirs.delete();
  });
});
