import { checkAllFinite, checkFinite } from "../checks";
import { invalid } from "../errors";
import type { Frame, InertiaTensor, JointDescription, LinkShape, MechanismDescription, PerDof } from "./description";
import { unitQuaternion } from "../math/quaternions";
import type { Quat, Vec3 } from "../math/types";
import { degreesOfFreedom } from "./joints/degrees-of-freedom";
import { segmentsOf } from "./joints/segments";
import { checkInertia, perDof, validateMechanism } from "./validate";

/** Parent of a link or degree of freedom that is attached to the world. */
export const WORLD = -1;

/** A `JointCoupling` between degrees of freedom; the driver is −1 if there is none. */
export interface CompiledCoupling {
  readonly dof: number;
  readonly driver: number;
  readonly coefficients: readonly number[];
}

/** A `LinkClosure` between links by number; `WORLD` is allowed for the second. */
export interface CompiledClosure {
  readonly linkA: number;
  readonly linkB: number;
  readonly pointA: Vec3;
  readonly pointB: Vec3;
  readonly rotation: Quat | undefined;
}

/**
 * A mechanism, compiled to flat arrays of data that do not change while it moves. The state is a pair of arrays q, q̇
 * of length `nv`; all other variable data are in an `ArticulatedScratch`.
 *
 * Links are numbered parents first, degrees of freedom in the order of their links. Matrices are row-major; arrays per
 * link or degree of freedom have the stated stride. Inertial parameters, frames and joint coefficients may be changed
 * between steps (system identification does); the structure may not.
 */
export class ArticulatedModel {
  private readonly links = validateMechanism(this.description);
  readonly name: string = this.description.name;
  readonly linkCount: number = this.links.length;
  /** Number of coordinates. */
  readonly nq: number = this.links.reduce((sum, { joint }) => sum + degreesOfFreedom[joint.type], 0);
  /** Number of degrees of freedom; q̇ is dq/dt, so it equals nq. */
  readonly nv: number = this.nq;
  readonly linkNames: readonly string[] = this.links.map((link) => link.name);
  /** Name of the joint of each link. */
  readonly jointNames: readonly string[] = this.links.map((link) => link.joint.name ?? link.name);
  readonly jointTypes: readonly JointDescription["type"][] = this.links.map((link) => link.joint.type);
  /** Collision shapes of each link. */
  readonly shapes: readonly (readonly LinkShape[])[] = this.links.map((link) => link.shapes ?? []);

  /** Parent of each link, or `WORLD`. */
  readonly parent = Int32Array.from(this.links, ({ parent }) =>
    parent === undefined ? WORLD : this.linkNames.indexOf(parent),
  );
  /** First degree of freedom of the joint of each link, and their number. */
  readonly linkDof = new Int32Array(this.linkCount);
  readonly linkDofCount = Int32Array.from(this.links, ({ joint }) => degreesOfFreedom[joint.type]);
  /** Last degree of freedom on the way from the world to each link, its own included; `WORLD` if nothing moves it. */
  readonly linkLastDof = new Int32Array(this.linkCount);
  /** Link that each degree of freedom belongs to. */
  readonly dofLink = new Int32Array(this.nv);
  /** The previous degree of freedom in the joint, otherwise the last one of the links above; `WORLD` at the root. */
  readonly dofParent = new Int32Array(this.nv);
  /** Chains of `dofParent`: the ancestors of k, itself excluded, nearest first, are support[supportStart[k] … supportStart[k + 1] - 1]. */
  readonly supportStart = new Int32Array(this.nv + 1);
  readonly support: Int32Array;
  /**
   * Degrees of freedom that are ancestors or descendants of k, or k itself, as runs [from, to) of neighbors: those
   * between related[relatedStart[k]] and related[relatedStart[k + 1]], two numbers each.
   */
  readonly relatedStart = new Int32Array(this.nv + 1);
  readonly related: Int32Array;

  /** Joint frame in the parent: rotation (9 a link), position (3 a link) [m]. */
  readonly parentRotation = new Float64Array(9 * this.linkCount);
  readonly parentPosition = new Float64Array(3 * this.linkCount);
  /** Joint frame in the link: rotation (9 a link), position (3 a link) [m]. */
  readonly childRotation = new Float64Array(9 * this.linkCount);
  readonly childPosition = new Float64Array(3 * this.linkCount);
  /** 1 if the rotation above is not the identity. */
  readonly parentTurned = new Uint8Array(this.linkCount);
  readonly childTurned = new Uint8Array(this.linkCount);

  /** Segments of the joints (see joints/segments.ts): those of link i are segmentStart[i] … segmentStart[i + 1] - 1. */
  readonly segmentStart = new Int32Array(this.linkCount + 1);
  readonly segmentKind: Uint8Array;
  /** First degree of freedom of the segment. */
  readonly segmentDof: Int32Array;
  readonly segmentAxis: Float64Array;
  readonly segmentPitch: Float64Array;

  /** [kg], one for each link */
  readonly mass = Float64Array.from(this.links, (link) => link.mass);
  /** Center of mass in the link's axes [m], 3 a link. */
  readonly centerOfMass = new Float64Array(3 * this.linkCount);
  /** Inertia about the center of mass, in the link's axes, xx yy zz xy xz yz [kg·m²], 6 a link. */
  readonly inertia = new Float64Array(6 * this.linkCount);
  /** Part of the weight of each link that is carried. */
  readonly gravityCompensation = Float64Array.from(this.links, (link) => link.gravityCompensation ?? 0);

  /** Per degree of freedom, units as in `JointDescription`. */
  readonly lower = this.perCoordinate((joint) => joint.lower, -Infinity);
  readonly upper = this.perCoordinate((joint) => joint.upper, Infinity);
  readonly stiffness = this.perCoordinate((joint) => joint.stiffness, 0);
  readonly restPosition = this.perCoordinate((joint) => joint.restPosition, 0);
  readonly damping = this.perCoordinate((joint) => joint.damping, 0);
  readonly armature = this.perCoordinate((joint) => joint.armature, 0);
  readonly frictionLoss = this.perCoordinate((joint) => joint.frictionLoss, 0);
  readonly effortLimit = this.perCoordinate((joint) => joint.effortLimit, Infinity);
  readonly velocityLimit = this.perCoordinate((joint) => joint.velocityLimit, Infinity);
  readonly initialPosition = this.perCoordinate((joint) => joint.initialPosition, 0);
  readonly initialVelocity = this.perCoordinate((joint) => joint.initialVelocity, 0);
  readonly couplings: readonly CompiledCoupling[];
  readonly closures: readonly CompiledClosure[];

  /**
   * @throws PliantError `invalid-argument` or `non-finite`: cycles, unknown parents, names used twice, massless chains,
   * non-positive inertia, arrays of a wrong length, numbers that are not finite
   */
  constructor(readonly description: MechanismDescription) {
    const { links, linkCount: n } = this;
    const segments = links.map((link) => segmentsOf(link.joint, `${this.objectOf(link.name)}.joint`));

    for (let i = 0, dof = 0; i < n; i++) {
      this.linkDof[i] = dof;
      let last = this.parent[i] === WORLD ? WORLD : this.linkLastDof[this.parent[i]];
      for (let d = 0; d < this.linkDofCount[i]; d++, dof++) {
        this.dofLink[dof] = i;
        this.dofParent[dof] = last;
        last = dof;
      }
      this.linkLastDof[i] = last;
    }
    const chains = Array.from(this.dofParent, (first) => {
      const chain: number[] = [];
      for (let k = first; k !== WORLD; k = this.dofParent[k]) chain.push(k);
      return chain;
    });
    this.support = Int32Array.from(chains.flat());
    chains.forEach((chain, k) => (this.supportStart[k + 1] = this.supportStart[k] + chain.length));

    const runs = runsOf(chains);
    this.related = Int32Array.from(runs.flat());
    runs.forEach((list, k) => (this.relatedStart[k + 1] = this.relatedStart[k] + list.length));

    links.forEach((link, i) => {
      this.parentTurned[i] = setFrame(link.joint.parentFrame, this.parentRotation, this.parentPosition, i);
      this.childTurned[i] = setFrame(link.joint.childFrame, this.childRotation, this.childPosition, i);
      this.centerOfMass.set(link.centerOfMass ?? [0, 0, 0], 3 * i);
      this.inertia.set(link.inertia ?? [0, 0, 0, 0, 0, 0], 6 * i);
    });

    segments.forEach((list, i) => (this.segmentStart[i + 1] = this.segmentStart[i] + list.length));
    const flat = segments.flatMap((list, link) => list.map((segment) => ({ ...segment, link })));
    this.segmentKind = Uint8Array.from(flat, (segment) => segment.kind);
    this.segmentDof = Int32Array.from(flat, (segment) => this.linkDof[segment.link] + segment.coordinate);
    this.segmentAxis = Float64Array.from(flat.flatMap((segment) => segment.axis));
    this.segmentPitch = Float64Array.from(flat, (segment) => segment.pitch);

    this.couplings = (description.couplings ?? []).map(({ joint, driver, coefficients }) => ({
      dof: this.jointDof(joint),
      driver: driver === undefined ? -1 : this.jointDof(driver),
      coefficients,
    }));
    this.closures = (description.closures ?? []).map((closure) => ({
      linkA: this.linkIndex(closure.linkA),
      linkB: closure.linkB === undefined ? WORLD : this.linkIndex(closure.linkB),
      pointA: closure.pointA ?? [0, 0, 0],
      pointB: closure.pointB ?? [0, 0, 0],
      rotation: closure.rotation === undefined ? undefined : unitQuaternion(closure.rotation),
    }));
  }

  /** Degrees of freedom that move a link, nearest first; none for `WORLD`. */
  dofsAbove(link: number): number[] {
    const chain: number[] = [];
    for (let k = link === WORLD ? WORLD : this.linkLastDof[link]; k !== WORLD; k = this.dofParent[k]) chain.push(k);
    return chain;
  }

  private perCoordinate(pick: (joint: JointDescription) => PerDof | undefined, fallback: number): Float64Array {
    const of = (joint: JointDescription): number[] =>
      Array.from({ length: degreesOfFreedom[joint.type] }, (_, d) => perDof(pick(joint), d, fallback));
    return Float64Array.from(this.links.flatMap((link) => of(link.joint)));
  }

  /**
   * @returns the number of the link
   * @throws PliantError `invalid-argument` if there is none with this name
   */
  linkIndex(name: string): number {
    const index = this.linkNames.indexOf(name);
    if (index < 0) throw invalid(this.objectOf(name), name, "must be the name of a link");
    return index;
  }

  /**
   * @returns the first degree of freedom of the joint with this name
   * @throws PliantError `invalid-argument` if there is none, or it is a weld
   */
  jointDof(name: string): number {
    const link = this.jointNames.indexOf(name);
    if (link < 0 || this.linkDofCount[link] === 0)
      throw invalid(`mechanism "${this.name}"`, name, "must be the name of a joint that moves");
    return this.linkDof[link];
  }

  /** @throws PliantError `invalid-argument` or `non-finite` unless mass ≥ 0 [kg] */
  setMass(link: number, mass: number): void {
    const object = `${this.objectOf(this.linkNames[link])}.mass`;
    checkFinite(mass, object);
    if (mass < 0) throw invalid(object, mass, "must not be negative");
    this.mass[link] = mass;
  }

  /** @throws PliantError `invalid-argument` or `non-finite` unless the tensor is positive semidefinite and not zero */
  setInertia(link: number, inertia: InertiaTensor): void {
    checkInertia(inertia, `${this.objectOf(this.linkNames[link])}.inertia`);
    this.inertia.set(inertia, 6 * link);
  }

  /**
   * @param values the caller's q, q̇, τ or the like
   * @throws PliantError `invalid-argument` for a wrong length, `non-finite` for NaN or an infinity
   */
  checkVector(values: ArrayLike<number>, what: string): void {
    const object = `mechanism "${this.name}": ${what}`;
    if (values.length !== this.nv) throw invalid(object, values.length, `length must be ${this.nv}`);
    checkAllFinite(values, object);
  }

  private objectOf(link: string): string {
    return `mechanism "${this.description.name}": link "${link}"`;
  }
}

/** For each degree of freedom, the runs [from, to) of those on its chain or with it on their chains, itself included. */
function runsOf(chains: readonly number[][]): number[][] {
  const runs = chains.map((): number[] => []);
  const append = (list: number[], j: number): void => {
    if (list.length > 0 && list[list.length - 1] === j) list[list.length - 1] = j + 1;
    else list.push(j, j + 1);
  };
  // Numbers ascend down a tree: first the chain of each, then itself, then those below it, as they come.
  chains.forEach((chain, j) => {
    for (let i = chain.length - 1; i >= 0; i--) append(runs[j], chain[i]);
    append(runs[j], j);
    for (const above of chain) append(runs[above], j);
  });
  return runs;
}

/** Writes a frame to the arrays; returns 1 if it is rotated. */
function setFrame(frame: Frame | undefined, rotations: Float64Array, positions: Float64Array, link: number): 0 | 1 {
  positions.set(frame?.position ?? [0, 0, 0], 3 * link);
  const [a, b, c, d] = frame?.rotation ?? [0, 0, 0, 1];
  const s = 2 / (a * a + b * b + c * c + d * d);
  rotations.set(
    [
      1 - s * (b * b + c * c),
      s * (a * b - c * d),
      s * (a * c + b * d),
      s * (a * b + c * d),
      1 - s * (a * a + c * c),
      s * (b * c - a * d),
      s * (a * c - b * d),
      s * (b * c + a * d),
      1 - s * (a * a + b * b),
    ],
    9 * link,
  );
  return a === 0 && b === 0 && c === 0 ? 0 : 1;
}
