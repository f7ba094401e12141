import { InspectableType, type IInspectable } from "@babylonjs/core/Misc/iInspectable";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { type Fabric, type FabricName, fabrics, resolveFabric } from "../../src/materials/fabric";
import type { ClothAggregate } from "../cloth/cloth-aggregate";
import type { DeformableAggregate } from "../deformable/deformable-aggregate";
import type { RopeAggregate } from "../rope/rope-aggregate";
import type { SoftBodyAggregate } from "../soft-body/soft-body-aggregate";
import type { DeformableViewer } from "./deformable-viewer";

/** A line of the Inspector that reads a body, and changes it if it can. */
export interface Row extends IInspectable {
  read(): unknown;
  write?(value: unknown): void;
}

type Aggregate = ClothAggregate | SoftBodyAggregate | RopeAggregate;

/** A number that a slider changes. */
interface Knob {
  readonly key: string;
  readonly label: string;
  /** least and greatest value; default: from a tenth to ten times of the value when the slider is made */
  readonly range?: readonly [least: number, greatest: number];
  /** greatest value if the value is zero when the slider is made */
  readonly upTo?: number;
  readonly isWhole?: boolean;
  /** units of the slider in one of the body: the Inspector shows four decimals */
  readonly units?: number;
}

const MOTION: readonly Knob[] = [
  { key: "substeps", label: "Substeps", isWhole: true },
  { key: "iterations", label: "Iterations", isWhole: true },
  { key: "damping", label: "Damping [1/s]", upTo: 10 },
  { key: "friction", label: "Friction", range: [0, 2] },
  { key: "thickness", label: "Thickness" },
  { key: "drag", label: "Drag" },
  { key: "lift", label: "Lift" },
];

const PRESSURE: Knob = { key: "pressure", label: "Pressure [Pa]" };

const FABRIC: readonly Knob[] = [
  { key: "areaDensity", label: "Mass [kg/m²]" },
  { key: "stretchWarp", label: "Stretch, warp [N/m]" },
  { key: "stretchWeft", label: "Stretch, weft [N/m]" },
  { key: "shear", label: "Shear [N/m]" },
  { key: "bendingWarp", label: "Bending, warp [µN m]", units: 1e6 },
  { key: "bendingWeft", label: "Bending, weft [µN m]", units: 1e6 },
  { key: "poissonRatio", label: "Poisson's ratio", range: [0, 0.95] },
  { key: "stretchDamping", label: "Stretch damping [ms]", units: 1e3, upTo: 100 },
  { key: "bendingDamping", label: "Bend damping [ms]", units: 1e3, upTo: 100 },
];
/** Numbers that a fabric with a table does not use. */
const TABULATED = ["stretch", "shear", "bending", "poisson"];

const SOLID: readonly Knob[] = [
  { key: "youngsModulus", label: "Young's modulus [Pa]" },
  { key: "poissonRatio", label: "Poisson's ratio", range: [0, 0.495] },
  { key: "density", label: "Density [kg/m³]" },
];

/** Name of the fabric of a cloth that has numbers of its own. */
const OWN_FABRIC = "own";

/** Lines of a body: what it is, what it shows, what moves it, and its material. */
export function rowsOf(aggregate: DeformableAggregate, viewer: () => DeformableViewer): Row[] {
  const body = aggregate as Aggregate;
  return [...readings(body), ...views(body, viewer), windOf(body), ...motionOf(body), ...materialOf(body)];
}

function reading(name: string, label: string, read: () => string): Row {
  return { label, propertyName: propertyOf(name), type: InspectableType.Tab, read };
}

/** Copies of a mesh leave out properties that begin with this sign. */
const propertyOf = (name: string): string => `_pliant.${name}`;

function readings(aggregate: Aggregate): Row[] {
  const { body, kind, solver } = aggregate;
  const lanes = { cpu: "CPU", simd: "CPU, SIMD", webgpu: "GPU" };
  const pinned = (): number => {
    let count = 0;
    for (let p = 0; p < body.particleCount; p++) count += Number(body.isPinned(p));
    return count;
  };
  return [
    reading("kind", "Pliant", () => `${kind}, ${solver}, ${lanes[body.lane]}`),
    reading("size", "Simulated", () => {
      const { cost } = aggregate;
      return `${body.particleCount} vertices${cost ? `, ${cost.elements} elements` : ""}`;
    }),
    reading("cost", "Cost of a frame", () => {
      const time = aggregate.cost?.milliseconds;
      return time === undefined ? "not known" : `${time.toFixed(2)} ms`;
    }),
    reading("pinned", "Pinned", () => `${pinned()} vertices`),
  ];
}

function views(aggregate: Aggregate, viewer: () => DeformableViewer): Row[] {
  const box = { type: InspectableType.Checkbox };
  let [isSeen, isStrainSeen] = [false, false];
  const rows: Row[] = [
    {
      ...box,
      label: "Asleep",
      propertyName: propertyOf("asleep"),
      read: () => aggregate.isAsleep,
      write: (value) => (value ? aggregate.sleep() : aggregate.wake()),
    },
    {
      ...box,
      label: "Show particles and edges",
      propertyName: propertyOf("particles"),
      read: () => isSeen,
      write: (value) => {
        isSeen = Boolean(value);
        if (isSeen) viewer().show(aggregate);
        else viewer().hide(aggregate);
      },
    },
  ];
  if (aggregate.kind === "cloth")
    rows.push({
      ...box,
      label: "Show strain",
      propertyName: propertyOf("strain"),
      read: () => isStrainSeen,
      write: (value) => aggregate.showStrain((isStrainSeen = Boolean(value))),
    });
  const callback = (): void => aggregate.reset();
  const reset = { label: "Reset", propertyName: propertyOf("reset"), type: InspectableType.Button, callback };
  return [...rows, { ...reset, read: () => undefined }];
}

/** The Inspector watches the vector that it reads, so that it has to be the same each time. */
function windOf(aggregate: Aggregate): Row {
  const { body, plugin } = aggregate;
  const wind = Vector3.Zero();
  return {
    label: "Wind",
    propertyName: propertyOf("wind"),
    type: InspectableType.Vector3,
    read: () => {
      plugin.frame.offsetInSceneToRef(body.options.wind, wind);
      return wind;
    },
    write: (value) => aggregate.setWind(value as Vector3),
  };
}

function motionOf(aggregate: Aggregate): Row[] {
  const { body, plugin } = aggregate;
  const settings = body.options as unknown as Record<string, unknown>;
  const inScene = (key: string, value: number): number =>
    key === "thickness" ? plugin.frame.lengthInScene(value) : value;
  const knobs = settings["pressure"] ? [PRESSURE, ...MOTION] : MOTION;
  return knobs
    .filter(({ key }) => typeof settings[key] === "number")
    .map((knob) =>
      slider(
        knob,
        () => inScene(knob.key, (body.options as unknown as Record<string, number>)[knob.key]),
        (value) => aggregate.setOptions({ [knob.key]: value }),
      ),
    );
}

function materialOf(aggregate: Aggregate): Row[] {
  if (aggregate.kind === "cloth") return fabricOf(aggregate);
  if (aggregate.kind === "rope") return [];
  const material = (): Record<string, number> => aggregate._material as unknown as Record<string, number>;
  return SOLID.map((knob) =>
    slider(
      knob,
      () => material()[knob.key],
      (value) => aggregate.setMaterial({ material: { ...aggregate._material, [knob.key]: value } }),
    ),
  );
}

function fabricOf(cloth: ClothAggregate): Row[] {
  const given = (): FabricName | Readonly<Fabric> => (cloth._given["fabric"] ?? "cotton") as FabricName | Fabric;
  const numbers = (): Readonly<Fabric> => resolveFabric(cloth.mesh.name, given());
  const has = ({ key }: Knob): boolean => !numbers().table || !TABULATED.some((name) => key.startsWith(name));
  const choice: Row = {
    label: "Fabric",
    propertyName: propertyOf("fabric"),
    type: InspectableType.Options,
    options: [...Object.keys(fabrics), OWN_FABRIC].map((name) => ({ label: name, value: name })),
    read: () => (typeof given() === "string" ? given() : OWN_FABRIC),
    write: (value) => {
      if (value !== OWN_FABRIC) cloth.setFabric(value as FabricName);
    },
  };
  const sliders = FABRIC.filter(has).map((knob) =>
    slider(
      knob,
      () => (numbers() as unknown as Record<string, number>)[knob.key],
      (value) => cloth.setFabric({ ...numbers(), [knob.key]: value }),
    ),
  );
  return [choice, ...sliders];
}

function slider(knob: Knob, read: () => number, write: (value: number) => void): Row {
  const { key, label, range, upTo = 1, isWhole, units = 1 } = knob;
  const shown = (): number => units * read();
  const now = shown();
  const [min, max] = range ?? (now > 0 ? [now / 10, 10 * now] : [0, upTo]);
  return {
    label,
    propertyName: propertyOf(key),
    type: InspectableType.Slider,
    min: isWhole ? Math.max(1, Math.floor(min)) : min,
    max: isWhole ? Math.ceil(max) : max,
    step: isWhole ? 1 : (max - min) / 1000,
    read: shown,
    write: (value) => write(isWhole ? Math.round(Number(value)) : Number(value) / units),
  };
}
