import { describe, expect, it } from "vitest";
import { loadUrdf } from "../../../../src/articulated/loaders/urdf/urdf";
import { ArticulatedModel } from "../../../../src/articulated/model";
import { expectRejected } from "../../../refusal";
import { expectClose, lineOf, linkNamed, pointOf, posesOf } from "../forward";

const arm = `<?xml version="1.0"?>
<!-- Zwei Glieder, größer als null -->
<robot name="two-link">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.2" rpy="0 0 1.5707963267948966"/>
      <mass value="2"/>
      <inertia ixx="0.1" iyy="0.2" izz="0.3" ixy="0.01" ixz="0" iyz="0"/>
    </inertial>
    <visual><geometry><box size="9 9 9"/></geometry></visual>
    <collision name="tube">
      <origin xyz="0 0 0.2"/>
      <geometry><cylinder radius="0.05" length="0.4"/></geometry>
    </collision>
  </link>
  <link name="hand">
    <inertial><mass value="0.5"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><mesh filename="package://arm/hand.stl" scale="2 2 2"/></geometry></collision>
  </link>
  <link name="tool"/>
  <joint name="elbow" type="prismatic">
    <parent link="upper"/><child link="hand"/>
    <origin xyz="0 0 0.4" rpy="0 1.5707963267948966 0"/>
    <axis xyz="0 0 2"/>
    <limit lower="-0.1" upper="0.3" effort="20" velocity="0"/>
  </joint>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/>
    <origin xyz="0 0 1" rpy="0.5 0 0.25"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="2" effort="50" velocity="3"/>
    <dynamics damping="0.7" friction="0.1"/>
  </joint>
  <joint name="flange" type="fixed"><parent link="hand"/><child link="tool"/><origin xyz="0.1 0 0"/></joint>
  <gazebo/>
</robot>`;

const tetrahedron = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], indices: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] };
const mesh = (name: string) => (name === "package://arm/hand.stl" ? tetrahedron : undefined);

describe("URDF", () => {
  it("takes infinite bounds as none", async () => {
    const limit = (numbers: string): string =>
      `<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
      <joint name="j" type="revolute"><parent link="base"/><child link="arm"/><limit ${numbers}/></joint></robot>`;
    const jointOf = async (numbers: string): Promise<object> =>
      (await loadUrdf(limit(numbers))).mechanism.links.at(-1)!.joint;
    expect(await jointOf('lower="-inf" upper="+Infinity" effort="inf" velocity="INF"')).toEqual(await jointOf(""));
    expect(await jointOf('lower="-2" upper="inf" effort="5"')).toMatchObject({ lower: -2, effortLimit: 5 });
    for (const bad of ['lower="inf" upper="inf"', 'lower="0" upper="-inf"', 'effort="-inf"', 'lower="infra"'])
      await expect(loadUrdf(limit(bad)), bad).rejects.toThrow(/limit/);
  });

  it("gives links parents first, with joints, inertia and shapes", async () => {
    const { mechanism, ground, notes } = await loadUrdf(arm, { mesh });
    expect(mechanism.name).toBe("two-link");
    expect(mechanism.links.map((link) => [link.name, link.parent, link.joint.type])).toEqual([
      ["base", undefined, "weld"],
      ["upper", "base", "revolute"],
      ["hand", "upper", "prismatic"],
      ["tool", "hand", "weld"],
    ]);
    const upper = linkNamed(mechanism, "upper");
    expect(upper.mass).toBe(2);
    expect(upper.joint).toMatchObject({ lower: -1, upper: 2, effortLimit: 50, velocityLimit: 3, damping: 0.7 });
    expect(upper.centerOfMass).toEqual([0, 0, 0.2]);
    // A quarter turn about z swaps xx with yy and the sign of xy.
    expectClose(upper.inertia!, [0.2, 0.1, 0.3, -0.01, 0, 0]);
    const cylinder = { type: "cylinder", radius: 0.05, pointA: [0, 0, -0.2], pointB: [0, 0, 0.2] };
    expect(upper.shapes).toEqual([{ shape: cylinder, position: [0, 0, 0.2], name: "tube" }]);
    const hand = linkNamed(mechanism, "hand");
    expect(hand.inertia).toBeUndefined();
    expect(hand.joint.velocityLimit).toBeUndefined();
    expect(hand.shapes![0].shape).toEqual({
      type: "convex-hull",
      positions: Float64Array.from(tetrahedron.positions, (value) => 2 * value),
    });
    expect(ground).toEqual([]);
    expect(notes).toEqual([`URDF line ${lineOf(arm, "<gazebo")} <gazebo>: is left out`]);
    expect(new ArticulatedModel(mechanism).nv).toBe(2);
  });

  it("puts links where the file says", async () => {
    const { mechanism } = await loadUrdf(arm, { mesh });
    const [angle, way] = [0.6, 0.2];
    const poses = posesOf(mechanism, { upper: angle, hand: way });
    // By hand: the hand's slide points along the upper link's x after the quarter turn about y, the tool's x along its −z.
    const inUpper = [way, 0, 0.4 - 0.1];
    const turned = [
      Math.cos(angle) * inUpper[0] + Math.sin(angle) * inUpper[2],
      0,
      -Math.sin(angle) * inUpper[0] + Math.cos(angle) * inUpper[2],
    ];
    // rpy: first 0.5 about x, then 0.25 about the fixed z
    const [c, s] = [Math.cos(0.5), Math.sin(0.5)];
    const rolled = [turned[0], -s * turned[2], c * turned[2]];
    const [cz, sz] = [Math.cos(0.25), Math.sin(0.25)];
    expectClose(pointOf(poses, "tool"), [
      cz * rolled[0] - sz * rolled[1],
      sz * rolled[0] + cz * rolled[1],
      rolled[2] + 1,
    ]);
  });

  it("can float, and take the shapes that are meant for the eye", async () => {
    const { mechanism } = await loadUrdf(arm, { mesh, base: "free", shapes: "visual" });
    expect(linkNamed(mechanism, "base").joint.type).toBe("free");
    expect(linkNamed(mechanism, "upper").shapes).toEqual([{ shape: { type: "box", halfExtents: [4.5, 4.5, 4.5] } }]);
  });

  it("moves planar joints across their axis", async () => {
    const text = `<robot name="puck"><link name="table"/><link name="puck"><inertial><mass value="1"/></inertial></link>
      <joint name="glide" type="planar"><parent link="table"/><child link="puck"/><axis xyz="0 1 0"/></joint>
      </robot>`;
    const { joint } = linkNamed((await loadUrdf(text)).mechanism, "puck");
    const [x, y, z, w] = joint.parentFrame!.rotation!;
    expect(joint.parentFrame!.rotation).toEqual(joint.childFrame!.rotation);
    // z of the joint is the axis
    expectClose([2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z], [0, 1, 0]);
  });

  it("takes inertias as files of robots have them, and says so", async () => {
    const inertial = (terms: string): string => {
      const [xx, yy, zz, xy, xz, yz] = terms.split(" ");
      return `<inertial><mass value="1"/><inertia ixx="${xx}" iyy="${yy}" izz="${zz}" ixy="${xy}" ixz="${xz}" iyz="${yz}"/></inertial>`;
    };
    const inertiaOf = async (content: string) => {
      const { mechanism, notes } = await loadUrdf(`<robot><link name="a">${content}</link></robot>`);
      new ArticulatedModel(mechanism);
      return [mechanism.links[0].mass, mechanism.links[0].inertia, notes.join()];
    };
    // a rod, and what exporters write for "small"
    expect(await inertiaOf(inertial("0 2 2 0 0 0"))).toEqual([1, [0, 2, 2, 0, 0, 0], ""]);
    const [, ones, note] = await inertiaOf(inertial("1 1 1 1 1 1"));
    expectClose(ones as unknown as number[], [1, 1, 1, 1, 1, 1]);
    expect(note).toMatch(/<inertia>: is the inertia of no body/);
    // moments of 3 and −1 in the plane of x and y
    const [, positive, second] = await inertiaOf(inertial("1 1 5 2 0 0"));
    expectClose(positive as unknown as number[], [1.5, 1.5, 5, 1.5, 0, 0]);
    expect(second).toMatch(/<inertia>: has negative moments/);
    expect(await inertiaOf("<inertial/>")).toEqual([0, undefined, expect.stringMatching(/<inertial>: has no <mass>/)]);
  });

  it("has no limits in place of limits of zero", async () => {
    const text = (
      limit: string,
    ): string => `<robot><link name="a"/><link name="b"><inertial><mass value="1"/></inertial></link>
      <joint name="j" type="prismatic"><parent link="a"/><child link="b"/><limit effort="1" velocity="1" ${limit}/></joint></robot>`;
    for (const [limit, lower, upper] of [
      ["", undefined, undefined],
      ['lower="0" upper="0"', undefined, undefined],
      ['upper="2"', 0, 2],
    ] as const) {
      const { mechanism, notes } = await loadUrdf(text(limit));
      const { joint } = linkNamed(mechanism, "b");
      expect([joint.lower, joint.upper, notes.length]).toEqual([lower, upper, lower === undefined ? 1 : 0]);
    }
  });

  const link = (name: string): string => `<link name="${name}"/>`;
  const joint = (name: string, parent: string, child: string, type = "fixed"): string =>
    `<joint name="${name}" type="${type}">\n<parent link="${parent}"/>\n<child link="${child}"/></joint>`;
  const robot = (...parts: string[]): string => `<robot name="r">\n${parts.join("\n")}\n</robot>`;

  it.each([
    [
      "an unknown joint type",
      robot(link("a"), link("b"), joint("j", "a", "b", "hinge")),
      /line 4 <joint name="j">.*"hinge"/,
    ],
    ["an unknown link", robot(link("a"), link("b"), joint("j", "c", "b")), /line 5 <parent>.*joint "j".*"c"/],
    ["two parents", robot(link("a"), link("b"), joint("i", "a", "b"), joint("j", "a", "b")), /line 7 <joint name="j">/],
    [
      "a cycle",
      robot(link("a"), link("b"), link("c"), joint("i", "b", "c"), joint("j", "c", "b")),
      /line \d+ <joint.*cycle/,
    ],
    ["two roots", robot(link("a"), link("b")), /line 3 <link name="b">.*one root/],
    ["two links of one name", robot(link("a"), link("a")), /line 3 <link name="a">.*no other link/],
    [
      "two joints of one name",
      robot(link("a"), link("b"), link("c"), joint("j", "a", "b"), joint("j", "b", "c")),
      /line 8/,
    ],
    ["no link", robot(), /line 1 <robot name="r">: must have a link/],
    ["another file", "<mujoco/>", /URDF line 1 <mujoco>.*<robot>/],
    ["broken XML", "<robot>\n<link>\n</robot>", /URDF line 3.*well-formed/],
    [
      "a number that is none",
      robot(`<link name="a"><inertial><mass value="two"/></inertial></link>`),
      /line 2 <mass>.*finite.*"two"/,
    ],
    [
      "a negative mass",
      robot(`<link name="a"><inertial><mass value="-1"/></inertial></link>`),
      /line 2 <mass>.*negative/,
    ],
    [
      "too few numbers",
      robot(link("a"), link("b"), joint("j", "a", "b").replace("</joint>", `<origin xyz="1 2"/></joint>`)),
      /<origin>.*3 numbers/,
    ],
    ["a missing attribute", robot("<link/>"), /line 2 <link>.*"name"/],
    [
      "a shape without size",
      robot(`<link name="a"><collision><geometry><sphere/></geometry></collision></link>`),
      /<sphere>.*"radius"/,
    ],
    [
      "a flat box",
      robot(`<link name="a"><collision><geometry><box size="1 0 1"/></geometry></collision></link>`),
      /<box>.*positive/,
    ],
    ["an unknown shape", robot(`<link name="a"><collision><geometry><cone/></geometry></collision></link>`), /<cone>/],
    [
      "an axis of zero",
      robot(link("a"), link("b"), joint("j", "a", "b", "revolute").replace("</joint>", `<axis xyz="0 0 0"/></joint>`)),
      /<axis>.*zero/,
    ],
    [
      "limits upside down",
      robot(
        link("a"),
        link("b"),
        joint("j", "a", "b", "revolute").replace("</joint>", `<limit lower="1" upper="0"/></joint>`),
      ),
      /<limit>.*lower/,
    ],
  ])("refuses %s, with the line", async (_, text, message) => {
    const error = await loadUrdf(text).then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    expect(error?.name).toBe("PliantError");
    expect(error?.message).toMatch(message);
  });

  it("refuses meshes that nobody has", async () => {
    expect(lineOf(arm, "<mesh")).toBe(19);
    await expectRejected(loadUrdf(arm), "invalid-argument", /line 19 <mesh>.*option "mesh"/);
    await expectRejected(loadUrdf(arm, { mesh: () => undefined }), "invalid-argument", /line 19 <mesh>.*hand.stl/);
    const flat = { positions: [0, 0, 0], indices: [] };
    await expectRejected(loadUrdf(arm, { mesh: () => flat }), "degenerate-geometry", /line 19/);
    const wrong = { ...tetrahedron, indices: [0, 1, 9] };
    await expectRejected(loadUrdf(arm, { mesh: () => wrong }), "index-out-of-range", /line 19/);
    await expectRejected(loadUrdf(7 as unknown as string), "invalid-argument", /text of a file/);
  });
});
