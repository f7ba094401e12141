import { showcases } from "../showcases/index";
import type { Tag } from "./tags";

/** The gallery's order of scenes, and the words by which a visitor finds them. */

export interface Group {
  readonly title: string;
  readonly about: string;
  /** names of scenes, and their tags */
  readonly scenes: Readonly<Record<string, readonly Tag[]>>;
}

export const catalogue: readonly Group[] = [
  {
    title: "Showcase",
    about: "Whole scenes in one file each, of Babylon and the plugin alone.",
    scenes: Object.fromEntries(Object.entries(showcases).map(([name, { tags }]) => [name, tags])),
  },
  {
    title: "Tour",
    about: "Scenes to look at, to take hold of and to play with.",
    scenes: {
      vest: ["garment", "cloth", "contact"],
      flag: ["cloth", "wind"],
      tablecloth: ["cloth", "contact"],
      tomato: ["soft body", "joints", "friction"],
      curtain: ["cloth", "wind"],
      pneunet: ["soft body", "pressure", "contact"],
      "armadillo-like": ["soft body", "contact"],
      "rope-knot": ["rope", "contact"],
      vehicle: ["rigid body", "joints"],
      "hylc-drape": ["knit", "cloth"],
      balloon: ["pressure", "cloth"],
      "robot-arm": ["mechanism"],
      "grabbing-raptor": ["soft body", "contact", "friction"],
      ragdoll: ["rigid body", "joints"],
      trampoline: ["cloth", "rigid body"],
      "folded-cloth": ["cloth", "contact"],
      "half-cheetah": ["mechanism", "optimizer"],
    },
  },
  {
    title: "Features",
    about: "One feature of the engine a scene.",
    scenes: {
      "cloth-on-sphere": ["cloth", "contact"],
      "cloth-stack": ["cloth", "contact"],
      "cloth-on-knives": ["cloth", "contact"],
      "sharp-corner": ["cloth", "contact"],
      tear: ["cloth", "tearing"],
      "sewn-capes": ["cloth", "rope", "rigid body"],
      "cube-impact": ["soft body", "contact"],
      "soft-pile": ["soft body", "contact"],
      "squeezing-ball": ["soft body", "friction"],
      "pulling-wooper": ["soft body", "contact"],
      "gingerbread-man": ["soft body", "contact"],
      "twisting-bar": ["soft body", "material"],
      "nh-flatten": ["soft body", "material"],
      "nh-randomize": ["soft body", "material"],
      "nh-stretch": ["soft body", "material"],
      "nh-compress": ["soft body", "material"],
      "nh-twist": ["soft body", "material"],
      gripper: ["mechanism", "soft body", "friction"],
      insertion: ["mechanism", "joints", "friction"],
      joints: ["rigid body", "joints"],
      pile: ["rigid body", "contact"],
      "table-pile": ["rigid body", "contact"],
      pyramid: ["rigid body", "contact"],
      tower: ["rigid body", "contact"],
      arch: ["rigid body", "friction"],
      "card-house": ["rigid body", "friction"],
      dominoes: ["rigid body", "contact"],
      "newtons-cradle": ["rigid body", "joints"],
      cartpole: ["mechanism", "optimizer"],
      jumpworm: ["mechanism", "optimizer", "contact"],
      catapult: ["mechanism", "optimizer", "contact"],
      "drop-to-goal": ["mechanism", "optimizer", "contact"],
      "double-pendulum": ["mechanism"],
    },
  },
  {
    title: "Validation",
    about: "Scenes with an answer that is known: from theory, or from the papers.",
    scenes: {
      pair: ["contact", "friction"],
      incline: ["cloth", "friction"],
      "stick-slip": ["rigid body", "friction"],
      "soft-stick-slip": ["soft body", "friction"],
      "heavy-stack": ["rigid body", "contact"],
      beam: ["rigid body", "joints"],
      "hanging-chain": ["rope"],
      elastica: ["rope"],
      michell: ["rope"],
      cantilever: ["soft body", "material"],
      "soft-cube": ["soft body", "material"],
      "soft-beam": ["soft body", "material"],
      "material-extension": ["soft body", "material"],
      "cloth-extension": ["cloth", "material"],
      "hylc-stretch": ["knit", "material"],
      "soft-on-rigid": ["soft body", "rigid body"],
      "rigid-on-soft": ["soft body", "rigid body"],
      "free-fall": ["cloth"],
      "moving-sphere": ["cloth", "contact"],
      "falling-on-plate": ["cloth", "contact"],
      "elastic-balls": ["mechanism", "contact"],
      identification: ["mechanism", "optimizer"],
    },
  },
];
