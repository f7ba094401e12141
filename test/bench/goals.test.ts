import { expect, it } from "vitest";
import { goalsText } from "../../bench/goals/report";
import { goalsSuite } from "../../bench/goals/suite";

it("an arm of seven joints reaches its goals from zero torque", async () => {
  const result = await goalsSuite(2, undefined, ["reach"]);
  for (const { error } of result.rows) expect(error).toBeLessThan(0.01);
  expect(goalsText(result)).toMatch(/reach {2}2 +100 %/);
});

it("an arm that goes around the wrong way, far beyond its limits, begins again", async () => {
  const { rows } = await goalsSuite(19, undefined, ["reach"], 18);
  expect(rows).toHaveLength(1);
  expect(rows[0].error).toBeLessThan(0.01);
});

it("a hand lifts cubes to their goals from zero torque, also one that spins in it at first", async () => {
  const result = await goalsSuite(19, undefined, ["grasp"], 18);
  expect(result.rows).toHaveLength(1);
  expect(result.rows[0].error).toBeLessThan(0.01);
});
