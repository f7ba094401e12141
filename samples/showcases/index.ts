import type { AbstractEngine, Scene } from "@babylonjs/core";
import type { PliantPluginOptions } from "babylon-pliant";
import type { Tag } from "../gallery/tags";

/** A control that a page shows beside a showcase; its name, in camel case, is its label. */
export type Control =
  | { value: string; choices: readonly string[]; set(value: string): void }
  | { value: boolean; set(value: boolean): void }
  | { value: number; range: readonly [number, number]; unit?: string; set(value: number): void }
  | { press(): void };

/** A running showcase. */
export interface Shown {
  scene: Scene;
  controls: Record<string, Control>;
}

/**
 * Exported by each file here, which uses nothing but Babylon and the plugin. Without an engine it draws to the page's canvas.
 */
export type CreateScene = (engine?: AbstractEngine, physics?: PliantPluginOptions) => Promise<Shown>;

interface Showcase {
  readonly title: string;
  readonly description: string;
  readonly tags: readonly Tag[];
  /** frames of its moving preview, default 150 */
  readonly frames?: number;
  load(): Promise<{ createScene: CreateScene }>;
}

export const showcases: Readonly<Record<string, Showcase>> = {
  "silk-reveal": {
    title: "Silk reveal",
    description: "A hand lifts silk off a bottle, and lets it fall again.",
    tags: ["cloth", "contact"],
    frames: 194,
    load: () => import("./silk-reveal"),
  },
  "daylight-curtain": {
    title: "Daylight curtain",
    description: "Curtains in the draft of a window; draw them with the slider.",
    tags: ["cloth", "wind"],
    load: () => import("./daylight-curtain"),
  },
  "walking-cape": {
    title: "Walking cape",
    description: "A cape follows a skinned figure that walks; choose its fabric.",
    tags: ["garment", "cloth", "contact"],
    load: () => import("./walking-cape"),
  },
  harbour: {
    title: "Harbour",
    description: "Sails, a flag and mooring ropes of a boat in the wind.",
    tags: ["cloth", "rope", "wind"],
    load: () => import("./harbour"),
  },
  "finish-line": {
    title: "Finish line",
    description: "A wooden car tears the tape of the finish.",
    tags: ["cloth", "tearing", "contact"],
    load: () => import("./finish-line"),
  },
  "jelly-course": {
    title: "Jelly course",
    description: "Jellies drop onto cake stands and wobble; shake the table, or drop another.",
    tags: ["soft body", "rigid body", "contact"],
    frames: 100,
    load: () => import("./jelly-course"),
  },
  "jelly-platformer": {
    title: "Jelly platformer",
    description: "A jelly hops over cakes for candies; use the arrow keys and space, click, or let it hop.",
    tags: ["soft body", "contact"],
    frames: 330,
    load: () => import("./jelly-platformer"),
  },
  "balloon-party": {
    title: "Balloon party",
    description: "Balloons jostle on their strings, and rise to the ceiling when you let them go.",
    tags: ["pressure", "rope", "contact"],
    frames: 330,
    load: () => import("./balloon-party"),
  },
  cushion: {
    title: "Cushion configurator",
    description: "A press lowers on a cushion; choose its material, its color and how firm it is.",
    tags: ["pressure", "cloth", "contact", "material"],
    frames: 360,
    load: () => import("./cushion"),
  },
  poncho: {
    title: "Poncho and swatches",
    description: "A poncho on a skinned figure that walks; click a swatch to choose its fabric.",
    tags: ["garment", "cloth", "contact", "wind"],
    frames: 200,
    load: () => import("./poncho"),
  },
  towels: {
    title: "Towels by hand",
    description: "Towels on a table: move them with the pointer, or with your hands in XR.",
    tags: ["cloth", "contact"],
    frames: 280,
    load: () => import("./towels"),
  },
  "rope-bridge": {
    title: "Rope bridge and crane",
    description: "A crane lowers a crate on planks that hang on ropes; choose how heavy it is.",
    tags: ["rope", "rigid body", "contact"],
    frames: 480,
    load: () => import("./rope-bridge"),
  },
  "tomato-gripper": {
    title: "Gripper and tomatoes",
    description: "A gripper with fingers moved by air sets soft tomatoes on scales, which show their weight.",
    tags: ["mechanism", "soft body", "contact", "friction", "joints"],
    frames: 400,
    load: () => import("./tomato-gripper"),
  },
};
