// Rules of our own for oxlint.

import { deterministicRule } from "./deterministic.mjs";
import { layersRule } from "./layers.mjs";

export default {
  meta: { name: "pliant" },
  rules: { layers: layersRule, deterministic: deterministicRule },
};
