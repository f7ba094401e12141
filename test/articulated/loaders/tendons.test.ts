import loadMujoco from "@mujoco/mujoco";
import { beforeAll, describe, expect, it } from "vitest";
import { loadMjcf } from "../../../src/articulated/loaders/mjcf/mjcf";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import { updateKinematics } from "../../../src/articulated/dynamics/kinematics";
import { ArticulatedScratch } from "../../../src/articulated/scratch";
import { mulberry } from "../../../samples/random";
import { expectWithin } from "../../figures";
import { normal } from "../optimise/mechanisms";
import { blockError, stackJacobians, stepDifferences } from "../step/differences";
import { OurMotion } from "./our-motion";

let mujoco: Awaited<ReturnType<typeof loadMujoco>>;
beforeAll(async () => {
  mujoco = await loadMujoco();
});

/** An arm and a slide with tendons of all kinds: sums and ways, with pulleys, slack, and classes of defaults. */
const text = `<mujoco><compiler angle="radian"/><option gravity="0.3 -1 -9.8"><flag contact="disable"/></option>
  <default><tendon stiffness="7" damping="0.2"/>
    <default class="bare"><tendon stiffness="0" damping="0"/></default>
    <default class="cable"><tendon springlength="0.2 0.6"/></default></default>
  <worldbody><site name="wall" pos="0.4 -0.3 0.9"/><site name="roof" pos="0 0 2"/>
    <body name="upper" pos="0.1 0 1"><joint name="yaw" axis="0 0 1" springref="0.4"/><joint name="pitch" axis="0 1 0.2" ref="0.2"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0.1" size="0.03"/>
      <site name="shoulder" pos="0.1 0.05 0" euler="0.1 0.2 0.3"/>
      <frame pos="0.1 0 0.02" euler="0.5 0 0"><site name="middle" pos="0.1 0 0.05"/></frame>
      <body name="lower" pos="0.3 0 0.1"><joint name="elbow" axis="0 1 0" pos="0.01 0 0" springref="-0.3"/>
        <geom type="box" size="0.1 0.04 0.03" pos="0.1 0 0"/><site name="tip" pos="0.2 0 0.03"/></body></body>
    <body name="block" pos="-0.5 0 0.5"><joint name="slide" type="slide" axis="1 0 1"/><geom size="0.1"/>
      <site name="hook" pos="0 0 0.1"/></body>
  </worldbody>
  <tendon>
    <fixed name="sum"><joint joint="pitch" coef="0.5"/><joint joint="elbow" coef="-2"/><joint joint="slide" coef="3"/></fixed>
    <fixed name="slack" springlength="-0.2 0.4"><joint joint="yaw" coef="1"/><joint joint="elbow" coef="1"/></fixed>
    <fixed name="one" class="bare" stiffness="3" springlength="0.3"><joint joint="elbow" coef="-1.5"/></fixed>
    <spatial name="rope"><site site="wall"/><site site="middle"/><site site="tip"/><site site="hook"/></spatial>
    <spatial name="cable" class="cable" stiffness="40"><site site="hook"/><site site="shoulder"/></spatial>
    <spatial name="tackle" class="bare"><site site="roof"/><site site="hook"/><pulley divisor="2"/><site site="tip"/>
      <site site="shoulder"/><site site="wall"/><pulley divisor="3"/><site site="middle"/><site site="hook"/></spatial>
    <spatial name="own" class="bare" damping="0.7"><site site="tip"/><site site="roof"/></spatial>
  </tendon>
  <actuator>
    <motor name="pull" tendon="tackle" gear="-12"/>
    <position name="hold" tendon="rope" kp="30" kv="2" gear="1.5" forcerange="-4 5"/>
    <velocity name="reel" tendon="own" kv="3"/>
    <position name="taut" tendon="cable" kp="8" dampratio="0.6"/>
    <position name="lean" tendon="sum" kp="6" inheritrange="1"/>
    <general name="raw" joint="yaw" gainprm="4" biastype="affine" biasprm="1 -2 -3"/>
  </actuator></mujoco>`.replace('name="sum"', 'name="sum" range="-1 3" limited="false"');

describe("tendons", () => {
  it("give MuJoCo's accelerations in every state", async () => {
    const theirs = mujoco.MjModel.from_xml_string(text.replace(' inheritrange="1"', ""));
    const data = new mujoco.MjData(theirs);
    const loaded = await loadMjcf(text.replace(' inheritrange="1"', ""));
    expect(loaded.notes.filter((note) => !note.includes("<flag>"))).toEqual([]);
    const ours = new OurMotion(loaded);
    const { nv } = ours.model;
    expect(nv).toBe(theirs.nv);
    const next = mulberry(11);
    const some = (count: number): Float64Array => Float64Array.from({ length: count }, () => normal(next));
    let worst = 0;
    for (let round = 0; round < 40; round++) {
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
    expectWithin("relative to the largest acceleration", worst, 1e-10);
  });

  it("lead the range of a servo from that of what it drives", async () => {
    const { actuators } = await loadMjcf(text.replace('limited="false"', 'limited="true"'));
    expect(actuators.find(({ name }) => name === "lean")!.controlRange).toEqual([-1, 3]);
  });

  // Sizes, gravity and steps: a rope of a part of the size holds a ball that falls and swings.
  it.each([
    [0.1, 1e-3],
    [1, 1e-3],
    [1, 1 / 240],
    [10, 1 / 60],
  ])("hold what hangs on them within their limits, at %f m in steps of %f s", async (size, timeStep) => {
    const rope = `<mujoco><worldbody><site name="hook"/><body name="ball" pos="${0.8 * size} 0 0"><joint type="slide" axis="1 0 0"/>
      <joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/><geom size="${0.1 * size}"/><site name="eye"/></body></worldbody>
      <tendon><spatial name="rope" range="0 ${size}"><site site="hook"/><site site="eye"/></spatial></tendon></mujoco>`;
    const { mechanism, actuators, gravity } = await loadMjcf(rope);
    const simulation = new ArticulatedSimulation(mechanism, { actuators, gravity, timeStep });
    const { q, qd } = simulation;
    const place = (): number[] => [0.8 * size + q[0], q[1], q[2]];
    const energy = (): number => 9.81 * q[2] + (qd[0] ** 2 + qd[1] ** 2 + qd[2] ** 2) / 2;
    const period = 2 * Math.PI * Math.sqrt(size / 9.81);
    let [longest, lowest, highest] = [0, 0, -Infinity];
    for (let i = 0; i * timeStep < 3 * period; i++) {
      simulation.step();
      longest = Math.max(longest, Math.sqrt(place().reduce((sum, x) => sum + x * x, 0)) / size);
      lowest = Math.min(lowest, q[2] / size);
      highest = Math.max(highest, energy() / (9.81 * size));
    }
    // In a step the end of the rope goes straight on along the tangent: (v Δt)² / 2 ℓ² with v² ≤ 2 g ℓ.
    expectWithin("length beyond the rope", longest - 1, (9.81 * timeStep ** 2) / size);
    expect(lowest).toBeLessThan(-0.95);
    expectWithin("gained energy", highest, 1e-9);
  });

  it("rub: a sum of joints stays where it is below its friction, and slides beyond", async () => {
    const text = (force: number): string => `<mujoco><option gravity="0 0 0"/><worldbody>
      <body><joint name="a" type="slide" axis="1 0 0"/><geom size="0.1"/></body>
      <body pos="0 1 0"><joint name="b" type="slide" axis="1 0 0"/><geom size="0.2"/></body></worldbody>
      <tendon><fixed name="belt" frictionloss="${force}"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed></tendon>
      </mujoco>`;
    const speeds: number[] = [];
    for (const friction of [3, 0.5]) {
      const { mechanism, actuators, gravity } = await loadMjcf(text(friction));
      const simulation = new ArticulatedSimulation(mechanism, { actuators, gravity, timeStep: 0.01 });
      simulation.control.set([2, 0]);
      for (let i = 0; i < 50; i++) simulation.step();
      const { qd, model } = simulation;
      speeds.push(qd[0] - 2 * qd[1]);
      if (friction === 0.5) {
        expect(qd[0]).toBeCloseTo((0.5 * (2 - 0.5)) / model.mass[0], 6);
        expect(qd[1]).toBeCloseTo((0.5 * 2 * 0.5) / model.mass[1], 6);
      } else expect((model.mass[0] * qd[0] * 2 + model.mass[1] * qd[1]) / (0.5 * 2 * 2)).toBeCloseTo(1, 6);
    }
    expectWithin("speed that friction lets by", Math.abs(speeds[0]), 1e-6);
    expect(speeds[1]).toBeGreaterThan(0.1);
  });

  it("keep the momentum of what floats, whatever they pull", async () => {
    const text = `<mujoco><option gravity="0 0 0"/><worldbody>
      <body name="a"><freejoint/><geom type="box" size="0.1 0.2 0.3"/><site name="a" pos="0.1 0.2 0.3"/><site name="b" pos="-0.1 0.2 0"/></body>
      <body name="c" pos="1 0.3 0.2"><freejoint/><geom type="box" size="0.2 0.1 0.1"/><site name="c" pos="-0.2 0.1 0"/></body></worldbody>
      <tendon><spatial name="bar" stiffness="4000" damping="3" springlength="0.3"><site site="a"/><site site="c"/></spatial>
        <spatial name="cord" range="0 0.9"><site site="b"/><site site="c"/></spatial></tendon></mujoco>`;
    const { mechanism, actuators, gravity } = await loadMjcf(text);
    const simulation = new ArticulatedSimulation(mechanism, { actuators, gravity, timeStep: 1 / 240 });
    const { model, qd } = simulation;
    qd.set([1, -2, 0.5, 0.1, 0.3, 0, -3, 0.5, 1, 0, -0.2, 0.4]);
    const scratch = new ArticulatedScratch(model);
    const momentum = (): number[] => {
      updateKinematics(scratch, simulation.q, qd);
      const sum = [0, 0, 0];
      for (let link = 0; link < 2; link++)
        for (let c = 0; c < 3; c++) sum[c] += model.mass[link] * qd[6 * link + 3 + c];
      return sum;
    };
    const before = momentum();
    for (let i = 0; i < 480; i++) simulation.step();
    momentum().forEach((value, c) => expect(value).toBeCloseTo(before[c], 9));
    expect(simulation.q.every(Number.isFinite)).toBe(true);
  });

  it("have exact derivatives, also on balls and floating links", async () => {
    const floating = text
      .replace('<joint name="slide" type="slide" axis="1 0 1"/>', '<freejoint name="slide"/>')
      .replace('<joint joint="slide" coef="3"/>', "")
      .replace(
        '<joint name="yaw" axis="0 0 1" springref="0.4"/><joint name="pitch" axis="0 1 0.2" ref="0.2"/>',
        '<joint type="ball"/>',
      )
      .replaceAll(/<joint joint="(yaw|pitch)" coef="[\d.-]+"\/>/g, "")
      .replace('joint="yaw"', 'joint="elbow"')
      .replace('name="own"', 'name="own" range="0.4 0.9" frictionloss="0.3"');
    const next = mulberry(5);
    for (const file of [text, floating]) {
      const { mechanism, actuators, gravity } = await loadMjcf(file);
      const simulation = new ArticulatedSimulation(mechanism, { actuators, gravity, timeStep: 0.004 });
      for (let round = 0; round < 6; round++) {
        simulation.q.forEach((_, k) => (simulation.q[k] = 0.6 * normal(next)));
        simulation.qd.forEach((_, k) => (simulation.qd[k] = normal(next)));
        actuators.forEach((_, k) => (simulation.actuators.input[k] = normal(next)));
        simulation.step();
        simulation.step();
        const numeric = stepDifferences(simulation, 0.01);
        const exact = stackJacobians(simulation.jacobians(), simulation.nv);
        expectWithin(`round ${round}`, blockError(exact, numeric, simulation.nv), 1e-7);
      }
    }
  });

  it("are refused as what they are not", async () => {
    const body = `<body name="x"><joint name="j"/><geom size="0.1"/><site name="s"/></body>`;
    const bad = [
      ['<spatial><site site="s"/></spatial>', /two sites/],
      ['<spatial><site site="s"/><site site="none"/></spatial>', /one of the file's/],
      ['<spatial><site site="s"/><pulley divisor="0"/><site site="s"/></spatial>', /positive/],
      ['<fixed stiffness="-1"><joint joint="j" coef="1"/></fixed>', /negative/],
      ['<fixed range="2 1"><joint joint="j" coef="1"/></fixed>', /above its end/],
      ['<fixed limited="true"><joint joint="j" coef="1"/></fixed>', /needs a range/],
      ['<fixed stiffness="1" springlength="2 1"><joint joint="j" coef="1"/></fixed>', /above its end/],
    ] as const;
    for (const [tendon, message] of bad) {
      const text = `<mujoco><worldbody>${body}</worldbody><tendon>${tendon}</tendon></mujoco>`;
      await expect(loadMjcf(text), tendon).rejects.toThrow(message);
    }
  });
});
