import type { Vec3 } from "../../../math/types";
import type { EulerOrder, JointDescription, JointType } from "../../description";
import type { FileElement } from "../xml";
import { norm } from "../../../math/vectors";

const types: Readonly<Record<string, { readonly type: JointType; readonly dofs: number }>> = {
  weld: { type: "weld", dofs: 0 },
  prismatic: { type: "prismatic", dofs: 1 },
  revolute: { type: "revolute", dofs: 1 },
  screw: { type: "screw", dofs: 1 },
  universal: { type: "universal", dofs: 2 },
  translational2d: { type: "translational-2d", dofs: 2 },
  ball: { type: "ball", dofs: 3 },
  euler: { type: "euler", dofs: 3 },
  translational: { type: "translational", dofs: 3 },
  planar: { type: "planar", dofs: 3 },
  free: { type: "free", dofs: 6 },
};

const planes: Readonly<Record<string, readonly [Vec3, Vec3]>> = {
  xy: [
    [1, 0, 0],
    [0, 1, 0],
  ],
  yz: [
    [0, 1, 0],
    [0, 0, 1],
  ],
  zx: [
    [0, 0, 1],
    [1, 0, 0],
  ],
};

/** Reads a `<joint>` except its frames. @throws PliantError for an unknown type, plane or order of axes */
export function readSkelJoint(joint: FileElement, notes: string[]): JointDescription {
  const written = joint.required("type");
  const known = Object.hasOwn(types, written.toLowerCase()) ? types[written.toLowerCase()] : undefined;
  if (known === undefined)
    throw joint.error(`joint type must be one of ${Object.keys(types).join(", ")}`, written, "unsupported");
  const { type, dofs } = known;
  const axes = ["axis", "axis2", "axis3"].map((tag) => joint.child(tag));
  return {
    type,
    ...kinematics(joint, type, axes),
    ...perDof(axes, dofs, notes),
    ...numbersOf(joint, "init_pos", "initialPosition", dofs),
    ...numbersOf(joint, "init_vel", "initialVelocity", dofs),
  };
}

function kinematics(
  joint: FileElement,
  type: JointType,
  axes: readonly (FileElement | undefined)[],
): Partial<JointDescription> {
  const direction = (index: number, fallback: Vec3): Vec3 => {
    const xyz = axes[index]?.child("xyz");
    const axis = (xyz?.textNumbers(3) ?? fallback) as unknown as Vec3;
    if (!(norm(axis) > 1e-9)) throw xyz!.error("must not be zero", axis);
    return axis;
  };
  switch (type) {
    case "revolute":
    case "prismatic":
      return { axis: direction(0, [0, 0, 1]) };
    case "screw":
      // The file gives meters per turn.
      return { axis: direction(0, [0, 0, 1]), pitch: (joint.childNumber("pitch") ?? 0.1) / (2 * Math.PI) };
    case "universal":
      return { axis: direction(0, [1, 0, 0]), secondAxis: direction(1, [0, 1, 0]) };
    case "euler": {
      const order = joint.child("axis_order")?.text ?? "xyz";
      if (!/^[xyz]{3}$/.test(order) || new Set(order).size !== 3)
        throw joint.error("axis_order must be x, y and z in some order", order);
      return { order: order as EulerOrder };
    }
    case "planar":
    case "translational-2d": {
      const plane = joint.child("plane");
      const name = plane?.attribute("type") ?? "xy";
      if (name === "arbitrary") {
        const [axis, secondAxis] = ["translation_axis1", "translation_axis2"].map(
          (tag) => plane!.requiredChild(tag).requiredChild("xyz").textNumbers(3) as unknown as Vec3,
        );
        return { axis, secondAxis };
      }
      if (!Object.hasOwn(planes, name)) throw plane!.error("plane type must be xy, yz, zx or arbitrary", name);
      return { axis: planes[name][0], secondAxis: planes[name][1] };
    }
    default:
      return {};
  }
}

/** Reads limits, springs and damping of each `<axis>`. */
function perDof(axes: readonly (FileElement | undefined)[], dofs: number, notes: string[]): Partial<JointDescription> {
  if (dofs === 0 || dofs > 3) return {};
  const read = (path: readonly [string, string], fallback: number): number | number[] | undefined => {
    const found = axes.slice(0, dofs).map((axis) => axis?.child(path[0])?.childNumber(path[1]));
    if (found.every((value) => value === undefined)) return undefined;
    return dofs === 1 ? found[0] : Array.from({ length: dofs }, (_, i) => found[i] ?? fallback);
  };
  for (const axis of axes) {
    const dynamics = axis?.child("dynamics");
    if ((dynamics?.childNumber("friction") ?? 0) !== 0)
      notes.push(`${dynamics!.label}: dry friction in the joint is left out`);
  }
  const values = {
    lower: read(["limit", "lower"], -Infinity),
    upper: read(["limit", "upper"], Infinity),
    damping: read(["dynamics", "damping"], 0),
    stiffness: read(["dynamics", "spring_stiffness"], 0),
    restPosition: read(["dynamics", "spring_rest_position"], 0),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function numbersOf(
  joint: FileElement,
  tag: string,
  key: "initialPosition" | "initialVelocity",
  dofs: number,
): Partial<JointDescription> {
  const element = joint.child(tag);
  if (element === undefined || dofs === 0) return {};
  return { [key]: element.textNumbers(dofs) };
}
