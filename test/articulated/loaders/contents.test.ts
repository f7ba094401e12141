import { describe, expect, it } from "vitest";
import type { MeshShape } from "../../../src/collision/shape/shape";
import { loadMjcf } from "../../../src/articulated/loaders/mjcf/mjcf";
import { filesIn } from "../../../src/articulated/loaders/sources";
import { loadUrdf } from "../../../src/articulated/loaders/urdf/urdf";
import { ArticulatedModel } from "../../../src/articulated/model";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import { updatePositions } from "../../../src/articulated/dynamics/kinematics";
import { ArticulatedScratch } from "../../../src/articulated/scratch";
import { closureError, rowsOf } from "../../../src/articulated/step/closure-rows";
import { expectRejected } from "../../refusal";
import { collada } from "./every-collada-tag";
import { block, everyTag, included } from "./every-tag";
import { everyUrdfTag, stl } from "./every-urdf-tag";
import { expectClose, lineOf, linkNamed } from "./forward";

describe("contents of an MJCF file", () => {
  const load = (text = everyTag) =>
    loadMjcf(text, { file: filesIn({ "classes.xml": included, "parts/block.obj": block }) });

  it("has frames and replicas as links, and their names in order", async () => {
    const { mechanism } = await load();
    expect(mechanism.links.map(({ name }) => name)).toEqual([
      "trunk.x",
      "trunk.z",
      "trunk",
      "leg_0",
      "foot_0",
      "leg_1",
      "foot_1",
      "leg_2",
      "foot_2",
      "head",
      "hat",
    ]);
    const [first, third] = ["leg_0", "leg_2"].map((name) => linkNamed(mechanism, name));
    expect(third.mass).toBeCloseTo(first.mass, 12);
    expect(third.joint).toMatchObject({ name: "hip_2", frictionLoss: 0.4, damping: 0.5, lower: -0.5, upper: 1 });
    expect(linkNamed(mechanism, "trunk.z").joint.effortLimit).toBe(0);
    expect(mechanism.links.reduce((sum, { mass }) => sum + mass, 0)).toBeCloseTo(30, 9);
    expect(linkNamed(mechanism, "foot_1").gravityCompensation).toBe(1);
  });

  it("has shapes with their bits, shapes to draw with their colors, and sites", async () => {
    const { mechanism, visuals, sites, ground } = await load();
    const [foot] = linkNamed(mechanism, "foot_0").shapes!;
    expect(foot).toMatchObject({ category: 2, meets: 4, shape: { type: "box", halfExtents: [0.1, 0.05, 0.02] } });
    expect(linkNamed(mechanism, "trunk").shapes!.map(({ shape }) => shape.type)).toEqual(["capsule", "sphere"]);
    const ofTrunk = visuals.filter(({ link }) => link === "trunk");
    expect(ofTrunk.map(({ shape, color }) => [shape.type, color])).toEqual([
      ["capsule", [1, 0, 0, 0.5]],
      ["sphere", [0, 1, 0, 1]],
    ]);
    expect(visuals.filter(({ link }) => link === undefined)).toHaveLength(1);
    const block = visuals.filter(({ link, shape }) => link === "head" && shape.type === "mesh").length;
    expect(block).toBe(6);
    expect(sites.map(({ name, link }) => [name, link])).toEqual([
      ["tip", "trunk"],
      ["chin", "head"],
    ]);
    expect(ground).toHaveLength(1);
  });

  it("has couplings, exclusions, actuators and keyframes, in the order of MuJoCo", async () => {
    const { mechanism, actuators, keyframes } = await load();
    expect(mechanism.exclusions).toEqual([["head", "trunk"]]);
    expect(mechanism.couplings).toEqual([{ joint: "neck", driver: "tilt", coefficients: [0.1, 2, 0.3] }]);
    expect(actuators.map(({ name }) => name)).toEqual([
      "push",
      "nod",
      "raw",
      "ratio",
      "pull",
      "hips_0",
      "hips_1",
      "hips_2",
      "rope push",
      "rope pull",
      "rope damper",
    ]);
    expect(keyframes[0]).toMatchObject({
      name: "home",
      control: [1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0],
      velocity: Array(11).fill(0),
    });
    const simulation = new ArticulatedSimulation(mechanism, { actuators, timeStep: 1e-3, limits: true });
    simulation.q.set(keyframes[0].position);
    for (let i = 0; i < 100; i++) simulation.step();
    expect(Array.from(simulation.q).every(Number.isFinite)).toBe(true);
  });

  it("takes couplings about the coordinates at rest", async () => {
    const text = `<mujoco><worldbody>
      <body><joint name="a" type="slide" ref="0.5"/><geom size="1"/></body>
      <body><joint name="b" type="slide" ref="-2"/><geom size="1"/></body></worldbody>
      <equality><joint joint1="a" joint2="b" polycoef="0.1 3 2 -1"/><joint joint1="b" polycoef="0.4"/></equality></mujoco>`;
    const { mechanism } = await load(text);
    const [cubic, fixed] = mechanism.couplings!;
    const at = (x: number): number => cubic.coefficients.reduce((sum, c, k) => sum + c * x ** k, 0);
    for (const x of [-3, -2, 0.7])
      expect(at(x)).toBeCloseTo(0.5 + 0.1 + 3 * (x + 2) + 2 * (x + 2) ** 2 - (x + 2) ** 3, 9);
    expect(fixed.coefficients).toEqual([0.4 - 2]);
  });

  it("notes every element and attribute that it does not read", async () => {
    const text = `<mujoco><compiler discardvisual="true"/><option iterations="5"/><size nkey="2"/><statistic extent="2"/>
      <worldbody><light/><camera name="eye"/>
        <body mocap="false"><joint solreflimit="1 1" springdamper="1 1"/><joint margin="0.1"/>
          <geom size="1" margin="0.1" condim="6" friction="1 0.5 0.1" priority="1"/><geom size="1" margin="0.2"/>
        </body></worldbody>
      <contact><pair geom1="a" geom2="b"/></contact>
      <equality><tendon tendon1="s"/></equality>
      <tendon><spatial name="s" armature="1"><geom geom="g"/></spatial></tendon>
      <actuator><motor tendon="s"/><muscle joint="j"/><general dyntype="filter" joint="j"/></actuator>
      <sensor><gyro site="a"/></sensor><custom><numeric name="n"/></custom></mujoco>`;
    const { notes } = await load(text.replace("<joint sol", '<joint name="j" sol'));
    const left = notes.map((note) => note.replace(/^MJCF line \d+ /, ""));
    expect(left.sort()).toEqual(
      [
        '<actuator name="x">',
        '<camera name="eye">: is left out',
        '<compiler>: "discardvisual" is left out',
        "<custom>: is left out",
        "<general>: is left out: dynamics of the kind filter",
        '<general>: "dyntype" is left out',
        '<geom>: "margin" is left out (and 1 more)',
        '<geom>: "priority" is left out',
        "<geom>: friction against spinning and rolling is left out",
        '<joint name="j">: "solreflimit" is left out',
        '<joint name="j">: "springdamper" is left out',
        '<joint>: "margin" is left out',
        "<light>: is left out",
        "<motor>: is left out: a tendon that wraps around a geom",
        "<muscle>: is left out: its kind, muscle",
        '<body>: "mocap" is left out',
        '<option>: "iterations" is left out',
        "<pair>: is left out",
        "<sensor>: is left out",
        "<size>: is left out",
        '<spatial name="s">: "armature" is left out',
        '<spatial name="s">: is left out: a tendon that wraps around a geom',
        "<geom>: is left out",
        "<statistic>: is left out",
        "<tendon>: is left out",
      ]
        .filter((line) => !line.includes('"x"') && line !== '<general>: "dyntype" is left out')
        .sort(),
    );
  });

  it("fixes joints with nothing behind them, or gives them a mass", async () => {
    const text = `<mujoco><worldbody><body><joint name="j"/><geom size="1"/><body name="eye"><joint name="k"/></body></body>
      </worldbody></mujoco>`;
    const { mechanism, notes } = await load(text);
    expect(linkNamed(mechanism, "eye").joint.type).toBe("weld");
    expect(notes[0]).toMatch(/<body name="eye">: its joint is fixed/);
    const heavy = (await loadMjcf(text, { massless: { mass: 0.1 } })).mechanism;
    expect(linkNamed(heavy, "eye")).toMatchObject({ mass: 0.1 });
    expectClose([...linkNamed(heavy, "eye").inertia!], [1e-4, 1e-4, 1e-4, 0, 0, 0]);
    expect(new ArticulatedModel(heavy).nv).toBe(2);
  });
});

describe("contents of a URDF file", () => {
  const load = (options = {}) => loadUrdf(everyUrdfTag, { file: filesIn({ "arm/hand.stl": stl }), ...options });

  it("has mimics as couplings, friction, and joints without a limit where files have zero", async () => {
    const { mechanism } = await load();
    expect(mechanism.couplings).toEqual([{ joint: "other finger", driver: "finger", coefficients: [0.1, 2] }]);
    expect(linkNamed(mechanism, "upper").joint).toMatchObject({ frictionLoss: 0.2, damping: 0.7, effortLimit: 50 });
    expect(linkNamed(mechanism, "left").joint).toMatchObject({ type: "prismatic", upper: 0.3 });
    expect(linkNamed(mechanism, "left").joint.effortLimit).toBeUndefined();
    expect(mechanism.links.map(({ name, joint }) => [name, joint.type])).toEqual([
      ["base", "weld"],
      ["upper", "revolute"],
      ["left", "prismatic"],
      ["right", "prismatic"],
      ["camera", "weld"],
      ["lens", "weld"],
      ["puck", "planar"],
      ["bird", "free"],
    ]);
    const simulation = new ArticulatedSimulation(mechanism, { timeStep: 1e-3 });
    for (let i = 0; i < 1000; i++) simulation.step();
    const [left, right] = ["finger", "other finger"].map((name) => simulation.q[simulation.model.jointDof(name)]);
    expect(right).toBeCloseTo(0.1 + 2 * left, 6);
  });

  it("has visuals with materials, of the meshes that can be found", async () => {
    const { visuals, mechanism } = await load();
    expect(visuals.map(({ link, shape, color }) => [link, shape.type, color])).toEqual([
      ["upper", "box", [0, 0, 1, 1]],
      ["upper", "mesh", [1, 0, 0, 0.5]],
    ]);
    const [, mesh] = visuals;
    expect(Math.max(...Array.from((mesh.shape as MeshShape).positions))).toBe(2);
    expect(linkNamed(mechanism, "upper").shapes!.map(({ shape }) => shape.type)).toEqual(["cylinder", "convex-hull"]);
  });

  it("notes what it leaves out", async () => {
    const { notes } = await load();
    const line = (snippet: string): string => `URDF line ${lineOf(everyUrdfTag, snippet)}`;
    expect(notes).toEqual([
      expect.stringMatching(/missing.dae" is not drawn/),
      `${line('upper="0.3"')} <limit>: an effort of 0 is taken as no limit`,
      `${line('name="camera"')} <link name="camera">: its joint is fixed: nothing behind it has a mass`,
      `${line("<texture")} <texture>: is left out`,
      `${line("<calibration")} <calibration>: is left out`,
      `${line("<safety")} <safety_controller>: is left out`,
      `${line("<transmission")} <transmission name="t">: is left out`,
      `${line("<gazebo")} <gazebo>: is left out`,
    ]);
  });
});

describe("meshes of files", () => {
  const one = async (name: string, data: string | Uint8Array, more: Record<string, string | Uint8Array> = {}) => {
    const text = `<mujoco><asset><mesh name="m" file="${name}"/></asset><worldbody><body><joint/>
      <geom type="mesh" mesh="m"/></body></worldbody></mujoco>`;
    const { mechanism } = await loadMjcf(text, { file: filesIn({ [name]: data, ...more }) });
    return mechanism.links[0];
  };
  const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
  const faces = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];

  const binaryStl = (): Uint8Array => {
    const view = new DataView(new ArrayBuffer(84 + 50 * 4));
    // Some exporters begin binary files like text.
    [..."solid"].forEach((letter, i) => view.setUint8(i, letter.charCodeAt(0)));
    view.setUint32(80, 4, true);
    faces.forEach((corner, i) => {
      const at = 84 + 50 * Math.floor(i / 3) + 12 + 12 * (i % 3);
      for (let c = 0; c < 3; c++) view.setFloat32(at + 4 * c, corners[3 * corner + c], true);
    });
    return new Uint8Array(view.buffer);
  };
  const buffer = (): Uint8Array => {
    const bytes = new Uint8Array(48 + 24);
    new Float32Array(bytes.buffer, 0, 12).set(corners);
    new Uint16Array(bytes.buffer, 48, 12).set(faces);
    return bytes;
  };
  const gltf = (uri: string | undefined): string =>
    JSON.stringify({
      asset: { version: "2.0" },
      scenes: [{ nodes: [0] }],
      nodes: [
        { children: [1], scale: [2, 2, 2] },
        { mesh: 0, rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], translation: [1, 0, 0] },
      ],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
      accessors: [
        { bufferView: 0, componentType: 5126, count: 4, type: "VEC3" },
        { bufferView: 1, componentType: 5123, count: 12, type: "SCALAR" },
      ],
      bufferViews: [
        { buffer: 0, byteLength: 48 },
        { buffer: 0, byteOffset: 48, byteLength: 24 },
      ],
      buffers: [{ uri, byteLength: 72 }],
    });
  const glb = (): Uint8Array => {
    const json = new TextEncoder().encode(gltf(undefined).padEnd(Math.ceil(gltf(undefined).length / 4) * 4));
    const bytes = new Uint8Array(20 + json.length + 8 + 72);
    const view = new DataView(bytes.buffer);
    [0x46546c67, 2, bytes.length, json.length, 0x4e4f534a].forEach((value, i) => view.setUint32(4 * i, value, true));
    bytes.set(json, 20);
    view.setUint32(20 + json.length, 72, true);
    bytes.set(buffer(), 28 + json.length);
    return bytes;
  };
  const msh = (): Uint8Array => {
    const bytes = new Uint8Array(16 + 48 + 48);
    new Int32Array(bytes.buffer, 0, 4).set([4, 0, 0, 4]);
    new Float32Array(bytes.buffer, 16, 12).set(corners);
    new Int32Array(bytes.buffer, 64, 12).set(faces);
    return bytes;
  };
  const base64 = (): string => `data:application/octet-stream;base64,${btoa(String.fromCharCode(...buffer()))}`;

  it.each([
    ["t.stl", stl],
    ["t.STL", binaryStl()],
    ["t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1/1 3/1 2/1\nf 1//1 2//1 4//1\nf -4 -1 -2\nf 2 3 4\n"],
    ["t.msh", msh()],
  ])("reads %s", async (name, data) => {
    const { mass, centerOfMass } = await one(name, data);
    expect(mass).toBeCloseTo(1000 / 6, 6);
    expectClose([...centerOfMass!], [0.25, 0.25, 0.25], 6);
  });

  it.each([
    ["text with its buffer inside", "t.gltf", gltf(base64()), {}],
    ["text with a buffer beside it", "parts/t.gltf", gltf("t.bin"), { "parts/t.bin": buffer() }],
    ["binary", "t.glb", glb(), {}],
  ])("reads glTF, %s, in the axes of its scene", async (_, name, data, more) => {
    const { mass, centerOfMass } = await one(name, data, more);
    expect(mass).toBeCloseTo((8 * 1000) / 6, 4);
    // A quarter turn about z, one meter along x, then twice the size.
    expectClose([...centerOfMass!], [2 * (1 - 0.25), 0.5, 0.5], 6);
  });

  it("reads COLLADA in meters, through the nodes of its scene", async () => {
    const { mass, centerOfMass } = await one("t.dae", collada);
    expect(mass).toBeCloseTo((0.2 ** 3 * 1000) / 6, 9);
    // 3 up, a quarter turn about z, 1 along x, then twice the size, in decimeters
    expectClose([...centerOfMass!], [0.2 * (1 - 0.25), 0.2 * 0.25, 0.2 * 3.25], 9);
    const bare = await one("t.dae", collada.replace("<scene>", "<extra>").replace("</scene>", "</extra>"));
    expectClose([...bare.centerOfMass!], [0.025, 0.025, 0.025], 9);
  });

  it.each([
    ["another format", "t.dae.x3d", "<X3D/>", "unsupported"],
    ["COLLADA that is none", "t.dae", "<kml/>", "invalid-argument"],
    ["COLLADA beyond its vertices", "t.dae", collada.replace("<p>1 2 3", "<p>1 2 4"), "index-out-of-range"],
    ["COLLADA without a source", "t.dae", collada.replace('url="#g"', 'url="#h"'), "invalid-argument"],
    ["COLLADA with too few corners", "t.dae", collada.replace("3 3</v", "3 4</v"), "invalid-argument"],
    ["COLLADA with skin", "t.dae", collada.replace("instance_camera", "instance_controller"), "unsupported"],
    ["a short STL", "t.stl", binaryStl().fill(32, 0, 5).subarray(0, 100), "invalid-argument"],
    ["glTF without JSON", "t.gltf", "{", "invalid-argument"],
    ["glTF of another form", "t.gltf", '{"nodes":[null],"scenes":[{"nodes":[0]}]}', "invalid-argument"],
    ["glTF with a cycle", "t.gltf", '{"nodes":[{"children":[0]}],"scenes":[{"nodes":[0]}]}', "invalid-argument"],
    ["glTF beyond its buffer", "t.gltf", gltf(base64()).replace('"count":12', '"count":13'), "invalid-argument"],
    ["indices beyond the vertices", "t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 9\n", "index-out-of-range"],
    ["a mesh without a volume", "t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\n", "degenerate-geometry"],
  ] as const)("refuses %s", async (_, name, data, code) => {
    await expectRejected(one(name, data), code, /m|t\.x3d/);
  });
});

describe("connected and welded bodies", () => {
  const text = (equality: string): string => `<mujoco><compiler angle="radian"/><worldbody>
    <site name="post" pos="0.3 0.2 0.1"/>
    <body name="a" pos="0 0 1" euler="0.3 0 0.2"><joint name="i" axis="0 1 0" ref="0.4"/><geom size="0.1" pos="0.2 0 0"/>
      <site name="end" pos="0.1 0.2 0.3" euler="0.1 0 0"/></body>
    <body name="b" pos="1 0.5 1" euler="0 0.7 0"><joint name="j" axis="1 0 0"/><geom size="0.1" pos="0 0.1 0.1"/></body>
    </worldbody><equality>${equality}</equality></mujoco>`;
  /** Largest error of all rows in the pose at rest. */
  const gapAtRest = async (equality: string): Promise<number> => {
    const { mechanism } = await loadMjcf(text(equality));
    const model = new ArticulatedModel(mechanism);
    const scratch = new ArticulatedScratch(model);
    updatePositions(scratch, model.initialPosition);
    const errors = model.closures.flatMap((closure) =>
      Array.from({ length: rowsOf(closure) }, (_, row) => Math.abs(closureError(scratch, closure, row))),
    );
    expect(errors.length).toBeGreaterThan(0);
    return Math.max(...errors);
  };

  it.each([
    '<connect body1="a" body2="b" anchor="0.1 0.2 0.3"/>',
    '<connect body1="b" anchor="0.1 0.2 0.3"/>',
    '<connect body1="world" body2="a" anchor="0.1 0.2 0.3"/>',
    '<weld body1="a" body2="b" anchor="0.3 0.1 0.2"/>',
    '<weld body1="b"/>',
    '<weld body1="world" body2="b"/>',
    '<weld body1="a" body2="b" relpose="0 1 0 0 0 0 0"/>',
  ])("hold at rest: %s", async (equality) => {
    expect(await gapAtRest(equality)).toBeLessThan(1e-12);
  });

  it("hold sites together, and bodies in the pose of the file", async () => {
    const closures = async (equality: string) => (await loadMjcf(text(equality))).mechanism.closures;
    expect(await closures('<connect site1="end" site2="post"/>')).toEqual([
      { linkA: "a", pointA: [0.1, 0.2, 0.3], pointB: [0.3, 0.2, 0.1] },
    ]);
    const [weld] = (await closures('<weld body1="a" body2="b" relpose="1 2 3 0.5 0.5 0.5 0.5" anchor="0 0 1"/>'))!;
    // b is at (1, 2, 3) of a, turned so that its z is the x of a
    expectClose([...weld.pointA!], [2, 2, 3]);
    expectClose([...weld.rotation!].map(Math.abs), [0.5, 0.5, 0.5, 0.5]);
    await expectRejected(closures('<weld body1="a" body2="x"/>'), "invalid-argument", /"x"/);
    await expectRejected(closures('<connect site1="end" site2="x"/>'), "invalid-argument", /"x"/);
    await expectRejected(closures('<connect body1="a" body2="a"/>'), "invalid-argument", /two bodies/);
  });
});
