import { expect, it } from "vitest";
import { docExamples } from "../package/doc-examples";

// test/package/package.test.ts compiles them.
it("every class that the plugin exports has an example in its documentation", () => {
  const examples = docExamples();
  expect([...examples.keys()]).toEqual(expect.arrayContaining(["ClothAggregate", "PliantPlugin", "World"]));
  expect([...examples].filter(([, { code }]) => !code).map(([name]) => name)).toEqual([]);
});
