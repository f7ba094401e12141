/**
 * Rotation vectors are stepped on the group. The step solves for the angular velocity ω' = J(φ) q̇', in the axes to
 * which the joint is attached, and
 *
 *   exp(φ') = exp(Δt (ω' − ω_r)) exp(φ) W,      φ̇' = J(φ')⁻¹ ω'
 *
 * For a link held only by a ball or free joint, and without links behind it, W and ω_r are those of its free rotation
 * (`Rotor`), which conserves energy and angular momentum; its center of mass moves in a straight line. For other joints
 * W = 1, ω_r = 0.
 *
 * The acceleration q̈ of the mechanism contains the explicit form of these terms; `shift` is the difference, Δq̇ = q̇_r
 * − q̇ − Δt q̈_r:
 *
 *   Δφ̇ = J⁻¹ (ω_r − ω − Δt α + Δt J̇ φ̇),   Δṡ = (ω − ω_r + Δt α) × r + Δt ω × (ω × r)
 *
 * α   angular acceleration of the free rotation            r   center of mass less the joint, = exp(φ) c
 * s   displacement of a free joint
 */
import { atan2, cos, sin } from "../../math/deterministic";
import { add, inverse3, matrixProduct, times, timesTransposed, transposed, type Matrix3 } from "../../math/matrix3";
import { product } from "../../math/quaternions";
import type { Quat, Vec3 } from "../../math/types";
import { cross, dot, norm, scaled, subtract } from "../../math/vectors";
import {
  leftJacobian,
  leftJacobianAcceleration,
  leftJacobianRate,
  rotationCoefficients,
  rotationOf,
} from "../joints/rotation-vector";
import { Rotor } from "../joints/rotor";
import { segmentKind } from "../joints/segments";
import { type ArticulatedModel, WORLD } from "../model";

/** A direction of change of the inputs of a joint's step. */
export interface RotationChange {
  /** change of φ and φ̇ before the step */
  readonly phi: Vec3;
  readonly rate: Vec3;
  /** change of q̇' as solved for: φ̇' and ṡ' */
  readonly nextRate: Vec3;
  readonly nextSlide: Vec3;
  /** change of the inertia of a free rotation, and of c */
  readonly inertia?: Matrix3;
  readonly centre?: Vec3;
}

/** The resulting change of the results of a step. */
export interface RotationResult {
  /** change of Δφ̇ and Δṡ */
  readonly shiftRate: Vec3;
  readonly shiftSlide: Vec3;
  /** change of φ', φ̇', s' (for fixed s) and ṡ' */
  readonly phi: Vec3;
  readonly rate: Vec3;
  readonly slide: Vec3;
  readonly slideRate: Vec3;
}

const none: Vec3 = [0, 0, 0];
const buffer = new Float64Array(9);
const pair = new Float64Array(3);
const otherPair = new Float64Array(3);

/** The rotation vector of one joint. */
export class RotationJoint {
  /** First degree of freedom of the displacement of a free joint; `WORLD` if no center of mass is followed. */
  slide: number = WORLD;
  /** Whether the link rotates freely and has inertia about all axes. */
  free = false;
  /** Whether no other link is before or behind it. */
  private readonly alone: boolean = this.model.parent[this.link] === WORLD && !this.model.parent.includes(this.link);
  private readonly follows: boolean;
  private readonly rotor = new Rotor();
  private readonly at = new Float64Array(3);
  private readonly velocity = new Float64Array(3);
  inertia: Matrix3 = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  centre: Vec3 = none;
  private rotation: Matrix3 = this.inertia;
  private jacobian: Matrix3 = this.inertia;
  private inverseJacobian: Matrix3 = this.inertia;
  /** ω, ω in the body, J̇φ̇, ω_r, α and Δφ̇ */
  private omega: Vec3 = none;
  private bodyOmega: Vec3 = none;
  private drift: Vec3 = none;
  private freeOmega: Vec3 = none;
  private alpha: Vec3 = none;
  private shiftRate: Vec3 = none;
  private turned: Quat = [0, 0, 0, 1];
  private turnedVelocity: Vec3 = none;
  /** results of the last `finish` */
  private next: Vec3 = none;
  private nextOmega: Vec3 = none;
  private nextRate: Vec3 = none;
  private nextInverse: Matrix3 = this.inertia;
  private nextArm: Vec3 = none;
  private excess: Vec3 = none;

  constructor(
    private readonly model: ArticulatedModel,
    readonly link: number,
    readonly dof: number,
  ) {
    const type = model.jointTypes[link];
    this.follows = type === "free";
  }

  /** Begins a step; adds Δq̇ to `shift`. */
  start(q: Float64Array, qd: Float64Array, dt: number, shift: Float64Array): void {
    const { at, velocity, dof } = this;
    for (let c = 0; c < 3; c++) {
      at[c] = q[dof + c];
      velocity[c] = qd[dof + c];
    }
    rotationCoefficients(at[0] ** 2 + at[1] ** 2 + at[2] ** 2);
    leftJacobian(at[0], at[1], at[2], buffer);
    this.jacobian = matrixOf(buffer);
    this.inverseJacobian = inverse3(this.jacobian);
    rotationOf(at[0], at[1], at[2], buffer);
    this.rotation = matrixOf(buffer);
    const rate = vectorOf(velocity);
    leftJacobianRate(at, velocity, 0, buffer);
    this.drift = times(matrixOf(buffer), rate);
    this.omega = times(this.jacobian, rate);
    let miss = scaled(this.drift, dt);
    this.readBody();
    if (!this.free) {
      this.freeOmega = none;
      this.turned = [0, 0, 0, 1];
    } else {
      this.bodyOmega = timesTransposed(this.rotation, this.omega);
      const { rotation, velocity: after } = this.rotor.advance(this.inertia, this.bodyOmega, dt);
      this.turned = rotation;
      this.turnedVelocity = after;
      this.freeOmega = times(this.rotation, turnedBy(rotation, after));
      this.alpha = times(this.rotation, this.gyration(this.bodyOmega));
      const change = add(subtract(this.freeOmega, this.omega), scaled(this.alpha, -dt));
      miss = add(miss, change);
      if (this.slide !== WORLD) {
        const arm = times(this.rotation, this.centre);
        const bend = scaled(cross(this.omega, cross(this.omega, arm)), dt);
        addTo(shift, this.slide, subtract(bend, cross(change, arm)));
      }
    }
    this.shiftRate = times(this.inverseJacobian, miss);
    addTo(shift, dof, this.shiftRate);
  }

  /** Computes the state after the step from q̇' as solved for, into `outQ` and `outQd`. @param q coordinates before */
  finish(q: Float64Array, solved: Float64Array, dt: number, outQ: Float64Array, outQd: Float64Array): void {
    const { dof, slide } = this;
    const omega = times(this.jacobian, [solved[dof], solved[dof + 1], solved[dof + 2]]);
    const excess = subtract(omega, this.freeOmega);
    const { at } = this;
    const phi = vectorOf(at);
    const moved = product(product(quaternionOf(scaled(excess, dt)), quaternionOf(phi)), this.turned);
    const expected: Vec3 = [at[0] + dt * solved[dof], at[1] + dt * solved[dof + 1], at[2] + dt * solved[dof + 2]];
    const next = nearest(moved, expected);
    rotationCoefficients(dot(next, next));
    leftJacobian(next[0], next[1], next[2], buffer);
    this.nextInverse = inverse3(matrixOf(buffer));
    this.next = next;
    this.nextOmega = omega;
    this.excess = excess;
    this.nextRate = times(this.nextInverse, omega);
    set(outQ, dof, next);
    set(outQd, dof, this.nextRate);
    if (slide === WORLD) return;
    const arm = times(this.rotation, this.centre);
    this.nextArm = turnedBy(moved, this.centre);
    const mass: Vec3 = add([solved[slide], solved[slide + 1], solved[slide + 2]], cross(omega, arm));
    set(outQ, slide, add([q[slide], q[slide + 1], q[slide + 2]], subtract(add(arm, scaled(mass, dt)), this.nextArm)));
    set(outQd, slide, subtract(mass, cross(omega, this.nextArm)));
  }

  /** Change of the last `start` and `finish`. */
  differentiate(change: RotationChange, dt: number): RotationResult {
    const { jacobian, omega, rotation } = this;
    const rate = vectorOf(this.velocity);
    const { phi } = change;
    const turn = times(jacobian, phi);
    const omegaChange = add(times(jacobian, change.rate), this.rateTimes(phi, rate));
    const driftChange = add(
      this.driftChange(phi),
      add(this.rateTimes(change.rate, rate), this.rateTimes(rate, change.rate)),
    );
    let missChange = scaled(driftChange, dt);
    let freeChange: Vec3 = none;
    let own: Vec3 = none;
    let shiftSlide: Vec3 = none;
    const arm = times(rotation, this.centre);
    const armChange = add(cross(turn, arm), change.centre === undefined ? none : times(rotation, change.centre));
    if (this.free) {
      const body = timesTransposed(rotation, subtract(omegaChange, cross(turn, omega)));
      const result = this.rotor.differentiate(this.inertia, body, change.inertia);
      own = result.turn;
      const spun = turnedBy(this.turned, add(cross(own, this.turnedVelocity), result.velocity));
      freeChange = add(cross(turn, this.freeOmega), times(rotation, spun));
      const alphaChange = add(cross(turn, this.alpha), times(rotation, this.gyrationChange(body, change.inertia)));
      const part = add(subtract(freeChange, omegaChange), scaled(alphaChange, -dt));
      missChange = add(missChange, part);
      if (this.slide !== WORLD) {
        const miss = add(subtract(this.freeOmega, omega), scaled(this.alpha, -dt));
        const inner = cross(omega, arm);
        const innerChange = add(cross(omegaChange, arm), cross(omega, armChange));
        const bend = add(cross(omegaChange, inner), cross(omega, innerChange));
        shiftSlide = subtract(scaled(bend, dt), add(cross(part, arm), cross(miss, armChange)));
      }
    }
    const shiftRate = times(this.inverseJacobian, subtract(missChange, this.rateTimes(phi, this.shiftRate)));
    // q̇' of the last `finish`
    const solved = times(this.inverseJacobian, this.nextOmega);
    const nextOmegaChange = add(times(jacobian, change.nextRate), this.rateTimes(phi, solved));
    const excessChange = scaled(subtract(nextOmegaChange, freeChange), dt);
    const pushed = scaled(this.excess, dt);
    rotationCoefficients(dot(pushed, pushed));
    leftJacobian(pushed[0], pushed[1], pushed[2], buffer);
    const first = times(matrixOf(buffer), excessChange);
    const inner = add(turn, times(rotation, turnedBy(this.turned, own)));
    const left = add(first, turnedBy(quaternionOf(pushed), inner));
    const nextPhi = times(this.nextInverse, left);
    const nextRate = times(
      this.nextInverse,
      subtract(nextOmegaChange, jacobianRate(this.next, nextPhi, this.nextRate)),
    );
    if (this.slide === WORLD)
      return { shiftRate, shiftSlide, phi: nextPhi, rate: nextRate, slide: none, slideRate: none };
    const { nextArm, nextOmega } = this;
    const massChange = add(change.nextSlide, add(cross(nextOmegaChange, arm), cross(nextOmega, armChange)));
    const nextArmChange = add(
      cross(left, nextArm),
      change.centre === undefined ? none : turnedBy(quaternionOf(this.next), change.centre),
    );
    const slide = subtract(add(armChange, scaled(massChange, dt)), nextArmChange);
    const slideRate = subtract(massChange, add(cross(nextOmegaChange, nextArm), cross(nextOmega, nextArmChange)));
    return { shiftRate, shiftSlide, phi: nextPhi, rate: nextRate, slide, slideRate };
  }

  /** (∂J/∂φ · a) b */
  private rateTimes(a: Vec3, b: Vec3): Vec3 {
    return jacobianRate(vectorOf(this.at), a, b);
  }

  /** (∂²J · φ̇ · a) φ̇, by polarization of the second derivative along one direction. */
  private driftChange(a: Vec3): Vec3 {
    const { at, velocity } = this;
    rotationCoefficients(at[0] ** 2 + at[1] ** 2 + at[2] ** 2);
    for (let c = 0; c < 3; c++) {
      pair[c] = velocity[c] + a[c];
      otherPair[c] = velocity[c] - a[c];
    }
    const rate = vectorOf(velocity);
    leftJacobianAcceleration(at, pair, undefined, 0, buffer);
    const sum = times(matrixOf(buffer), rate);
    leftJacobianAcceleration(at, otherPair, undefined, 0, buffer);
    return scaled(subtract(sum, times(matrixOf(buffer), rate)), 0.25);
  }

  /** K (B ω × ω) */
  private gyration(omega: Vec3): Vec3 {
    return times(inverse3(this.inertia), cross(times(this.inertia, omega), omega));
  }

  private gyrationChange(omegaChange: Vec3, inertiaChange: Matrix3 | undefined): Vec3 {
    const { inertia, bodyOmega } = this;
    let load = add(cross(times(inertia, omegaChange), bodyOmega), cross(times(inertia, bodyOmega), omegaChange));
    if (inertiaChange !== undefined) {
      load = add(load, cross(times(inertiaChange, bodyOmega), bodyOmega));
      load = subtract(load, times(inertiaChange, this.gyration(bodyOmega)));
    }
    return times(inverse3(inertia), load);
  }

  /**
   * Inertia of the link about its center of mass or, on a ball joint, about the joint, in the axes that turn with the
   * link.
   */
  readBody(): { readonly inertia: Matrix3; readonly centre: Vec3 } {
    this.free = this.alone && !this.hasArmature();
    if (!this.free) return this;
    this.slide = this.follows ? this.dof + 3 : WORLD;
    this.centre = this.slide === WORLD ? none : this.armOf(this.link);
    const inertia = this.inBody(this.inertiaInLink());
    this.inertia = inertia;
    // A rod has no inertia about its own axis.
    const size = inertia[0] + inertia[4] + inertia[8];
    this.free = determinant(inertia) > 1e-15 * size * size * size;
    if (!this.free) {
      this.slide = WORLD;
      this.centre = none;
    }
    return this;
  }

  /** Identification may change it. */
  private hasArmature(): boolean {
    const first = this.model.linkDof[this.link];
    for (let k = 0; k < this.model.linkDofCount[this.link]; k++) if (this.model.armature[first + k] !== 0) return true;
    return false;
  }

  private armOf(link: number): Vec3 {
    const { centerOfMass: c, childPosition: p } = this.model;
    const i = 3 * link;
    return timesTransposed(this.childTurn(), [c[i] - p[i], c[i + 1] - p[i + 1], c[i + 2] - p[i + 2]]);
  }

  private inertiaInLink(): Matrix3 {
    const { model, link } = this;
    const own = symmetric(model.inertia.subarray(6 * link, 6 * link + 6));
    if (this.slide !== WORLD) return own;
    const arm = times(this.childTurn(), this.armOf(link));
    return sum(own, spread(arm, arm), model.mass[link]);
  }

  private inBody(inLink: Matrix3): Matrix3 {
    const turn = this.childTurn();
    return matrixProduct(matrixProduct(transposed(turn), inLink), turn);
  }

  private childTurn(): Matrix3 {
    return matrixOf(this.model.childRotation, 9 * this.link);
  }

  /**
   * Changes of B and c by a parameter of the link: of mass, inertia (component) or center of mass minus joint
   * (direction).
   */
  bodyChange(mass: number, inertia: number, rate: number, arm: Vec3): { inertia: Matrix3; centre: Vec3 } {
    const { model, link } = this;
    const parts = new Float64Array(6);
    if (inertia >= 0) parts[inertia] = rate;
    let change = symmetric(parts);
    if (this.slide !== WORLD) return { inertia: this.inBody(change), centre: timesTransposed(this.childTurn(), arm) };
    const now = times(this.childTurn(), this.armOf(link));
    change = sum(change, spread(now, now), mass);
    change = sum(change, spread(now, arm), 2 * model.mass[link]);
    return { inertia: this.inBody(change), centre: none };
  }
}

/** The joints of a mechanism with rotation vectors. */
export function rotationJoints(model: ArticulatedModel): RotationJoint[] {
  const joints: RotationJoint[] = [];
  for (let i = 0; i < model.linkCount; i++)
    for (let s = model.segmentStart[i]; s < model.segmentStart[i + 1]; s++)
      if (model.segmentKind[s] === segmentKind.rotationVector)
        joints.push(new RotationJoint(model, i, model.segmentDof[s]));
  return joints;
}

/** The rotation vector of a quaternion: the one of the two below a full turn that is closer to a given vector. */
function nearest([x, y, z, w]: Quat, to: Vec3): Vec3 {
  const sine = Math.sqrt(x * x + y * y + z * z);
  // no turn, or a full turn about any axis
  if (sine < 1e-150) return none;
  const angle = 2 * atan2(sine, w);
  const one = scaled([x, y, z], angle / sine);
  const other = scaled([x, y, z], (angle - 2 * Math.PI) / sine);
  return norm(subtract(one, to)) <= norm(subtract(other, to)) ? one : other;
}

function quaternionOf(phi: Vec3): Quat {
  const angle = norm(phi);
  const scale = angle < 1e-4 ? 0.5 - (angle * angle) / 48 : sin(0.5 * angle) / angle;
  return [phi[0] * scale, phi[1] * scale, phi[2] * scale, cos(0.5 * angle)];
}

function turnedBy([x, y, z, w]: Quat, v: Vec3): Vec3 {
  const u: Vec3 = [x, y, z];
  const t = scaled(cross(u, v), 2);
  return add(v, add(scaled(t, w), cross(u, t)));
}

const direction = new Float64Array(3);
const place = new Float64Array(3);

function jacobianRate(phi: Vec3, a: Vec3, b: Vec3): Vec3 {
  set(place, 0, phi);
  set(direction, 0, a);
  rotationCoefficients(dot(phi, phi));
  leftJacobianRate(place, direction, 0, buffer);
  return times(matrixOf(buffer), b);
}

function determinant(m: Matrix3): number {
  return dot([m[0], m[1], m[2]], cross([m[3], m[4], m[5]], [m[6], m[7], m[8]]));
}

function symmetric([xx, yy, zz, xy, xz, yz]: Float64Array): Matrix3 {
  return [xx, xy, xz, xy, yy, yz, xz, yz, zz];
}

/** a·b 1 − (a bᵀ + b aᵀ)/2 */
function spread(a: Vec3, b: Vec3): Matrix3 {
  const d = dot(a, b);
  const entry = (r: number, c: number): number => (r === c ? d : 0) - 0.5 * (a[r] * b[c] + b[r] * a[c]);
  const [xy, xz, yz] = [entry(0, 1), entry(0, 2), entry(1, 2)];
  return [entry(0, 0), xy, xz, xy, entry(1, 1), yz, xz, yz, entry(2, 2)];
}

function sum(a: Matrix3, b: Matrix3, scale: number): Matrix3 {
  return a.map((value, i) => value + scale * b[i]) as unknown as Matrix3;
}

function matrixOf(a: Float64Array, i = 0): Matrix3 {
  return [a[i], a[i + 1], a[i + 2], a[i + 3], a[i + 4], a[i + 5], a[i + 6], a[i + 7], a[i + 8]];
}

function vectorOf(a: ArrayLike<number>): Vec3 {
  return [a[0], a[1], a[2]];
}

function set(out: Float64Array, at: number, v: Vec3): void {
  for (let c = 0; c < 3; c++) out[at + c] = v[c];
}

function addTo(out: Float64Array, at: number, v: Vec3): void {
  for (let c = 0; c < 3; c++) out[at + c] += v[c];
}
