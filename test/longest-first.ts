import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files of ten seconds and more, by their time on two cores; two of the browser, which has threads of its own, never follow each other. */
const LONGEST = [
  "scenes/bounds",
  "browser/gallery",
  "world/surfaces",
  "scenes/soft-bounds",
  "scenes/local-global-bounds",
  "shaders/modules",
  "parity/cloth-on-sphere",
  "browser/plugin",
  "bench/command",
  "parity/local-global-contact",
  "browser/readme",
  "browser/site",
  "parity/soft-bodies",
  "package/package",
  "package/bundle",
  "browser/showcases",
  "parity/local-global-surfaces",
  "world/rigid/gpu-lane",
  "world/rigid/jointed",
  "world/rigid/random-scenes",
  "world/rigid/throws",
  "world/device-loss",
  "parity/rigid-lanes",
  "bench/stress/slice",
  "world/reaction",
  "world/random-throws",
  "world/boxes-on-soft",
  "scenes/hylc",
  "world/rigid/led-bodies",
  "plugin/beside-soft",
  "plugin/cables",
  "plugin/articulation",
  "plugin/as-world",
  "plugin/carried",
  "plugin/drag-force",
  "browser/drawn",
  "plugin/far-away",
  "plugin/readme",
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
