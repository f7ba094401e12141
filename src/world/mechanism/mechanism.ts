import { addWrenches } from "../../articulated/dynamics/jacobian";
import { updateKinematics, updatePositions } from "../../articulated/dynamics/kinematics";
import { factorMassMatrix, massMatrix, solveMass } from "../../articulated/dynamics/mass-matrix";
import { linkPose, type LinkPose } from "../../articulated/link-pose";
import { ArticulatedScratch } from "../../articulated/scratch";
import type { ArticulatedSimulation } from "../../articulated/step/simulation";
import type { RigidProxy } from "../../collision/obstacles/rigid-proxy";
import { PliantError } from "../../errors";
import { checkNames } from "../../option-names";
import type { Vec3 } from "../../math/types";
import { cross } from "../../math/vectors";
import type { LinkageFriction, LinkageLimit } from "../../solvers/newton/linkage/linkage";
import { TWIST_SIZE } from "../../solvers/newton/motion/bodies";
import type { RigidBodyOptions } from "../rigid/body-options";
import { finiteQuat, finiteVector } from "../rigid/checks";
import type { LedFreedom } from "../rigid/contact/leader";
import type { RigidBody } from "../rigid/rigid-body";
import type { RigidWorld } from "../rigid/rigid-world";
import { Signal } from "../signal";
import { CoupledResponse } from "./coupled-response";
import { FreeRoot, freeRootOf } from "./free-root";
import { addShiftAlone, freedomAlone } from "./link-alone";
import { addLinkForce, addLinkTwist } from "./link-answer";
import { LinkIsland } from "./link-island";
import { LinkSensor, linkSensorNames, LinkSensors, type LinkSensorOptions } from "./link-sensor";
import { LinkWays } from "./link-ways";
import { type LinkPush, MechanismLink } from "./mechanism-link";
import { MechanismStep } from "./mechanism-step";
import { OwnContacts } from "./own-contacts";

/**
 * Part of an unexpected push that is expected from then on. A mechanism with a higher value would follow every blow;
 * with a lower one, a gripped body slides further until its weight is known.
 */
const TRUST = 0.2;
const ORIGIN: Vec3 = [0, 0, 0];

/** State, controls, forces from outside, and the expected pushes of each link. */
export type MechanismMemory = readonly Float64Array[];

/** Parts of a mechanism in a world. */
export interface MechanismParts {
  readonly simulation: ArticulatedSimulation;
  /** [s] */
  readonly maxTimeStep: number;
  /** bodies that its links meet */
  readonly meets: RigidBodyOptions["meets"] | "none";
  /** whether impulses of bodies of other solvers come from a GPU, frames late: these say little about the present ones */
  readonly isHeardLate: boolean;
}

/**
 * A mechanism in a world. Its links are bodies of the world. They respond to pushes jointly, by J M⁻¹ Jᵀ, in the same
 * step. Made by `World.addMechanism`.
 *
 * The step of the mechanism is taken twice. The first step is free of contacts; contacts and limits find their impulses
 * from it. The second step has these impulses as forces that act throughout it. The rigid world treats the mechanism as
 * a `WorldLinkage`, by methods that are internal.
 */
export class Mechanism {
  readonly name: string;
  /** State, controls and derivatives; the world steps it. */
  readonly simulation: ArticulatedSimulation;
  /** Notifies when the state has turned non-finite. From then on the mechanism stands still; the rest of the world goes on. */
  readonly onFrozen = new Signal<PliantError>();
  /** @internal */
  readonly bodies: readonly RigidBody[];
  /** @internal */
  readonly limits: LinkageLimit[] = [];
  /** @internal */
  readonly frictions: LinkageFriction[] = [];
  readonly maxTimeStep: number;
  private readonly links: readonly MechanismLink[];
  private readonly moving: readonly MechanismLink[];
  private readonly scratch: ArticulatedScratch;
  /** length of the predicted step, 0 if there is none [s] */
  private predicted = 0;
  private readonly step: MechanismStep;
  /** undefined for rotation vectors, whose path has another arc */
  private readonly ways: LinkWays | undefined;
  private readonly hasLimits: boolean;
  /** for coordinates that depend on others */
  private readonly coupled: CoupledResponse | undefined;
  /** for a mechanism that nothing holds */
  private readonly root: FreeRoot | undefined;
  /** forces from outside in this frame, on links and on coordinates */
  private readonly wrenches: Float64Array;
  private readonly external: Float64Array;
  private readonly own: OwnContacts;
  private readonly forces: Float64Array;
  /** Whether pushes of bodies of other solvers are taken over, and the factor of M belongs to the present pose. */
  private isSettled = false;
  /** links that were pushed as one in this frame */
  private island: LinkIsland | undefined;
  private sensors: LinkSensors | undefined;
  private frozen = false;
  private disposed = false;

  /** @internal */
  constructor(
    { simulation, maxTimeStep, meets, isHeardLate }: MechanismParts,
    private readonly rigid: RigidWorld,
  ) {
    const { model: compiled } = simulation;
    this.name = compiled.name;
    this.simulation = simulation;
    this.maxTimeStep = maxTimeStep;
    this.hasLimits = simulation.contactStep.limits;
    this.scratch = new ArticulatedScratch(compiled);
    const dof = freeRootOf(simulation);
    this.coupled = CoupledResponse.isFor(compiled) ? new CoupledResponse(compiled) : undefined;
    this.root = dof === undefined ? undefined : new FreeRoot(this.scratch, dof);
    const vector = (): Float64Array => new Float64Array(compiled.nv);
    this.step = new MechanismStep(simulation, maxTimeStep);
    this.ways = simulation.contactStep.rotations.length > 0 ? undefined : new LinkWays(compiled);
    [this.external, this.forces] = [vector(), vector()];
    this.wrenches = new Float64Array(6 * compiled.linkCount);
    this.own = new OwnContacts(compiled.linkCount);
    updatePositions(this.scratch, simulation.q);
    const links: MechanismLink[] = [];
    const trust = isHeardLate ? 0 : TRUST;
    try {
      for (let link = 0; link < compiled.linkCount; link++)
        if (compiled.shapes[link].length > 0 && meets !== "none")
          links.push(new MechanismLink(rigid, this, compiled, link, linkPose(this.scratch, link), meets, trust));
    } catch (error) {
      for (const link of links) link.body.dispose();
      throw error;
    }
    this.links = links;
    this.moving = links.filter(({ isFixed }) => !isFixed);
    this.bodies = this.moving.map(({ body }) => body);
    rigid.linkages.push(this);
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Whether the mechanism stands still because its state was no longer finite; see `onFrozen`. */
  get isFrozen(): boolean {
    return this.frozen;
  }

  /** Pose of a link, by number or name. */
  poseOf(link: string | number): LinkPose {
    return linkPose(this.scratch, this.indexOf(link));
  }

  /** The rigid body of a link; undefined for a link without shapes. */
  bodyOf(link: string | number): RigidBody | undefined {
    return this.linkOf(link)?.body;
  }

  /**
   * Mean force of the contacts of a link in the last frame [N], with those among the links; contacts with bodies of
   * `gpbd` and `local-global` count a frame later.
   */
  contactForceOf(link: string | number): Vec3 {
    return add(this.linkOf(link)?.force ?? [0, 0, 0], this.own.forceOn(this.indexOf(link)));
  }

  /**
   * Applies a force to a link throughout the next frame.
   *
   * @param force [N]
   * @param point in the world [m]
   * @throws PliantError for an unknown link, or numbers that are not finite; nothing is changed then
   */
  applyForce(link: string | number, force: Vec3, point: Vec3): void {
    const index = this.indexOf(link);
    for (const vector of [force, point]) finiteVector(`mechanism "${this.name}".applyForce`, vector);
    this.addWrench(index, force, point);
  }

  /**
   * Puts a sensor on a link: gyroscope, accelerometer and load cell of the joint. It reads from the end of the next frame on.
   *
   * @throws PliantError for an unknown link, or numbers that are not finite; nothing is changed then
   */
  addSensor(link: string | number, options: LinkSensorOptions = {}): LinkSensor {
    const index = this.indexOf(link);
    const object = `mechanism "${this.name}".addSensor`;
    checkNames(object, options, linkSensorNames);
    const { position = [0, 0, 0], rotation = [0, 0, 0, 1] } = options;
    finiteVector(`${object}.position`, position);
    const axes = finiteQuat(`${object}.rotation`, rotation);
    const { q, qd, model } = this.simulation;
    const sensors = (this.sensors ??= new LinkSensors(model));
    const sensor = new LinkSensor(model.linkNames[index], index, position, axes, () => {
      const at = sensors.list.indexOf(sensor);
      if (at >= 0) sensors.list.splice(at, 1);
      if (sensors.list.length === 0 && this.sensors === sensors) this.sensors = undefined;
    });
    sensors.list.push(sensor);
    if (sensors.list.length === 1) sensors.begin(q, qd);
    return sensor;
  }

  private linkOf(link: string | number): MechanismLink | undefined {
    const index = this.indexOf(link);
    return this.links.find((each) => each.link === index);
  }

  private indexOf(link: string | number): number {
    const { model } = this.simulation;
    if (typeof link === "string") return model.linkIndex(link);
    if (!(link >= 0 && link < model.linkCount))
      throw new PliantError("index-out-of-range", `mechanism "${this.name}"`, link, `has ${model.linkCount} links`);
    return link;
  }

  /** Moves the links at once to the poses that the coordinates give. Call it after writing coordinates. */
  place(): void {
    this.factor();
    this.predicted = 0;
    this.isSettled = true;
    this.frozen = false;
    this.sensors?.begin(this.simulation.q, this.simulation.qd);
    for (const link of this.links) {
      link.restore(nothing);
      link.teleport(linkPose(this.scratch, link.link));
    }
  }

  /** @internal copies all data that the mechanism starts the next step from */
  save(): MechanismMemory {
    const { simulation, wrenches, links } = this;
    const { q, qd, control, actuators } = simulation;
    const arrays = [q, qd, control, actuators.input, wrenches].map((values) => values.slice());
    return [...arrays, ...links.map((link) => link.expected.slice())];
  }

  /** @internal @throws PliantError for data of another mechanism */
  check(memory: MechanismMemory | undefined): void {
    if (memory?.[0].length !== this.size || memory.length !== 5 + this.links.length)
      throw new PliantError(
        "invalid-argument",
        `mechanism "${this.name}"`,
        "snapshot",
        "must be of the same mechanisms",
      );
  }

  /** @internal after the bodies of its links were restored */
  load([q, rates, control, input, wrenches, ...expected]: MechanismMemory): void {
    const { simulation } = this;
    simulation.q.set(q);
    simulation.qd.set(rates);
    simulation.control.set(control);
    simulation.actuators.input.set(input);
    this.wrenches.set(wrenches);
    this.links.forEach((link, k) => link.restore(expected[k]));
    this.factor();
    this.predicted = 0;
    this.isSettled = true;
    this.frozen = false;
    this.sensors?.begin(simulation.q, simulation.qd);
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.rigid.linkages.splice(this.rigid.linkages.indexOf(this), 1);
    for (const { body } of this.links) body.dispose();
  }

  // Methods for the solver.

  /** @internal */
  get size(): number {
    return this.simulation.nv;
  }

  /** @internal */
  get mass(): Float64Array {
    return this.scratch.mass;
  }

  /** @internal */
  get slots(): readonly number[] {
    return this.bodies.map(({ record }) => record.slot);
  }

  /** @internal */
  beginFrame(dt: number): void {
    this.settle();
    this.island = undefined;
    for (const { gravity } of [this.simulation.contactStep.scratch, this.scratch]) gravity.set(this.rigid.gravity);
    updatePositions(this.scratch, this.simulation.q);
    this.external.fill(0);
    const { sensors, wrenches } = this;
    for (let i = 0; sensors && i < wrenches.length; i += 6)
      sensors.push(i / 6, wrenches.subarray(i, i + 3), wrenches.subarray(i + 3, i + 6), dt);
    addWrenches(this.scratch, this.wrenches, this.external);
    this.wrenches.fill(0);
    this.forces.fill(0);
    for (const { link, expected } of this.moving) addLinkForce(this.scratch, link, ORIGIN, expected, 0, this.forces);
    for (let k = 0; k < this.size; k++) this.external[k] += this.forces[k] / dt;
  }

  /** @internal */
  endFrame(dt: number): void {
    const { sensors, simulation, links, own } = this;
    if (sensors) {
      own.tell(sensors);
      for (const { link, impulse } of links) sensors.push(link, impulse.subarray(3), impulse);
      sensors.measure(simulation.q, simulation.qd, this.rigid.gravity, dt);
    }
    for (const link of this.links) link.endFrame(dt);
    own.endFrame(dt);
  }

  /** @internal */
  predict(h: number): void {
    if (this.predicted === h) return;
    this.isSettled = false;
    const { step } = this;
    this.predicted = h;
    this.limits.length = this.frictions.length = 0;
    if (!this.frozen) this.attempt(() => step.takeFree(h, this.external));
    if (this.frozen) step.rest();
    this.factor(h);
    if (this.hasLimits) this.step.findLimits(h, this.limits);
    if (!this.frozen) this.step.findFriction(h, this.frictions);
    if (this.ways && !this.frozen) this.writeWays(this.ways, h);
    else this.writeTwists(step.startRates);
  }

  /** @internal */
  finish(impulse: Float64Array | undefined): void {
    const { simulation, predicted: h, scratch } = this;
    if (h === 0) return;
    this.predicted = 0;
    if (!this.frozen) this.take(h, impulse);
    updatePositions(scratch, simulation.q);
    // A frozen mechanism stands still, whatever constraints did to its bodies.
    this.show(this.frozen ? this.step.startRates : simulation.qd);
    for (const link of this.links) link.hear();
    this.own.add(this.step.contacts);
  }

  /** Takes the step of h [s] with all its forces. */
  private take(h: number, impulse: Float64Array | undefined): void {
    const { simulation, step, external, forces, wrenches } = this;
    const pushes = impulse?.every(Number.isFinite) === true ? impulse : undefined;
    if (pushes || this.limits.length > 0) this.attempt(() => step.take(h, external, pushes, this.scratch.mass));
    if (this.frozen) return;
    if (this.root) {
      for (let k = 0; k < this.size; k++) forces[k] = h * (simulation.control[k] + external[k]) + (pushes?.[k] ?? 0);
      for (let i = 0; i < wrenches.length; i++) wrenches[i] = h * simulation.wrenches[i] + step.contacts[i];
      addWrenches(this.scratch, wrenches, forces);
      wrenches.fill(0);
      this.root.expect(h, step.delay, forces);
      this.root.settle(step.q, step.rates);
    }
    simulation.q.set(step.q);
    simulation.qd.set(step.rates);
  }

  /** @internal */
  addForce(k: number, wrench: Float64Array, at: number, out: Float64Array, to: number): void {
    const { link, body } = this.moving[k];
    addLinkForce(this.scratch, link, body.centerOfMass, wrench, at, out, to);
  }

  /** @internal */
  respond(x: Float64Array): void {
    if (this.frozen) {
      x.fill(0);
      return;
    }
    solveMass(this.scratch, x);
    this.coupled?.project(x);
  }

  /** @internal */
  addTwist(k: number, rates: Float64Array, out: Float64Array, at: number): void {
    const { link, body } = this.moving[k];
    addLinkTwist(this.scratch, link, body.centerOfMass, rates, out, at);
  }

  /** @internal the response of a link to bodies whose solvers treat it as a body */
  freedomOf({ link, body }: MechanismLink): LedFreedom | undefined {
    this.settle();
    return this.frozen ? undefined : freedomAlone(this.scratch, link, body.record.compiled!.reach);
  }

  /** @internal */
  unsettle(): void {
    this.isSettled = false;
  }

  /**
   * @internal takes over the pushes of bodies of other solvers on links: the links have already moved under them, and
   * the mechanism continues with the resulting velocities
   */
  settle(): void {
    if (this.isSettled) return;
    this.isSettled = true;
    const { simulation, scratch, forces, external: shift } = this;
    this.factor();
    let isPushed = false;
    forces.fill(0);
    shift.fill(0);
    const reaches = this.bodies.map(({ record }) => record.compiled!.reach);
    const ways = this.moving.map((each, k) => {
      if (each.take(pushed)) {
        isPushed = true;
        addLinkForce(scratch, each.link, ORIGIN, pushed.wrench, 0, forces);
        if (!this.island) addShiftAlone(scratch, each.link, reaches[k], pushed, shift);
      }
      return pushed.offset.slice();
    });
    if (!isPushed) return;
    this.root?.expect(0, 0, forces);
    this.respond(forces);
    if (this.island) this.island.shift(ways, reaches, shift);
    else solveMass(scratch, shift);
    for (let k = 0; k < this.size; k++) {
      simulation.qd[k] += forces[k];
      simulation.q[k] += shift[k];
    }
    this.root?.settle(simulation.q, simulation.qd);
    this.factor();
    this.show(simulation.qd);
  }

  /** @internal lets deformable bodies push links as one in this frame */
  joinLinks(proxyOf: (body: RigidBody) => RigidProxy | undefined): LinkIsland | undefined {
    this.factor();
    const proxies = this.bodies.map((body) => (this.frozen ? undefined : proxyOf(body)));
    if (proxies.some((proxy) => proxy)) this.island = new LinkIsland(this, proxies);
    return this.island;
  }

  /** Computes M of the present state, and its factor. @param h length of a step whose dampers act at its end [s] */
  private factor(h = 0): void {
    const { simulation, scratch } = this;
    updateKinematics(scratch, simulation.q, simulation.qd);
    massMatrix(scratch, h);
    factorMassMatrix(scratch);
    this.coupled?.update(scratch);
  }

  /** Gives the bodies of links the poses of the coordinates, and the velocities of the rates. */
  private show(rates: Float64Array): void {
    for (const link of this.links) link.put(linkPose(this.scratch, link.link));
    this.writeTwists(rates);
  }

  private addWrench(link: number, force: Vec3, point: Vec3): void {
    const torque = cross(point, force);
    for (let c = 0; c < 3; c++) {
      this.wrenches[6 * link + c] += torque[c];
      this.wrenches[6 * link + 3 + c] += force[c];
    }
  }

  private attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof PliantError)) throw error;
      this.frozen = true;
      this.step.rest();
      this.onFrozen.notify(error);
    }
  }

  /** Writes velocities of the bodies of links at their present poses. */
  private writeTwists(rates: Float64Array): void {
    const { velocity } = this.rigid.dynamics.bodies.state;
    this.bodies.forEach(({ record }, k) => {
      const at = TWIST_SIZE * record.slot;
      velocity.fill(0, at, at + TWIST_SIZE);
      this.addTwist(k, rates, velocity, at);
    });
  }

  /** Writes velocities of the bodies of links for the step of h [s], see `LinkWays`. */
  private writeWays(ways: LinkWays, h: number): void {
    const { step, simulation, scratch } = this;
    ways.update(simulation.q, simulation.qd, step.startRates, h);
    this.writeTwists(ways.change);
    const { velocity } = this.rigid.dynamics.bodies.state;
    for (const link of this.moving) ways.add(link, scratch, h, velocity, TWIST_SIZE * link.body.record.slot);
  }
}

const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

const pushed: LinkPush = { wrench: new Float64Array(6), offset: new Float64Array(6), point: new Float64Array(3) };
const nothing = new Float64Array(6);
