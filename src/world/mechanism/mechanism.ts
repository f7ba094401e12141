import { addWrenches } from "../../articulated/dynamics/jacobian";
import { updateKinematics, updatePositions } from "../../articulated/dynamics/kinematics";
import { factorMassMatrix, massMatrix, solveMass } from "../../articulated/dynamics/mass-matrix";
import { linkPose, type LinkPose } from "../../articulated/link-pose";
import { WORLD } from "../../articulated/model";
import { ArticulatedScratch } from "../../articulated/scratch";
import type { ArticulatedSimulation } from "../../articulated/step/simulation";
import { PliantError } from "../../errors";
import type { Vec3 } from "../../math/types";
import type { LinkageLimit } from "../../solvers/newton/linkage/linkage";
import { TWIST_SIZE } from "../../solvers/newton/motion/bodies";
import type { RigidBodyOptions } from "../rigid/body-options";
import type { RigidBody } from "../rigid/rigid-body";
import type { WorldLinkage } from "../rigid/linked-bodies";
import type { RigidWorld } from "../rigid/rigid-world";
import { Signal } from "../signal";
import { FreeRoot, freeRootOf } from "./free-root";
import { MechanismLink } from "./mechanism-link";

/** Part of the range of a coordinate within which its limits count in a step. */
const NEAR_LIMIT = 0.05;

/** What a mechanism in a world is made of. */
export interface MechanismParts {
  readonly simulation: ArticulatedSimulation;
  /** [s] */
  readonly maxTimeStep: number;
  /** whom its links meet */
  readonly meets: RigidBodyOptions["meets"] | "none";
}

/**
 * A mechanism in a world: its links are bodies among the others, which answer to what pushes them together, by J M⁻¹ Jᵀ, in the same
 * step. Made by `World.addMechanism`.
 *
 * The step of the mechanism is taken twice: once as if nothing touched it, from which contacts and limits find their impulses, and
 * once with these as forces that act through the step.
 */
export class Mechanism implements WorldLinkage {
  readonly name: string;
  /** State, controls and derivatives; the world steps it. */
  readonly simulation: ArticulatedSimulation;
  /** Its state turned non-finite, and it stands still since then; the rest of the world goes on. */
  readonly onFrozen = new Signal<PliantError>();
  /** @internal */
  readonly bodies: readonly RigidBody[];
  /** @internal */
  readonly limits: LinkageLimit[] = [];
  readonly maxTimeStep: number;
  private readonly links: readonly MechanismLink[];
  private readonly moving: readonly MechanismLink[];
  private readonly scratch: ArticulatedScratch;
  /** how long the step is that is predicted, 0 for none [s] */
  private predicted = 0;
  private readonly freeQ: Float64Array;
  private readonly freeRates: Float64Array;
  private readonly hasLimits: boolean;
  /** of one that nothing holds */
  private readonly root: FreeRoot | undefined;
  /** forces from outside in this frame, on links and on coordinates */
  private readonly wrenches: Float64Array;
  private readonly external: Float64Array;
  private readonly forces: Float64Array;
  private readonly controls: Float64Array;
  private frozen = false;
  private disposed = false;

  /** @internal */
  constructor(
    { simulation, maxTimeStep, meets }: MechanismParts,
    private readonly rigid: RigidWorld,
    private readonly onDispose: (mechanism: Mechanism) => void,
  ) {
    const { model: compiled } = simulation;
    this.name = compiled.name;
    this.simulation = simulation;
    this.maxTimeStep = maxTimeStep;
    this.hasLimits = simulation.contactStep.limits;
    this.scratch = new ArticulatedScratch(compiled);
    const dof = freeRootOf(compiled);
    this.root = dof === undefined ? undefined : new FreeRoot(this.scratch, dof);
    const vector = (): Float64Array => new Float64Array(compiled.nv);
    [this.freeQ, this.freeRates, this.external] = [vector(), vector(), vector()];
    [this.forces, this.controls] = [vector(), vector()];
    this.wrenches = new Float64Array(6 * compiled.linkCount);
    updatePositions(this.scratch, simulation.q);
    const links: MechanismLink[] = [];
    try {
      for (let link = 0; link < compiled.linkCount; link++)
        if (compiled.shapes[link].length > 0 && meets !== "none")
          links.push(new MechanismLink(rigid, this, compiled, link, linkPose(this.scratch, link), meets));
    } catch (error) {
      for (const link of links) link.body.dispose();
      throw error;
    }
    this.links = links;
    this.moving = links.filter(({ isFixed }) => !isFixed);
    this.bodies = this.moving.map(({ body }) => body);
    rigid.linked.add(this);
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Whether it stands still because its state was no longer finite; see `onFrozen`. */
  get isFrozen(): boolean {
    return this.frozen;
  }

  /** Where a link is, by number or name. */
  poseOf(link: string | number): LinkPose {
    return linkPose(this.scratch, typeof link === "number" ? link : this.simulation.model.linkIndex(link));
  }

  /** The body that others meet of a link; undefined for one without shapes. */
  bodyOf(link: string | number): RigidBody | undefined {
    const index = typeof link === "number" ? link : this.simulation.model.linkIndex(link);
    return this.links.find((each) => each.link === index)?.body;
  }

  /** What contacts pushed a link with over the last frame [N]; of those with bodies of `gpbd` and `local-global`, over the frame before. */
  contactForceOf(link: string | number): Vec3 {
    const index = typeof link === "number" ? link : this.simulation.model.linkIndex(link);
    return this.links.find((each) => each.link === index)?.force ?? [0, 0, 0];
  }

  /**
   * Pulls at a link through the next frame.
   *
   * @param force [N]
   * @param point in the world [m]
   * @throws PliantError for a link that there is not
   */
  applyForce(link: string | number, force: Vec3, point: Vec3): void {
    const index = typeof link === "number" ? link : this.simulation.model.linkIndex(link);
    this.addWrench(index, force, point);
  }

  /** Its coordinates were written: links are at once where these say. */
  place(): void {
    updatePositions(this.scratch, this.simulation.q);
    this.predicted = 0;
    this.frozen = false;
    for (const link of this.links) link.teleport(linkPose(this.scratch, link.link));
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.rigid.linked.remove(this);
    for (const { body } of this.links) body.dispose();
    this.onDispose(this);
  }

  // What the solver sees of it.

  /** @internal */
  get size(): number {
    return this.simulation.nv;
  }

  /** @internal */
  get slots(): readonly number[] {
    return this.bodies.map(({ record }) => record.slot);
  }

  /** @internal */
  beginFrame(dt: number): void {
    for (const link of this.links) link.beginFrame(dt);
    for (const { gravity } of [this.simulation.contactStep.scratch, this.scratch]) gravity.set(this.rigid.gravity);
    updatePositions(this.scratch, this.simulation.q);
    this.external.fill(0);
    addWrenches(this.scratch, this.wrenches, this.external);
    this.wrenches.fill(0);
  }

  /** @internal */
  endFrame(): void {
    for (const link of this.links) link.endFrame();
  }

  /** @internal */
  predict(h: number): void {
    if (this.predicted === h) return;
    const { simulation, scratch, freeQ, freeRates } = this;
    this.predicted = h;
    this.limits.length = 0;
    freeRates.fill(0);
    if (!this.frozen) {
      freeQ.set(simulation.q);
      freeRates.set(simulation.qd);
      simulation.contactStep.limits = false;
      this.forces.set(this.external);
      this.attempt(() => this.advance(h, freeQ, freeRates));
      simulation.contactStep.limits = this.hasLimits;
    }
    updateKinematics(scratch, simulation.q, simulation.qd);
    massMatrix(scratch, h);
    factorMassMatrix(scratch);
    if (this.hasLimits) this.findLimits(h);
    this.writeTwists(freeRates);
  }

  /** @internal */
  finish(impulse: Float64Array | undefined): void {
    const { simulation, predicted: h, scratch } = this;
    if (h === 0 || this.frozen) return;
    const isPushed = impulse?.every(Number.isFinite) === true;
    if (isPushed || this.hasLimits) {
      this.freeQ.set(simulation.q);
      this.freeRates.set(simulation.qd);
      for (let k = 0; k < this.size; k++) this.forces[k] = this.external[k] + (isPushed ? impulse[k] / h : 0);
      this.attempt(() => this.advance(h, this.freeQ, this.freeRates));
    } else this.forces.set(this.external);
    this.predicted = 0;
    if (this.frozen) return;
    if (this.root) {
      for (let k = 0; k < this.size; k++) this.controls[k] = h * (simulation.control[k] + this.forces[k]);
      this.root.expect(h, this.controls);
      this.root.settle(this.freeQ, this.freeRates);
    }
    simulation.q.set(this.freeQ);
    simulation.qd.set(this.freeRates);
    updatePositions(scratch, simulation.q);
    for (const link of this.links) link.put(linkPose(scratch, link.link));
    this.writeTwists(simulation.qd);
    for (const link of this.links) link.hear();
  }

  /** @internal */
  addForce(k: number, wrench: Float64Array, at: number, out: Float64Array, to: number): void {
    const { model, motion } = this.scratch;
    const { link, body } = this.moving[k];
    const [x, y, z] = body.position;
    const [px, py, pz] = [wrench[at], wrench[at + 1], wrench[at + 2]];
    const tx = wrench[at + 3] + y * pz - z * py;
    const ty = wrench[at + 4] + z * px - x * pz;
    const tz = wrench[at + 5] + x * py - y * px;
    for (let d = model.linkLastDof[link]; d !== WORLD; d = model.dofParent[d]) {
      const s = 6 * d;
      out[to + d] += motion[s] * tx + motion[s + 1] * ty + motion[s + 2] * tz;
      out[to + d] += motion[s + 3] * px + motion[s + 4] * py + motion[s + 5] * pz;
    }
  }

  /** @internal */
  respond(x: Float64Array): void {
    solveMass(this.scratch, x);
  }

  /** @internal */
  addTwist(k: number, rates: Float64Array, out: Float64Array, at: number): void {
    const { model, motion } = this.scratch;
    const { link, body } = this.moving[k];
    const [x, y, z] = body.position;
    for (let d = model.linkLastDof[link]; d !== WORLD; d = model.dofParent[d]) {
      const s = 6 * d;
      const [wx, wy, wz] = [motion[s], motion[s + 1], motion[s + 2]];
      out[at] += rates[d] * (motion[s + 3] + wy * z - wz * y);
      out[at + 1] += rates[d] * (motion[s + 4] + wz * x - wx * z);
      out[at + 2] += rates[d] * (motion[s + 5] + wx * y - wy * x);
      out[at + 3] += rates[d] * wx;
      out[at + 4] += rates[d] * wy;
      out[at + 5] += rates[d] * wz;
    }
  }

  /** @internal what others did to a link acts through the next frame. */
  addWrench(link: number, force: Vec3, [x, y, z]: Vec3, torque: Vec3 = [0, 0, 0]): void {
    const [fx, fy, fz] = force;
    const moment = [y * fz - z * fy, z * fx - x * fz, x * fy - y * fx];
    for (let c = 0; c < 3; c++) {
      this.wrenches[6 * link + c] += moment[c] + torque[c];
      this.wrenches[6 * link + 3 + c] += force[c];
    }
  }

  /** A step of h [s] in as many as it needs, in place. */
  private advance(h: number, q: Float64Array, rates: Float64Array): void {
    const { simulation, controls, forces } = this;
    const steps = Math.max(1, Math.ceil(h / this.maxTimeStep - 1e-9));
    simulation.timeStep = h / steps;
    for (let k = 0; k < this.size; k++) controls[k] = simulation.control[k] + forces[k];
    for (let n = 0; n < steps; n++) simulation.advance(q, rates, controls, q, rates);
  }

  private attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof PliantError)) throw error;
      this.frozen = true;
      this.freeRates.fill(0);
      this.onFrozen.notify(error);
    }
  }

  private findLimits(h: number): void {
    const { simulation, freeRates, limits } = this;
    const { lower, upper } = simulation.model;
    for (let coordinate = 0; coordinate < this.size; coordinate++) {
      const rate = freeRates[coordinate];
      const near = NEAR_LIMIT * (upper[coordinate] - lower[coordinate]) + 2 * h * Math.abs(rate);
      const below = simulation.q[coordinate] - lower[coordinate];
      const above = upper[coordinate] - simulation.q[coordinate];
      if (Number.isFinite(below) && below < near) limits.push({ coordinate, side: 1, gap: below, rate });
      if (Number.isFinite(above) && above < near) limits.push({ coordinate, side: -1, gap: above, rate });
    }
  }

  /** Velocities of the bodies of links, at the poses where they are. */
  private writeTwists(rates: Float64Array): void {
    const { velocity } = this.rigid.dynamics.bodies.state;
    this.bodies.forEach(({ record }, k) => {
      const at = TWIST_SIZE * record.slot;
      velocity.fill(0, at, at + TWIST_SIZE);
      this.addTwist(k, rates, velocity, at);
    });
  }
}
