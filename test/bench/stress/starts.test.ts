import { expect, it } from "vitest";
import { families } from "../../../bench/stress/families/index";
import { Judge } from "../../../bench/stress/judge";
import { drawScene } from "../../../bench/stress/run";
import { subjectOf } from "../../../bench/stress/subject";

// Random scenes whose first frames were wrong, and whose later ones take too long to be tested.
it.each([
  // a rope that flutters in the wind of its flight
  ["ropes", 295, 5],
  // ropes that begin within a ball
  ["ropes", 105, 3],
  ["ropes", 325, 3],
  // fast wheels of a fifth of a millimeter
  ["vehicles", 326, 8],
  // light links whose ends are hundreds of times as heavy
  ["chains", 40, 26],
  ["chains", 235, 8],
  // a solid that lands on a body of a fortieth of its weight, which tips
  ["mixed", 107, 10],
] as const)("the first frames of %s %i are well", async (name, seed, frames) => {
  const data = drawScene(
    families.find((family) => family.name === name)!,
    seed,
  );
  const subject = await subjectOf(data, undefined);
  try {
    const judge = new Judge(data, await subject.read());
    for (let frame = 1; frame <= frames; frame++) {
      await subject.step();
      expect(judge.look(await subject.read(), frame * data.timeStep), `frame ${frame}`).toBeUndefined();
    }
  } finally {
    subject.dispose();
  }
});

// A slide that has gone 6,000 sizes: within a step links get a hundred times as fast, for which it had too few parts.
it("steps that speed up are taken in more parts: mechanisms 602", async () => {
  const subject = await subjectOf(
    drawScene(
      families.find(({ name }) => name === "mechanisms")!,
      602,
    ),
    undefined,
  );
  try {
    for (let frame = 1; frame <= 85; frame++) await subject.step();
  } finally {
    subject.dispose();
  }
});
