/**
 * Residual against iteration, as in figures 11, 12 and 16 to 18 of the paper on non-smooth Newton: the effect of geometric stiffness,
 * complementarity function, preconditioner and linear method on the same time step.
 */

import { linearMethods } from "./linear-methods";
import type { NewtonReport } from "../../src/solvers/newton/island/newton-solver";
import type { NcpFunction, NcpPreconditioner } from "../../src/solvers/ncp";
import type { Chart, Curve } from "../plot";
import type { GeometricStiffness } from "../../src/solvers/newton/deformable/elements";
import { bars, extensionReports } from "./extension";
import type { Problem } from "./problem";

/** The numbers of one curve. */
export interface ConvergenceRow {
  readonly figure: string;
  readonly scene: string;
  /** unknowns of the largest island */
  readonly size: number;
  readonly backend: "cpu";
  readonly settings: string;
  readonly iterations: number;
  /** m/s, or √J for a linear problem: before the first iteration, after 20, after the last, and the lowest on the way */
  readonly firstResidual: number;
  readonly residualAt20: number;
  readonly lastResidual: number;
  readonly lowestResidual: number;
  /** duration of one time step solved in this way [ms] */
  readonly msPerFrame: number;
}

export interface Figure {
  readonly name: string;
  readonly title: string;
  readonly charts: readonly Chart[];
  readonly columns: number;
  readonly rows: readonly ConvergenceRow[];
}

/** The options in the order of the paper's figures. */
type MethodName = keyof typeof linearMethods;
const methodNames = Object.keys(linearMethods) as MethodName[];
export const preconditioners: readonly NcpPreconditioner[] = ["identity", "time-step", "effective-mass"];
export const functions: readonly NcpFunction[] = ["fischer-burmeister", "minimum-map"];

const names: Readonly<Record<string, string>> = {
  jacobi: "Jacobi",
  "gauss-seidel": "Gauss-Seidel",
  pcg: "PCG",
  pcr: "PCR",
  identity: "identity",
  "time-step": "h²",
  "effective-mass": "effective mass",
  "fischer-burmeister": "FB",
  "minimum-map": "min map",
};

const LINEAR_ITERATIONS = 160;
/** Lower end of the charts of errors: only rounding is left below it. */
const FLOOR = 1e-14;

/** Figure 11: one linear problem, the same for all methods. */
export function linearProblemFigure(problems: readonly Problem[]): Figure {
  const rows: ConvergenceRow[] = [];
  const charts = problems.map((problem): Chart => {
    const curves = methodNames.map((linearMethod): Curve => {
      const [report, ms] = timed(() => linearProblem(problem, linearMethod, LINEAR_ITERATIONS));
      rows.push(rowOf("linear-problem", problem, report, names[linearMethod], report.linear[0], ms));
      return { name: names[linearMethod], values: report.linear[0] };
    });
    return {
      title: problem.name,
      xLabel: "linear iteration",
      yLabel: "residual of D^(-1/2) (b − A x) [√J]",
      scale: "log",
      range: [FLOOR, undefined],
      curves,
    };
  });
  return { name: "linear-problem", title: "One linear problem (figure 11)", charts, columns: charts.length, rows };
}

/** Starts from the impulses of the step before and doubles all weights: the first linear problem. */
export function linearProblem(problem: Problem, name: MethodName, linearIterations: number): NewtonReport {
  const ncp = "fischer-burmeister";
  const linearMethod = linearMethods[name];
  return problem.solve({ ncp, linearMethod, linearIterations, newtonIterations: 1, warmStart: true }, 2);
}

/** Figure 17: preconditioners of the complementarity, either function; error above, size of the steps below. */
export function preconditionerFigure(problems: readonly Problem[]): Figure {
  const settings = functions.flatMap((ncp) =>
    preconditioners.map((preconditioner) => ({
      label: `${names[ncp]}, ${names[preconditioner]}`,
      options: { ncp, preconditioner },
      dashed: ncp === "minimum-map",
    })),
  );
  return stepFigure("preconditioner", "Complementarity preconditioners (figure 17)", problems, settings);
}

/** Figure 18: methods for the linear problem, 40 iterations of each in a Newton iteration. */
export function linearMethodFigure(problems: readonly Problem[]): Figure {
  const settings = methodNames.map((linearMethod) => ({
    label: names[linearMethod],
    options: { ncp: "fischer-burmeister", linearMethod: linearMethods[linearMethod] } as const,
  }));
  return stepFigure("linear-method", "Linear methods in a Newton solve (figure 18)", problems, settings);
}

interface Setting {
  readonly label: string;
  readonly options: Parameters<Problem["solve"]>[0];
  readonly dashed?: boolean;
}

function stepFigure(name: string, title: string, problems: readonly Problem[], settings: readonly Setting[]): Figure {
  const rows: ConvergenceRow[] = [];
  const errors: Chart[] = [];
  const steps: Chart[] = [];
  const common = { xLabel: "Newton iteration", scale: "log", range: [FLOOR, undefined] } as const;
  for (const problem of problems) {
    const reports = settings.map(({ label, options }) => {
      const [report, ms] = timed(() => problem.solve(options));
      rows.push(rowOf(name, problem, report, label, report.errors, ms));
      return report;
    });
    const curvesOf = (list: (report: NewtonReport) => readonly number[]): Curve[] =>
      settings.map(({ label, dashed }, k) => ({ name: label, values: list(reports[k]), dashed: dashed === true }));
    errors.push({
      ...common,
      title: problem.name,
      yLabel: "complementarity error [m/s]",
      curves: curvesOf((report) => report.errors),
    });
    steps.push({ ...common, title: "", yLabel: "step [m/s]", curves: curvesOf((report) => report.steps) });
  }
  return { name, title, charts: [...errors, ...steps], columns: problems.length, rows };
}

/** Figure 12: a step of stretched bars, with and without the geometric stiffness in the matrix of the steps. */
export async function geometricStiffnessFigure(): Promise<Figure> {
  const choices: readonly GeometricStiffness[] = ["none", "diagonal", "elements"];
  const labels = ["none", "diagonal (74)", "of the elements"];
  const start = performance.now();
  const reports = await extensionReports(choices);
  const ms = (performance.now() - start) / (choices.length * bars.length);
  const rows: ConvergenceRow[] = [];
  const charts = bars.map((bar, k): Chart => {
    const curves = choices.map((_, c): Curve => {
      const report = reports[c][k];
      rows.push(
        rowOf("geometric-stiffness", { name: `material-extension, ${bar}` }, report, labels[c], report.residuals, ms),
      );
      return { name: labels[c], values: report.residuals };
    });
    return {
      title: `${bar} bar`,
      xLabel: "Newton iteration",
      yLabel: "merit: momentum balance [m/s]",
      scale: "log",
      range: [FLOOR, undefined],
      curves,
    };
  });
  return { name: "geometric-stiffness", title: "Geometric stiffness (figure 12)", charts, columns: 2, rows };
}

/** Figure 16: quartiles over many time steps, without and with the effective mass. */
export function quartileFigure(problem: Problem, moments: number): Figure {
  const compared = ["identity", "effective-mass"] as const;
  const runs = compared.map((): (readonly number[])[] => []);
  const rows: ConvergenceRow[] = [];
  for (let moment = 0; moment < moments; moment++) {
    compared.forEach((preconditioner, k) => {
      const [report, ms] = timed(() => problem.solve({ ncp: "fischer-burmeister", preconditioner }));
      runs[k].push(report.errors);
      if (moment === 0) rows.push(rowOf("quartiles", problem, report, names[preconditioner], report.errors, ms));
    });
    problem.advance();
  }
  const charts = compared.map((preconditioner, k): Chart => {
    const [low, values, high] = [0.25, 0.5, 0.75].map((share) => quantiles(runs[k], share));
    return {
      title: names[preconditioner],
      xLabel: "Newton iteration",
      yLabel: "complementarity error [m/s]",
      scale: "log",
      range: [FLOOR, undefined],
      curves: [{ name: "median, with quartiles", values, band: { low, high } }],
    };
  });
  const title = `${problem.name}: ${moments} time steps (figure 16)`;
  const medians = rows.map((row, k) => ({
    ...row,
    residualAt20: charts[k].curves[0].values[20],
    lastResidual: charts[k].curves[0].values[charts[k].curves[0].values.length - 1],
  }));
  return { name: "quartiles", title, charts, columns: 2, rows: medians };
}

/** At each iteration, the value below which this share of the runs is; runs that ended earlier keep their last value. */
function quantiles(runs: readonly (readonly number[])[], share: number): number[] {
  const length = Math.max(...runs.map((run) => run.length));
  return Array.from({ length }, (_, k) => {
    const sorted = runs.map((run) => Math.max(FLOOR, run[Math.min(k, run.length - 1)])).sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  });
}

function rowOf(
  figure: string,
  problem: { readonly name: string },
  { size }: NewtonReport,
  settings: string,
  residuals: readonly number[],
  msPerFrame: number,
): ConvergenceRow {
  return {
    figure,
    scene: problem.name,
    size,
    backend: "cpu",
    settings,
    iterations: residuals.length - 1,
    firstResidual: residuals[0],
    residualAt20: residuals[Math.min(20, residuals.length - 1)],
    lastResidual: residuals.at(-1)!,
    lowestResidual: Math.min(...residuals),
    msPerFrame,
  };
}

function timed<T>(work: () => T): [T, number] {
  const start = performance.now();
  const result = work();
  return [result, performance.now() - start];
}
