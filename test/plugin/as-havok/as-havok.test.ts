import { describe, expect, it } from "vitest";
import { axisScenes } from "./axes";
import { bodyScenes } from "./bodies";
import { characterScenes } from "./characters";
import { constraintScenes } from "./constraints";
import { degenerateAxisScenes } from "./degenerate-axes";
import { eventScenes } from "./events";
import { ledBodyScenes } from "./led-bodies";
import { meshScenes } from "./meshes";
import { queryScenes } from "./queries";
import { shapeScenes } from "./shapes";
import { calledOnPliant, expectTwins, playOnPliant, pluginMembers, type TwinScene } from "./twin-scene";

/** The scenes, by their part of Babylon's physics. */
const families: Readonly<Record<string, readonly TwinScene[]>> = {
  axes: axisScenes,
  "degenerate axes": degenerateAxisScenes,
  bodies: bodyScenes,
  characters: characterScenes,
  constraints: constraintScenes,
  events: eventScenes,
  "led bodies": ledBodyScenes,
  meshes: meshScenes,
  queries: queryScenes,
  shapes: shapeScenes,
};

for (const [family, scenes] of Object.entries(families))
  describe(`Pliant as Havok: ${family}`, () => {
    it.each(scenes.map((scene) => [scene.name, scene] as const))("%s", (_, scene) => expectTwins(scene));
  });

describe("Pliant as Havok: all of it", () => {
  const scenes = Object.values(families).flat();

  it("is more than thirty scenes, each with a name of its own", () => {
    expect(scenes.length).toBeGreaterThan(30);
    expect(new Set(scenes.map(({ name }) => name)).size).toBe(scenes.length);
  });

  it("calls every public member of Babylon's interface of a plugin, and of HavokPlugin", async () => {
    for (const scene of scenes) await playOnPliant(scene);
    expect(pluginMembers.filter((member) => !calledOnPliant.has(member))).toEqual([]);
  });
});
