import { beforeAll, describe, expect, it } from "vitest";
import { learnCommand } from "../../bench/learn/command";
import { EPISODES, train } from "../../bench/learn/train";
import { prepareLearning } from "../../samples/learning/learner";
import { trainByPpo } from "../../samples/learning/ppo";
import { cartpoleOptions, learningTask, type LearningTask } from "../../samples/learning/tasks";
import { mulberry } from "../../samples/random";

beforeAll(prepareLearning);

async function command(...args: string[]): Promise<{ code: number; printed: string; logged: string }> {
  let [printed, logged] = ["", ""];
  const code = await learnCommand(args, {
    print: (line) => (printed += line),
    log: { write: (text: string) => (logged += text) },
  });
  return { code, printed, logged };
}

describe("the command learn", () => {
  it.each([
    [
      ["walk"],
      /task.*cartpole, cartpole-swing-up, half-cheetah, half-cheetah-gradients, half-cheetah-curvature, humanoid-run, got "walk"/,
    ],
    [[], /task.*one name/],
    [["cartpole", "--seeds", "0"], /--seeds.*whole number from 1/],
    [["cartpole", "--seed", "x"], /--seed.*whole number/],
    [["cartpole", "--fast"], /learn.*as the usage says/],
  ])("refuses %j", async (args, message) => {
    const { code, printed, logged } = await command(...args);
    expect([code, printed]).toEqual([2, ""]);
    expect(logged).toMatch(message);
    expect(logged).toMatch(/usage: npm run learn/);
  });

  it("tells how it is used", async () => {
    expect(await command("--help")).toMatchObject({ code: 0, printed: expect.stringMatching(/^usage/) });
  });
});

describe("a training", () => {
  let balance: LearningTask;
  beforeAll(async () => {
    balance = await learningTask("cartpole");
  });
  const options = { ...cartpoleOptions.balance, environments: 2, steps: 16, batch: 16, passes: 1, decisions: 400 };
  /** A task whose episodes are successes by turns, counted from the first one. */
  const judged = (isSuccess: (episode: number) => boolean): LearningTask => {
    let episode = 0;
    return {
      ...balance,
      decisions: options.decisions,
      train: (...way) => trainByPpo(() => balance.make(false), options, ...way),
      isSuccess: () => isSuccess(episode++),
    };
  };

  it("ends where enough episodes succeed, and goes on if told so", () => {
    const short = train(
      judged(() => true),
      1,
      false,
      () => undefined,
    );
    expect(short).toMatchObject({ solvedAfter: 128, successes: 1 });
    expect(short.decisions).toEqual([32, 64, 96, 128]);
    const full = train(
      judged(() => true),
      1,
      true,
      () => undefined,
    );
    expect(full.solvedAfter).toBe(128);
    expect(full.decisions.at(-1)).toBe(416);
    expect(full.returns.length).toBe(13);
  });

  it("says that it has not solved the task, and how well its policy does", () => {
    const training = train(
      judged((episode) => episode % 4 === 0),
      1,
      false,
      () => undefined,
    );
    expect(training).toMatchObject({ solvedAfter: undefined, successes: 0.25 });
    expect(training.decisions.at(-1)).toBe(416);
  });

  it("keeps the best policy", () => {
    // Each check plays 20 episodes and then 100: the second check is better than the first, and the third is worse.
    const misses = [3, 0, 5];
    const task = judged((episode) => {
      const [check, at] = [Math.floor(episode / (20 + EPISODES)), episode % (20 + EPISODES)];
      return at < 20 || at - 20 >= (misses[check] ?? EPISODES);
    });
    const best = train(task, 1, true, () => undefined);
    expect(best).toMatchObject({ solvedAfter: 128, successes: 1 });
    let second: unknown;
    trainByPpo(
      () => balance.make(false),
      options,
      mulberry(1),
      ({ decisions, actor }) => {
        second = actor.data();
        return decisions === 256;
      },
    );
    expect(best.actor.data()).toEqual(second);
  });
});
