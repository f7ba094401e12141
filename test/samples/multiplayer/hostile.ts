/** Messages of a player who means no good, from a seed. None of them may move anything. */

import { BODIES } from "../../../samples/multiplayer/shared/arena";
import { encodePushes, LARGEST_MESSAGE, type Push } from "../../../samples/multiplayer/shared/wire";

/** @returns numbers in [0, 1), the same for the same seed (mulberry32) */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const NO_BYTES: readonly unknown[] = [
  null,
  undefined,
  true,
  NaN,
  "push",
  [],
  [1, 2, 3],
  {},
  { length: 18 },
  { byteLength: 18, buffer: new ArrayBuffer(18) },
  new Float64Array(9),
  new Uint16Array(9),
  new ArrayBuffer(18),
  () => 0,
  Symbol("push"),
  10n,
  { __proto__: null, constructor: { prototype: 1 } },
];

/**
 * A push that breaks a rule: a body of another seat or of none, a kick that is too long or no number, a number of the
 * past or of the future.
 *
 * @param next the number that the server expects
 */
function wrongPush(seat: number, next: number, random: () => number): Push {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(from.length * random())];
  const own = pick(BODIES.flatMap((body, i) => (body.seat === seat ? [i] : [])));
  const other = pick(BODIES.flatMap((body, i) => (body.seat === seat ? [] : [i])));
  const kick = [0, 1, 2].map(() => 4 * random() - 2) as [number, number, number];
  switch (Math.floor(4 * random())) {
    case 0:
      return { number: next, body: random() < 0.5 ? other : BODIES.length + Math.floor(60_000 * random()), kick };
    case 1: {
      const value = pick([NaN, Infinity, -Infinity, 3.4e38, 5.01, -5.01, -1e9, 2 ** 32]);
      kick[Math.floor(3 * random())] = value;
      return { number: next, body: random() < 0.5 ? own : other, kick };
    }
    case 2:
      return { number: Math.floor(next * random()), body: own, kick };
    default:
      return { number: next + 1 + Math.floor((2 ** 32 - next - 1) * random()), body: own, kick };
  }
}

/** Bytes that are not whole pushes, or more than a message has. */
function noPushes(random: () => number): Uint8Array {
  const length = random() < 0.2 ? LARGEST_MESSAGE + 1 + Math.floor(2000 * random()) : Math.floor(200 * random());
  const bytes = new Uint8Array(length % 18 === 0 && length <= LARGEST_MESSAGE ? length + 1 : length);
  return bytes.map(() => Math.floor(256 * random()));
}

/** A message for the room's handler. */
export function hostileMessage(seat: number, next: number, random: () => number): unknown {
  const kind = random();
  if (kind < 0.6) return hostilePushes(seat, next, random);
  if (kind < 0.85) return noPushes(random);
  return NO_BYTES[Math.floor(NO_BYTES.length * random())];
}

/** Well-formed bytes of pushes that all break a rule. */
export function hostilePushes(seat: number, next: number, random: () => number): Uint8Array {
  const count = 1 + Math.floor(8 * random());
  const pushes = Array.from({ length: count }, () => wrongPush(seat, next, random));
  // The second push of a message may be the one that the server expects, so all but the first break their rule by number.
  return encodePushes(pushes.map((push, i) => (i === 0 ? push : { ...push, number: 0 })));
}

/** Packets below the level of the game: codes, types, lengths and MessagePack made up. */
export function hostilePacket(random: () => number): Uint8Array {
  const byte = (): number => Math.floor(256 * random());
  const codes = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 31, 45, 255];
  const heads = [
    [0],
    [1],
    [0xc1],
    [0xdb, 255, 255, 255, 255],
    [0xd9, 200],
    [0xa9, ...Buffer.from("__proto__")],
    [0xbf],
  ];
  const bodies = [
    [],
    [0xdd, 255, 255, 255, 255],
    [0xdf, 255, 255, 255, 255],
    [0xc6, 127, 255, 255, 255],
    [0xd4, 0x72, 0x40],
  ];
  const pick = <T>(from: readonly T[]): T => from[Math.floor(from.length * random())];
  const noise = Array.from({ length: Math.floor((random() < 0.1 ? 9000 : 40) * random()) }, byte);
  return Uint8Array.from([pick(codes), ...pick(heads), ...pick(bodies), ...noise]);
}
