import type { RigidCast } from "./cast";
import type { RigidEngine } from "./engine";

let loading: Promise<typeof import("@dimforge/rapier3d-simd-compat")> | undefined;

async function loadRapier(): Promise<typeof import("@dimforge/rapier3d-simd-compat")> {
  loading ??= import("@dimforge/rapier3d-simd-compat").then(async (module) => {
    await module.init();
    return module;
  });
  return loading;
}

/** Rapier's SIMD build in WebAssembly, with the settings of its constructor. */
export async function rapierEngine({ bodies }: RigidCast): Promise<RigidEngine> {
  const rapier = await loadRapier();
  const world = new rapier.World({ x: 0, y: -9.81, z: 0 });
  const made = bodies.map(({ shape, isDynamic, mass, friction, position, rotation }) => {
    const [x, y, z] = position;
    const [qx, qy, qz, qw] = rotation;
    const description = isDynamic ? rapier.RigidBodyDesc.dynamic() : rapier.RigidBodyDesc.fixed();
    description.setTranslation(x, y, z).setRotation({ x: qx, y: qy, z: qz, w: qw }).setCanSleep(false);
    const body = world.createRigidBody(description);
    const collider =
      "corners" in shape
        ? rapier.ColliderDesc.convexHull(Float32Array.from(shape.corners))!
        : rapier.ColliderDesc.cuboid(...shape.halfExtents);
    if (isDynamic) collider.setMass(mass);
    world.createCollider(collider.setFriction(friction), body);
    return body;
  });
  return {
    name: "rapier",
    settings: `simd, ${world.integrationParameters.numSolverIterations} iterations`,
    step(dt) {
      world.timestep = dt;
      world.step();
    },
    readPose(index, out) {
      const { x, y, z } = made[index].translation();
      const q = made[index].rotation();
      out.set([x, y, z, q.x, q.y, q.z, q.w]);
    },
    dispose: () => world.free(),
  };
}
