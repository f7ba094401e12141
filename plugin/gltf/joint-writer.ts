import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AxisSettings } from "../../src/solvers/newton/joints/axis";
import type { AxisName } from "../../src/world/rigid/rigid-joint";
import type { ConstraintData, ConstraintPair } from "../constraints/constraint-data";
import { rotationOf } from "./frames";
import type { Drive, Joint, Limit } from "./json";

/**
 * Stiffness of a rigid position motor, and damping of a rigid motor of velocity: files have springs and dampers alone. The loader takes
 * any as rigid.
 */
const RIGID = 1e9;

const AXES: Readonly<Record<AxisName, Pick<Limit, "linearAxes" | "angularAxes">>> = {
  linearX: { linearAxes: [0] },
  linearY: { linearAxes: [1] },
  linearZ: { linearAxes: [2] },
  angularX: { angularAxes: [0] },
  angularY: { angularAxes: [1] },
  angularZ: { angularAxes: [2] },
  distance: { linearAxes: [0, 1, 2] },
};
/** A mirror keeps the first two axes and turns the third one over; rotations about the first two turn over as well. */
const TURNED: ReadonlySet<AxisName> = new Set(["linearZ", "angularX", "angularY"]);

/**
 * The limits and drives of a constraint. Files have no friction of axes.
 *
 * @param isMirrored whether the file is a mirror image of the scene
 */
export function jointOf({ axes }: ConstraintData, isMirrored: boolean): Joint {
  const names = Object.keys(AXES) as AxisName[];
  const sides = (name: AxisName): boolean => isMirrored && TURNED.has(name);
  return {
    limits: names.flatMap((name) => limitOf(name, axes[name], sides(name))),
    drives: names.flatMap((name) => driveOf(name, axes[name], sides(name))),
  };
}

function limitOf(name: AxisName, axis: AxisSettings, turnsOver: boolean): Limit[] {
  const { mode, stiffness, damping } = axis;
  if (mode === "free") return [];
  const [low, high] = mode === "locked" ? [0, 0] : [axis.min, axis.max];
  const [min, max] = turnsOver ? [0 - high, 0 - low] : [low, high];
  return [
    {
      ...AXES[name],
      ...(Number.isFinite(min) ? { min } : {}),
      ...(Number.isFinite(max) ? { max } : {}),
      ...(stiffness > 0 ? { stiffness, damping } : {}),
    },
  ];
}

function driveOf(name: AxisName, axis: AxisSettings, turnsOver: boolean): Drive[] {
  const { motor, target, maxForce, motorStiffness, motorDamping } = axis;
  if (motor === "none" || maxForce === 0 || name === "distance") return [];
  const { linearAxes, angularAxes } = AXES[name];
  const along = turnsOver ? 0 - target : target;
  return [
    {
      type: linearAxes ? "linear" : "angular",
      mode: "force",
      axis: (linearAxes ?? angularAxes!)[0],
      ...(Number.isFinite(maxForce) ? { maxForce } : {}),
      ...(motor === "position"
        ? { positionTarget: along, stiffness: motorStiffness || RIGID, damping: motorDamping }
        : { velocityTarget: along, damping: RIGID }),
    },
  ];
}

/** A place in a file. */
interface Place {
  readonly translation: number[];
  readonly rotation: number[];
}

/** The frames of a joint on its two bodies, in the frames of these. */
export function jointPlaces({ frames }: ConstraintPair, isMirrored: boolean): [Place, Place] {
  const { pivotA, axisA, perpAxisA, pivotB, axisB, perpAxisB } = frames;
  const place = (...vectors: readonly Vector3[]): Place => {
    const [pivot, x, y] = vectors.map((v) => new Vector3(isMirrored ? -v.x : v.x, v.y, v.z));
    return { translation: [...pivot.asArray()], rotation: [...rotationOf(x, y).asArray()] };
  };
  return [place(pivotA, axisA, perpAxisA), place(pivotB, axisB, perpAxisB)];
}
