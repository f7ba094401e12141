import { checkFinite } from "../../checks";
import { invalid, PliantError } from "../../errors";
import { checkNames, namesOf, optionNames } from "../../option-names";
import type { Vec3 } from "../../math/types";
import { type AxisSettings, freeAxis, JointAxis } from "../../solvers/newton/joints/axis";
import { JointData, writeFrame } from "../../solvers/newton/joints/joint-data";
import { RelativePose } from "../../solvers/newton/joints/relative-pose";
import { finiteVector, notNegative } from "./checks";
import type { RigidBody } from "./rigid-body";
import { conjugate, turn } from "../../math/quaternions";
import type { RigidDynamics } from "../../solvers/newton/dynamics";

/** `ball` is Babylon's ball and socket; `six-dof` has only the axes that are given. */
export type JointType = "ball" | "distance" | "hinge" | "slider" | "prismatic" | "lock" | "six-dof";

export type AxisName = keyof typeof JointAxis;

export interface JointOptions {
  type: JointType;
  bodyA: RigidBody;
  bodyB: RigidBody;
  /** pivot in the frame of A [m], default its origin */
  pivotA?: Vec3 | undefined;
  pivotB?: Vec3 | undefined;
  /** X axis of the joint's frame in that of A, default (1, 0, 0): hinges turn about it, sliders slide along it */
  axisA?: Vec3 | undefined;
  axisB?: Vec3 | undefined;
  /** Y axis of the joint's frame, default an axis perpendicular to X */
  perpendicularA?: Vec3 | undefined;
  perpendicularB?: Vec3 | undefined;
  /** length of a distance joint [m]; default: the present distance of the pivots */
  distance?: number | undefined;
  /** whether the bodies of the joint collide with each other, default false */
  collision?: boolean | undefined;
  /** axes that replace or complement those of the type */
  axes?: Partial<Record<AxisName, Partial<AxisSettings>>> | undefined;
}

/** The world of a joint; see `RigidCore`. */
interface JointHost {
  readonly bodies: readonly RigidBody[];
  readonly dynamics: RigidDynamics;
  wake(slot: number): void;
  jointsChanged(): void;
  removeJoint(joint: RigidJoint): void;
}

const jointOptionNames = optionNames<JointOptions>()(
  "type bodyA bodyB pivotA pivotB axisA axisB perpendicularA perpendicularB distance collision? axes",
);

/** Axes that a type of joint locks. */
export const lockedAxes: Readonly<Record<JointType, readonly AxisName[]>> = {
  ball: ["linearX", "linearY", "linearZ"],
  distance: [],
  hinge: ["linearX", "linearY", "linearZ", "angularY", "angularZ"],
  slider: ["linearY", "linearZ", "angularY", "angularZ"],
  prismatic: ["linearY", "linearZ", "angularX", "angularY", "angularZ"],
  lock: ["linearX", "linearY", "linearZ", "angularX", "angularY", "angularZ"],
  "six-dof": [],
};

const pose = new RelativePose();
const coordinate = new Float64Array(1);

/** A joint between two bodies. Made by `RigidWorld.addJoint`. Axes are as in Babylon's `Physics6DoFConstraint`. */
export class RigidJoint {
  readonly bodyA: RigidBody;
  readonly bodyB: RigidBody;
  readonly type: JointType;
  readonly collision: boolean;
  /** @internal */
  readonly data = new JointData();
  /** @internal writes the frames of the joint on its bodies, in their principal frames; call it when those change */
  readonly setFrames: () => void;
  private enabled = true;
  private disposed = false;

  /** @internal */
  constructor(
    private readonly world: JointHost,
    options: JointOptions,
    readonly id: number,
  ) {
    checkNames("joint", options, jointOptionNames);
    const { bodyA, bodyB, type } = options;
    if (!(type in lockedAxes))
      throw invalid("joint.type", type, `must be one of ${Object.keys(lockedAxes).join(", ")}`);
    if (bodyA === bodyB) throw invalid("joint.bodyB", bodyB?.name, "must not be bodyA");
    for (const body of [bodyA, bodyB])
      if (body?.isDisposed !== false || world.bodies[body.record.slot] !== body)
        throw invalid("joint", body?.name, "must join bodies of its world");
    this.bodyA = bodyA;
    this.bodyB = bodyB;
    this.type = type;
    this.collision = options.collision ?? false;
    const { pivotA, axisA, perpendicularA, pivotB, axisB, perpendicularB } = options;
    this.setFrames = () => {
      setFrame(this.data.frameA, bodyA, pivotA, axisA, perpendicularA);
      setFrame(this.data.frameB, bodyB, pivotB, axisB, perpendicularB);
    };
    this.setFrames();
    for (const axis of lockedAxes[type]) this.data.axes[JointAxis[axis]].mode = "locked";
    if (type === "distance") {
      const distance = options.distance ?? this.along(JointAxis.distance);
      notNegative("joint.distance", distance);
      Object.assign(this.data.axes[JointAxis.distance], { mode: "limited", min: distance, max: distance });
    }
    for (const [name, settings] of Object.entries(options.axes ?? {})) this.configure(name as AxisName, settings);
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  joins(body: RigidBody): boolean {
    return body === this.bodyA || body === this.bodyB;
  }

  get isEnabled(): boolean {
    return this.enabled && !this.disposed;
  }

  set isEnabled(value: boolean) {
    this.check();
    this.enabled = value;
    this.data.memory.fill(0);
    this.world.jointsChanged();
    this.rouse();
  }

  /** Settings of the joint along an axis. */
  axis(name: AxisName): Readonly<AxisSettings> {
    return this.data.axes[this.number(name)];
  }

  /**
   * Changes settings of the joint along an axis.
   *
   * @throws PliantError `invalid-argument` for values out of range; nothing is changed then
   */
  configure(name: AxisName, settings: Partial<AxisSettings>): void {
    this.check();
    const axis = this.data.axes[this.number(name)];
    checkNames(`joint axis ${name}`, settings, namesOf(freeAxis()));
    const next: AxisSettings = { ...axis, ...settings };
    checkAxis(`joint axis ${name}`, next);
    Object.assign(axis, next);
    this.rouse();
  }

  /** Position of the joint along an axis [m or rad]. */
  position(name: AxisName): number {
    this.check();
    return this.along(this.number(name));
  }

  dispose(): void {
    if (this.disposed) return;
    this.world.removeJoint(this);
    this.disposed = true;
  }

  private along(axis: number): number {
    const { frameA, frameB } = this.data;
    pose.set(this.world.dynamics.bodies, this.bodyA.record.slot, this.bodyB.record.slot, frameA, frameB);
    pose.measure(axis, coordinate, 0);
    return coordinate[0];
  }

  private number(name: AxisName): number {
    const axis: number | undefined = JointAxis[name];
    if (axis === undefined) throw invalid("joint axis", name, `must be one of ${Object.keys(JointAxis).join(", ")}`);
    return axis;
  }

  private rouse(): void {
    this.world.wake(this.bodyA.record.slot);
    this.world.wake(this.bodyB.record.slot);
  }

  private check(): void {
    if (this.disposed) throw new PliantError("disposed", `${this.type} joint`, "a call", "was disposed");
  }
}

function checkAxis(object: string, axis: AxisSettings): void {
  const modes = ["free", "locked", "limited"];
  if (!modes.includes(axis.mode)) throw invalid(`${object}.mode`, axis.mode, `must be one of ${modes.join(", ")}`);
  const motors = ["none", "velocity", "position"];
  if (!motors.includes(axis.motor)) throw invalid(`${object}.motor`, axis.motor, `must be one of ${motors.join(", ")}`);
  if (!(axis.min <= axis.max)) throw invalid(`${object}.min`, axis.min, "must not be above max");
  if (axis.min === Infinity || axis.max === -Infinity)
    throw invalid(`${object}.min`, axis.min, "must leave a place that can be reached");
  for (const key of ["stiffness", "damping", "friction", "motorStiffness", "motorDamping"] as const)
    notNegative(`${object}.${key}`, axis[key]);
  if (!(axis.maxForce >= 0)) throw invalid(`${object}.maxForce`, axis.maxForce, "must not be negative");
  checkFinite(axis.target, `${object}.target`);
  const known = Object.keys(freeAxis());
  for (const key of Object.keys(axis))
    if (!known.includes(key)) throw invalid(object, key, `must be one of ${known.join(", ")}`);
}

/** The joint's frame in the principal frame of a body. */
function setFrame(
  out: Float64Array,
  body: RigidBody,
  pivot: Vec3 = [0, 0, 0],
  axis: Vec3 = [1, 0, 0],
  perpendicular?: Vec3,
): void {
  const object = `joint at rigid body "${body.name}"`;
  finiteVector(`${object}.pivot`, pivot);
  finiteVector(`${object}.axis`, axis);
  if (!axis.some((value) => value !== 0)) throw invalid(`${object}.axis`, axis, "must not be zero");
  const across = perpendicular ? finiteVector(`${object}.perpendicular`, perpendicular) : normalTo(axis);
  const { centerOfMass, inertiaRotation } = body.record.mass;
  const back = conjugate(inertiaRotation);
  const offset: Vec3 = [pivot[0] - centerOfMass[0], pivot[1] - centerOfMass[1], pivot[2] - centerOfMass[2]];
  writeFrame(out, turn(back, offset), turn(back, axis), turn(back, across));
  if (!out.every(Number.isFinite)) throw invalid(`${object}.perpendicular`, across, "must not be along the axis");
}

/**
 * A vector perpendicular to another one, chosen as by Babylon's `Vector3.getNormalToRef`, on which joints of a Babylon
 * scene rely.
 */
function normalTo(v: Vec3): Vec3 {
  const radius = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  // polar and azimuth angles; the polar angle is turned by a right angle
  const cosTheta = v[1] / radius;
  const sinTheta = Math.sqrt(Math.max(0, 1 - cosTheta * cosTheta));
  const flat = Math.sqrt(v[0] * v[0] + v[2] * v[2]);
  const [cosPhi, sinPhi] = flat > 0 ? [v[0] / flat, v[2] / flat] : [1, 0];
  const turned = cosTheta < 0 ? -1 : 1;
  // θ > π/2 turns back, otherwise forward: sin(θ ∓ π/2), cos(θ ∓ π/2)
  const [sine, cosine] = turned < 0 ? [-cosTheta, sinTheta] : [cosTheta, -sinTheta];
  return [radius * sine * cosPhi, radius * cosine, radius * sine * sinPhi];
}
