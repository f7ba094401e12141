import { sceneNamed } from "../scenes/index";
import { playableScene } from "./scene-session";
import type { Playable } from "./session";
import { playableShowcase } from "./showcase-session";

/** @throws PliantError `invalid-argument` for an unknown name */
export function playableNamed(name: string): Playable {
  return playableShowcase(name) ?? playableScene(sceneNamed(name));
}
