/**
 * Every kind of energy term by itself: milliseconds of a sweep over thousands of elements, by the f64 reference on one core and on WebGPU.
 * Bodies come from the models, with all terms but one removed, displaced at random by a hundredth of an edge.
 *
 * A sweep is the difference between frames of many iterations and of one: it includes no transfers, prediction or velocities.
 */
import type { SolidLaw } from "../../src/materials/solid-material";
import {
  type BodyOptions,
  boxTetrahedra,
  clothModel,
  defineEnergy,
  gridMesh,
  icosphereMesh,
  ropeModel,
  solidModel,
  World,
} from "../../src/index";
import type { GpbdModel, TermKind } from "../../src/solvers/gpbd/model";
import { withEnergy } from "../../src/models/gpbd/with-energy";
import { aligned, digits } from "../columns";

export interface KindRow {
  readonly kind: string;
  /** colors one after the other, or all at once */
  readonly method: "gauss-seidel" | "jacobi";
  readonly elements: number;
  /** time of a sweep with one iteration of Newton [ms] */
  readonly cpuMs: number;
  readonly webgpuMs: number;
  /** `cpuMs` over `webgpuMs` */
  readonly ratio: number;
}

/** A body with elements of one kind. */
interface Specimen {
  readonly kind: string;
  readonly elements: number;
  readonly model: GpbdModel;
  readonly methods: readonly KindRow["method"][];
  readonly options?: BodyOptions;
}

const both = ["gauss-seidel", "jacobi"] as const;
/**
 * Approximate time of the sweeps of a frame [ms], the number of sweeps above one, and the number of repetitions, of which the fastest
 * counts.
 */
const FRAME = 50;
const SWEEPS = { least: 2, most: 24 };
const REPEATS = 2;
/** Displacement as a part of an edge. */
const DISPLACEMENT = 0.01;
const STEP = 1e-3;

function only(model: GpbdModel, kind: TermKind): Pick<Specimen, "model" | "elements"> {
  const terms = model.terms.filter((term) => term.kind === kind);
  return { model: { ...model, terms }, elements: terms.reduce((sum, { elementCount }) => sum + elementCount, 0) };
}

/**
 * A body for each kind.
 *
 * @param scale of lengths in elements: 1 gives about eight to twelve thousand of each
 */
export function specimens(scale = 1): Specimen[] {
  const n = Math.max(2, Math.round(64 * scale));
  const grid = gridMesh({ width: 1, height: 1, columns: n, rows: n });
  const c = Math.max(1, Math.round(12 * scale));
  const block = boxTetrahedra({ size: [0.5, 0.5, 0.5], cells: [c, c, c] });
  const solid = (model: SolidLaw): GpbdModel =>
    solidModel({ ...block, material: { youngsModulus: 1e5, poissonRatio: 0.4, density: 1000, model } });
  const found: Specimen[] = [];
  const add = (kind: string, part: Pick<Specimen, "model" | "elements">, more: Partial<Specimen> = {}): void => {
    found.push({ kind, methods: both, ...part, ...more });
  };

  const cloth = clothModel({ ...grid, fabric: "cotton" });
  add("distance", only(clothModel({ ...grid, fabric: "cotton", membrane: "springs" }), "distance"));
  add("stvk-membrane", only(cloth, "stvk-membrane"));
  const neoHookean = clothModel({ ...grid, fabric: "rubber-sheet", membrane: "neo-hookean", bending: "dihedral" });
  add("neo-hookean-membrane", only(neoHookean, "neo-hookean-membrane"));
  add("isometric-bending", only(clothModel({ ...grid, fabric: "cotton", bending: "isometric" }), "isometric-bending"));
  add("dihedral-bending", only(neoHookean, "dihedral-bending"));
  add("hylc", only(clothModel({ ...grid, fabric: "stockinette" }), "hylc"));
  for (const model of ["neo-hookean", "stable-neo-hookean", "stvk", "corotational", "mooney-rivlin"] as const)
    add(`${model}-tet`, only(solid(model), `${model}-tet`));

  const parameters = { mu: 3e4, lambda: 1.4e5 };
  const energy = "mu/2*(I1-3) - mu*log(J) + lambda/2*log(J)^2";
  for (const strain of ["green-tet", "deformation-gradient"] as const) {
    const own = withEnergy(solid("stvk"), defineEnergy({ strain, energy, parameters }));
    add(`own, ${strain}`, only(own, "stvk-tet"));
  }
  const sheet = "mu/2*(I1-2) - mu*log(J) + lambda/2*log(J)^2";
  const membrane = defineEnergy({ strain: "green-triangle", energy: sheet, parameters: { mu: 40, lambda: 60 } });
  add("own, green-triangle", only(withEnergy(cloth, membrane), "stvk-membrane"));
  const hinged = defineEnergy({
    strain: "dihedral",
    energy: "k/2*theta^2 + c/4*theta^4",
    parameters: { k: 1, c: 0.1 },
  });
  add("own, dihedral", only(withEnergy(cloth, hinged), "hinge-bending"));

  const rod = ropeModel({
    // a helix: straight rods have nothing to bend
    positions: Float64Array.from({ length: 3 * (n * n + 1) }, (_, i) => {
      const t = 0.01 * Math.floor(i / 3);
      return [0.1 * Math.cos(t / 0.1), 0.004 * t, 0.1 * Math.sin(t / 0.1)][i % 3];
    }),
    radius: 0.002,
    density: 1200,
    youngsModulus: 1e7,
  });
  add("rod (bending and twist)", { model: { ...rod, terms: [] }, elements: rod.rods.jointCount });

  const ball = icosphereMesh({ radius: 0.3, subdivisions: Math.max(1, Math.round(5 + Math.log2(scale))) });
  const skin = clothModel({ ...ball, fabric: "rubber-sheet" });
  const options = { pressure: 1000, sealed: true };
  add("pressure", { model: { ...skin, terms: [] }, elements: skin.faces.length / 3 }, { methods: ["jacobi"], options });
  return found;
}

/**
 * Times all specimens.
 *
 * @param gpu that runs the rows on WebGPU
 * @param scale of `specimens`
 */
export async function kindRows(
  gpu: GPU,
  onRow: (done: number, total: number) => void = () => undefined,
  scale = 1,
  repeats = REPEATS,
  isWanted: (kind: string) => boolean = () => true,
): Promise<KindRow[]> {
  const rows: KindRow[] = [];
  const all = specimens(scale)
    .filter(({ kind }) => isWanted(kind))
    .flatMap((specimen) => specimen.methods.map((method) => ({ specimen, method })));
  for (const { specimen, method } of all) {
    const cpuMs = await sweepTime(specimen, method, undefined, repeats);
    const webgpuMs = await sweepTime(specimen, method, gpu, repeats);
    const { kind, elements } = specimen;
    rows.push({ kind, method, elements, cpuMs, webgpuMs, ratio: cpuMs / webgpuMs });
    onRow(rows.length, all.length);
  }
  return rows;
}

/** Time of a sweep [ms]. */
async function sweepTime(
  { model, options = {} }: Specimen,
  method: KindRow["method"],
  gpu: GPU | undefined,
  repeats: number,
): Promise<number> {
  const world = await World.create({ backend: gpu ? "webgpu" : "cpu", gpu, snapshotInterval: 0 });
  try {
    world.gravity = [0, 0, 0];
    const body = world.addBody(model, { ...options, method, substeps: 1, faceContacts: false, airDensity: 0 });
    const positions = displaced(model);
    const frame = async (iterations: number): Promise<number> => {
      body.setOptions({ iterations });
      body.writeState({ positions, velocities: new Float64Array(positions.length) });
      await world.settled();
      const start = performance.now();
      world.step(STEP);
      await world.settled();
      return performance.now() - start;
    };
    const few = 1;
    // pipelines and the just-in-time compiler first
    await frame(few);
    const warm = (await frame(few + SWEEPS.least)) / (few + SWEEPS.least);
    const sweeps = Math.min(SWEEPS.most, Math.max(SWEEPS.least, Math.round(FRAME / warm)));
    const [short, long]: [number[], number[]] = [[], []];
    for (let k = 0; k < repeats; k++) {
      short.push(await frame(few));
      long.push(await frame(few + sweeps));
    }
    return (Math.min(...long) - Math.min(...short)) / sweeps;
  } finally {
    world.dispose();
  }
}

function displaced({ positions, terms, rods, faces }: GpbdModel): Float64Array {
  const pair = terms[0]?.indices ?? rods?.edges ?? faces;
  const edge = Math.hypot(...[0, 1, 2].map((c) => positions[3 * pair[1] + c] - positions[3 * pair[0] + c]));
  let seed = 11;
  return positions.map((x) => {
    seed = (1103515245 * seed + 12345) % 2 ** 31;
    return x + DISPLACEMENT * edge * (seed / 2 ** 30 - 1);
  });
}

/** The result as a readable table. */
export function kindLines(rows: readonly KindRow[]): string[] {
  const head = ["kind of term", "sweep", "elements", "f64 [ms]", "WebGPU [ms]", "ratio"];
  return aligned([
    head,
    ...rows.map(({ kind, method, elements, cpuMs, webgpuMs, ratio }) => [
      kind,
      method,
      String(elements),
      digits(cpuMs),
      digits(webgpuMs),
      `${digits(ratio)}×`,
    ]),
  ]);
}
