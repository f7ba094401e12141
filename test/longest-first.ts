import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files of ten seconds and more without heavy tests, by their time on two cores; two of the browser, which has threads of its own, never follow each other. */
const LONGEST = [
  "package/package",
  "browser/plugin",
  "world/leaks",
  "browser/gallery",
  "parity/local-global-contact",
  "scenes/bounds",
  "browser/showcases",
  "bench/stress/slice",
  "package/bundle",
  "browser/start",
  "parity/local-global-surfaces",
  "scenes/local-global-bounds",
  "plugin/as-havok/as-havok",
  "browser/drawn",
  "world/far-steps",
  "world/replace-model",
  "browser/site",
  "parity/soft-bodies",
  "world/attachments/on-bodies",
  "scenes/hylc",
  "solvers/gpbd/direct-dispatches",
  "plugin/as-world",
  "world/thrown-together",
  "world/local-global-webgpu",
  "solvers/gpbd/elements/local-solve",
  "world/random-throws",
  "world/surfaces",
  "world/reaction",
  "plugin/attachments",
  "scenes/soft-bounds",
  "parity/cloth-on-sphere",
  "world/rigid/led-bodies",
  "parity/local-global-between",
  "world/solvers-meet",
  "world/thrown-solids",
  "solvers/local-global/contact-wgsl",
  "bench/sweep/command",
  "bench/sweep/redis",
];

/** Long files first, in any project, so that both workers end together. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return place < 0 ? LONGEST.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
