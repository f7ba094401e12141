import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateTorus } from "@babylonjs/core/Meshes/Builders/torusBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import type { PluginScene } from "../both-plugins";
import { placeOf } from "./parts";
import type { Readings, TwinScene } from "./twin-scene";

interface Ground {
  readonly name: string;
  readonly make: (t: PluginScene) => Mesh;
  readonly type: PhysicsShapeType;
  /** height of its middle for a top at 0 [m] */
  readonly y: number;
}

/** Grounds of 120 m. */
const grounds: readonly Ground[] = [
  {
    name: "a box",
    make: ({ scene }) => CreateBox("ground", { width: 120, height: 1, depth: 120 }, scene),
    type: PhysicsShapeType.BOX,
    y: -0.5,
  },
  {
    name: "a hull",
    make: ({ scene }) => CreateBox("ground", { width: 120, height: 4, depth: 120 }, scene),
    type: PhysicsShapeType.CONVEX_HULL,
    y: -2,
  },
  {
    name: "CreateGround as a box",
    make: ({ scene }) => CreateGround("ground", { width: 120, height: 120 }, scene),
    type: PhysicsShapeType.BOX,
    y: 0,
  },
  {
    name: "CreateGround as a mesh",
    make: ({ scene }) => CreateGround("ground", { width: 120, height: 120, subdivisions: 3 }, scene),
    type: PhysicsShapeType.MESH,
    y: 0,
  },
];

/** Solids of triangles, and their initial heights above the ground. */
const solids: readonly (readonly [number, (t: PluginScene) => Mesh])[] = [
  [0.51, ({ scene }) => CreateBox("box", { size: 1 }, scene)],
  // the vertices of this one are away from its origin
  [
    0.21,
    ({ scene }) => CreateBox("off", { size: 1 }, scene).bakeTransformIntoVertices(Matrix.Translation(0.4, 0.3, -0.2)),
  ],
  [0.16, ({ scene }) => CreateTorus("ring", { diameter: 1, thickness: 0.3, tessellation: 16 }, scene)],
];

/** Away from the middle of a ground dynamic meshes stand, one of them below a crate; two more slide until they stop. */
function play(t: PluginScene, ground: Ground): Readings {
  const middle = new Vector3(40, 0, -30);
  const material = { friction: 0.5, restitution: 0 };
  const aggregate = (mesh: Mesh, type: PhysicsShapeType, at: Vector3, mass: number): PhysicsAggregate => {
    mesh.position.copyFrom(at);
    return new PhysicsAggregate(mesh, type, { mass, ...material }, t.scene);
  };
  aggregate(ground.make(t), ground.type, new Vector3(0, ground.y, 0), 0);
  const bodies = solids.map(([height, make], i) => {
    const at = middle.add(new Vector3(4 * i, height, 0));
    return aggregate(make(t), PhysicsShapeType.MESH, at, 2).body;
  });
  const box = CreateBox("crate", { size: 0.6 }, t.scene);
  const crate = aggregate(box, PhysicsShapeType.BOX, middle.add(new Vector3(0.1, 1.32, 0.1)), 3).body;
  t.run(45);
  const stood = [...bodies, crate].flatMap((body) => placeOf(body));
  const sliding = bodies.slice(1);
  for (const body of sliding) body.setLinearVelocity(new Vector3(0, 0, 2));
  t.run(40);
  return {
    stood,
    heights: sliding.map((body) => placeOf(body)[1]),
    ways: sliding.map((body) => placeOf(body)[2] - middle.z),
    aside: sliding.map((body, i) => placeOf(body)[0] - middle.x - 4 * (i + 1)),
    speeds: [...bodies, crate].map((body) => body.getLinearVelocity().length()),
  };
}

/** Scenes of dynamic bodies whose shape is a mesh. */
export const meshScenes: readonly TwinScene[] = grounds.map((ground) => ({
  name: `moving meshes stand on ${ground.name}, carry a crate, and slide to where friction stops them`,
  play: (t) => play(t, ground),
  tolerance: { stood: 1.7e-3, heights: 1.6e-3, ways: 0.02, aside: 1e-5, speeds: 1e-3 },
  differs: {
    ways: {
      why: "v²/(2 μ g); with Havok one stops sooner and one later, as they do not slide straight",
      pliant: [0.4, 0.4],
    },
    aside: { why: "nothing pushes aside; Havok's meshes drift by 2 to 4 cm", pliant: [0, 0] },
  },
}));
