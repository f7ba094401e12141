import type { Vec3 } from "../../src/math/types";

/** Springs and dampers of the servos, N m/rad and N m s/rad, and what they can bear [N m]: of each group of joints. */
const servos = {
  back: [800, 60, 250],
  hip: [600, 30, 250],
  knee: [600, 20, 300],
  ankle: [300, 10, 180],
  shoulder: [60, 4, 60],
  elbow: [40, 2, 40],
} as const;

type Group = keyof typeof servos;

/** A joint: its name, group, axis and range [degrees]. */
const joint = (name: string, group: Group, axis: string, low: number, high: number): string =>
  `<joint name="${name}" class="${group}" axis="${axis}" range="${low} ${high}"/>`;

const [AHEAD, DOWN, UP] = ["1 0 0", "0 1 0", "0 0 1"];
/** Lifts a leg or an arm ahead. */
const LIFT = "0 -1 0";

/** Height of the pelvis above the ground when the legs are straight [m]. */
const PELVIS_HEIGHT = 0.99;
/** Length of thigh and of shin, and height of the ankle [m]. */
const [THIGH, SHIN, ANKLE] = [0.43, 0.43, 0.07];
/** Radius of the two capsules of a foot [m]. */
const SOLE = 0.022;

/** Heel and toes of both edges of a foot. */
const edges = [1, -1].map((side): readonly [Vec3, Vec3] => [
  [-0.045, 0.025 * side, SOLE - ANKLE],
  [0.16, 0.035 * side, SOLE - ANKLE],
]);

/** The points that feet stand on: middles of spheres of this radius. */
export const soles = ["left", "right"].map((side) => ({ link: `${side} foot`, ends: edges.flat(), radius: SOLE }));

const leg = (side: "left" | "right", y: number): string => `
      <body name="${side} thigh" pos="0 ${y} -0.06">
        ${joint(`${side} hip yaw`, "hip", UP, -35, 35)}
        ${joint(`${side} hip roll`, "hip", AHEAD, -40, 40)}
        ${joint(`${side} hip`, "hip", LIFT, -40, 120)}
        <geom type="capsule" fromto="0 0 -0.06 0 0 ${0.05 - THIGH}" size="0.065" mass="7.2"/>
        <body name="${side} shin" pos="0 0 ${-THIGH}">
          ${joint(`${side} knee`, "knee", DOWN, 0, 150)}
          <geom type="capsule" fromto="0 0 -0.02 0 0 ${0.03 - SHIN}" size="0.045" mass="3.3"/>
          <body name="${side} foot" pos="0 0 ${-SHIN}">
            ${joint(`${side} ankle`, "ankle", LIFT, -60, 40)}
            ${joint(`${side} ankle roll`, "ankle", AHEAD, -30, 30)}
            ${edges.map(([heel, toe]) => `<geom type="capsule" fromto="${heel.join(" ")} ${toe.join(" ")}" size="${SOLE}" mass="0.5"/>`).join("\n            ")}
          </body>
        </body>
      </body>`;

const arm = (side: "left" | "right", y: number): string => `
        <body name="${side} upper arm" pos="0 ${y} 0.36">
          ${joint(`${side} shoulder roll`, "shoulder", AHEAD, -60, 60)}
          ${joint(`${side} shoulder`, "shoulder", LIFT, -90, 170)}
          <geom type="capsule" fromto="0 0 -0.02 0 0 -0.27" size="0.04" mass="2"/>
          <body name="${side} forearm" pos="0 0 -0.31">
            ${joint(`${side} elbow`, "elbow", LIFT, 0, 145)}
            <geom type="capsule" fromto="0 0 -0.02 0 0 -0.25" size="0.033" mass="1.2"/>
            <geom type="sphere" pos="0 0 -0.32" size="0.045" mass="0.4"/>
          </body>
        </body>`;

const defaults = Object.entries(servos)
  .map(
    ([name, [kp, kv, most]]) =>
      `<default class="${name}"><position kp="${kp}" kv="${kv}" forcerange="${-most} ${most}"/></default>`,
  )
  .join("\n    ");

export const sides = ["left", "right"] as const;
const names: readonly (readonly [string, Group])[] = [
  ["back yaw", "back"],
  ["back roll", "back"],
  ["back", "back"],
  ...sides.flatMap(
    (side) =>
      [
        [`${side} shoulder roll`, "shoulder"],
        [`${side} shoulder`, "shoulder"],
        [`${side} elbow`, "elbow"],
      ] as const,
  ),
  ...sides.flatMap(
    (side) =>
      [
        [`${side} hip yaw`, "hip"],
        [`${side} hip roll`, "hip"],
        [`${side} hip`, "hip"],
        [`${side} knee`, "knee"],
        [`${side} ankle`, "ankle"],
        [`${side} ankle roll`, "ankle"],
      ] as const,
  ),
];

/** Names of the servos, in their order: those of the joints that they turn. */
export const servoNames = names.map(([name]) => name);

/**
 * A person of 1.75 m and 71 kg as an MJCF file of our own: segments have the lengths and about the masses that anthropometry gives them. A
 * free pelvis, 3 hinges of the back, 3 of each arm and 6 of each leg have servos. x is ahead, y to the left, z up.
 */
export const personMjcf = `<mujoco model="person">
  <compiler angle="degree"/>
  <option timestep="0.004" gravity="0 0 -9.81"/>
  <default>
    <joint type="hinge" limited="true" damping="1" armature="0.02"/>
    <geom friction="1"/>
    ${defaults}
  </default>
  <worldbody>
    <body name="pelvis" pos="0 0 ${PELVIS_HEIGHT}">
      <freejoint name="root"/>
      <geom type="capsule" fromto="0 -0.07 -0.02 0 0.07 -0.02" size="0.1" mass="10.5"/>
      <body name="chest" pos="0 0 0.12">
        ${joint("back yaw", "back", UP, -40, 40)}
        ${joint("back roll", "back", AHEAD, -30, 30)}
        ${joint("back", "back", DOWN, -30, 60)}
        <geom type="capsule" fromto="0 -0.05 0.08 0 0.05 0.08" size="0.1" mass="9"/>
        <geom type="capsule" fromto="0 -0.1 0.27 0 0.1 0.27" size="0.11" mass="15"/>
        <geom type="capsule" fromto="0 0 0.38 0.01 0 0.45" size="0.05" mass="0.1"/>
        <geom type="sphere" pos="0.01 0 0.53" size="0.105" mass="4.9"/>${arm("left", 0.21)}${arm("right", -0.21)}
      </body>${leg("left", 0.09)}${leg("right", -0.09)}
    </body>
  </worldbody>
  <actuator>
    ${names.map(([name, group]) => `<position name="${name}" class="${group}" joint="${name}"/>`).join("\n    ")}
  </actuator>
</mujoco>`;
