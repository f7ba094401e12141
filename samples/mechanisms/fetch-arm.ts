/** A limb of the arm: the joint above it with its place in the limb before [m], its axis and what it can bear, and its body. */
type Limb = readonly [
  link: string,
  joint: string,
  origin: string,
  axis: string,
  /** range [rad], 0 for an endless one; N m; rad/s */
  limits: readonly [range: number, effort: number, velocity: number],
  /** N m s/rad */
  damping: number,
  /** kg */
  mass: number,
  /** along x [m] */
  length: number,
  radius: number,
];

const [UP, ACROSS, ALONG] = ["0 0 1", "0 1 0", "1 0 0"];
const limbs: readonly Limb[] = [
  ["shoulder", "shoulder pan", "0.1195 0 0.3486", UP, [1.6056, 33.82, 1.256], 1, 2.5587, 0.1, 0.055],
  ["shoulder head", "shoulder lift", "0.117 0 0.06", ACROSS, [1.518, 131.76, 1.454], 1, 2.6615, 0.2, 0.055],
  ["upper arm", "upper arm roll", "0.219 0 0", ALONG, [0, 76.94, 1.571], 5, 2.3311, 0.12, 0.05],
  ["elbow", "elbow flex", "0.133 0 0", ACROSS, [2.251, 66.18, 1.521], 1, 2.0995, 0.18, 0.05],
  ["forearm", "forearm roll", "0.197 0 0", ALONG, [0, 29.35, 1.571], 5, 1.6563, 0.11, 0.045],
  ["wrist", "wrist flex", "0.1245 0 0", ACROSS, [2.16, 25.7, 2.268], 1, 1.725, 0.11, 0.045],
  ["wrist roll", "wrist roll", "0.1385 0 0", ALONG, [0, 7.36, 2.268], 5, 0.1354, 0.02, 0.04],
];

/** Names of the joints of the arm, and those of the fingers. */
export const armJoints: readonly string[] = ["torso lift", ...limbs.map(([, joint]) => joint)];
export const fingerJoints = ["right finger", "left finger"] as const;
/** Half sizes of a finger: along the gripper, in the direction of its way, and up [m]. */
export const fetchFinger = [0.031, 0.007, 0.0125] as const;
/** Greatest way of a finger from the middle of the gripper [m], and its greatest force [N]. */
const FINGER_WAY = 0.05;
const FINGER_FORCE = 60;

/**
 * The lift, the arm of seven joints and the gripper of the Fetch robot as a URDF file of our own: its joints, limits and masses, with
 * capsules and boxes for its shapes. z is up. Fingers touch with their pads, and the middle between them is the origin of the
 * link "gripper".
 */
export const fetchArmUrdf = `<?xml version="1.0"?>
<robot name="fetch arm">
  <link name="base">
    <collision><origin xyz="0 0 0.18"/><geometry><cylinder radius="0.27" length="0.34"/></geometry></collision>
    <collision><origin xyz="-0.1 0 0.5"/><geometry><box size="0.2 0.26 0.36"/></geometry></collision>
  </link>
  <link name="torso">
    <inertial><origin xyz="-0.0013 -0.0009 0.2935"/><mass value="10.7796"/>${inertia(10.7796, 0.3, 0.12)}</inertial>
    <collision><origin xyz="0.02 0 0.28"/><geometry><box size="0.16 0.22 0.3"/></geometry></collision>
  </link>
  <joint name="torso lift" type="prismatic">
    <parent link="base"/><child link="torso"/><origin xyz="-0.0869 0 0.3774"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="0.3862" effort="450" velocity="0.1"/><dynamics damping="100"/>
  </joint>
${limbs.map((limb, k) => limbText(limb, k === 0 ? "torso" : limbs[k - 1][0])).join("\n")}
  <link name="gripper">
    <inertial><origin xyz="-0.09 0 0"/><mass value="1.5175"/><inertia ixx="0.0013" iyy="0.0019" izz="0.0024" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="-0.095 0 0"/><geometry><box size="0.11 0.125 0.07"/></geometry></collision>
  </link>
  <joint name="gripper axis" type="fixed">
    <parent link="wrist roll"/><child link="gripper"/><origin xyz="0.1665 0 0"/>
  </joint>
${fingerText(fingerJoints[0], 1)}
${fingerText(fingerJoints[1], -1)}
</robot>`;

function limbText([link, joint, origin, axis, limits, damping, mass, length, radius]: Limb, parent: string): string {
  const [range, effort, velocity] = limits;
  const type = range > 0 ? "revolute" : "continuous";
  const bounds = range > 0 ? `lower="${-range}" upper="${range}" ` : "";
  const middle = `<origin xyz="${length / 2} 0 0"`;
  return `  <link name="${link}">
    <inertial>${middle}/><mass value="${mass}"/>${inertia(mass, radius, length, true)}</inertial>
    <collision>${middle} rpy="0 1.5707963267948966 0"/><geometry><capsule radius="${radius}" length="${length}"/></geometry></collision>
  </link>
  <joint name="${joint}" type="${type}">
    <parent link="${parent}"/><child link="${link}"/><origin xyz="${origin}"/><axis xyz="${axis}"/>
    <limit ${bounds}effort="${effort}" velocity="${velocity}"/><dynamics damping="${damping}"/>
  </joint>`;
}

function fingerText(name: string, side: number): string {
  const [x, y, z] = fetchFinger;
  // The second finger goes with the first one: a rack drives both.
  const mimic = side < 0 ? `<mimic joint="${fingerJoints[0]}"/>` : "";
  return `  <link name="${name}">
    <inertial><mass value="0.0798"/>${inertia(0.0798, y, 2 * x, true)}</inertial>
    <collision><origin xyz="0 ${side * y} 0"/><geometry><box size="${2 * x} ${2 * y} ${2 * z}"/></geometry></collision>
  </link>
  <joint name="${name}" type="prismatic">
    <parent link="gripper"/><child link="${name}"/><axis xyz="0 ${side} 0"/>${mimic}
    <limit lower="0" upper="${FINGER_WAY}" effort="${FINGER_FORCE}" velocity="0.05"/><dynamics damping="100"/>
  </joint>`;
}

/** Of a cylinder, along z or x [kg m²]. */
function inertia(mass: number, radius: number, length: number, isAlongX = false): string {
  const own = ((mass * radius ** 2) / 2).toPrecision(5);
  const across = ((mass * (3 * radius ** 2 + length ** 2)) / 12).toPrecision(5);
  const [x, z] = isAlongX ? [own, across] : [across, own];
  return `<inertia ixx="${x}" iyy="${across}" izz="${z}" ixy="0" ixz="0" iyz="0"/>`;
}
