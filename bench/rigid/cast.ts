import { World, type Quat, type RigidBody, type Vec3 } from "../../src/index";
import { resolveParameters } from "../../samples/parameters";
import { scenes } from "../../samples/scenes/index";

/** A body of a scene, in a form that every engine can build. */
export interface CastBody {
  /** half extents of a box, or the corners of a hull */
  readonly shape: { readonly halfExtents: Vec3 } | { readonly corners: readonly number[] };
  readonly isDynamic: boolean;
  /** [kg] */
  readonly mass: number;
  readonly friction: number;
  readonly position: Vec3;
  readonly rotation: Quat;
}

/** The bodies of a scene at one size. */
export interface RigidCast {
  readonly scene: string;
  readonly size: number;
  readonly bodies: readonly CastBody[];
  /** the scene should stay in place: the travel of its bodies counts */
  readonly stands: boolean;
}

/** Builds a scene of the gallery and takes its bodies out of the world, which is never stepped. */
export async function castOf(
  name: "tower" | "heavy-stack" | "pile" | "pyramid",
  parameters: Readonly<Record<string, number>> = {},
): Promise<RigidCast> {
  const scene = scenes.find((candidate) => candidate.name === name)!;
  const world = await World.create({ backend: "cpu" });
  try {
    await scene.build(world, resolveParameters(scene, parameters), () => {
      throw new Error(`${name} has no cloth`);
    });
    const bodies = world.rigid.bodies.map(described);
    return { scene: name, size: bodies.filter(({ isDynamic }) => isDynamic).length, bodies, stands: name !== "pile" };
  } finally {
    world.dispose();
  }
}

function described(body: RigidBody): CastBody {
  const { shape, motion, friction } = body.options;
  const { position, rotation } = body;
  const common = { isDynamic: motion === "dynamic", mass: body.massProperties.mass, friction, position, rotation };
  if (shape?.type === "box") return { ...common, shape: { halfExtents: shape.halfExtents } };
  if (shape?.type === "convex-hull") return { ...common, shape: { corners: Array.from(shape.positions) } };
  throw new Error(`a ${shape?.type ?? "body without a shape"} is not among the shapes that all engines are given`);
}
