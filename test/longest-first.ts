import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files of ten seconds and more, by their time on two cores; two of the browser, which has threads of its own, never follow each other. */
const LONGEST = [
  "scenes/bounds",
  "browser/gallery",
  "package/package",
  "world/attachments/on-bodies",
  "browser/plugin",
  "world/gpbd-cantilever",
  "solvers/local-global/pairs",
  "scenes/local-global-bounds",
  "plugin/soft-body-aggregate",
  "browser/readme",
  "parity/soft-bodies",
  "world/thrown-solids",
  "browser/showcases",
  "browser/site",
  "bench/stress/slice",
  "bench/rigid-gpu",
  "scenes/rigid-bounds",
  "bench/command",
  "plugin/thrown-jelly",
  "plugin/attachments",
  "parity/cloth-on-sphere",
  "package/bundle",
  "world/far-steps",
  "scenes/soft-bounds",
  "world/device-loss",
  "world/meet-on-gpu",
  "scenes/rigid-webgpu",
  "models/gpbd/with-energy",
  "world/rest-state",
  "solvers/local-global/contact-wgsl",
  "parity/local-global-surfaces",
  "world/thrown-together",
  "plugin/boxes-on-soft",
  "plugin/beside-soft",
  "world/solvers-meet",
  "plugin/lies-on-dynamic",
  "scenes/deformable-newton-bounds",
  "world/rigid/led-bodies",
  "models/any-solver",
  "browser/drawn",
  "browser/start",
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
