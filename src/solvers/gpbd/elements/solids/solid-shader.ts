import type { Incidence } from "../../../../geometry/surface/incidence";
import { QUADRATIC_NODES, QUADRATURE_POINTS } from "../../../../geometry/tetrahedra/quadrature";
import { shaders } from "../../../../generated/shaders/solids";
import type { GpuContext } from "../../../../gpu/device";
import { type Bindings, Kernel } from "../../../../gpu/kernel";
import { isSoftware } from "../../../../gpu/software";
import { isSolid, type EnergyTerm, type SolidKind } from "../../model";
import { allowsForCold } from "../../solid-substeps";
import { termStiffness } from "../../term-stiffness";
import { shaderWith } from "../defined/defined-shader";
import { arityOf } from "../elements";
import { packQuadratics, packTetrahedra } from "./pack-solids";

const templates = {
  "green-tet": shaders["solids/defined/tet"],
  "principal-stretches": shaders["solids/defined/principal-tet"],
  "deformation-gradient": shaders["solids/defined/gradient-tet"],
} as const;

const modules = {
  "neo-hookean-tet": shaders["solids/tets/neo-hookean-tet"],
  "stable-neo-hookean-tet": shaders["solids/tets/stable-neo-hookean-tet"],
  "stvk-tet": shaders["solids/tets/stvk-tet"],
  "corotational-tet": shaders["solids/tets/corotational-tet"],
  "mooney-rivlin-tet": shaders["solids/tets/mooney-rivlin-tet"],
} satisfies Record<SolidKind, unknown>;

const warm = shaders["solids/warm-start"];
const touching = shaders["solids/warm-contact"];

type Module = (typeof modules)["stvk-tet"];
type Buffers = Omit<Bindings<Module, "gaussSeidel"> & Bindings<Module, "jacobi10">, "quadratics">;
type WarmBuffers = Omit<Bindings<typeof warm, "warmStart">, "range">;
/** Those of the body and of obstacles, for `MergedWarmStart`. */
export type MergedBuffers = Omit<
  Bindings<typeof warm, "predictWarm"> & Bindings<typeof touching, "warmContacts">,
  "elastic"
>;
type EnergyBuffers = Bindings<Module, "storedEnergy">;

/** Kernels over particles, see warm-start.wgsl. */
export interface WarmStart {
  readonly start: Kernel;
  /** before a sweep, and after it */
  readonly exchange: Kernel;
}

/** Kernels of the body that take those of `WarmStart` along. */
export interface MergedWarmStart {
  readonly predict: Kernel;
  /** contact of all particles before and after the sweep; undefined on adapters that are faster with lists of them */
  readonly contacts: { readonly before: Kernel; readonly after: Kernel } | undefined;
}

function warmStart(context: GpuContext, buffers: WarmBuffers): WarmStart {
  const create = (entry: "warmStart" | "exchange"): Kernel =>
    Kernel.create(context, "solids/warm-start", warm, entry, buffers);
  return { start: create("warmStart"), exchange: create("exchange") };
}

function mergedWarmStart(
  context: GpuContext,
  buffers: MergedBuffers & Pick<WarmBuffers, "elastic">,
  kinds: Record<string, number>,
): MergedWarmStart {
  const contacts = (isSwept: number): Kernel =>
    Kernel.create(context, "solids/warm-contact", touching, "warmContacts", buffers, { ...kinds, isSwept });
  return {
    predict: Kernel.create(context, "solids/warm-start", warm, "predictWarm", buffers),
    contacts: isSoftware(context) ? undefined : { before: contacts(0), after: contacts(1) },
  };
}

/** The kernels of a term of solids, and its elements as they have them. */
export interface SolidShader {
  /** elements of an invocation, which share all vertices */
  readonly unit: number;
  pack(term: EnergyTerm, incidence: Incidence): ArrayBuffer;
  sweep(context: GpuContext, atOnce: boolean, buffers: Buffers, constants: Record<string, number>): Kernel;
  readonly warmStart: typeof warmStart;
  readonly mergedWarmStart: typeof mergedWarmStart;
  /** of the weights of accelerated sweeps */
  readonly stiffness: typeof termStiffness;
  /** writes the energy of each element */
  energy(context: GpuContext, buffers: EnergyBuffers): Kernel;
}

/** Undefined for terms that are no solids. */
export function solidShader(term: EnergyTerm): SolidShader | undefined {
  const { kind, energy } = term;
  if (!isSolid(kind)) return undefined;
  const own = energy && shaderWith(energy, templates[energy.strain as keyof typeof templates]);
  const name = own?.name ?? `gpbd/${kind}`;
  const module = (own?.module ?? modules[kind]) as Module;
  if (arityOf(term) === QUADRATIC_NODES)
    return {
      unit: QUADRATURE_POINTS,
      pack: packQuadratics,
      warmStart,
      mergedWarmStart,
      stiffness: termStiffness,
      sweep(context, atOnce, buffers, constants) {
        const all = { ...buffers, quadratics: buffers.elements };
        if (!atOnce && !constants.isTracked && allowsForCold(term)) constants.isCold = 1;
        return atOnce
          ? Kernel.create(context, name, module, "jacobi10", all, constants)
          : Kernel.create(context, name, module, "gaussSeidel10", all, constants);
      },
      energy: (context, buffers) =>
        Kernel.create(context, name, module, "storedEnergy10", { ...buffers, quadratics: buffers.elements }),
    };
  return {
    unit: 1,
    pack: packTetrahedra,
    warmStart,
    mergedWarmStart,
    stiffness: termStiffness,
    sweep: (context, atOnce, buffers, constants) =>
      atOnce
        ? Kernel.create(context, name, module, "jacobi", buffers, constants)
        : Kernel.create(context, name, module, "gaussSeidel", buffers, { ...constants, cellSize: term.cell ?? 1 }),
    energy: (context, buffers) => Kernel.create(context, name, module, "storedEnergy", buffers),
  };
}
