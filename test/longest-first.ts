import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files of ten seconds and more without heavy tests. Those with a process of their own are in an order in which a file of the browser, which has
 * threads of its own, runs beside another kind.
 */
const LONGEST = [
  "browser/start",
  "package/package",
  "browser/gallery",
  "browser/drawn",
  "package/bundle",
  "browser/plugin",
  "world/load",
  "world/leaks",
  "browser/site",
  "bench/rigid-allocations",
  "browser/showcases",
  "bench/sweep/command",
  "bench/sweep/redis",
  "parity/soft-bodies",
  "world/push",
  "parity/local-global-contact",
  "world/local-global-webgpu",
  "world/motion",
  "solvers/local-global/contact-wgsl",
  "articulated/batch/gradients",
  "world/rigid/gpu-lane",
  "plugin/soft-body-aggregate",
  "bench/stress/slice",
  "plugin/as-havok/as-havok",
  "models/bending-direction",
  "world/attachments/loads",
  "world/stacks-on-soft",
  "solvers/gpbd/local-solve-wgsl",
  "parity/rigid-lanes",
  "world/rigid/led-bodies",
  "articulated/batch/pairs",
  "world/encounters",
  "world/device-loss",
  "world/thrown-solids",
];

/**
 * The order of files, in any project. Files with a process of their own go first: a process that many files share, with its modules and compiled
 * shaders, ends when the next file is of another kind. Then the longest, so that both workers end together.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      const shares = project.config.isolate ? 0 : LONGEST.length + 1;
      return shares + (place < 0 ? LONGEST.length : place);
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
