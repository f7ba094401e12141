import type { DeformableBody, World } from "../src/index";
import { conjugate, product, turn } from "../src/math/quaternions";
import { Obstacle } from "./obstacles";
import type { BonePose, FigureBone, FigureDescription, FigureFactory } from "./scene";

/** Converts poses of bones from the frames of their parents to the world. */
export function worldPoses(
  bones: readonly FigureBone[],
  poses: Readonly<Record<string, BonePose>>,
): Record<string, BonePose> {
  const found: Record<string, BonePose> = {};
  for (const { name, parent } of bones)
    found[name] = parent === undefined ? poses[name] : joined(found[parent], poses[name]);
  return found;
}

/** World pose of a bone at rest. */
export function restPoses(bones: readonly FigureBone[]): Record<string, BonePose> {
  return worldPoses(bones, Object.fromEntries(bones.map(({ name, rest }) => [name, rest])));
}

function joined({ position, rotation }: BonePose, own: BonePose): BonePose {
  const [x, y, z] = turn(rotation, own.position);
  return {
    position: [position[0] + x, position[1] + y, position[2] + z],
    rotation: product(rotation, own.rotation),
  };
}

/** A point of the world in the frame of a bone. */
export function inFrameOf({ position, rotation }: BonePose, point: readonly number[]): [number, number, number] {
  return turn(
    conjugate(rotation),
    point.map((value, c) => value - position[c]),
  );
}

/** A figure that is drawn as its colliders only. */
export function figureInWorld(world: World): FigureFactory {
  return ({ bones, friction, material }: FigureDescription) => {
    const rest = restPoses(bones);
    const obstacles = new Map(
      bones.map(({ name, shape }) => [name, new Obstacle(world, shape, { name, friction, ...rest[name] }, material)]),
    );
    const carried: { body: DeformableBody; particle: number; bone: string; place: number[] }[] = [];
    return {
      props: [...obstacles.values()],
      poseOf: (bone) => obstacles.get(bone)!,
      moveTo(poses) {
        for (const [name, { position, rotation }] of Object.entries(worldPoses(bones, poses)))
          obstacles.get(name)!.moveTo(position, rotation);
        for (const { body, particle, bone, place } of carried) {
          const { position, rotation } = obstacles.get(bone)!;
          const [x, y, z] = turn(rotation, place);
          body.setPinTarget(particle, position[0] + x, position[1] + y, position[2] + z);
        }
      },
      carry(body, particles, bone) {
        const { positions } = body.model;
        body.pin(particles);
        for (const particle of particles) {
          const place = inFrameOf(obstacles.get(bone)!, [...positions.subarray(3 * particle, 3 * particle + 3)]);
          carried.push({ body, particle, bone, place });
        }
      },
    };
  };
}
