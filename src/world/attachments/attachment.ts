import { solverOf } from "../../solvers/alike";
import type { SharedKind, SystemHost } from "../backend/systems";
import type { DeformableBody } from "../body";
import { Signal } from "../signal";
import type { RigidBody } from "../rigid/rigid-body";
import type { World } from "../world";
import { type AttachmentOptions, checkAttachment, type ResolvedAttachment } from "./attachment-options";
import { bondOf } from "./bond-of";
import type { Bond } from "./bond";
import { hangLoads } from "./hung-loads";
import { Leaps } from "./leaps";
import { Ways } from "./places";

/** An attachment between steps. */
interface AttachmentMemory {
  readonly id: number;
  readonly broken: Uint8Array;
  readonly bond: readonly Float64Array[];
}

/**
 * Vertices of a deformable body that are attached to a rigid body, a link of a mechanism, or vertices of another
 * deformable body. The two hold each other: equal and opposite impulses keep each vertex at its place. Made by
 * `addAttachment`.
 */
export class Attachment {
  /** Vertices of `body` have come off, because the force on them exceeded `breakingForce`. */
  readonly onBreak = new Signal<{ readonly vertices: readonly number[] }>();
  private readonly forces = new Float64Array(this.options.vertices.length);
  private readonly broken = new Uint8Array(this.options.vertices.length);
  private readonly ways = new Ways(this.options);
  /** see `BondHost` */
  private readonly isOff = new Uint8Array(this.options.vertices.length);
  private readonly bond: Bond = bondOf({ ...this.options, world: this.world, ways: this.ways, isOff: this.isOff });

  /** @internal */
  constructor(
    private readonly world: World,
    private readonly options: ResolvedAttachment,
    private readonly all: Attachments,
    /** @internal unique in its world */
    readonly id: number,
  ) {}

  /** Largest force on an attached vertex in the last step [N]; undefined without a `breakingForce`. */
  get force(): number | undefined {
    return this.options.breakingForce < Infinity ? Math.max(...this.forces) : undefined;
  }

  /** Vertices of the body that are still attached. */
  get vertices(): readonly number[] {
    return this.options.vertices.filter((_, k) => this.broken[k] === 0);
  }

  /** Lets all vertices go. May be called again. */
  dispose(): void {
    this.all.remove(this);
  }

  /** @internal */
  get bodies(): readonly DeformableBody[] {
    const { body, to } = this.options;
    return "body" in to ? [body, to.body] : [body];
  }

  /** @internal what the body is attached to, if that is a rigid body */
  get rigid(): RigidBody | undefined {
    const { to } = this.options;
    return "rigid" in to ? to.rigid : undefined;
  }

  /** @internal see `Ways.measure` */
  part(): void {
    this.ways.measure();
    this.bond.part?.();
  }

  /** @internal number of vertices that are attached */
  get count(): number {
    return this.vertices.length;
  }

  /** @internal whether one of the bodies is gone */
  get isGone(): boolean {
    const { to } = this.options;
    return this.bodies.some(({ isDisposed }) => isDisposed) || ("rigid" in to && to.rigid.isDisposed);
  }

  /** @internal whether its bodies sleep: then it holds them as in the last step */
  get isAsleep(): boolean {
    return this.bodies.every(({ isAsleep }) => isAsleep);
  }

  /** @internal wakes what it holds */
  wake(): void {
    const { to } = this.options;
    for (const body of this.bodies) if (!body.isDisposed) body.wake();
    if ("rigid" in to && !to.rigid.isDisposed) to.rigid.wake();
  }

  /** @internal what it attaches to a body */
  partnersOf(body: object): readonly (DeformableBody | RigidBody)[] {
    const { to } = this.options;
    const all = "rigid" in to ? [...this.bodies, to.rigid] : this.bodies;
    return all.some((one) => one === body) ? all.filter((one) => one !== body && !one.isDisposed) : [];
  }

  /** @internal */
  prepare(dt: number): void {
    this.ways.close(this.world.gravity, dt);
    this.bond.prepare();
    if (this.switchOff()) this.bond.refresh();
  }

  /** @returns whether the vertices that the bond holds are others than before */
  private switchOff(): boolean {
    const { options, broken, isOff } = this;
    let isChanged = false;
    options.vertices.forEach((_, k) => {
      const now = broken[k] === 1 || this.isHeld(k) ? 1 : 0;
      if (isOff[k] !== now) isChanged = true;
      isOff[k] = now;
    });
    return isChanged;
  }

  /** Whether neither side can move. */
  private isHeld(k: number): boolean {
    const { body, vertices, to } = this.options;
    if (!body.isPinned(vertices[k])) return false;
    // Rigid bodies carry vertices of GPBD, which count as pinned.
    if ("rigid" in to) return to.rigid.motion !== "dynamic" && solverOf(body.model) !== "gpbd";
    return to.body.isPinned(to.vertices[k]);
  }

  /** @internal @returns whether vertices have come off */
  finish(dt: number): boolean {
    const { forces, broken, options } = this;
    if (!(options.breakingForce < Infinity)) return false;
    this.bond.read(forces, dt);
    const off = options.vertices.filter((_, k) => {
      if (broken[k] === 1) forces[k] = 0;
      if (!(forces[k] > options.breakingForce)) return false;
      broken[k] = 1;
      return true;
    });
    if (off.length === 0) return false;
    this.switchOff();
    this.bond.refresh();
    this.onBreak.notify({ vertices: off });
    return true;
  }

  /** @internal */
  save(): AttachmentMemory {
    return { id: this.id, broken: this.broken.slice(), bond: [this.ways.save(), ...(this.bond.save?.() ?? [])] };
  }

  /** @internal */
  load({ broken, bond }: AttachmentMemory): void {
    if (broken.length !== this.broken.length || bond.length !== this.save().bond.length) return;
    this.broken.set(broken);
    this.ways.load(bond[0]);
    this.bond.load?.(bond.slice(1));
    this.switchOff();
    this.bond.refresh();
  }

  /** @internal */
  release(): void {
    this.bond.dispose();
  }
}

/** All attachments of a world, in the order in which they were made. */
class Attachments {
  private readonly list: Attachment[] = [];
  private readonly leaps: Leaps;
  private nextId = 1;

  constructor({ rigid }: SystemHost) {
    this.leaps = new Leaps(rigid);
  }

  private get bodies(): DeformableBody[] {
    return this.list.flatMap(({ bodies }) => bodies);
  }

  takeId(): number {
    return this.nextId++;
  }

  add(attachment: Attachment): void {
    this.list.push(attachment);
    attachment.wake();
    hangLoads(this.list);
  }

  remove(attachment: Attachment): void {
    const place = this.list.indexOf(attachment);
    if (place < 0) return;
    const before = this.bodies;
    this.list.splice(place, 1);
    attachment.wake();
    attachment.release();
    hangLoads(this.list, before);
  }

  prepare(dt: number): void {
    for (const attachment of this.list.filter(({ isGone }) => isGone)) this.remove(attachment);
    this.leaps.take(this.list, dt);
    for (const attachment of this.list) if (!attachment.isAsleep) attachment.prepare(dt);
  }

  noteWritten(body: DeformableBody): void {
    this.leaps.noteWritten(body);
  }

  partnersOf(body: object): readonly (DeformableBody | RigidBody)[] {
    return this.list.flatMap((attachment) => attachment.partnersOf(body));
  }

  connects(a: DeformableBody, b: DeformableBody): boolean {
    return this.list.some(({ bodies }) => bodies.includes(a) && bodies.includes(b));
  }

  finish(dt: number): void {
    // Bodies that the step put elsewhere make no jump.
    this.leaps.forget();
    // Listeners may add and remove attachments.
    const changed = [...this.list].map((attachment) => !attachment.isAsleep && attachment.finish(dt));
    if (changed.includes(true)) this.hangLoads();
  }

  save(): readonly AttachmentMemory[] {
    return this.list.map((attachment) => attachment.save());
  }

  load(memory: readonly AttachmentMemory[]): void {
    this.leaps.forget();
    for (const own of memory) this.list.find(({ id }) => id === own.id)?.load(own);
    this.hangLoads();
  }

  private hangLoads(): void {
    hangLoads(this.list, this.bodies);
  }
}

const attachments: SharedKind<Attachments> = {
  name: "attachments",
  create: (host: SystemHost) => new Attachments(host),
};

/**
 * Attaches vertices of a deformable body to a rigid body, or to vertices of another deformable body: both hold each
 * other. Vertices that are apart come together as slowly as a fall over an eighth of the way between them. A body that hangs on another one alone jumps with it.
 *
 * @throws PliantError `index-out-of-range` for a vertex that a body does not have; `disposed` for a body that is not in
 * the world; `invalid-argument` for no vertices, lists of different lengths, a vertex that would be attached to itself,
 * a negative compliance or a breaking force that is not positive; `unsupported` for solvers that cannot hold the two
 * together
 */
export function addAttachment(world: World, options: AttachmentOptions): Attachment {
  const checked = checkAttachment(options, world.bodies, world.rigid.bodies);
  const all = world.systems.of(attachments);
  const attachment = new Attachment(world, checked, all, all.takeId());
  world.systems.attachments = all;
  all.add(attachment);
  return attachment;
}
