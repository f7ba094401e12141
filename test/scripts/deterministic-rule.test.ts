import { expect, it } from "vitest";
import { deterministicRule } from "../../scripts/lint/deterministic.mjs";

interface Finding {
  message: string;
}

function findings(object: string, property: string): string[] {
  const found: string[] = [];
  const rule = deterministicRule.create({ report: ({ message }: Finding) => found.push(message) });
  rule.MemberExpression({ object: { name: object }, property: { name: property } });
  return found;
}

it.each(["sin", "hypot", "pow", "exp"])("refuses Math.%s", (name) => {
  expect(findings("Math", name)).toEqual([expect.stringContaining(`Math.${name} is not rounded alike`)]);
});

it.each([
  ["Math", "sqrt"],
  ["Math", "abs"],
  ["deterministic", "sin"],
])("allows %s.%s", (object, property) => {
  expect(findings(object, property)).toEqual([]);
});
