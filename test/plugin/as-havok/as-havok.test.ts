import { describe, it } from "vitest";
import { bodyScenes } from "./bodies";
import { characterScenes } from "./characters";
import { constraintScenes } from "./constraints";
import { eventScenes } from "./events";
import { queryScenes } from "./queries";
import { shapeScenes } from "./shapes";
import { expectTwins, type TwinScene } from "./twin-scene";

/** The scenes, by what of Babylon's physics they are about. */
const families: Readonly<Record<string, readonly TwinScene[]>> = {
  bodies: bodyScenes,
  characters: characterScenes,
  constraints: constraintScenes,
  events: eventScenes,
  queries: queryScenes,
  shapes: shapeScenes,
};

for (const [family, scenes] of Object.entries(families))
  describe(`Pliant as Havok: ${family}`, () => {
    it.each(scenes.map((scene) => [scene.name, scene] as const))("%s", (_, scene) => expectTwins(scene));
  });
