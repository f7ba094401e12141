// Lint rule `pliant/layers`: imports go downward only.
//
// The folders of src/ form a stack; a file may import from its own folder or from one further down, never upward, and a
// solver never imports another solver. Plain `no-restricted-imports` matches the text of a specifier, which does not
// show where a relative path ends up, so the rule resolves the path first.

import path from "node:path";

/** Folders of src/ from the lowest layer to the highest; folders on one line share a rank. */
const STACK = [
  ["tasks"],
  ["math"],
  ["gpu"],
  ["geometry"],
  ["materials"],
  ["collision"],
  ["articulated", "solvers"],
  ["models"],
  ["world"],
];

/** Modules outside src/ that the engine must not know about. */
const OUTSIDE = new Set(["plugin", "samples", "bench", "test"]);

const rankOf = (folder) => STACK.findIndex((row) => row.includes(folder));

/**
 * Names the broken rule, or returns undefined for an allowed import.
 *
 * @param {string} from importing file, relative to the repository root, "/" as separator
 * @param {string} to imported path, the same way
 * @returns {string | undefined}
 */
export function layerViolation(from, to) {
  const [fromTop, fromFolder, fromSub] = from.split("/");
  const [toTop, toFolder, toSub] = to.split("/");
  if (fromTop === "plugin" && (toTop === "samples" || toTop === "bench" || toTop === "test")) {
    return `plugin/ must not import ${toTop}/`;
  }
  if (fromTop !== "src") return undefined;
  if (OUTSIDE.has(toTop)) return `src/ must not import ${toTop}/`;
  if (toTop !== "src" || fromFolder === toFolder) {
    const otherSolver = fromFolder === "solvers" && toTop === "src" && fromSub !== toSub && isSolver(fromSub, toSub);
    return otherSolver ? `solver ${fromSub} must not import solver ${toSub}: they meet in world/` : undefined;
  }
  if (fromFolder === "gpu" && toFolder !== "errors") return "src/gpu must not import other folders of src/ but errors";
  const fromRank = rankOf(fromFolder);
  const toRank = rankOf(toFolder);
  if (fromRank < 0 || toRank < 0 || toRank < fromRank) return undefined;
  return `src/${fromFolder} must not import src/${toFolder}: imports go downward only`;
}

/** Files right under solvers/ (shared contracts) have an extension or no further path; a solver is a folder. */
const SOLVERS = new Set(["gpbd", "local-global", "newton"]);
function isSolver(a, b) {
  return SOLVERS.has(a) && SOLVERS.has(b);
}

/** A rule in the form that ESLint has too. */
export const layersRule = {
  meta: { type: "problem", schema: [], docs: { description: "imports go downward only" } },
  create(context) {
    const root = context.cwd;
    const from = path.relative(root, context.filename).split(path.sep).join("/");
    const check = (node) => {
      const specifier = node.source?.value;
      if (typeof specifier !== "string" || !specifier.startsWith(".")) return;
      const target = path.resolve(path.dirname(context.filename), specifier);
      const message = layerViolation(from, path.relative(root, target).split(path.sep).join("/"));
      if (message !== undefined) context.report({ node, message });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportAllDeclaration: check,
      ExportNamedDeclaration: check,
      TSImportType: check,
    };
  },
};
