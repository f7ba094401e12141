// Lint rule `pliant/deterministic`: worlds on the CPU have to end in the same bits in all engines.

/** Operations that engines round in their own ways. */
const INEXACT = new Set([
  ...["sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"],
  ...["exp", "expm1", "log", "log1p", "log2", "log10", "pow", "cbrt", "hypot"],
]);

/** A rule in the form that ESLint has too. */
export const deterministicRule = {
  meta: { type: "problem", schema: [], docs: { description: "only operations that all engines round alike" } },
  create(context) {
    return {
      MemberExpression(node) {
        const { object, property } = node;
        if (object.name !== "Math" || !INEXACT.has(property.name)) return;
        context.report({
          node,
          message: `Math.${property.name} is not rounded alike everywhere: see src/math/deterministic.ts.`,
        });
      },
      BinaryExpression(node) {
        // All engines multiply for squares, and powers of two are exact.
        const { operator, left, right } = node;
        if (operator !== "**" || right.value === 2 || left.value === 2) return;
        context.report({
          node,
          message: "Powers are not rounded alike everywhere: see pow of src/math/exponentials.ts.",
        });
      },
    };
  },
};
