/**
 * All local-global bodies of a world: they, the rigid bodies that they touch and their contacts are one system. Algorithm 4
 * of paper 2.
 *
 * q, v  positions [m] and velocities [m/s];  q̃  without elastic and contact forces (1);  h  time step [s]
 * A     M + h² Σ wᵢ GᵢᵀGᵢ (6), the same in every step;  S = L⁻¹, A⁻¹ = SᵀS (7)
 * W     H A⁻¹ Hᵀ (27);  z = h² λ [kg m]
 */
import type { ColliderSet } from "../../collision/obstacles/collider-set";
import { ContactList, type SavedContacts } from "../../collision/soft/contact-list";
import { ImpulseMemory, type SavedImpulses } from "../../collision/soft/impulse-memory";
import type { SavedSides } from "../../collision/soft/pair-sides";
import { SurfaceDetection } from "../../collision/soft/surface-detection";
import { beginProxies, moveProxies, yieldProxies } from "../../collision/obstacles/proxy-motion";
import type { Vec3 } from "../../math/types";
import { norm } from "../../math/vectors";
import type { DeformableSystem, FrameInput } from "../deformable";
import { HeldContacts } from "../guest";
import { PASS_OVERLAP, DEEP_THICKNESSES as DEEP } from "../../generated/constants";
import { CableRows, type CableState, touchesTied } from "./contact/cable";
import { Clusters, freeClusters } from "./contact/clusters";
import { type ContactResiduals, ContactSolver, noResiduals } from "./contact/contact-solver";
import { ContactRounds } from "./contact/contact-rounds";
import { Delassus } from "./contact/delassus";
import { detectObstacles, keepLoaded } from "./detect/detect-contacts";
import { detectFeatures } from "./detect/detect-features";
import { planFrame } from "./body/frame-plan";
import type { GroupBody } from "./body/group-body";
import { keepAngularMomentum } from "./body/momentum";
import type { LocalGlobalModel } from "./model";
import type { SharedOptions } from "./options";
import type { StageClock } from "./stage-clock";
import { TrustedFrames } from "./trusted-frames";

/** A contact of the last step. */
export interface ContactForce {
  /** the body that is pushed */
  readonly model: LocalGlobalModel;
  /** the other body of this solver, where it is one; it may be the same */
  readonly other: LocalGlobalModel | undefined;
  /** place of the touched rigid body among `ColliderSet.proxies`, −1 for none */
  readonly proxy: number;
  /** world axes [N] */
  readonly force: Vec3;
}

/** Iterations at most, over those asked for, where a body is still on the way after these. */
const LONGEST = 4;

/** The state that the bodies share from step to step. */
export interface GroupMemory {
  readonly bodyCount: number;
  /** those of the last step, by their places */
  readonly stepped: readonly number[];
  readonly stepTime: number;
  readonly contacts: SavedContacts;
  /** h² λ of contacts [kg m] */
  readonly forces: SavedImpulses;
  readonly sides: SavedSides;
  readonly isTangled: boolean;
  /** in the order in which they were made */
  readonly cables: readonly { readonly length: number | undefined; readonly tension: number }[];
}

export class LocalGlobalGroup implements DeformableSystem {
  readonly isImplicit = true;
  contacts = new ContactList();
  /** times the stages of steps, where there is one */
  clock: StageClock | undefined;
  private readonly bodies: GroupBody[] = [];
  readonly cables: CableState[] = [];
  private readonly cableRows = new CableRows();
  private readonly delassus = new Delassus();
  private readonly solver = new ContactSolver();
  private readonly rounds = new ContactRounds(this.solver);
  private readonly surfaces = new SurfaceDetection();
  /** contact forces of the last step by key, world axes [kg m] */
  private readonly remembered = new ImpulseMemory();
  private free = new Float64Array(0);
  private scale = new Float64Array(0);
  /** contacts at where bodies have come to, which take the place of `contacts` if need be */
  private spare = new ContactList();
  readonly trusted = new TrustedFrames<GroupMemory>(this);
  /** bodies of a frame, by their places, that one of its steps left deep in obstacles */
  readonly deep = new Set<number>();
  /** bodies of a frame, by their places, that touch no rigid body that yields */
  readonly aloof = new Set<number>();
  readonly clusters = new Clusters();
  /** bodies and time step [s] of the last step */
  private stepped: readonly GroupBody[] = [];
  private stepTime = 0;
  /** whether those of this step are the same */
  private isSameGroup = false;

  add(body: GroupBody): void {
    this.bodies.push(body);
  }

  remove(body: GroupBody): void {
    this.bodies.splice(this.bodies.indexOf(body), 1);
    this.remembered.clear();
  }

  addCable(cable: CableState): void {
    this.cables.push(cable);
  }

  removeCable(cable: CableState): void {
    this.cables.splice(this.cables.indexOf(cable), 1);
  }

  /** Whether cables may begin to pull at any time. Rows with an axis belong to attachments. */
  get hasMotors(): boolean {
    return this.cables.some(({ axis }) => axis === undefined);
  }

  get hasCables(): boolean {
    return this.cables.length > 0;
  }

  /** The last step was none of these: bodies were solved elsewhere, without contacts. */
  forget(): void {
    this.contacts.clear();
    this.rememberForces();
  }

  /**
   * The last step was done elsewhere, with contacts.
   *
   * @param fill writes them
   * @param h its time step [s]
   */
  takeReport(
    fill: (contacts: ContactList) => void,
    residuals: ContactResiduals,
    bodies: readonly GroupBody[],
    h: number,
  ): void {
    fill(this.contacts);
    Object.assign(this.solver.residuals, residuals);
    this.stepped = bodies;
    this.stepTime = h;
  }

  save(): GroupMemory {
    return {
      bodyCount: this.bodies.length,
      stepped: this.stepped.map((body) => this.bodies.indexOf(body)),
      stepTime: this.stepTime,
      contacts: this.contacts.saveAll(),
      forces: this.remembered.save(),
      sides: this.surfaces.saveSides(),
      isTangled: this.trusted.isTangled,
      cables: this.cables.map(({ length, tension }) => ({ length, tension })),
    };
  }

  /** With other bodies than it is of nothing is left of contact. */
  load({ bodyCount, stepped, stepTime, contacts, forces, sides, isTangled, cables }: GroupMemory): void {
    if (cables.length === this.cables.length) this.cables.forEach((cable, k) => Object.assign(cable, cables[k]));
    const isSame = bodyCount === this.bodies.length && !stepped.includes(-1);
    this.contacts = new ContactList();
    if (isSame) this.contacts.loadAll(contacts);
    this.remembered.clear();
    if (isSame) this.remembered.load(forces);
    this.stepped = isSame ? stepped.map((place) => this.bodies[place]) : [];
    this.stepTime = stepTime;
    if (isSame) this.surfaces.loadSides(sides);
    this.trusted.isTangled = isSame && isTangled;
  }

  /** Residuals of the laws of contact in the last step. */
  get residuals(): Readonly<ContactResiduals> {
    return this.solver.residuals;
  }

  /** Forces of the contacts of the last step, friction included. */
  forEachForce(visit: (contact: ContactForce) => void): void {
    const { contacts, stepped, stepTime } = this;
    const { z, frame, body, rigid, weight } = contacts;
    for (let n = 0; n < contacts.count; n++) {
      const force = [0, 0, 0];
      for (let r = 0; r < 3; r++)
        for (let c = 0; c < 3; c++) force[c] += (frame[9 * n + 3 * r + c] * z[3 * n + r]) / stepTime ** 2;
      let other = -1;
      for (const i of contacts.verticesOf(n)) if (weight[i] < 0) other = body[i]!;
      visit({
        model: stepped[contacts.bodyOf(n)].model,
        other: stepped[other]?.model,
        proxy: rigid[n],
        force: force as unknown as Vec3,
      });
    }
  }

  /** Whether a body took part in the last step. */
  hasStepped(body: GroupBody): boolean {
    return this.stepped.includes(body);
  }

  /** Contacts of a body in the last step with what does not move by itself, those that carry something. */
  heldContacts(body: GroupBody): HeldContacts {
    const { contacts, stepped, stepTime: h } = this;
    const { z, offset } = contacts;
    const index = stepped.indexOf(body);
    const held = new HeldContacts();
    for (let n = 0; n < contacts.count; n++) {
      if (contacts.primitive[n] < 0 || contacts.rigid[n] >= 0 || z[3 * n] <= 0) continue;
      if (contacts.bodyOf(n) !== index) continue;
      const [s, t] = [1, 2].map((d) => (contacts.along(n, d, body.state.positions) - offset[3 * n + d]) / h);
      held.hold(contacts, n, h, [0, s, t]);
    }
    return held;
  }

  step(frame: FrameInput): void {
    const prepared = this.bodies.filter((body) => body.isPrepared(frame.frame));
    // While all of them sleep, contacts stay those of the last step.
    if (prepared.length === 0 && this.bodies.some((body) => body.isAsleep)) return;
    const { colliders } = frame;
    beginProxies(colliders);
    const { bodies, substeps } = planFrame(prepared, frame);
    // Motors of cables give energy: there is nothing to judge by.
    if (!this.hasCables) this.trusted.take(bodies, frame, substeps);
    else {
      this.run(bodies, frame, substeps, 1);
      this.trusted.isTangled = false;
    }
  }

  /** A frame in so many times as many steps. */
  run(bodies: readonly GroupBody[], frame: FrameInput, substeps: number, parts: number): void {
    this.deep.clear();
    this.clusters.begin(bodies.length);
    // Parts go on with the factor of the whole step.
    if (parts > 1) for (const body of bodies) body.refresh(frame.dt / substeps);
    for (let n = 0; n < parts * substeps; n++) this.substep(bodies, frame, n, parts * substeps, parts > 1);
  }

  forgetForces(): void {
    this.remembered.clear();
  }

  private substep(bodies: readonly GroupBody[], frame: FrameInput, n: number, substeps: number, isPart: boolean): void {
    const { colliders } = frame;
    const h = frame.dt / substeps;
    this.isSameGroup = bodies.length === this.stepped.length && bodies.every((body, i) => body === this.stepped[i]);
    this.stepped = bodies;
    this.stepTime = h;
    const [from, to] = [n / substeps, (n + 1) / substeps];
    if (colliders.proxies.length > 0) moveProxies(colliders, from, to, frame.dt, true);
    for (const body of bodies) body.begin(h, frame.gravity, 1 / (substeps - n), isPart);
    const { clock } = this;
    clock?.start();
    this.detect(bodies, colliders, from, to, this.isSameGroup);
    const left = (1 - to) * frame.dt;
    this.takeContacts(bodies, colliders, left);
    const settings = strictest(bodies);
    const iterations = iterationsOf(bodies);
    for (let pass = 1; ; pass++) {
      this.iterate(bodies, settings, iterations, pass === 1);
      if (this.contacts.count === 0) break;
      const isOther = this.delassus.letGo(h * h * norm(frame.gravity));
      if (pass >= settings.contactPasses && !isOther) {
        this.noteDeep(bodies, colliders, from, to);
        break;
      }
      this.detect(bodies, colliders, from, to, true);
      if (!isOther && this.spare.leastGap > -settings.thickness * PASS_OVERLAP) break;
      this.rememberForces();
      this.takeContacts(bodies, colliders, left);
      this.setScale(bodies, settings);
    }
    this.rememberForces();
    if (colliders.proxies.length > 0) this.returnForces(colliders, h, frame.pace);
    bodies.forEach((body, i) => body.finish(frame.frame, this.delassus.parts[i].isTouched, frame.pace));
    if (!this.hasCables) for (const free of freeClusters(this.contacts, bodies)) keepAngularMomentum(free, h, 0);
  }

  private iterate(bodies: readonly GroupBody[], settings: SharedOptions, iterations: number, isFirst: boolean): void {
    const { clock } = this;
    for (let k = 0, last = iterations - 1; k <= last; k++) {
      bodies.forEach((body, i) => body.localStep(isFirst && k === 0, !this.delassus.parts[i].isTouched));
      clock?.lap("local");
      if (isFirst && k === 0) this.setScale(bodies, settings);
      clock?.lap("schur");
      this.delassus.addLag(this.contacts.z);
      for (const body of bodies) body.forward();
      clock?.lap("global");
      if (this.delassus.size > 0) this.solveContacts(bodies, settings, k >= iterations - 1);
      for (const body of bodies) body.backward();
      if (k >= iterations - 2) for (const body of bodies) body.review();
      if (k === last && k + 1 < LONGEST * iterations && bodies.some((body) => body.isOnTheWay)) last++;
      clock?.lap("global");
    }
    for (const body of bodies) body.settle();
    clock?.lap("local");
  }

  /**
   * Into `spare`: H, on the way to where the iterations have come to. They begin without gravity: what rests is where it will be, and not by
   * h² g in what bears it, where edges have other deepest points and normals.
   *
   * @param keeps whether contacts that were known before are of the same bodies
   */
  private detect(bodies: readonly GroupBody[], colliders: ColliderSet, from: number, to: number, keeps: boolean): void {
    const { contacts, spare: out } = this;
    out.clear();
    const detected = bodies.map((body) => body.detected(body.state.positions));
    detected.forEach((body, i) => {
      detectObstacles(body, i, colliders, from, to, out);
      detectFeatures(body, bodies[i].features, i, colliders, from, to, out);
    });
    this.surfaces.find(detected, out);
    if (keeps) keepLoaded(detected, colliders, from, to, contacts, out);
    if (this.cables.some(({ axis }) => axis !== undefined))
      out.drop((n) => touchesTied(this.cables, out, n, bodies, colliders.proxies));
    if (this.aloof.size > 0) out.drop((n) => out.rigid[n] >= 0 && this.aloof.has(out.bodyOf(n)));
    this.clock?.lap("detection");
  }

  noteDeep(bodies: readonly GroupBody[], colliders: ColliderSet, from: number, to: number): void {
    const { spare: out, deep } = this;
    bodies.forEach((body, i) => {
      out.clear();
      detectObstacles(body.detected(body.state.positions), i, colliders, from, to, out);
      if (out.leastGap < -DEEP * body.options.thickness) deep.add(i);
    });
  }

  /** W of what was detected, and the forces of the last step or pass to start from. */
  private takeContacts(bodies: readonly GroupBody[], colliders: ColliderSet, left: number): void {
    [this.contacts, this.spare] = [this.spare, this.contacts];
    const { contacts, delassus } = this;
    this.clusters.join(contacts);
    this.cableRows.build(this.cables, bodies, this.stepTime, colliders.proxies, left);
    delassus.build(contacts, bodies, colliders.proxies, this.cableRows);
    this.clock?.lap("schur");
    if (this.free.length < delassus.size) {
      this.free = new Float64Array(2 * delassus.size);
      this.scale = new Float64Array(2 * delassus.size);
    }
    contacts.appendRows(this.cableRows.count);
    const { z, count } = contacts;
    this.cableRows.cables.forEach(({ tension }, k) => (z[3 * count + k] = tension * this.stepTime ** 2));
    for (let n = 0; n < count; n++) this.remembered.recall(contacts, n, z, 3 * n);
  }

  /** r of (28), or with M⁻¹. */
  private setScale(bodies: readonly GroupBody[], { complementarityScale }: SharedOptions): void {
    const { contacts, delassus, scale } = this;
    const usesMass = complementarityScale === "mass-inverse";
    const { vertex, body, weight, count } = contacts;
    delassus.finish();
    this.rounds.begin(delassus);
    for (let n = 0; n < count; n++) {
      let massInverse = 0;
      for (let i = 4 * n; i < 4 * n + 4 && body[i] >= 0; i++)
        massInverse += weight[i] ** 2 / bodies[body[i]].model.masses[vertex[i]];
      for (let r = 0; r < 3; r++) scale[3 * n + r] = usesMass ? massInverse : delassus.diagonal[3 * n + r];
    }
    for (let i = 3 * count; i < delassus.size; i++) scale[i] = delassus.diagonal[i]!;
  }

  /** (22), (23): y = S r becomes S (r + Hᵀ z). */
  private solveContacts(bodies: readonly GroupBody[], settings: SharedOptions, isLast: boolean): void {
    const { contacts, delassus, solver, free, scale } = this;
    delassus.readGaps(free);
    this.clock?.lap("assembly");
    if (settings.guarded) {
      this.rounds.solve(contacts, delassus, free, scale, settings, isLast);
      if (isLast) solver.enterCones(contacts);
    } else {
      const most = isLast ? settings.newtonIterations : Math.ceil(settings.newtonIterations / 3);
      for (let n = 0; n < most; n++) solver.step(contacts, delassus, free, scale, settings);
      solver.judge(contacts, delassus, free);
    }
    this.clock?.lap("constraints");
    delassus.addForces(contacts.z);
    bodies.forEach((body) => body.holdPins());
    this.clock?.lap("correction");
  }

  private rememberForces(): void {
    const { contacts } = this;
    const { z, count } = contacts;
    this.remembered.keep(contacts, (n) => z[3 * n] !== 0);
    if (count === 0 && !this.hasCables) Object.assign(this.solver.residuals, noResiduals);
    this.cableRows.cables.forEach((cable, k) => (cable.tension = z[3 * count + k] / this.stepTime ** 2));
  }

  /** Rigid bodies receive the impulses h λ = z / h of their contacts and cables. */
  private returnForces(colliders: ColliderSet, h: number, pace = 1): void {
    const { contacts } = this;
    const { rigid, point, count, body, vertex, weight } = contacts;
    const wrenches = colliders.substepWrenches;
    for (let n = 0; n < count; n++) {
      const owner = rigid[n];
      const force = this.remembered.get(contacts, n);
      if (owner < 0 || !force) continue;
      const impulse = force.map((value) => (-pace * value) / h) as unknown as Vec3;
      for (const i of contacts.verticesOf(n)) {
        const { predicted, start } = this.stepped[body[i]];
        for (let c = 0; c < 3; c++) {
          const at = 3 * vertex[i] + c;
          colliders.proxies[owner].drive += (impulse[c] * weight[i] * (predicted[at] - start[at])) / h;
        }
      }
      addImpulse(wrenches, owner, point, 3 * n, impulse);
    }
    const { cables, rigidStart, proxy: owners, rigidDirection: g, rigidPoint } = this.cableRows;
    cables.forEach(({ tension }, k) => {
      for (let i = rigidStart[k]; i < rigidStart[k + 1]; i++) {
        const impulse = [0, 1, 2].map((c) => h * tension * g[3 * i + c]) as unknown as Vec3;
        addImpulse(wrenches, owners[i], rigidPoint, 3 * i, impulse);
      }
    });
    yieldProxies(colliders, true);
  }
}

/** Adds an impulse [N s] at a point to the wrench of a proxy about the world's origin. */
function addImpulse(wrenches: Float64Array, owner: number, point: ArrayLike<number>, at: number, j: Vec3): void {
  const [x, y, z] = [point[at], point[at + 1], point[at + 2]];
  const [jx, jy, jz] = j;
  const to = 6 * owner;
  wrenches[to] += jx;
  wrenches[to + 1] += jy;
  wrenches[to + 2] += jz;
  wrenches[to + 3] += y * jz - z * jy;
  wrenches[to + 4] += z * jx - x * jz;
  wrenches[to + 5] += x * jy - y * jx;
}

/**
 * Contacts are looked for again where a body is deeper in another, and a step is too long where it is deeper in an obstacle, as parts
 * of its thickness.
 */

/** Iterations of the next step: twice as many where a body has nothing yet to learn from. */
export function iterationsOf(bodies: readonly GroupBody[]): number {
  const isNew = bodies.map((body) => body.takeNewness()).includes(true);
  return (isNew ? 2 : 1) * strictest(bodies).iterations;
}

/** Bodies in one system are iterated together: see `LocalGlobalOptions`. Their order does not matter. */
export function strictest(bodies: readonly Pick<GroupBody, "options">[]): SharedOptions {
  const isMinimum = bodies.every((body) => body.options.complementarity === "minimum-map");
  const usesMass = bodies.every((body) => body.options.complementarityScale === "mass-inverse");
  return {
    complementarityScale: usesMass ? "mass-inverse" : "system-inverse",
    guarded: bodies.some((body) => body.options.guarded),
    complementarity: isMinimum ? "minimum-map" : "fischer-burmeister",
    iterations: Math.max(...bodies.map((body) => body.options.iterations)),
    contactPasses: Math.max(...bodies.map((body) => body.options.contactPasses)),
    thickness: Math.min(...bodies.map((body) => body.options.thickness)),
    newtonIterations: Math.max(...bodies.map((body) => body.options.newtonIterations)),
    constraintIterations: Math.max(...bodies.map((body) => body.options.constraintIterations)),
  };
}
