import type { ColliderSet } from "../../collision/obstacles/collider-set";
import type { RigidProxy } from "../../collision/obstacles/rigid-proxy";
import type { GroupBody } from "./body/group-body";
import type { Cluster } from "./contact/clusters";

/** Somebody whose state is plain data. */
export interface Kept<Memory> {
  save(): Memory;
  load(memory: Memory): void;
}

/** Positions [m] and velocities [m/s] of a body. */
type State = readonly [Float64Array, Float64Array];

/** All that a frame changes, copied before it, so that it can be taken again. */
export class FrameMemory<Memory> {
  /** in the order of the bodies */
  readonly states: readonly State[];
  private readonly memories: readonly (readonly Float64Array[])[] = this.bodies.map((body) => body.saveMemory());
  private readonly proxies: readonly RigidProxy[];
  private readonly moved: readonly (readonly Float64Array[])[];
  private readonly own: Memory = this.group.save();

  constructor(
    private readonly group: Kept<Memory>,
    private readonly bodies: readonly GroupBody[],
    { proxies }: ColliderSet,
  ) {
    this.states = bodies.map(({ state }) => [state.positions.slice(), state.velocities.slice()]);
    this.proxies = proxies;
    this.moved = proxies.map((proxy) => proxy.save());
  }

  restore(): void {
    this.bodies.forEach((body, k) => {
      body.writeState(...this.states[k]);
      body.loadMemory(this.memories[k]);
    });
    this.proxies.forEach((proxy, k) => proxy.load(this.moved[k]));
    this.group.load(this.own);
  }

  /** Leaves a part of what contacts of a cluster did to rigid bodies, and nothing of its duals, which are of a state that it is not in. */
  hold({ bodies, proxies }: Cluster, part: number): void {
    for (const k of bodies) this.bodies[k].loadMemory(this.memories[k]);
    for (const k of proxies) {
      const made = this.proxies[k].save();
      const held = this.moved[k].map((from, a) => from.map((value, i) => value + part * (made[a][i] - value)));
      this.proxies[k].load(held);
    }
  }
}
