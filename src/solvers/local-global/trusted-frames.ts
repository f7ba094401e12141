/**
 * Frames that are repeated in shorter steps when they cannot be trusted: when bodies gain energy (trust.ts), or end deep in an obstacle because
 * they traveled further than their contacts accounted for. If a body turns far in a step, and has an obstacle on its way, the frame is
 * divided at once: a step stretches a turning body, and contact begins at its stretched shape.
 */
import type { ColliderSet } from "../../collision/obstacles/collider-set";
import * as constants from "../../generated/constants";
import { boxOf, union } from "../../geometry/box";
import type { FrameInput } from "../deformable";
import type { GroupBody } from "./body/group-body";
import type { Cluster, Clusters } from "./contact/clusters";
import { FrameMemory, type Kept } from "./frame-memory";
import { rigidMotion } from "../rigid-motion";
import { EnergyAccount } from "./trust";
import { lengthAt } from "../../math/vectors";

/** A frame is taken in so many times as many steps at most; and the angle of a body in a step above which it is divided [rad]. */
const { MOST_PARTS, FAR_TURN } = constants;
/** Contacts of a frame of which less than this part is left were of no use. */
const USEFUL = 0.5;

/** The group that takes the frames. */
interface Group<Memory> extends Kept<Memory> {
  /** in the steps since `run` began */
  readonly clusters: Clusters;
  /** bodies, by their places, that a step since `run` began left deep in obstacles */
  readonly deep: ReadonlySet<number>;
  /** bodies, by their places, that touch no rigid body that yields */
  readonly aloof: Set<number>;
  run(bodies: readonly GroupBody[], frame: FrameInput, substeps: number, parts: number): void;
  /** Notes in `deep` which bodies are deep in obstacles where they are now, at the end of a step that began at a part of the frame. */
  noteDeep(bodies: readonly GroupBody[], colliders: ColliderSet, from: number, to: number): void;
  /** Contact forces of the last step are of no use to the next. */
  forgetForces(): void;
}

export class TrustedFrames<Memory> {
  /** frames that were taken again, counted each time */
  repeated = 0;
  /** Shorter steps did not help in the last frame: they are not tried in this one. */
  isTangled = false;

  constructor(private readonly group: Group<Memory>) {}

  take(bodies: readonly GroupBody[], frame: FrameInput, substeps: number): void {
    const { group } = this;
    const memory = new FrameMemory(group, bodies, frame.colliders);
    const account = new EnergyAccount(bodies, memory.states, frame);
    for (let parts = partsOf(bodies, frame, substeps); ; parts *= 2) {
      group.run(bodies, frame, substeps, parts);
      this.release(account, memory, frame, () => group.run(bodies, frame, substeps, parts));
      const wrong = this.wrongBy(account);
      const isWrong = wrong.length > 0 || group.deep.size > 0;
      // A body of GPBD presses it on. If it is not stopped now, it is beyond the obstacle in the next frame.
      const isPressed = [...group.deep].some((k) => bodies[k].pressedBy?.isNone === false);
      if (!isWrong || parts >= MOST_PARTS || (this.isTangled && !isPressed)) {
        if (wrong.length > 0)
          this.hold(
            wrong,
            account,
            memory,
            () => group.noteDeep(bodies, frame.colliders, 1 - 1 / (substeps * parts), 1),
            () => {
              this.restore(memory, frame);
              group.run(bodies, frame, substeps, parts);
            },
          );
        for (const cluster of group.clusters.all()) account.limitDrive(cluster);
        this.isTangled = isWrong;
        return;
      }
      this.restore(memory, frame);
    }
  }

  /** Takes steps again in which rigid bodies gave more than there is, as free ones. */
  private release(account: EnergyAccount, memory: FrameMemory<Memory>, frame: FrameInput, again: () => void): void {
    const released = new Set<number>();
    for (;;) {
      const { size } = released;
      for (const cluster of this.group.clusters.all()) for (const k of account.overdrawn(cluster)) released.add(k);
      if (released.size === size) return;
      this.restore(memory, frame);
      for (const k of released) frame.colliders.proxies[k].release();
      again();
    }
  }

  private wrongBy(account: EnergyAccount): Cluster[] {
    return this.group.clusters.all().filter((cluster) => !account.isKept(cluster));
  }

  private restore(memory: FrameMemory<Memory>, frame: FrameInput): void {
    this.repeated++;
    frame.onRepeated?.();
    memory.restore();
  }

  /**
   * Takes back what a frame gained. If contacts with rigid bodies that yield leave little of it, or if what is left ends deep in an obstacle,
   * it is taken once more without them: they must not take the ground from a body.
   */
  private hold(
    wrong: Cluster[],
    account: EnergyAccount,
    memory: FrameMemory<Memory>,
    noteDeep: () => void,
    again: () => void,
  ): void {
    const { group } = this;
    const holdAll = (): number[] => wrong.map((cluster) => account.hold(cluster));
    let parts = holdAll();
    noteDeep();
    const useless = wrong.filter(
      ({ bodies, proxies }, k) =>
        proxies.size > 0 && (parts[k] < USEFUL || bodies.some((body) => group.deep.has(body))),
    );
    if (useless.length > 0) {
      for (const { bodies } of useless) for (const k of bodies) group.aloof.add(k);
      again();
      group.aloof.clear();
      wrong = this.wrongBy(account);
      parts = holdAll();
    }
    wrong.forEach((cluster, k) => memory.hold(cluster, parts[k]));
    if (wrong.length > 0) group.forgetForces();
  }
}

/** In how many parts steps are taken, by how far bodies turn that may meet an obstacle. */
function partsOf(bodies: readonly GroupBody[], { colliders, dt }: FrameInput, substeps: number): number {
  let parts = 1;
  for (const { state, model } of bodies) {
    if (!mayMeet(state.positions, state.velocities, dt, colliders)) continue;
    const { spin } = rigidMotion([[model.masses, state.positions, state.velocities]]);
    const turn = (lengthAt(spin, 0) * dt) / substeps;
    while (parts < MOST_PARTS && turn > FAR_TURN * parts) parts *= 2;
  }
  return parts;
}

let ahead = new Float64Array(0);

/** Whether the box of a body's way in a frame meets that of an obstacle. */
function mayMeet(x: Float64Array, v: Float64Array, dt: number, { primitiveCount, bounds }: ColliderSet): boolean {
  if (primitiveCount === 0) return false;
  if (ahead.length !== x.length) ahead = new Float64Array(x.length);
  for (let i = 0; i < x.length; i++) ahead[i] = x[i] + dt * v[i];
  const { min, max } = union(boxOf(x), boxOf(ahead));
  for (let k = 0, at = 0; k < primitiveCount; k++, at += 6) {
    let isApart = false;
    for (let c = 0; c < 3; c++) if (min[c] > bounds[at + 3 + c] || max[c] < bounds[at + c]) isApart = true;
    if (!isApart) return true;
  }
  return false;
}
