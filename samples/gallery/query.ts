import { parseSettings } from "../parameters";
import type { ParameterValue } from "../scene";
import { PLACE, type Place } from "./place";

export type Backend = "auto" | "webgpu" | "cpu" | "reference";
/** the way in which deformable bodies are drawn */
export type SurfaceView = "cloth" | "strain" | "wireframe";

export const views: readonly SurfaceView[] = ["cloth", "strain", "wireframe"];
/** simulated seconds in a second */
export const speeds: readonly number[] = [0.1, 0.25, 0.5, 1, 2];
/** elongations that are drawn as full red */
export const strainScales: readonly number[] = [0.01, 0.05, 0.2];

/** The request in the address of the page: `?scene=flag&set=wind=8&frames=120&capture`. */
export interface Query {
  /** undefined: the overview of all scenes */
  readonly scene: string | undefined;
  /** settings of the scene as text */
  readonly settings: Readonly<Record<string, ParameterValue>>;
  readonly backend: Backend;
  readonly view: SurfaceView;
  /** one of `strainScales` */
  readonly scale: number;
  /** one of `speeds` */
  readonly speed: number;
  readonly paused: boolean;
  /** stop after this many frames */
  readonly frames: number | undefined;
  /** draw the last of exactly `frames` frames, without the controls */
  readonly capture: boolean;
  /** capture: number of pictures, evenly over the frames, that the page joins below one another (`strip.ts`) */
  readonly shots: number | undefined;
  /** graphics of the page */
  readonly engine: "webgpu" | "webgl";
  /** place of the camera, instead of the scene's own view */
  readonly camera: Partial<Place>;
}

/** @throws PliantError for a `set` that is not of the form key=value */
export function parseQuery(search: string): Query {
  const query = new URLSearchParams(search);
  const number = (name: string): number | undefined => {
    const value = Number(query.get(name) ?? Number.NaN);
    return Number.isFinite(value) ? value : undefined;
  };
  const count = (name: string): number | undefined => {
    const value = number(name);
    return value !== undefined && Number.isInteger(value) && value > 0 ? value : undefined;
  };
  const oneOf = <T>(value: unknown, valid: readonly T[], otherwise: T): T =>
    valid.find((one) => one === value) ?? otherwise;
  return {
    scene: query.get("scene") ?? undefined,
    settings: parseSettings(query.getAll("set")),
    backend: oneOf<Backend>(query.get("backend"), ["cpu", "reference", "webgpu"], "auto"),
    view: oneOf(query.get("view"), views, "cloth"),
    scale: oneOf(number("scale"), strainScales, strainScales[0]),
    speed: oneOf(number("speed"), speeds, 1),
    paused: query.has("paused"),
    frames: count("frames"),
    capture: query.has("capture"),
    shots: count("shots"),
    engine: oneOf<Query["engine"]>(query.get("engine"), ["webgl"], "webgpu"),
    camera: Object.fromEntries(PLACE.map((name) => [name, number(name)])),
  };
}

/** The part of a request that the visitor changes in the page. */
export type Shown = Pick<
  Query,
  "settings" | "backend" | "view" | "scale" | "speed" | "paused" | "engine" | "camera"
> & {
  readonly scene: string;
};

/** The address that shows the same again, without what has its default value: the reverse of `parseQuery`. */
export function addressOf({ scene, settings, backend, view, scale, speed, paused, engine, camera }: Shown): string {
  const query = new URLSearchParams({ scene });
  for (const [name, value] of Object.entries(settings)) query.append("set", `${name}=${value}`);
  if (backend !== "auto") query.set("backend", backend);
  if (view !== "cloth") query.set("view", view);
  if (scale !== strainScales[0]) query.set("scale", String(scale));
  if (speed !== 1) query.set("speed", String(speed));
  if (paused) query.set("paused", "");
  if (engine !== "webgpu") query.set("engine", engine);
  for (const name of PLACE) if (camera[name] !== undefined) query.set(name, String(camera[name]));
  return `?${query}`;
}
