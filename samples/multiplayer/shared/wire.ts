/** Bytes of messages, for server and clients. Numbers are little-endian. */

import { BODIES, CURTAIN_VERTICES, SEATS } from "./arena";

/** Types of messages: from the client to the server, and back. */
export const PUSH = 0;
export const FRAME = 1;

/** Change of the velocity of a body that a player asks for. */
export interface Push {
  /** 1, 2, 3 ...: the server takes each number of a player once */
  readonly number: number;
  /** index in `BODIES` */
  readonly body: number;
  /** [m/s] */
  readonly kick: readonly [number, number, number];
}

const PUSH_SIZE = 4 + 2 + 3 * 4;

/** The most pushes in a message. A client sends all that the server has not confirmed, so a lost message costs nothing. */
export const PUSHES_PER_MESSAGE = 8;
export const LARGEST_MESSAGE = PUSHES_PER_MESSAGE * PUSH_SIZE;

export function encodePushes(pushes: readonly Push[]): Uint8Array {
  const bytes = new Uint8Array(pushes.length * PUSH_SIZE);
  const view = new DataView(bytes.buffer);
  pushes.forEach(({ number, body, kick }, i) => {
    view.setUint32(i * PUSH_SIZE, number, true);
    view.setUint16(i * PUSH_SIZE + 4, body, true);
    kick.forEach((value, k) => view.setFloat32(i * PUSH_SIZE + 6 + 4 * k, value, true));
  });
  return bytes;
}

/** @returns the pushes of a message, or none if it is anything else than bytes of pushes. Values may be out of range. */
export function decodePushes(message: unknown): Push[] {
  if (!(message instanceof Uint8Array) || message.length > LARGEST_MESSAGE || message.length % PUSH_SIZE !== 0)
    return [];
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  return Array.from({ length: message.length / PUSH_SIZE }, (_, i) => {
    const at = i * PUSH_SIZE;
    const kick = [0, 1, 2].map((k) => view.getFloat32(at + 6 + 4 * k, true)) as [number, number, number];
    return { number: view.getUint32(at, true), body: view.getUint16(at + 4, true), kick };
  });
}

/** Everything that a client draws. Each frame is complete, so a lost one costs nothing. */
export interface Frame {
  /** steps of the simulation so far */
  readonly step: number;
  /** number of the last push that the server took, for each seat */
  readonly taken: ArrayLike<number>;
  /** position [m] and rotation (quaternion) of every body: 7 numbers each */
  readonly poses: ArrayLike<number>;
  /** position [m] of every vertex of the curtain: 3 numbers each */
  readonly curtain: ArrayLike<number>;
}

const POSE_SIZE = 7;
const POSES_AT = 4 + 4 * SEATS;
const CURTAIN_AT = POSES_AT + 2 * POSE_SIZE * BODIES.length;
const FRAME_SIZE = CURTAIN_AT + 2 * 3 * CURTAIN_VERTICES;

/** Lengths go in steps of half a millimeter, up to 16 m from the middle; quaternions in steps of 1/32767. */
const PER_METER = 2000;
const PER_UNIT = 32767;
const unitsOf = (i: number): number => (i % POSE_SIZE < 3 ? PER_METER : PER_UNIT);
const clamped = (value: number): number => Math.max(-32768, Math.min(32767, Math.round(value)));

export function encodeFrame({ step, taken, poses, curtain }: Frame): Uint8Array {
  const bytes = new Uint8Array(FRAME_SIZE);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, step, true);
  for (let i = 0; i < SEATS; i++) view.setUint32(4 + 4 * i, taken[i], true);
  for (let i = 0; i < poses.length; i++) view.setInt16(POSES_AT + 2 * i, clamped(poses[i] * unitsOf(i)), true);
  for (let i = 0; i < curtain.length; i++) view.setInt16(CURTAIN_AT + 2 * i, clamped(curtain[i] * PER_METER), true);
  return bytes;
}

export function decodeFrame(bytes: Uint8Array): Frame {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const numbers = (length: number, of: (i: number) => number): Float32Array =>
    Float32Array.from({ length }, (_, i) => of(i));
  return {
    step: view.getUint32(0, true),
    taken: Array.from({ length: SEATS }, (_, i) => view.getUint32(4 + 4 * i, true)),
    poses: numbers(POSE_SIZE * BODIES.length, (i) => view.getInt16(POSES_AT + 2 * i, true) / unitsOf(i)),
    curtain: numbers(3 * CURTAIN_VERTICES, (i) => view.getInt16(CURTAIN_AT + 2 * i, true) / PER_METER),
  };
}
