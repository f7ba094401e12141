import { afterEach, describe, expect, it } from "vitest";
import { Timeline } from "../../../samples/multiplayer/client/timeline";
import { Game } from "../../../samples/multiplayer/server/game";
import { LARGEST_KICK } from "../../../samples/multiplayer/server/rules";
import { BODIES, STEPS_PER_FRAME } from "../../../samples/multiplayer/shared/arena";
import {
  decodeFrame,
  decodePushes,
  encodePushes,
  type Frame,
  type Push,
} from "../../../samples/multiplayer/shared/wire";
import { hostileMessage, randomFrom } from "./hostile";

const games: Game[] = [];
afterEach(() => games.splice(0).forEach((game) => game.dispose()));

async function newGame(): Promise<Game> {
  const game = await Game.create();
  games.push(game);
  return game;
}

const frameOf = async (game: Game): Promise<Frame> => decodeFrame(await game.frame());
const placeOf = ({ poses }: Frame, body: number): number[] => Array.from(poses).slice(7 * body, 7 * body + 3);
const seatOf = (body: number): number => BODIES[body].seat;
const kick = [2, 1, 0] as const;

function steps(game: Game, count: number): void {
  for (let i = 0; i < count; i++) game.step();
}

/** Distances that the bodies went. */
const ways = (a: Frame, b: Frame): number[] =>
  BODIES.map((_, i) => Math.hypot(...placeOf(a, i).map((value, k) => value - placeOf(b, i)[k])));

describe("the game", () => {
  it("lets a player push the bodies of its seat, and no other", async () => {
    const game = await newGame();
    const before = await frameOf(game);
    game.push(3, [
      { number: 1, body: 0, kick },
      { number: 2, body: 15, kick },
      { number: 3, body: BODIES.length, kick },
    ]);
    steps(game, 5);
    const after = await frameOf(game);
    const far = ways(before, after).flatMap((way, i) => (way > 0.05 ? [i] : []));
    expect(far).toEqual([15]);
    expect(seatOf(15)).toBe(3);
    expect(Array.from(after.taken)).toEqual([0, 0, 0, 3, 0, 0, 0, 0, 0, 0]);
  });

  it("refuses kicks out of range, takes each number once, and no more than its rate", async () => {
    const game = await newGame();
    const before = await frameOf(game);
    for (const value of [NaN, Infinity, -Infinity, 1.01 * LARGEST_KICK, -1e30])
      game.push(0, [{ number: 1 + (await frameOf(game)).taken[0], body: 0, kick: [0, value, 0] }]);
    steps(game, 3);
    expect(Math.max(...ways(before, await frameOf(game)))).toBeLessThan(0.01);
    // A message that comes five times.
    game.clear(0);
    for (let i = 0; i < 5; i++) game.push(0, [{ number: 1, body: 0, kick: [0, 2, 0] }]);
    game.step();
    const speed = placeOf(await frameOf(game), 0)[1] - placeOf(before, 0)[1];
    expect(speed).toBeLessThan(2 / 60 + 0.001);
    // More than the rate allows stays open, and is taken later.
    game.clear(0);
    const many: Push[] = Array.from({ length: 8 }, (_, i) => ({ number: i + 1, body: 0, kick: [0, 0.1, 0] }));
    game.push(0, many);
    expect((await frameOf(game)).taken[0]).toBe(4);
    steps(game, 20);
    game.push(0, many);
    expect((await frameOf(game)).taken[0]).toBe(5);
  });

  it("stands 10,000 hostile messages: everything moves as in a game without them", async () => {
    const [game, twin] = [await newGame(), await newGame()];
    const random = randomFrom(1);
    const kicked = { number: 1, body: 5, kick } as const;
    const taken = new Uint32Array(10);
    for (let i = 0; i < 10_000; i++) {
      const seat = [0, 2, 3, 9][i % 4];
      game.push(seat, decodePushes(hostileMessage(seat, taken[seat] + 1, random)));
      if (i % 250 === 249) {
        // An honest player plays on.
        if (i === 4999) for (const each of [game, twin]) each.push(1, [kicked]);
        for (const each of [game, twin]) each.step();
        taken.set(Array.from((await frameOf(game)).taken));
      }
    }
    const [frame, expected] = [await frameOf(game), await frameOf(twin)];
    expect(frame.poses).toEqual(expected.poses);
    expect(frame.curtain).toEqual(expected.curtain);
    expect(frame.taken[1]).toBe(1);
    // The attackers had pushes that the server looked at, up to the limit of their rate.
    for (const seat of [0, 2, 3, 9]) expect(taken[seat]).toBeGreaterThan(4);
  });

  it("moves alike for the same pushes in the same steps, and anew after a restart", async () => {
    const random = randomFrom(7);
    const pushes = Array.from({ length: 40 }, (_, i) => ({
      seat: i % 10,
      push: {
        number: 1 + Math.floor(i / 10),
        body: 5 * (i % 10),
        kick: [4 * random() - 2, 1, 4 * random() - 2],
      } as Push,
    }));
    const play = async (game: Game): Promise<Uint8Array> => {
      for (const { seat, push } of pushes) {
        game.push(seat, decodePushes(encodePushes([push])));
        game.step();
      }
      return game.frame();
    };
    const [game, twin] = [await newGame(), await newGame()];
    const played = await play(game);
    expect(await play(twin)).toEqual(played);
    game.restart();
    for (let seat = 0; seat < 10; seat++) game.clear(seat);
    expect(await play(game)).toEqual(played);
  });
});

describe("the timeline of a client", () => {
  const framesOf = (count: number): Frame[] =>
    Array.from({ length: count }, (_, i) => {
      const step = STEPS_PER_FRAME * i;
      return { step, taken: [], curtain: [0.01 * step], poses: [0.01 * step, 0, 0, 0, 0, 0, i % 2 ? 1 : -1] };
    });

  it("moves evenly where a tenth of the frames is lost", () => {
    const random = randomFrom(3);
    const timeline = new Timeline();
    const xs: number[] = [];
    for (const frame of framesOf(200)) {
      if (random() > 0.1) timeline.add(frame);
      for (let i = 0; i < STEPS_PER_FRAME; i++) xs.push(timeline.advance(1 / 60)!.poses[0]);
    }
    const moves = xs.slice(60).map((x, i) => x - xs[59 + i]);
    expect(Math.min(...moves)).toBeGreaterThan(0.006);
    expect(Math.max(...moves)).toBeLessThan(0.014);
  });

  it("turns the short way between a rotation and its negative", () => {
    const timeline = new Timeline();
    framesOf(8).forEach((frame) => timeline.add(frame));
    timeline.advance(1 / 60);
    for (let i = 0; i < 4; i++) expect(Math.abs(timeline.advance(1 / 240)!.poses[6])).toBeCloseTo(1, 6);
  });

  it("ignores frames that come late, and begins anew with a new game", () => {
    const timeline = new Timeline();
    const frames = framesOf(200);
    for (const i of [198, 199, 190]) timeline.add(frames[i]);
    expect(timeline.newest).toBe(frames[199]);
    timeline.add(frames[1]);
    expect(timeline.newest).toBe(frames[1]);
    expect(timeline.advance(1 / 60)!.poses[0]).toBeCloseTo(0.03, 6);
  });
});
