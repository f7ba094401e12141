import { describe, it } from "vitest";
import { characterScenes } from "./characters";
import { constraintScenes } from "./constraints";
import { queryScenes } from "./queries";
import { expectTwins, type TwinScene } from "./twin-scene";

/** The scenes, by what of Babylon's physics they are about. */
const families: Readonly<Record<string, readonly TwinScene[]>> = {
  characters: characterScenes,
  constraints: constraintScenes,
  queries: queryScenes,
};

for (const [family, scenes] of Object.entries(families))
  describe(`Pliant as Havok: ${family}`, () => {
    it.each(scenes.map((scene) => [scene.name, scene] as const))("%s", (_, scene) => expectTwins(scene));
  });
