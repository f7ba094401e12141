import { describe, expect, it } from "vitest";
import { loadSkel } from "../../../../src/articulated/loaders/skel/skel";
import { ArticulatedModel } from "../../../../src/articulated/model";
import { expectClose, lineOf, linkNamed, pointOf, posesOf } from "../forward";

const capsule = (radius: number, height: number): string =>
  `<geometry><capsule><radius>${radius}</radius><height>${height}</height></capsule></geometry>`;

/** A thigh and a shin like those of a cheetah, hung from a slide. */
const file = `<?xml version="1.0"?>
<skel version="1.0">
  <world name="w">
    <physics><time_step>0.002</time_step><gravity>0 -9.81 0</gravity></physics>
    <skeleton name="ground">
      <mobile>false</mobile>
      <body name="slab">
        <transformation>0 -0.025 0 0 0 0</transformation>
        <collision_shape><geometry><box><size>1500 0.05 5</size></box></geometry></collision_shape>
      </body>
    </skeleton>
    <skeleton name="leg">
      <transformation>0 1 0 0 0 0</transformation>
      <body name="shin">
        <transformation>-0.34 -0.25 0 0 0 0</transformation>
        <inertia><mass>1.58093995</mass><offset>-0.14 -0.07 0</offset></inertia>
        <collision_shape><transformation>-0.14 -0.07 0 1.5708 2.03 0</transformation>${capsule(0.046, 0.29)}</collision_shape>
      </body>
      <body name="thigh">
        <transformation>-0.5 0 0 0 0 0</transformation>
        <inertia><mass>1.53524804</mass><offset>0.1 -0.13 0</offset></inertia>
        <visualization_shape>${capsule(0.046, 0.29)}</visualization_shape>
        <collision_shape><geometry><ellipsoid><size>1 2 3</size></ellipsoid></geometry></collision_shape>
      </body>
      <body name="cart">
        <inertia><mass>2</mass><moment_of_inertia><ixx>1</ixx><iyy>2</iyy><izz>3</izz><ixy>0.1</ixy></moment_of_inertia></inertia>
      </body>
      <joint name="rail" type="prismatic"><parent>world</parent><child>cart</child><axis><xyz>1 0 0</xyz></axis></joint>
      <joint name="knee" type="revolute">
        <parent>thigh</parent><child>shin</child>
        <transformation>0.1 0 0 0 0 0</transformation>
        <axis><xyz>0 0 -1</xyz><limit><lower>-0.785</lower><upper>0.785</upper></limit>
          <dynamics><damping>0.45</damping><spring_stiffness>180</spring_stiffness></dynamics></axis>
        <init_pos>0.2</init_pos>
      </joint>
      <joint name="hip" type="revolute"><parent>cart</parent><child>thigh</child><axis><xyz>0 0 -1</xyz></axis></joint>
    </skeleton>
  </world>
</skel>`;

describe(".skel", () => {
  it("gives links in the order of the joints, parents first", async () => {
    const { mechanism, ground, gravity, timeStep, notes } = await loadSkel(file);
    expect(mechanism.links.map(({ name, parent }) => [name, parent])).toEqual([
      ["cart", undefined],
      ["thigh", "cart"],
      ["shin", "thigh"],
    ]);
    const { joint } = linkNamed(mechanism, "shin");
    expect(joint).toMatchObject({
      name: "knee",
      axis: [0, 0, -1],
      lower: -0.785,
      upper: 0.785,
      damping: 0.45,
      stiffness: 180,
      initialPosition: [0.2],
    });
    expect(gravity).toEqual([0, -9.81, 0]);
    expect(timeStep).toBe(0.002);
    expect(ground).toEqual([{ shape: { type: "box", halfExtents: [750, 0.025, 2.5] }, position: [0, -0.025, 0] }]);
    expect(notes).toEqual([
      `.skel line ${lineOf(file, "<ellipsoid")} <collision_shape>: a shape of this kind is left out`,
    ]);
    expect(new ArticulatedModel(mechanism).nv).toBe(3);
  });

  it("gives bodies without moments those of their first shape", async () => {
    const { mechanism } = await loadSkel(file);
    // Published numbers of the half-cheetah.
    expectClose(linkNamed(mechanism, "thigh").inertia!, [0.033659, 0.033659, 0.00156758, 0, 0, 0], 6);
    expectClose(linkNamed(mechanism, "shin").inertia!, [0.0346608, 0.0346608, 0.00161424, 0, 0, 0], 6);
    expect(linkNamed(mechanism, "cart").inertia).toEqual([1, 2, 3, 0.1, 0, 0]);
    const bare = `<skel><world><skeleton name="s"><body name="b"><inertia><mass>0.1</mass></inertia></body></skeleton></world></skel>`;
    expect((await loadSkel(bare)).mechanism.links[0]).toMatchObject({
      joint: { type: "free" },
      inertia: [0.1, 0.1, 0.1, 0, 0, 0],
    });
  });

  it("puts bodies where the file says, and turns them about the joint's frame", async () => {
    const { mechanism } = await loadSkel(file);
    const rest = posesOf(mechanism, {});
    expectClose(pointOf(rest, "cart"), [0, 1, 0]);
    expectClose(pointOf(rest, "thigh"), [-0.5, 1, 0]);
    expectClose(pointOf(rest, "shin"), [-0.34, 0.75, 0]);
    const bent = posesOf(mechanism, { cart: 0.3, shin: Math.PI / 2 });
    // The knee's pivot is 0.1 beside the shin's origin, which swings by −90° about z from (−0.1, 0) to (0, 0.1).
    expectClose(pointOf(bent, "shin"), [0.3 - 0.34 + 0.1, 0.75 + 0.1, 0]);
  });

  it("turns a capsule in the plane of a leg", async () => {
    const { mechanism } = await loadSkel(file);
    const [{ rotation, position }] = linkNamed(mechanism, "shin").shapes!;
    expect(position).toEqual([-0.14, -0.07, 0]);
    const [x, y, z, w] = rotation!;
    const axis = [2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z];
    // Rx(90°) Ry(2.03) z
    expectClose(axis, [Math.sin(2.03), -Math.cos(2.03), 0], 4);
  });

  it("knows every type of joint", async () => {
    const of = async (type: string, inside = ""): Promise<Record<string, unknown>> => {
      const text = `<skel><world><skeleton name="s"><body name="b"/>
        <joint type="${type}"><parent>world</parent><child>b</child>${inside}</joint></skeleton></world></skel>`;
      const { mechanism } = await loadSkel(text);
      expect(() => new ArticulatedModel(mechanism)).not.toThrow();
      return { ...mechanism.links[0].joint };
    };
    expect(await of("free")).toMatchObject({ type: "free" });
    expect(await of("ball", "<init_vel>1 2 3</init_vel>")).toMatchObject({ type: "ball", initialVelocity: [1, 2, 3] });
    expect(await of("weld")).toMatchObject({ type: "weld" });
    expect(await of("translational")).toMatchObject({ type: "translational" });
    expect(await of("screw", "<pitch>0.5</pitch>")).toMatchObject({ pitch: 0.5 / (2 * Math.PI) });
    expect(await of("universal", "<axis><xyz>0 0 1</xyz></axis>")).toMatchObject({
      axis: [0, 0, 1],
      secondAxis: [0, 1, 0],
    });
    expect(await of("euler", "<axis_order>zyx</axis_order>")).toMatchObject({ type: "euler", order: "zyx" });
    expect(await of("translational2d", '<plane type="zx"/>')).toMatchObject({ axis: [0, 0, 1], secondAxis: [1, 0, 0] });
    const limited = await of("planar", "<axis2><limit><lower>-1</lower></limit></axis2>");
    expect(limited).toMatchObject({ type: "planar", lower: [-Infinity, -1, -Infinity] });
  });

  const skeleton = (inside: string): string =>
    `<skel>\n<world>\n<skeleton name="s">\n${inside}\n</skeleton>\n</world>\n</skel>`;
  const joint = (parent: string, child: string, type = "weld"): string =>
    `<joint name="j" type="${type}"><parent>${parent}</parent><child>${child}</child></joint>`;
  it.each([
    [
      "an unknown joint type",
      skeleton(`<body name="b"/>\n${joint("world", "b", "hinge")}`),
      /line 5 <joint name="j">.*"hinge"/,
    ],
    ["an unknown body", skeleton(`<body name="b"/>\n${joint("c", "b")}`), /line 5 <joint name="j">.*parent.*"c"/],
    ["two joints above a body", skeleton(`<body name="b"/>\n${joint("world", "b")}\n${joint("world", "b")}`), /line 6/],
    [
      "a cycle",
      skeleton(`<body name="a"/><body name="b"/>\n${joint("a", "b")}\n${joint("b", "a")}`),
      /line \d <joint.*cycle/,
    ],
    ["a body without a name", skeleton("<body/>"), /line 4 <body>.*"name"/],
    ["an empty skeleton", skeleton(""), /line 3 <skeleton name="s">.*body/],
    ["nothing that moves", "<skel>\n<world/></skel>", /line 2 <world>.*mobile/],
    [
      "a capsule without height",
      skeleton(
        `<body name="b"><collision_shape><geometry><capsule><radius>1</radius></capsule></geometry></collision_shape></body>`,
      ),
      /<capsule>.*<height>/,
    ],
    [
      "a mesh that nobody finds",
      skeleton(
        `<body name="b"><collision_shape><geometry><mesh><file_name>m.obj</file_name></mesh></geometry></collision_shape></body>`,
      ),
      /line 4 <mesh>.*m\.obj/,
    ],
  ])("refuses %s, with the line", async (_, text, message) => {
    const error = await loadSkel(text).then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    expect(error?.name).toBe("PliantError");
    expect(error?.message).toMatch(message);
  });
});
