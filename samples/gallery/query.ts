import { parseSettings } from "../parameters";

/** The request in the address of the page: `?scene=flag&set=wind=8&frames=120&capture`. */
export interface Query {
  readonly scene: string | undefined;
  /** settings of the scene as text */
  readonly settings: Readonly<Record<string, string>>;
  readonly backend: "cpu" | "reference" | "webgpu" | "auto";
  /** stop after this many frames */
  readonly frames: number | undefined;
  /** draw without the panel; `window.pliantGallery.captured` is set after exactly `frames` frames */
  readonly capture: boolean;
  /** graphics of the page */
  readonly engine: "webgpu" | "webgl";
  /** capture: place of the camera, instead of the scene's own view */
  readonly view: { alpha?: number; beta?: number; radius?: number };
}

/** @throws PliantError for a `set` that is not of the form key=value */
export function parseQuery(search: string): Query {
  const query = new URLSearchParams(search);
  const backend = query.get("backend");
  const frames = Number(query.get("frames") ?? Number.NaN);
  const number = (name: string): number | undefined => {
    const value = Number(query.get(name) ?? Number.NaN);
    return Number.isFinite(value) ? value : undefined;
  };
  return {
    scene: query.get("scene") ?? undefined,
    settings: parseSettings(query.getAll("set")),
    backend: backend === "cpu" || backend === "reference" || backend === "webgpu" ? backend : "auto",
    frames: Number.isInteger(frames) && frames > 0 ? frames : undefined,
    capture: query.has("capture"),
    engine: query.get("engine") === "webgl" ? "webgl" : "webgpu",
    view: { alpha: number("alpha"), beta: number("beta"), radius: number("radius") },
  };
}
