import { defineConfig, globalIgnores } from "eslint/config";
import js from "@eslint/js";
import tseslint from "typescript-eslint";
import { layersRule } from "./scripts/eslint/layers.mjs";

const BABYLON = {
  regex: "^(@babylonjs/|babylonjs)",
  message: "Only plugin/ and samples/ (and their tests) may import Babylon.",
};

/** Operations that engines round in their own ways. Rigid bodies have to end in the same bits in all engines. */
const INEXACT = [
  ...["sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"],
  ...["exp", "expm1", "log", "log1p", "log2", "log10", "pow", "cbrt", "hypot"],
].map((property) => ({
  object: "Math",
  property,
  message: "Not rounded alike everywhere: see src/math/deterministic.ts.",
}));

export default defineConfig([
  globalIgnores(["dist", ".cache", "node_modules", "coverage", "src/generated"]),
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.recommended],
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
      "@typescript-eslint/ban-ts-comment": ["error", { "ts-expect-error": "allow-with-description" }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/no-non-null-assertion": "off",
      eqeqeq: "error",
      "prefer-const": "error",
      "no-constant-condition": ["error", { checkLoops: false }],
    },
  },
  {
    files: ["**/*.ts", "**/*.mjs", "**/*.js"],
    plugins: { pliant: { rules: { layers: layersRule } } },
    rules: { "pliant/layers": "error" },
  },
  {
    files: ["src/**/*.ts", "bench/**/*.ts"],
    // Havok is run through Babylon's plugin, and aggregates are those of ours.
    ignores: ["bench/rigid/havok.ts", "bench/defaults/*.ts"],
    rules: { "no-restricted-imports": ["error", { patterns: [BABYLON] }] },
  },
  {
    files: ["src/world/rigid/**/*.ts", "src/solvers/newton/**/*.ts", "src/collision/{narrow,broad,query}/**/*.ts"],
    ignores: ["**/gpu/**"],
    rules: { "no-restricted-properties": ["error", ...INEXACT] },
  },
  {
    files: ["**/*.mjs", "**/*.js"],
    languageOptions: {
      globals: {
        process: "readonly",
        console: "readonly",
        performance: "readonly",
        Buffer: "readonly",
        URL: "readonly",
        setTimeout: "readonly",
      },
    },
  },
]);
