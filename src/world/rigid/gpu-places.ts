import { resized } from "../../math/arrays";
import * as constants from "../../generated/constants";
import * as structs from "../../generated/structs";
import { type BodyTable, Motion, POSE_SIZE, TWIST_SIZE } from "../../solvers/newton/motion/bodies";
import type { RecordTable } from "../../solvers/newton/gpu/record-table";
import type { RigidBody } from "./rigid-body";

const { fields, size: stateSize } = structs.BodyState;
const stride = stateSize / 4;
const positionAt = fields.position.offset / 4;
const lowAt = fields.low.offset / 4;
const rotationAt = fields.rotation.offset / 4;
const velocityAt = fields.velocity.offset / 4;
const spinAt = fields.spin.offset / 4;

/**
 * The record on the GPU of each body, and the changes that either side does not know yet. The GPU moves the bodies.
 * Changes by the user on the CPU are found by comparison with the values that were last read or sent, and go along with
 * the next frame.
 */
export class GpuPlaces {
  /** records in use, including those of bodies that were removed in between */
  count = 0;
  private readonly placeOfBody = new Map<RigidBody, number>();
  private readonly free: number[] = [];
  /** by place: pose and velocity on the GPU, as far as they are known */
  private pose = new Float64Array(0);
  private velocity = new Float64Array(0);
  /** by place: first frame that contains the last change from the CPU; 0: the body is new */
  private changedIn = new Int32Array(0);

  constructor(private readonly table: BodyTable) {}

  /** Writes the place of each body. */
  number(bodies: readonly RigidBody[], out: Int32Array): void {
    for (let slot = 0; slot < bodies.length; slot++) {
      let place = this.placeOfBody.get(bodies[slot]);
      if (place === undefined) {
        place = this.free.pop() ?? this.count++;
        this.reserve(this.count);
        this.placeOfBody.set(bodies[slot], place);
        this.changedIn[place] = 0;
      }
      out[slot] = place;
    }
    if (this.placeOfBody.size === bodies.length) return;
    for (const [body, place] of this.placeOfBody) {
      if (!body.isDisposed) continue;
      this.placeOfBody.delete(body);
      this.free.push(place);
    }
  }

  /**
   * Adds changes on the CPU since the last frame to the frame's records.
   *
   * @param isLate poses on the CPU are older than those on the GPU: then only the change of a velocity is sent
   */
  writeEdits(
    inputs: RecordTable<typeof structs.BodyInput>,
    bodies: readonly RigidBody[],
    frame: number,
    isLate: boolean,
  ): void {
    const { state, model } = this.table;
    const { f32, u32 } = inputs;
    const flags = inputs.at("flags");
    const [position, low, rotation] = [inputs.at("position"), inputs.at("low"), inputs.at("rotation")];
    const [velocityChange, spinChange] = [inputs.at("velocityChange"), inputs.at("spinChange")];
    for (let slot = 0; slot < bodies.length; slot++) {
      const place = this.placeOfBody.get(bodies[slot])!;
      const at = inputs.stride * place;
      const isNew = this.changedIn[place] === 0;
      const isDriven = model.motion[slot] !== Motion.dynamic;
      const x = POSE_SIZE * slot;
      const v = TWIST_SIZE * slot;
      const known = TWIST_SIZE * place;
      const isPlaced = isNew || isDriven || differs(state.pose, x, this.pose, POSE_SIZE * place, POSE_SIZE);
      const isLaunched = isNew || isDriven || differs(state.velocity, v, this.velocity, known, TWIST_SIZE);
      if (!isPlaced && !isLaunched) continue;
      if (isPlaced) {
        u32[at + flags] |= constants.BODY_PLACED;
        for (let i = 0; i < 3; i++) {
          f32[at + position + i] = state.pose[x + i]!;
          f32[at + low + i] = state.pose[x + i] - Math.fround(state.pose[x + i]);
        }
        for (let i = 0; i < 4; i++) f32[at + rotation + i] = state.pose[x + 3 + i]!;
      }
      if (isLaunched) {
        const isWhole = isNew || isDriven || !isLate || state.asleep[slot] === 1;
        if (isWhole) u32[at + flags] |= constants.BODY_LAUNCHED;
        for (let i = 0; i < 3; i++) {
          f32[at + velocityChange + i] = state.velocity[v + i] - (isWhole ? 0 : this.velocity[known + i]);
          f32[at + spinChange + i] = state.velocity[v + 3 + i] - (isWhole ? 0 : this.velocity[known + 3 + i]);
        }
      }
      this.changedIn[place] = frame;
      for (let i = 0; i < POSE_SIZE; i++) this.pose[POSE_SIZE * place + i] = state.pose[x + i]!;
      for (let i = 0; i < TWIST_SIZE; i++) this.velocity[known + i] = state.velocity[v + i]!;
    }
  }

  /** Takes poses and velocities that came back, unless they are older than changes on the CPU. */
  take(data: Float32Array, bodies: readonly RigidBody[], frame: number): void {
    const { state, model } = this.table;
    for (let slot = 0; slot < bodies.length; slot++) {
      const place = this.placeOfBody.get(bodies[slot]);
      if (place === undefined || model.motion[slot] !== Motion.dynamic) continue;
      if (this.changedIn[place] === 0 || this.changedIn[place] > frame) continue;
      const at = stride * place;
      const pose = POSE_SIZE * slot;
      const knownPose = POSE_SIZE * place;
      const isPlaced = differs(state.pose, pose, this.pose, knownPose, POSE_SIZE);
      for (let i = 0; i < POSE_SIZE; i++) {
        const value = i < 3 ? data[at + positionAt + i] + data[at + lowAt + i] : data[at + rotationAt + i - 3];
        if (!isPlaced) state.pose[pose + i] = value;
        this.pose[knownPose + i] = value;
      }
      for (let i = 0; i < TWIST_SIZE; i++) {
        const value = data[at + (i < 3 ? velocityAt + i : spinAt + i - 3)];
        const k = TWIST_SIZE * slot + i;
        const known = TWIST_SIZE * place + i;
        if (state.asleep[slot] === 0)
          state.velocity[k] =
            state.velocity[k] === this.velocity[known] ? value : value + (state.velocity[k] - this.velocity[known]);
        this.velocity[known] = value;
      }
    }
  }

  /** Treats all bodies as new: the next frame takes their states from the CPU. */
  forget(): void {
    this.changedIn.fill(0);
  }

  private reserve(count: number): void {
    if (this.changedIn.length >= count) return;
    const capacity = Math.max(16, 2 * count);
    const grown = (from: Float64Array<ArrayBuffer>, width: number): Float64Array<ArrayBuffer> =>
      resized(from, new Float64Array(width * capacity));
    this.pose = grown(this.pose, POSE_SIZE);
    this.velocity = grown(this.velocity, TWIST_SIZE);
    const changedIn = new Int32Array(capacity);
    changedIn.set(this.changedIn);
    this.changedIn = changedIn;
  }
}

function differs(a: Float64Array, i: number, b: Float64Array, j: number, count: number): boolean {
  for (let k = 0; k < count; k++) if (a[i + k] !== b[j + k]) return true;
  return false;
}
