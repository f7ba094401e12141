import { sceneNamed } from "../scenes/index";
import { catalogue } from "./catalogue";
import type { ListedGroup } from "./overview";

/**
 * The catalogue with the texts of the scenes. `scripts/build-gallery.mjs` runs it, so that the overview does not load the scenes.
 *
 * @throws PliantError for a name in the catalogue that no scene has
 */
export function listing(): ListedGroup[] {
  return catalogue.map(({ title, about, scenes }) => ({
    title,
    about,
    scenes: Object.entries(scenes).map(([name, tags]) => {
      const scene = sceneNamed(name);
      return { name, title: scene.title, description: scene.description, tags };
    }),
  }));
}
