import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Logger } from "@babylonjs/core/Misc/logger";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import {
  PhysicsActivationControl,
  PhysicsMotionType,
  PhysicsShapeType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import "@babylonjs/core/Physics/joinedPhysicsEngineComponent";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { PhysicsEngine } from "@babylonjs/core/Physics/v2/physicsEngine";
import { PhysicsShape, PhysicsShapeBox } from "@babylonjs/core/Physics/v2/physicsShape";
import { HavokPlugin } from "@babylonjs/core/Physics/v2/Plugins/havokPlugin";
import { Scene } from "@babylonjs/core/scene";
import type HavokPhysics from "@babylonjs/havok";
import type { CastBody, RigidCast } from "./cast";
import type { RigidEngine } from "./engine";

export type HavokModule = Awaited<ReturnType<typeof HavokPhysics>>;

/** Havok through Babylon's plugin on an engine that draws nothing; its time is that of `PhysicsEngine._step`. */
export function havokEngine({ bodies }: RigidCast, havok: HavokModule): RigidEngine {
  const plugin = new HavokPlugin(true, havok);
  // The engine would print a greeting to standard output, which belongs to the result.
  const levels = Logger.LogLevels;
  Logger.LogLevels = Logger.NoneLogLevel;
  const engine = new NullEngine();
  Logger.LogLevels = levels;
  const scene = new Scene(engine);
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  const physics = scene.getPhysicsEngine() as PhysicsEngine;
  const nodes = bodies.map((description) => {
    const { isDynamic, mass, friction, position, rotation } = description;
    const node = new TransformNode("body", scene);
    node.position = new Vector3(...position);
    node.rotationQuaternion = new Quaternion(...rotation);
    const body = new PhysicsBody(node, isDynamic ? PhysicsMotionType.DYNAMIC : PhysicsMotionType.STATIC, false, scene);
    const shape = shapeIn(scene, description.shape);
    shape.material = { friction, restitution: 0 };
    body.shape = shape;
    if (!isDynamic) return node;
    body.setMassProperties({ ...body.computeMassProperties(), mass, ...inertiaFor(body, mass) });
    body.setLinearDamping(0);
    body.setAngularDamping(0);
    plugin.setActivationControl(body, PhysicsActivationControl.ALWAYS_ACTIVE);
    return node;
  });
  return {
    name: "havok",
    settings: "HavokPlugin",
    step: (dt) => physics._step(dt),
    readPose(index, out) {
      const { position: p, rotationQuaternion: q } = nodes[index];
      out.set([p.x, p.y, p.z, q!.x, q!.y, q!.z, q!.w]);
    },
    dispose: () => engine.dispose(),
  };
}

/** The plugin computes inertia for a density of its own; it is scaled with the mass. */
function inertiaFor(body: PhysicsBody, mass: number): { inertia?: Vector3 } {
  const computed = body.computeMassProperties();
  if (computed.inertia === undefined || !computed.mass) return {};
  return { inertia: computed.inertia.scale(mass / computed.mass) };
}

function shapeIn(scene: Scene, shape: CastBody["shape"]): PhysicsShape {
  if ("halfExtents" in shape) {
    const [x, y, z] = shape.halfExtents;
    return new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), new Vector3(2 * x, 2 * y, 2 * z), scene);
  }
  const mesh = new Mesh("hull", scene);
  const data = new VertexData();
  data.positions = [...shape.corners];
  data.indices = Array.from({ length: 3 * Math.floor(shape.corners.length / 9) }, (_, i) => i);
  data.applyToMesh(mesh);
  const hull = new PhysicsShape({ type: PhysicsShapeType.CONVEX_HULL, parameters: { mesh } }, scene);
  mesh.dispose();
  return hull;
}
