import { PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsMaterialCombineMode } from "@babylonjs/core/Physics/v2/physicsMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { registerGltfPhysics } from "../../../plugin/gltf/index";
import type { TestScene } from "../fixtures";
import { boxMesh, file, loaded, nodeNamed, placeInFile, rigid, type Json } from "./files";

let t: TestScene;
beforeAll(() => registerGltfPhysics());
afterEach(() => t?.dispose());

const msft = (extension: Json): Json => ({ extensions: { MSFT_rigid_bodies: extension } });
const NAMES = ["MSFT_rigid_bodies", "MSFT_collision_primitives"];

/** A file that requires both extensions. */
function msftFile(nodes: readonly Json[], colliders: readonly Json[] = [], physics: Json = {}): string {
  const json = JSON.parse(file(nodes, [], {}, [boxMesh()])) as Json;
  const extensions = { MSFT_rigid_bodies: physics, MSFT_collision_primitives: { colliders } };
  return JSON.stringify({ ...json, extensionsUsed: NAMES, extensionsRequired: NAMES, extensions });
}

const load = async (json: string, isRightHanded = false): Promise<void> => {
  t = await loaded(json, isRightHanded, new Vector3(0, -10, 0));
};

/** One scene in three forms: a thrown box, a compound of every shape, a door with a sprung hinge, a trigger, a slippery and a sticky ramp. */
const half = Math.SQRT1_2;
const slope = [0, 0, -0.2, Math.sqrt(0.96)];
const throwOf = { linearVelocity: [1, 0, 2], angularVelocity: [0, 1, 3], centerOfMass: [0.1, 0, 0] };
const turned = { inertiaOrientation: [0, half, 0, half] };
const hinge = { connectedNode: 7, enableCollision: true };
const limits = [
  { linearAxes: [0, 1, 2], min: 0, max: 0 },
  { angularAxes: [0, 1], min: 0, max: 0 },
];
const range = { angularAxes: [2], min: -0.2, max: 0.3 };
const oil = { staticFriction: 0.05, dynamicFriction: 0.02, restitution: 0.1 };

const places: readonly Json[] = [
  { name: "floor", translation: [0, -1, 0] },
  { name: "crate", translation: [-6, 1, -4], rotation: [half, 0, 0, half] },
  { name: "toy", translation: [0, 1, 0], children: [3, 4, 5, 6] },
  { name: "ball", translation: [0.8, 0, 0] },
  { name: "pill", translation: [-0.8, 0, 0.1] },
  { name: "hull", mesh: 0, translation: [0, 0, 0.8], scale: [0.5, 0.5, 0.5] },
  { name: "drum", translation: [0, 0, -0.8] },
  { name: "door", translation: [6, 3, 0] },
  { name: "frame", translation: [6, 3, 0] },
  { name: "gate", translation: [-6, -0.2, -4] },
  { name: "ramp", translation: [-6, 2, 6], rotation: slope },
  { name: "slider", translation: [-6.2, 2.9, 6], rotation: slope },
  { name: "ghost", translation: [6, 1, 6] },
];
const scene = (extensions: readonly Json[]): Json[] => places.map((place, k) => ({ ...place, ...extensions[k] }));

const filters = [
  { collisionSystems: ["solid"], notCollideWithSystems: ["ghost"] },
  { collisionSystems: ["ghost"], collideWithSystems: ["ghost"] },
];

function inKhr(): string {
  const use = (shape: number, physicsMaterial = 1): Json => ({
    geometry: { shape },
    collisionFilter: 0,
    physicsMaterial,
  });
  const shapes = [
    { type: "box", box: { size: [30, 1, 30] } },
    { type: "box", box: { size: [1, 2, 1] } },
    { type: "sphere", sphere: { radius: 0.2 } },
    { type: "capsule", capsule: { height: 1, radiusTop: 0.1, radiusBottom: 0.1 } },
    { type: "cylinder", cylinder: { height: 1, radiusTop: 0.2, radiusBottom: 0.2 } },
    { type: "box", box: { size: [6, 0.6, 2] } },
    { type: "sphere" },
  ];
  const parts = [
    { collider: use(0) },
    { motion: { mass: 4, inertiaDiagonal: [2, 4, 0.5], ...turned, ...throwOf }, collider: use(1) },
    { motion: {} },
    { collider: use(2) },
    { collider: use(3) },
    { collider: { ...use(0), geometry: { node: 5, convexHull: true } } },
    { collider: use(4) },
    { motion: { mass: 2, gravityFactor: 0.5, angularVelocity: [0, 0, 3] }, collider: use(1) },
    { joint: { ...hinge, joint: 0 } },
    { trigger: { geometry: { shape: 5 }, collisionFilter: 0 } },
    { collider: use(5, 0) },
    { motion: { mass: 1 }, collider: use(1, 0) },
    { motion: { mass: 1 }, collider: { ...use(6), collisionFilter: 1 } },
  ];
  const physics = {
    collisionFilters: filters,
    physicsMaterials: [{ ...oil, frictionCombine: "minimum", restitutionCombine: "maximum" }, {}],
    physicsJoints: [{ limits: [...limits, { ...range, stiffness: 50, damping: 2 }] }],
  };
  return file(scene(parts.map(rigid)), shapes, physics, [boxMesh()]);
}

const msftPhysics = {
  physicsMaterials: [{ ...oil, frictionCombine: "MINIMUM", restitutionCombine: "MAXIMUM" }, {}],
  physicsJointLimits: [{ limits: [...limits, { ...range, springConstant: 50, springDamping: 2 }] }],
};

function inNewForm(): string {
  const use = (collider: number, physicsMaterial = 1): Json => ({ collider, collisionFilter: 0, physicsMaterial });
  const colliders = [
    { type: "box", box: { size: [30, 1, 30] } },
    { type: "box", box: { size: [1, 2, 1] } },
    { type: "sphere", sphere: { radius: 0.2 } },
    { type: "capsule", capsule: { height: 1, radiusTop: 0.1, radiusBottom: 0.1 } },
    { type: "cylinder", cylinder: { height: 1, radiusTop: 0.2, radiusBottom: 0.2 } },
    { type: "box", box: { size: [6, 0.6, 2] } },
    { type: "sphere" },
    { type: "convex", convex: { mesh: 0 } },
  ];
  const parts = [
    { collider: use(0) },
    { motion: { mass: 4, inertiaDiagonal: [2, 4, 0.5], ...turned, ...throwOf }, collider: use(1) },
    { motion: {} },
    { collider: use(2) },
    { collider: use(3) },
    { collider: use(7) },
    { collider: use(4) },
    { motion: { mass: 2, gravityFactor: 0.5, angularVelocity: [0, 0, 3] }, collider: use(1) },
    { joint: { ...hinge, jointLimits: 0 } },
    { trigger: { collider: 5, collisionFilter: 0 } },
    { collider: use(5, 0) },
    { motion: { mass: 1 }, collider: use(1, 0) },
    { motion: { mass: 1 }, collider: { ...use(6), collisionFilter: 1 } },
  ];
  return msftFile(scene(parts.map(msft)), colliders, { ...msftPhysics, collisionFilters: filters });
}

function inOldForm(): string {
  const plain = { physicsMaterial: 1 };
  const colliders = [
    { box: { size: [30, 1, 30] } },
    { box: { size: [1, 2, 1] } },
    { sphere: { radius: 0.2 } },
    { capsule: { height: 1, radius: 0.1 } },
    { cylinder: { height: 1, radius: 0.2 } },
    { box: { size: [6, 0.6, 2] } },
    { convex: { mesh: 0 } },
  ].map((shape) => ({ ...shape, ...filters[0] }));
  const parts = [
    { collider: 0, ...plain },
    {
      rigidBody: { inverseMass: 0.25, inverseInertiaTensor: [0.5, 0.25, 2], ...turned, ...throwOf },
      collider: 1,
      ...plain,
    },
    { rigidBody: {} },
    { collider: 2, ...plain },
    { collider: 3, ...plain },
    { collider: 6, ...plain },
    { collider: 4, ...plain },
    { rigidBody: { inverseMass: 0.5, gravityFactor: 0.5, angularVelocity: [0, 0, 3] }, collider: 1, ...plain },
    { joint: { ...hinge, jointLimits: 0 } },
    { collider: 5 },
    { collider: 5, physicsMaterial: 0 },
    { rigidBody: { inverseMass: 1 }, collider: 1, physicsMaterial: 0 },
    { rigidBody: { inverseMass: 1 }, collider: 7, ...plain },
  ];
  const ghost = { sphere: {}, ...filters[1] };
  return msftFile(scene(parts.map(msft)), [...colliders, ghost], msftPhysics);
}

async function played(json: string, isRightHanded: boolean): Promise<number[][]> {
  await load(json, isRightHanded);
  t.run(60);
  const names = ["crate", "toy", "door", "slider", "ghost"];
  const found = names.map((name) => placeInFile(t, name));
  t.dispose();
  return found;
}

describe.each([
  ["left", false],
  ["right", true],
])("a file in a %s-handed scene", (_name, isRightHanded) => {
  it("moves as the same scene does in the extension of Khronos, in both forms", async () => {
    const khr = await played(inKhr(), isRightHanded);
    expect(await played(inNewForm(), isRightHanded)).toEqual(khr);
    expect(await played(inOldForm(), isRightHanded)).toEqual(khr);
    const [crate, toy, door, slider, ghost] = khr;
    expect(crate[12]).toBeGreaterThan(-5.5);
    expect(toy[13]).toBeLessThan(0.9);
    expect(door[0]).toBeLessThan(1);
    expect(slider[12]).toBeGreaterThan(-5);
    expect(ghost[13]).toBeLessThan(-1);
  });
});

describe("a file with MSFT_rigid_bodies", () => {
  it.each([
    ["new", inNewForm],
    ["old", inOldForm],
  ])("has the types, triggers and materials of the %s form", async (_name, text) => {
    await load(text());
    const types = ["floor", "crate"].map((name) => nodeNamed(t, name).physicsBody!.getMotionType());
    expect(types).toEqual([PhysicsMotionType.STATIC, PhysicsMotionType.DYNAMIC]);
    expect(nodeNamed(t, "gate").physicsBody!.shape!.isTrigger).toBe(true);
    expect(nodeNamed(t, "ramp").physicsBody!.shape!.isTrigger).toBe(false);
    expect(nodeNamed(t, "ramp").physicsBody!.shape!.material).toMatchObject({
      friction: 0.02,
      staticFriction: 0.05,
      frictionCombine: PhysicsMaterialCombineMode.MINIMUM,
      restitutionCombine: PhysicsMaterialCombineMode.MAXIMUM,
    });
    expect(t.scene.getNodeByName("crate")).not.toBeNull();
  });

  it("takes a kinematic body, an infinite mass, and the mesh of another node with all triangles", async () => {
    const nodes = [
      { name: "lift", ...msft({ rigidBody: { isKinematic: true, linearVelocity: [0, 0, 1] } }) },
      { name: "rock", translation: [5, 0, 0], ...msft({ rigidBody: { inverseMass: 0 } }) },
      { name: "table", translation: [0, 0, 9], ...msft({ collider: 0, physicsMaterial: 0 }) },
      { mesh: 0, translation: [50, 0, 0] },
      {
        name: "ball",
        translation: [0.2, 2, 9],
        ...msft({ rigidBody: { inverseMass: 2 }, collider: 1, physicsMaterial: 0 }),
      },
    ];
    const colliders = [{ trimesh: { mesh: 0 } }, { sphere: { radius: 0.25 } }];
    await load(msftFile(nodes, colliders, { physicsMaterials: [{}] }));
    expect(nodeNamed(t, "rock").physicsBody!.getMassProperties().mass).toBe(0);
    expect(nodeNamed(t, "ball").physicsBody!.getMassProperties().mass).toBe(0.5);
    t.run(60);
    expect(placeInFile(t, "lift")[14]).toBeCloseTo(1, 2);
    expect(placeInFile(t, "ball")[13]).toBeCloseTo(0.75, 2);
  });

  it("counts the extension of Khronos if a file has both", async () => {
    const nodes = [
      {
        name: "crate",
        extensions: {
          ...rigid({ motion: { mass: 3 } }).extensions!,
          ...msft({ rigidBody: { inverseMass: 1 } }).extensions!,
        },
      },
    ];
    const json = JSON.parse(msftFile(nodes)) as { extensionsUsed: string[] };
    json.extensionsUsed = [...NAMES, "KHR_physics_rigid_bodies"];
    await load(JSON.stringify(json));
    expect(nodeNamed(t, "crate").physicsBody!.getMassProperties().mass).toBe(3);
  });

  it.each<[string, string, RegExp]>([
    ["a missing shape", msftFile([msft({ collider: 3, physicsMaterial: 0 })]), /shape.*3/],
    ["a shape without a kind", msftFile([msft({ collider: 0 })], [{}]), /none/],
    ["a mesh of no node", msftFile([msft({ collider: 0 })], [{ trimesh: { mesh: 0 } }]), /mesh.*0/],
    ["missing limits", msftFile([msft({ rigidBody: {}, joint: { connectedNode: 0, jointLimits: 2 } })]), /joint.*2/],
    ["a missing material", msftFile([msft({ collider: { collider: 0, physicsMaterial: 4 } })], [{ sphere: {} }]), /4/],
    ["a negative mass", msftFile([msft({ rigidBody: { inverseMass: -1 } })]), /mass/],
  ])("is refused for %s", async (_name, json, message) => {
    await expect(load(json)).rejects.toThrow(message);
  });
});
