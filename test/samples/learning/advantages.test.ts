import { expect, it } from "vitest";
import { advantagesOf } from "../../../samples/learning/advantages";
import { mulberry } from "../../../samples/random";

it("advantages agree with a calculation by hand, beside another environment whose episode ends", () => {
  // Two environments in columns; γ = 0.5, λ = 0.5, so that γ λ = 0.25.
  const advantages = advantagesOf(
    {
      rewards: Float64Array.of(1, 1, 2, 2, 3, 3),
      values: Float64Array.of(4, 4, 2, 2, 8, 8),
      nextValues: Float64Array.of(2, 0, 8, 8, 6, 6),
      last: Uint8Array.of(0, 1, 0, 0, 0, 0),
      environments: 2,
    },
    0.5,
    0.5,
  );
  // δ = 1 + 1 − 4, 2 + 4 − 2, 3 + 3 − 8; the second environment ends after its first decision: δ = 1 − 4.
  expect([...advantages]).toEqual([-2 + 0.25 * (4 + 0.25 * -2), -3, 4 + 0.25 * -2, 4 + 0.25 * -2, -2, -2]);
});

it.each([1, 3])(
  "are discounted sums of rewards for λ = 1, and single differences for λ = 0 (%i environments)",
  (width) => {
    const random = mulberry(width);
    const [steps, discount] = [12, 0.9];
    const count = steps * width;
    const rewards = Float64Array.from({ length: count }, random);
    const values = Float64Array.from({ length: count }, random);
    const ends = Float64Array.from({ length: width }, random);
    const nextValues = values.map((_, i) => (i + width < count ? values[i + width] : ends[i % width]));
    const estimates = { rewards, values, nextValues, last: new Uint8Array(count), environments: width };
    const full = advantagesOf(estimates, discount, 1);
    const single = advantagesOf(estimates, discount, 0);
    for (let i = 0; i < count; i++) {
      let sum = -values[i];
      let factor = 1;
      for (let k = i; k < count; k += width, factor *= discount) sum += factor * rewards[k];
      expect(full[i]).toBeCloseTo(sum + factor * ends[i % width], 12);
      expect(single[i]).toBeCloseTo(rewards[i] + discount * nextValues[i] - values[i], 12);
    }
  },
);
