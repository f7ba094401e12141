import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { registerGltfPhysics } from "../../../plugin/gltf/index";
import type { TestScene } from "../fixtures";
import { file, loaded, nodeNamed, placeInFile, rigid, boxMesh, type Json } from "./files";

let t: TestScene;
beforeAll(() => registerGltfPhysics());
afterEach(() => t?.dispose());

async function load(json: string, isRightHanded: boolean, gravity = new Vector3(0, -10, 0)): Promise<void> {
  t = await loaded(json, isRightHanded, gravity);
}

const node = (name: string): TransformNode => nodeNamed(t, name);
const inFile = (name: string): number[] => placeInFile(t, name);

const box = { type: "box", box: { size: [1, 1, 1] } };

describe.each([
  ["left", false],
  ["right", true],
])("a file in a %s-handed scene", (_name, isRightHanded) => {
  it("has moving, kinematic and static bodies that meet", async () => {
    const shapes = [box, { type: "box", box: { size: [10, 1, 10] } }];
    const nodes = [
      {
        name: "crate",
        translation: [1, 1.2, 2],
        ...rigid({ motion: { mass: 3 }, collider: { geometry: { shape: 0 } } }),
      },
      { name: "floor", translation: [0, -0.5, 0], ...rigid({ collider: { geometry: { shape: 1 } } }) },
      {
        name: "lift",
        translation: [20, 0, 0],
        ...rigid({ motion: { isKinematic: true, linearVelocity: [0, 0, 1] }, collider: { geometry: { shape: 0 } } }),
      },
    ];
    await load(file(nodes, shapes), isRightHanded);
    const types = ["crate", "floor", "lift"].map((name) => node(name).physicsBody!.getMotionType());
    expect(types).toEqual([PhysicsMotionType.DYNAMIC, PhysicsMotionType.STATIC, PhysicsMotionType.ANIMATED]);
    expect(node("crate").physicsBody!.getMassProperties().mass).toBe(3);
    t.run(60);
    const [crate, lift] = [inFile("crate"), inFile("lift")];
    expect(crate[12]).toBeCloseTo(1, 4);
    expect(crate[13]).toBeCloseTo(0.5, 2);
    expect(crate[14]).toBeCloseTo(2, 4);
    expect(lift[14]).toBeCloseTo(1, 2);
  });

  it("flies as the file says: velocities in the frame of the node", async () => {
    const turned = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
    const motion = { mass: 1, linearVelocity: [1, 0, 2], angularVelocity: [0, 1, 0], gravityFactor: 0 };
    const collider = { geometry: { shape: 0 } };
    await load(file([{ name: "ball", rotation: turned, ...rigid({ motion, collider }) }], [box]), isRightHanded);
    t.run(60);
    const at = inFile("ball");
    // A quarter turn about z takes x to y.
    [0, 1, 2].forEach((k) => expect(at[12 + k]).toBeCloseTo([0, 1, 2][k], 2));
    // It turns by a radian about its y axis, which was −x of the file, less the default damping of rotation of 0.1/s.
    const angle = (1 - Math.exp(-0.1)) / 0.1;
    expect(at[4]).toBeCloseTo(-1, 3);
    expect(at[1]).toBeCloseTo(Math.cos(angle), 2);
    expect(at[2]).toBeCloseTo(-Math.sin(angle), 2);
  });

  it("has compound bodies of shapes below a node, of every type", async () => {
    const shapes = [
      { type: "sphere", sphere: { radius: 0.2 } },
      { type: "capsule", capsule: { height: 1, radiusTop: 0.1, radiusBottom: 0.1 } },
      { type: "cylinder", cylinder: { height: 1, radiusTop: 0.3, radiusBottom: 0.1 } },
      { type: "capsule", capsule: { height: 1, radiusTop: 0.3, radiusBottom: 0.1 } },
      { type: "plane" },
    ];
    const part = (shape: number, translation: number[]): Json => ({
      translation,
      ...rigid({ collider: { geometry: { shape } } }),
    });
    const nodes = [
      { name: "toy", translation: [0, 1, 0], children: [1, 2, 3, 4], ...rigid({ motion: {} }) },
      part(0, [0.8, 0, 0]),
      part(1, [-0.8, 0, 0.1]),
      part(2, [0, 0, 0.8]),
      part(3, [0, 0, -0.8]),
      { name: "ground", ...rigid({ collider: { geometry: { shape: 4 } } }) },
    ];
    await load(file(nodes, shapes), isRightHanded);
    const body = node("toy").physicsBody!;
    const { mass } = body.getMassProperties();
    const cone = (Math.PI / 3) * (0.09 + 0.03 + 0.01);
    const sphere = (4 / 3) * Math.PI * 0.008;
    const capsule = Math.PI * 0.01 + (4 / 3) * Math.PI * 0.001;
    // A round cone has between the volume of its cone and that of its cone with two half balls.
    const rest = mass! / 1000 - sphere - capsule - cone;
    expect(rest).toBeGreaterThan(0.95 * cone);
    expect(rest).toBeLessThan(1.1 * (cone + (2 / 3) * Math.PI * (0.027 + 0.001)));
    t.run(180);
    const depth = inFile("toy")[13];
    expect(depth).toBeGreaterThan(0.1);
    expect(depth).toBeLessThan(0.9);
  });

  it.each([
    ["cylinder", Math.PI * 0.25 ** 2 * 0.5],
    ["capsule", Math.PI * 0.25 ** 2 * (0.5 + 1 / 3)],
    ["sphere", (4 / 3) * Math.PI * 0.5 ** 3],
    ["box", 1],
  ])("gives a %s without sizes those of the specification", async (type, volume) => {
    const body = { name: "body", ...rigid({ motion: {}, collider: { geometry: { shape: 0 } } }) };
    await load(file([body], [{ type }]), isRightHanded);
    expect(node("body").physicsBody!.getMassProperties().mass! / 1000).toBeCloseTo(volume, 3);
  });

  it("lets only those meet that their filters allow", async () => {
    const filters = [
      { collisionSystems: ["ghost"], notCollideWithSystems: ["floor"] },
      { collisionSystems: ["floor"] },
      { collisionSystems: ["box"], collideWithSystems: ["floor"] },
    ];
    const crate = (name: string, x: number, collisionFilter?: number): Json => ({
      name,
      translation: [x, 0.6, 0],
      ...rigid({ motion: {}, collider: { geometry: { shape: 0 }, collisionFilter } }),
    });
    const floor = rigid({ collider: { geometry: { shape: 1 }, collisionFilter: 1 } });
    const nodes = [crate("ghost", 0, 0), crate("box", 3, 2), crate("plain", -3), { name: "floor", ...floor }];
    await load(file(nodes, [box, { type: "plane" }], { collisionFilters: filters }), isRightHanded);
    t.run(60);
    expect(inFile("ghost")[13]).toBeLessThan(-2);
    expect(inFile("box")[13]).toBeCloseTo(0.5, 2);
    expect(inFile("plain")[13]).toBeCloseTo(0.5, 2);
  });

  it.each(["linear", "angular"] as const)("has joints with %s limits on the side that the file says", async (kind) => {
    // Without gravity, pushed toward each bound in turn; the other axes are locked.
    for (const axis of [0, 1, 2])
      for (const sign of [1, -1]) {
        const range = { min: -0.1, max: 0.4 };
        const others = [0, 1, 2].filter((other) => other !== axis);
        const limits = [
          { linearAxes: kind === "linear" ? others : [0, 1, 2], min: 0, max: 0 },
          { angularAxes: kind === "linear" ? [0, 1, 2] : others, min: 0, max: 0 },
          kind === "linear" ? { linearAxes: [axis], ...range } : { angularAxes: [axis], ...range },
        ];
        const way = [0, 1, 2].map((k) => (k === axis ? 0.5 * sign : 0));
        const motion = kind === "linear" ? { linearVelocity: way } : { angularVelocity: way };
        const nodes = [
          {
            name: "frame",
            translation: [1, 2, 3],
            rotation: [0.5, 0.5, 0.5, 0.5],
            children: [1],
            ...rigid({ joint: { connectedNode: 1, joint: 0 } }),
          },
          { name: "door", ...rigid({ motion: { mass: 1, ...motion }, collider: { geometry: { shape: 0 } } }) },
        ];
        await load(file(nodes, [box], { physicsJoints: [{ limits }] }), isRightHanded, Vector3.Zero());
        t.run(90);
        const local = Matrix.FromArray(inFile("door"))
          .multiply(Matrix.Invert(Matrix.FromArray(inFile("frame"))))
          .asArray();
        const moved = local[12 + axis];
        const [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
        const turned = Math.atan2(local[4 * i + j], local[4 * i + i]);
        expect(kind === "linear" ? moved : turned, `axis ${axis}, toward ${sign}`).toBeCloseTo(
          sign > 0 ? 0.4 : -0.1,
          2,
        );
        t.dispose();
      }
  });

  it("takes meshes of nodes as colliders, as hulls or with every triangle", async () => {
    // A bowl of five sides that face inward, mirrored and scaled, holds a ball; its hull does not let it in.
    const { positions, indices } = boxMesh(["x", "-x", "z", "-z", "-y"]);
    const bowl = { positions, indices: indices.toReversed() };
    const collider = (convexHull: boolean): Json => ({ collider: { geometry: { node: 0, convexHull } } });
    const ball = (x: number): Json => ({
      translation: [x, 1.2, 0],
      ...rigid({ motion: {}, collider: { geometry: { shape: 0 } } }),
    });
    const nodes = [
      { mesh: 0, scale: [1, -1, 1], translation: [50, 0, 0] },
      { scale: [2, 1, -2], ...rigid(collider(false)) },
      { scale: [2, 1, -2], translation: [10, 0, 0], ...rigid(collider(true)) },
      { name: "in", ...ball(0) },
      { name: "on", ...ball(10) },
    ];
    const shapes = [{ type: "sphere", sphere: { radius: 0.25 } }];
    await load(file(nodes, shapes, {}, [bowl]), isRightHanded);
    t.run(90);
    expect(inFile("in")[13]).toBeCloseTo(-0.25, 1);
    expect(inFile("on")[13]).toBeCloseTo(0.75, 1);
  });

  it("may require its extensions", async () => {
    const json = JSON.parse(
      file([{ name: "crate", ...rigid({ motion: {}, collider: { geometry: { shape: 0 } } }) }], [box]),
    ) as Json;
    await load(JSON.stringify({ ...json, extensionsRequired: json.extensionsUsed }), isRightHanded);
    expect(node("crate").physicsBody!.getMassProperties().mass).toBeCloseTo(1000, 3);
  });

  it("has motors", async () => {
    const limits = [
      { linearAxes: [0, 1, 2], min: 0, max: 0 },
      { angularAxes: [0, 1], min: 0, max: 0 },
    ];
    const drives = [{ type: "angular", axis: 2, velocityTarget: 0.5, damping: 10, maxForce: 100 }];
    const nodes = [
      { name: "hub", ...rigid({ joint: { connectedNode: 1, joint: 0 } }) },
      { name: "wheel", ...rigid({ motion: { mass: 1 }, collider: { geometry: { shape: 0 } } }) },
    ];
    await load(file(nodes, [box], { physicsJoints: [{ limits, drives }] }), isRightHanded, Vector3.Zero());
    t.run(60);
    const wheel = inFile("wheel");
    expect(Math.atan2(wheel[1], wheel[0])).toBeCloseTo(0.5, 1);
  });
});

describe("a wrong file", () => {
  it.each<[string, string, RegExp]>([
    ["a missing shape", file([rigid({ collider: { geometry: { shape: 3 } } })]), /shape.*3/],
    ["an unknown type", file([rigid({ collider: { geometry: { shape: 0 } } })], [{ type: "torus" }]), /torus/],
    ["a node without a mesh", file([rigid({ collider: { geometry: { node: 0 } } })]), /must be a node with a mesh/],
    ["a joint to nothing", file([rigid({ motion: {}, joint: { connectedNode: 7, joint: 0 } })]), /connectedNode/],
    [
      "a joint that is not there",
      file([rigid({ motion: {}, joint: { connectedNode: 0, joint: 2 } })]),
      /joint.joint.*2/,
    ],
    [
      "a missing material",
      file([rigid({ collider: { geometry: { shape: 0 }, physicsMaterial: 4 } })], [box]),
      /physicsMaterial.*4/,
    ],
    [
      "a missing filter",
      file([rigid({ collider: { geometry: { shape: 0 }, collisionFilter: 9 } })], [box]),
      /collisionFilter.*9/,
    ],
    ["a negative mass", file([rigid({ motion: { mass: -1 } })]), /mass/],
  ])("%s is refused", async (_name, json, message) => {
    await expect(load(json, false)).rejects.toThrow(message);
  });
});
