import { shaders } from "../../generated/shaders/collision";
import * as structs from "../../generated/structs";
import type { GpuContext } from "../../gpu/device";
import { Kernel } from "../../gpu/kernel";
import type { PassRecorder } from "../../gpu/pass-recorder";
import { readBuffer, ReadbackRing } from "../../gpu/readback";
import { StructWriter } from "../../gpu/struct";
import type { ColliderSet } from "./collider-set";
import { type RigidProxy, YIELD } from "./rigid-proxy";

const { size, align, fields } = structs.ProxyState;
const STRIDE = Math.ceil(size / align) * align;

/** Largest number of frames that a readback may take if the host never waits. */
const MEMORY = 16;

/** Motion that the host took over in a frame, and the length of the frame, for correcting older readbacks. */
interface TakenInFrame {
  readonly frame: number;
  readonly dt: number;
  readonly taken: Float64Array;
}

/**
 * Proxies of rigid bodies on the GPU. The GPU sums impulses up until a frame can send a copy, so that no impulse is
 * lost while all staging buffers are in use. A copy arrives a frame or two late. Motion that the host has taken over in
 * between is subtracted from it, and from the state on the GPU in the next frame.
 */
export class ProxyBuffers {
  count = 0;
  proxies: GPUBuffer = this.context.createBuffer("rigid proxies", structs.RigidProxy.size);
  states: GPUBuffer = this.context.createBuffer("rigid proxy states", STRIDE);
  private list: readonly RigidProxy[] = [];
  private writer = new StructWriter(structs.RigidProxy, 1);
  private takeOver: Kernel | undefined;
  private ring: ReadbackRing | undefined;
  private sent = true;
  /** frames in which proxies went on from where they were loaded */
  private loads = 0;
  private frame = 0;
  private dt = 0;
  private readonly log: TakenInFrame[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private readonly noOffsets = new Uint32Array(2);

  constructor(private readonly context: GpuContext) {}

  /**
   * Takes a changed set of proxies. Impulses of the old proxies that are still under way arrive later. The way that proxies have yielded
   * stays: the host may have taken it over, and the GPU subtracts that in the next frame.
   */
  replace(set: ColliderSet): void {
    this.retire();
    const { context, list: before, states: old } = this;
    this.list = set.proxies;
    this.count = this.list.length;
    const places = Math.max(1, this.count);
    this.writer = new StructWriter(structs.RigidProxy, places);
    this.proxies = context.createBuffer("rigid proxies", this.writer.bytes.byteLength);
    this.states = context.createBuffer("rigid proxy states", places * STRIDE);
    const encoder = context.device.createCommandEncoder({ label: "Pliant rigid proxies" });
    this.list.forEach((proxy, k) => {
      const place = before.indexOf(proxy);
      if (place >= 0) encoder.copyBufferToBuffer(old, place * STRIDE, this.states, k * STRIDE, STRIDE);
    });
    context.device.queue.submit([encoder.finish()]);
    this.ring = this.count > 0 ? new ReadbackRing(context, this.states, this.count * STRIDE, 4) : undefined;
    const bindings = { proxies: this.proxies, proxyStates: this.states };
    this.takeOver =
      this.count > 0
        ? Kernel.create(context, "collision/take-over", shaders["collision/take-over"], "takeOver", bindings)
        : undefined;
    this.sent = true;
    this.log.length = 0;
  }

  /** Call before the passes of a frame: the GPU subtracts the motion that the host has taken over. */
  beginFrame(recorder: PassRecorder, frame: number, dt: number): void {
    this.frame = frame;
    this.dt = dt;
    if (this.count === 0) return;
    const { writer } = this;
    this.takeLoaded();
    const taken = new Float64Array(YIELD.size * this.count);
    this.list.forEach((proxy, i) => {
      for (const name of ["inverseMass", "carried", "mobility", "turning"] as const) writer.set(i, name, proxy[name]);
      writer.set(i, "frameTime", dt);
      writer.set(i, "wrenchWasSent", this.sent ? 1 : 0);
      for (const name of ["inverseInertia", "blocked"] as const) {
        writer.set(i, `${name}Diagonal`, Array.from(proxy[name].subarray(0, 3)));
        writer.set(i, `${name}OffDiagonal`, Array.from(proxy[name].subarray(3, 6)));
      }
      for (const name of sameNames) writer.set(i, name, Array.from(proxy[name]));
      for (const [name, at] of takenFields) writer.set(i, name, Array.from(proxy.taken.subarray(at, at + 3)));
      taken.set(proxy.taken, YIELD.size * i);
      proxy.taken.fill(0);
    });
    this.context.device.queue.writeBuffer(this.proxies, 0, writer.bytes);
    this.log.push({ frame, dt, taken });
    if (this.log.length > MEMORY) this.log.shift();
    this.takeOver!.dispatch(recorder.stage("rigid proxies"), this.count, this.noOffsets);
  }

  /** Proxies go on from where they were loaded. */
  private takeLoaded(): void {
    const { list, states, context } = this;
    if (!list.some(({ isLoaded }) => isLoaded)) return;
    this.loads++;
    this.log.length = 0;
    list.forEach((proxy, k) => {
      if (!proxy.isLoaded) return;
      proxy.isLoaded = false;
      // Their state has nothing that the host has taken over.
      proxy.taken.fill(0);
      const values = new Float32Array(STRIDE / 4);
      values[fields.contacts.offset / 4] = proxy.gpuContacts;
      for (const [name, at] of stateFields) values.set(proxy.yielded.subarray(at, at + 3), fields[name].offset / 4);
      context.device.queue.writeBuffer(states, k * STRIDE, values);
    });
  }

  /** Call after the passes of a frame. @returns a function to call after the submit */
  endFrame(encoder: GPUCommandEncoder): (() => void) | undefined {
    const { list, frame, dt } = this;
    for (const { yielded } of list)
      for (let i = 0; i < 6; i++) yielded[YIELD.offset + i] += dt * yielded[YIELD.velocity + i];
    const { loads } = this;
    const send = this.ring?.encode(encoder, (bytes) => {
      if (loads === this.loads) this.receive(list, frame, new DataView(bytes));
    });
    this.sent = send !== undefined;
    return send && (() => this.expect(send()));
  }

  /** Whether the host knows all that the GPU has done. */
  get isSettled(): boolean {
    return this.sent && this.underWay.size === 0;
  }

  /** Resolves when everything that was sent has arrived. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay);
  }

  dispose(): void {
    this.proxies.destroy();
    this.states.destroy();
    this.ring?.dispose();
  }

  private retire(): void {
    const { proxies, states, ring, list, frame, context } = this;
    const last = this.sent
      ? undefined
      : readBuffer(context, states).then((bytes) => this.receive(list, frame, new DataView(bytes)));
    const arrivals = Promise.allSettled([...this.underWay, last]).then(() => {
      proxies.destroy();
      states.destroy();
      ring?.dispose();
    });
    this.expect(arrivals);
  }

  private expect(arrival: Promise<void>): void {
    this.underWay.add(arrival);
    void arrival.finally(() => this.underWay.delete(arrival));
  }

  /** Receives the states at the end of a frame, possibly an earlier one. */
  private receive(list: readonly RigidProxy[], frame: number, view: DataView): void {
    list.forEach((proxy, i) => {
      const { wrench, yielded } = proxy;
      if (proxy.isLoaded) return;
      proxy.drive = Infinity;
      proxy.gpuContacts = view.getFloat32(i * STRIDE + fields.contacts.offset, true);
      for (let c = 0; c < 3; c++) {
        wrench[c] += view.getFloat32(i * STRIDE + fields.impulse.offset + 4 * c, true);
        wrench[3 + c] += view.getFloat32(i * STRIDE + fields.angularImpulse.offset + 4 * c, true);
        // a proxy that has left the set takes impulses only
        if (list !== this.list) continue;
        for (const [name, at] of stateFields)
          yielded[at + c] = view.getFloat32(i * STRIDE + fields[name].offset + 4 * c, true);
      }
      if (list !== this.list) return;
      for (const later of this.log) {
        if (later.frame <= frame) continue;
        for (let n = 0; n < YIELD.size; n++) yielded[n] -= later.taken[YIELD.size * i + n];
        for (let n = 0; n < 6; n++) yielded[YIELD.offset + n] += later.dt * yielded[YIELD.velocity + n];
      }
      // motion taken over since the last frame began
      for (let n = 0; n < YIELD.size; n++) yielded[n] -= proxy.taken[n];
    });
  }
}

const sameNames = [
  ...(["centre", "velocity", "support", "spin", "endVelocity", "endSpin"] as const),
  ...(["acceleration", "drift", "spinAcceleration", "spinDrift"] as const),
] as const;

const takenFields = [
  ["takenVelocity", YIELD.velocity],
  ["takenSpin", YIELD.spin],
  ["takenOffset", YIELD.offset],
  ["takenTurn", YIELD.turn],
] as const;

const stateFields = [
  ["velocity", YIELD.velocity],
  ["spin", YIELD.spin],
  ["offset", YIELD.offset],
  ["turn", YIELD.turn],
] as const;
