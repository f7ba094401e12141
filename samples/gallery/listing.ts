import { sceneNamed } from "../scenes/index";
import { showcases } from "../showcases/index";
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
      const { title, description } = Object.hasOwn(showcases, name) ? showcases[name] : sceneNamed(name);
      return { name, title, description, tags };
    }),
  }));
}
