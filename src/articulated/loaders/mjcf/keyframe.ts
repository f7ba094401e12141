import { leftJacobian, rotationCoefficients } from "../../joints/rotation-vector";
import { conjugate, product, rotationVector, turn, unitQuaternion } from "../../../math/quaternions";
import type { Quat, Vec3 } from "../../../math/types";
import type { LinkDescription } from "../../description";
import type { Keyframe } from "../loaded";
import type { ReadJoint } from "./body";
import { isDirection } from "./values";
import type { FileElement } from "../xml";

/** Numbers of position and velocity of a joint in MuJoCo. */
const widths: Readonly<Record<string, readonly [number, number]>> = {
  revolute: [1, 1],
  prismatic: [1, 1],
  ball: [4, 3],
  free: [7, 6],
};

/**
 * Reads `<keyframe>`. MuJoCo has quaternions, and velocities in the axes of the body, where links have rotation vectors.
 *
 * @param links finished links, in which joints may have become welds
 * @param order place of each actuator of the file among those that are kept, −1 for none
 * @param passive number of actuators without input behind these
 * @throws PliantError for a wrong number of numbers
 */
export function readKeyframes(
  root: FileElement,
  joints: readonly ReadJoint[],
  links: readonly LinkDescription[],
  order: readonly number[],
  passive: number,
): Keyframe[] {
  const moving = new Set(links.filter(({ joint }) => joint.type !== "weld").map(({ name }) => name));
  const [positions, velocities] = [0, 1].map((i) =>
    joints.reduce((sum, { description }) => sum + widths[description.type][i], 0),
  );
  return root
    .childrenNamed("keyframe")
    .flatMap((section) => section.childrenNamed("key"))
    .map((element, i) => {
      element.pass("time");
      const qpos = element.numbers("qpos", positions);
      const qvel = element.numbers("qvel", velocities);
      const control = element.numbers("ctrl", order.length);
      const position: number[] = [];
      const velocity: number[] = [];
      let [p, v] = [0, 0];
      for (const joint of joints) {
        const [width, rates] = widths[joint.description.type];
        if (moving.has(joint.link)) {
          const state = stateOf(element, joint, qpos?.slice(p, p + width), qvel?.slice(v, v + rates));
          position.push(...state.position);
          velocity.push(...state.velocity);
        }
        p += width;
        v += rates;
      }
      return {
        name: element.attribute("name") ?? `key ${i}`,
        position,
        velocity,
        ...(control === undefined
          ? {}
          : { control: [...control.filter((_, k) => order[k] >= 0), ...Array<number>(passive).fill(0)] }),
      };
    });
}

function stateOf(
  element: FileElement,
  { description: { type, initialPosition }, pose }: ReadJoint,
  position: readonly number[] | undefined,
  velocity: readonly number[] | undefined,
): { position: readonly number[]; velocity: readonly number[] } {
  if (type === "revolute" || type === "prismatic")
    return { position: position ?? [(initialPosition as number | undefined) ?? 0], velocity: velocity ?? [0] };
  const quat = position?.slice(-4);
  if (quat !== undefined && !isDirection(quat))
    throw element.error("qpos must have quaternions that are not zero", quat);
  const given: Quat = quat === undefined ? [0, 0, 0, 1] : unitQuaternion([quat[1], quat[2], quat[3], quat[0]]);
  const spin = velocity?.slice(-3) ?? [0, 0, 0];
  if (type === "ball") {
    const phi = rotationVector(given);
    return { position: phi, velocity: ratesOf(phi, spin) };
  }
  const back = conjugate(pose.rotation);
  const phi = position === undefined ? ([0, 0, 0] as const) : rotationVector(product(back, given));
  const offset = [0, 1, 2].map((c) => (position?.[c] ?? pose.position[c]) - pose.position[c]);
  return {
    position: [...phi, ...turn(back, offset)],
    velocity: [...ratesOf(phi, spin), ...turn(back, velocity?.slice(0, 3) ?? [0, 0, 0])],
  };
}

/** φ̇ at an angular velocity in the axes of the body: ω = J(−φ) φ̇ with the left Jacobian J. */
function ratesOf(phi: Vec3, spin: readonly number[]): number[] {
  const j = new Float64Array(9);
  rotationCoefficients(phi[0] ** 2 + phi[1] ** 2 + phi[2] ** 2);
  leftJacobian(-phi[0], -phi[1], -phi[2], j);
  const minor = (r: number, c: number): number => {
    const [a, b, d, e] = [3 * ((r + 1) % 3), 3 * ((r + 2) % 3), (c + 1) % 3, (c + 2) % 3];
    return j[a + d] * j[b + e] - j[a + e] * j[b + d];
  };
  const determinant = j[0] * minor(0, 0) + j[1] * minor(0, 1) + j[2] * minor(0, 2);
  return [0, 1, 2].map((c) => [0, 1, 2].reduce((sum, r) => sum + minor(r, c) * spin[r], 0) / determinant);
}
