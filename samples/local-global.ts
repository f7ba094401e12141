import {
  type BodyState,
  type DeformableBody,
  solidModel,
  type RigidBody,
  type TetMesh,
  type Vec3,
  type World,
} from "../src/index";
import type { LocalGlobalGroup } from "../src/solvers/local-global/group";
import { localGlobalGroup } from "../src/world/lanes/local-global-cpu";
import { solidLaws } from "../src/materials/solid-material";
import { choiceOf, numberOf } from "./parameters";
import { rigidParameters } from "./rigid";
import type { Metric, Parameter, ParameterValues } from "./scene";

/** Parameters of a solid of the local-global solver. */
export interface SolidDefaults {
  readonly substeps?: number;
  readonly iterations?: number;
  readonly youngsModulus: number;
  readonly poissonRatio: number;
  readonly density?: number;
  readonly model?: string;
  readonly friction?: number;
}

/** Parameters of every scene of this solver. */
export function localGlobalParameters(defaults: SolidDefaults): Parameter[] {
  return [
    ...rigidParameters({ substeps: defaults.substeps ?? 1 }),
    {
      name: "iterations",
      default: defaults.iterations ?? 5,
      unit: "",
      range: [1, 1000],
      integer: true,
      description: "local-global iterations in a step",
    },
    {
      name: "constraintIterations",
      default: 24,
      unit: "",
      range: [1, 1000],
      integer: true,
      description: "conjugate residual iterations in a Newton step on the contacts",
    },
    {
      name: "youngsModulus",
      default: defaults.youngsModulus,
      unit: "Pa",
      range: [1e2, 1e10],
      description: "stiffness",
    },
    { name: "poissonRatio", default: defaults.poissonRatio, unit: "", range: [0, 0.49], description: "of the solid" },
    { name: "density", default: defaults.density ?? 1000, unit: "kg/m³", range: [1, 1e5], description: "of the solid" },
    {
      name: "model",
      default: defaults.model ?? "stable-neo-hookean",
      unit: "",
      choices: ["arap", "corotational", "neo-hookean", "stable-neo-hookean"],
      description: "energy density",
    },
    {
      name: "friction",
      default: defaults.friction ?? 0.5,
      unit: "",
      range: [0, 2],
      description: "friction coefficient of everything",
    },
  ];
}

/** The `metrics` of every scene with contact. */
export const contactMetrics: readonly Metric[] = [
  {
    name: "complementarity",
    unit: "m",
    bound: 1e-4,
    description: "largest violation of Signorini's law at the end of a step, in the whole run: |min(gap, r z)|",
  },
  {
    name: "coneResidual",
    unit: "m",
    bound: 1e-4,
    description: "the same of Coulomb's cone: friction outside of it, times r",
  },
  { name: "contacts", unit: "", description: "most contacts in a step" },
];

/** Adds a solid; `overrides` are values that are not parameters of the scene. */
export function addSolid(
  world: World,
  values: ParameterValues,
  name: string,
  mesh: TetMesh,
  overrides: {
    youngsModulus?: number;
    density?: number;
    gravityFactor?: number;
    damping?: number;
    margin?: number;
  } = {},
): DeformableBody {
  const model = solidModel({
    solver: "local-global",
    ...mesh,
    // as in the paper
    elements: "linear",
    name,
    material: {
      youngsModulus: overrides.youngsModulus ?? numberOf(values, "youngsModulus"),
      poissonRatio: numberOf(values, "poissonRatio"),
      density: overrides.density ?? numberOf(values, "density"),
      friction: numberOf(values, "friction"),
      model: choiceOf(values, "model", solidLaws),
    },
  });
  return world.addBody(model, {
    ...stepping(values),
    gravityFactor: overrides.gravityFactor ?? 1,
    damping: overrides.damping ?? 0,
    contactMargin: overrides.margin ?? 0.005,
  });
}

/** Options of a body from the parameters above. */
export function stepping(values: ParameterValues): {
  substeps: number;
  iterations: number;
  constraintIterations: number;
} {
  return {
    substeps: numberOf(values, "substeps"),
    iterations: numberOf(values, "iterations"),
    constraintIterations: numberOf(values, "constraintIterations"),
  };
}

/** Accuracy of contact solves, at the end of each frame from the first contact on: the worst value. */
export class ContactMeter {
  private readonly group: LocalGlobalGroup;
  private contacts = 0;
  private complementarity = 0;
  private coneResidual = 0;

  constructor(world: World) {
    this.group = localGlobalGroup(world);
  }

  update(): void {
    const { contacts, complementarity, frictionCone } = this.group.residuals;
    this.contacts = Math.max(this.contacts, contacts);
    this.complementarity = Math.max(this.complementarity, complementarity);
    this.coneResidual = Math.max(this.coneResidual, frictionCone);
  }

  measure(): Record<string, number> {
    return { complementarity: this.complementarity, coneResidual: this.coneResidual, contacts: this.contacts };
  }
}

/** Forces of contacts on a body in the last step [N]. */
export function contactForces(world: World, body: DeformableBody): Vec3[] {
  const forces: Vec3[] = [];
  localGlobalGroup(world).forEachForce(({ model, other, force: [x, y, z] }) => {
    if (model === body.model) forces.push([x, y, z]);
    if (other === body.model) forces.push([-x, -y, -z]);
  });
  return forces;
}

export function massOf({ model }: DeformableBody): number {
  return model.masses.reduce((sum, mass) => sum + mass, 0);
}

/** Center of mass of a body, or its velocity, from `positions` or `velocities`. */
export function meanOf({ model }: DeformableBody, values: ArrayLike<number>): Vec3 {
  const sum = [0, 0, 0];
  let total = 0;
  model.masses.forEach((mass, i) => {
    total += mass;
    for (let c = 0; c < 3; c++) sum[c] += mass * values[3 * i + c];
  });
  return [sum[0] / total, sum[1] / total, sum[2] / total];
}

export function fastest(velocities: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < velocities.length; i += 3)
    most = Math.max(most, Math.hypot(velocities[i], velocities[i + 1], velocities[i + 2]));
  return most;
}

/** Momentum of soft and rigid bodies together [kg m/s]. */
export function momentumOf(
  softs: readonly (readonly [DeformableBody, BodyState])[],
  rigids: readonly RigidBody[],
): Vec3 {
  const sum = [0, 0, 0];
  for (const [body, state] of softs) {
    const v = meanOf(body, state.velocities);
    for (let c = 0; c < 3; c++) sum[c] += massOf(body) * v[c];
  }
  for (const body of rigids) for (let c = 0; c < 3; c++) sum[c] += body.mass * body.linearVelocity[c];
  return sum as unknown as Vec3;
}

/**
 * Largest distance of a vertex of a shape from its place in a rigidly moved copy [m].
 *
 * @param rest n × 3, the shape
 */
export function shapeDeviation(rest: ArrayLike<number>, now: ArrayLike<number>): number {
  const count = rest.length / 3;
  const centre = (x: ArrayLike<number>): number[] =>
    [0, 1, 2].map((c) => {
      let sum = 0;
      for (let i = c; i < x.length; i += 3) sum += x[i];
      return sum / count;
    });
  const [a, b] = [centre(rest), centre(now)];
  // Horn's method: the rotation is the greatest eigenvector of a 4 × 4 matrix, found by powers of it
  const s = new Float64Array(9);
  let size = 0;
  for (let i = 0; i < rest.length; i += 3)
    for (let j = 0; j < 3; j++)
      for (let k = 0; k < 3; k++) {
        s[3 * j + k] += (rest[i + j] - a[j]) * (now[i + k] - b[k]);
        size += Math.abs((rest[i + j] - a[j]) * (now[i + k] - b[k]));
      }
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = s as unknown as number[] as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const n = [
    [xx + yy + zz, yz - zy, zx - xz, xy - yx],
    [yz - zy, xx - yy - zz, xy + yx, zx + xz],
    [zx - xz, xy + yx, yy - xx - zz, yz + zy],
    [xy - yx, zx + xz, yz + zy, zz - xx - yy],
  ];
  let q = [1, 0.1, 0.2, 0.3];
  for (let step = 0; step < 2000; step++) {
    const next = n.map((row, i) => row.reduce((sum, value, j) => sum + value * q[j], 0) + size * q[i]);
    const length = Math.hypot(...next);
    q = next.map((value) => value / length);
  }
  const [w, x, y, z] = q as [number, number, number, number];
  const rotation = [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  ];
  let most = 0;
  for (let i = 0; i < rest.length; i += 3) {
    let squared = 0;
    for (let r = 0; r < 3; r++) {
      let value = b[r] - now[i + r];
      for (let c = 0; c < 3; c++) value += rotation[3 * r + c] * (rest[i + c] - a[c]);
      squared += value * value;
    }
    most = Math.max(most, Math.sqrt(squared));
  }
  return most;
}
