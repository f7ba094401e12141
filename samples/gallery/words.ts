import type { Parameter } from "../scene";

/** Names of parameters in plain words; others are their own words ("gripForce" is "Grip force"). */
const LABELS: Readonly<Record<string, string>> = {
  accelerate: "Accelerated iterations",
  across: "Cells across",
  areaDensity: "Weight of the fabric",
  bending: "Bending model",
  cells: "Mesh detail",
  constraintIterations: "Contact iterations",
  elements: "Element type",
  frameTime: "Time of a frame",
  goalX: "Goal, sideways",
  goalY: "Goal, height",
  guarded: "Guarded contact solve",
  gusts: "Strength of gusts",
  heavier: "Mass ratio",
  membrane: "Membrane model",
  method: "Order of elements",
  model: "Material law",
  newtonIterations: "Newton iterations",
  passer: "Someone passes",
  poissonRatio: "Poisson's ratio",
  prey: "Thing to grab",
  resolution: "Mesh detail",
  segments: "Mesh detail",
  substeps: "Steps in a frame",
  targetX: "Target, sideways",
  targetY: "Target, height",
  timeStep: "Time step",
  torsionRatio: "Torsion ratio",
  warmStart: "Warm start",
  wind: "Wind speed",
  youngsModulus: "Stiffness",
};

/** Parameters of the solver rather than of the thing. */
const ADVANCED: ReadonlySet<string> = new Set([
  ...[
    "accelerate",
    "bending",
    "constraintIterations",
    "elements",
    "frameTime",
    "guarded",
    "hold",
    "iterations",
    "membrane",
  ],
  ...[
    "method",
    "newtonIterations",
    "optimiser",
    "pattern",
    "steps",
    "substeps",
    "subdivisions",
    "timeStep",
    "warmStart",
  ],
]);

export function isAdvanced({ name }: Parameter): boolean {
  return ADVANCED.has(name);
}

/** The name of a parameter as a person says it. */
export function labelOf({ name }: Pick<Parameter, "name">): string {
  if (name in LABELS) return LABELS[name];
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0].toUpperCase() + words.slice(1);
}
