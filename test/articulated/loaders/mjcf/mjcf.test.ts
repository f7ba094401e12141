import { describe, expect, it } from "vitest";
import { loadMjcf } from "../../../../src/articulated/loaders/mjcf/mjcf";
import { ArticulatedModel } from "../../../../src/articulated/model";
import { expectClose, lineOf, linkNamed, pointOf, posesOf } from "../forward";

const file = `<mujoco model="runner">
  <compiler angle="degree" autolimits="true" eulerseq="zyx"/>
  <option timestep="0.004" gravity="0 0 -9.8" integrator="RK4"/>
  <default>
    <joint damping="0.5" armature="0.01"/>
    <geom density="500"/>
    <default class="leg"><joint damping="2" stiffness="30" springref="10"/><geom friction="0.8 0.1 0.1"/></default>
  </default>
  <asset>
    <mesh name="block" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale="0.1 0.1 0.1"/>
    <mesh file="parts/foot.obj" scale="2 1 1"/>
  </asset>
  <worldbody>
    <light pos="0 0 4"/>
    <geom name="floor" type="plane" size="0 0 0.1" pos="0 0 -0.1"/>
    <body name="torso" pos="0 0 0.7">
      <joint name="x" type="slide" axis="1 0 0"/>
      <joint name="z" type="slide" axis="0 0 1" ref="0.7"/>
      <joint name="pitch" type="hinge" axis="0 1 0" pos="0 0 0.1"/>
      <geom type="capsule" fromto="-0.5 0 0 0.5 0 0" size="0.05"/>
      <geom type="sphere" size="0.1" pos="0.5 0 0" contype="0" conaffinity="0" mass="1"/>
      <body name="thigh" pos="-0.5 0 0" euler="0 90 0" childclass="leg">
        <joint name="hip" axis="0 1 0" range="-30 60" ref="15"/>
        <geom type="box" size="0.02 0.03 0.2" mass="2"/>
        <inertial pos="0.1 0 0" mass="3" diaginertia="1 2 3" quat="0.7071067811865476 0 0 0.7071067811865476"/>
        <body pos="0 0 -0.4"><joint type="ball" pos="0 0 0.1"/><geom type="mesh" mesh="foot"/></body>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="hip" gear="-120" ctrlrange="-1 0.5"/><position joint="pitch" kp="4"/></actuator>
  <equality/>
</mujoco>`;

const foot = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], indices: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] };
const load = (text = file) => loadMjcf(text, { mesh: (name) => (name === "parts/foot.obj" ? foot : undefined) });

describe("MJCF", () => {
  it("gives a link for each joint, with defaults of classes filled in", async () => {
    const { mechanism, gravity, timeStep, notes } = await load();
    expect(mechanism.links.map(({ name, parent, joint }) => [name, parent, joint.type])).toEqual([
      ["torso.x", undefined, "prismatic"],
      ["torso.z", "torso.x", "prismatic"],
      ["torso", "torso.z", "revolute"],
      ["thigh", "torso", "revolute"],
      ["body 4", "thigh", "ball"],
    ]);
    expect(linkNamed(mechanism, "torso.x").mass).toBe(0);
    expect(linkNamed(mechanism, "torso").joint).toMatchObject({ damping: 0.5, armature: 0.01, stiffness: 0 });
    const { joint } = linkNamed(mechanism, "thigh");
    const rad = Math.PI / 180;
    expect(joint).toMatchObject({ damping: 2, stiffness: 30, armature: 0.01, name: "hip" });
    expectClose([joint.lower, joint.upper, joint.restPosition] as number[], [-30 * rad, 60 * rad, 10 * rad]);
    expect([gravity, timeStep]).toEqual([[0, 0, -9.8], 0.004]);
    expect(notes).toEqual([
      `MJCF line 26 <joint>: damping, armature and friction act on the rates of the rotation vector`,
      `MJCF line ${lineOf(file, "<option")} <option>: "integrator" is left out`,
      `MJCF line ${lineOf(file, "<light")} <light>: is left out`,
    ]);
    expect(new ArticulatedModel(mechanism).nv).toBe(7);
  });

  it("takes masses from geoms where there is no inertial", async () => {
    const { mechanism } = await load();
    const torso = linkNamed(mechanism, "torso");
    const capsule = 500 * (Math.PI * 0.05 ** 2 + (4 / 3) * Math.PI * 0.05 ** 3);
    expect(torso.mass).toBeCloseTo(capsule + 1, 10);
    expectClose(torso.centerOfMass!, [0.5 / (capsule + 1), 0, 0]);
    const thigh = linkNamed(mechanism, "thigh");
    expect([thigh.mass, thigh.centerOfMass]).toEqual([3, [0.1, 0, 0]]);
    // a quarter turn about z
    expectClose(thigh.inertia!, [2, 1, 3, 0, 0, 0]);
    // The tetrahedron at twice the length: volume 2/6.
    expect(linkNamed(mechanism, "body 4").mass).toBeCloseTo((500 * 2) / 6, 10);
    const fromGeom = file.replace("<compiler", '<compiler inertiafromgeom="true" boundinertia="0.02"');
    const light = linkNamed((await load(fromGeom)).mechanism, "thigh");
    expect(light.mass).toBeCloseTo(2, 12);
    expectClose(light.inertia!, [(2 * (0.03 ** 2 + 0.2 ** 2)) / 3, (2 * (0.02 ** 2 + 0.2 ** 2)) / 3, 0.02, 0, 0, 0]);
  });

  it("gives shapes that collide, and the ground", async () => {
    const { mechanism, ground } = await load();
    expect(linkNamed(mechanism, "torso").shapes!.map(({ shape }) => shape.type)).toEqual(["capsule"]);
    expect(linkNamed(mechanism, "thigh").shapes![0]).toMatchObject({ friction: 0.8 });
    const capsule = linkNamed(mechanism, "torso").shapes![0];
    expect(capsule).toMatchObject({ friction: 1, shape: { radius: 0.05, pointB: [0, 0, 0.5] } });
    expect(ground).toHaveLength(1);
    const [{ shape, position }] = ground;
    if (shape.type !== "box") throw new Error("the floor is a box");
    expect(position![2] + shape.center![2] + shape.halfExtents[2]).toBeCloseTo(-0.1, 12);
  });

  it("turns and shifts bodies as MuJoCo does", async () => {
    const { mechanism } = await load();
    const [x, z, pitch, hip] = [0.3, 0.9, 0.4, 0.1];
    const poses = posesOf(
      { ...mechanism, links: mechanism.links.slice(0, 4) },
      { "torso.x": x, "torso.z": z, torso: pitch, thigh: hip },
    );
    // z counts from its ref: the torso is at 0.7 + (z − 0.7).
    const [c, s] = [Math.cos(pitch), Math.sin(pitch)];
    const torso = (px: number, pz: number): number[] => [
      x + c * px + s * (pz - 0.1),
      0,
      z + 0.1 - s * px + c * (pz - 0.1),
    ];
    expectClose(pointOf(poses, "torso", [0.2, 0, 0.3]), torso(0.2, 0.3));
    // The thigh is turned by 90° about y, and by its angle minus the ref of 15°.
    const turn = Math.PI / 2 + hip - (15 * Math.PI) / 180;
    const [ct, st] = [Math.cos(turn), Math.sin(turn)];
    expectClose(pointOf(poses, "thigh", [0.1, 0, -0.2]), torso(-0.5 + ct * 0.1 - st * 0.2, -st * 0.1 - ct * 0.2));
  });

  it("takes motors as limits of effort", async () => {
    const { mechanism } = await load();
    expect(linkNamed(mechanism, "thigh").joint.effortLimit).toBe(120);
    expect(linkNamed(mechanism, "torso").joint.effortLimit).toBeUndefined();
    expect(linkNamed(mechanism, "torso.x").joint.effortLimit).toBe(0);
  });

  it("reads every way to write a rotation alike", async () => {
    const of = async (rotation: string): Promise<readonly number[]> => {
      const text = `<mujoco><compiler angle="radian"/><worldbody><body ${rotation}><joint/><geom size="1"/></body>
        </worldbody></mujoco>`;
      const [x, y, z, w] = (await load(text)).mechanism.links[0].joint.parentFrame!.rotation!;
      return w < 0 ? [-x, -y, -z, -w] : [x, y, z, w];
    };
    const angle = 0.8;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const expected = [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)];
    for (const rotation of [
      `quat="${Math.cos(angle / 2)} ${Math.sin(angle / 2)} 0 0"`,
      `axisangle="2 0 0 ${angle}"`,
      `euler="${angle} 0 0"`,
      `xyaxes="1 0 0 7 ${c} ${s}"`,
      `zaxis="0 ${-s} ${c}"`,
    ])
      expectClose(await of(rotation), expected);
    // Half a turn exercises the branches for small traces.
    for (const [axes, half] of [
      ["1 0 0 0 -1 0", [1, 0, 0, 0]],
      ["-1 0 0 0 1 0", [0, 1, 0, 0]],
      ["-1 0 0 0 -1 0", [0, 0, 1, 0]],
    ] as const)
      expectClose((await of(`xyaxes="${axes}"`)).map(Math.abs), [...half]);
  });

  const world = (body: string): string => `<mujoco>\n<worldbody>\n${body}\n</worldbody>\n</mujoco>`;
  it.each([
    ["an unknown class", world(`<body><joint class="arm"/><geom size="1"/></body>`), /line 3 <joint>.*class.*"arm"/],
    ["an unknown joint type", world(`<body><joint type="screw"/></body>`), /line 3 <joint>.*"screw"/],
    ["an unknown mesh", world(`<body><geom type="mesh" mesh="m"/></body>`), /line 3 <geom>.*"m"/],
    ["an unknown geom type", world(`<body><geom type="cone" size="1"/></body>`), /line 3 <geom>.*"cone"/],
    ["a geom without size", world(`<body><geom type="box" size="1 1"/></body>`), /line 3 <geom>.*3 positive/],
    ["a plane that moves", world(`<body><joint/><geom type="plane" size="1 1 1"/></body>`), /line 3 <geom>.*plane/],
    ["two bodies of one name", world(`<body name="a"/>\n<body name="a"/>`), /line 4 <body name="a">/],
    ["a free joint among others", world(`<body><freejoint/><joint/></body>`), /free joint/],
    ["an axis of zero", world(`<body><joint axis="0 0 0"/></body>`), /line 3 <joint>.*zero/],
    ["a range upside down", world(`<body><joint range="2 1"/></body>`), /line 3 <joint>.*range/],
    ["no body", world(""), /line 2 <worldbody>.*body/],
    [
      "an unknown actuated joint",
      `<mujoco><worldbody><body><geom size="1"/></body></worldbody>\n<actuator>\n<motor joint="knee"/></actuator></mujoco>`,
      /line 3 <motor>.*"knee"/,
    ],
    ["a quaternion of zero", world(`<body quat="0 0 0 0"/>`), /line 3 <body>.*quat/],
    [
      "a mesh that nobody finds",
      `<mujoco><asset><mesh name="m" file="m.stl"/></asset>\n<worldbody><body><geom type="mesh" mesh="m"/></body></worldbody></mujoco>`,
      /line 2 <geom>.*m\.stl/,
    ],
  ])("refuses %s, with the line", async (_, text, message) => {
    const error = await load(text).then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    expect(error?.name).toBe("PliantError");
    expect(error?.message).toMatch(message);
  });
});
