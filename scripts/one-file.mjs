// Code that a reader copies: a file and those that it shares with others, as one.

import fs from "node:fs";
import path from "node:path";

/** Runs what a showcase exports. */
const RUN = `const { scene } = await createScene();
scene.getEngine().runRenderLoop(() => scene.render());`;

/**
 * An example of the site or a showcase as one file that can be copied: names that it and the files beside it import are
 * imported once, and a showcase runs.
 *
 * @param {string} file
 * @returns {string}
 * @throws Error if a shared file has values of its own: the code before them runs first
 */
export function inOneFile(file) {
  const source = fs.readFileSync(file, "utf8");
  const shared = [...source.matchAll(/ from "(\.[^"]+)";$/gm)].map(([, name]) =>
    path.resolve(path.dirname(file), `${name}.ts`),
  );
  const texts = [source, ...shared.map((other) => fs.readFileSync(other, "utf8"))];
  texts.slice(1).forEach((text, k) => {
    const [value] = /^(?:export )?(?:const|let|class) \w+/m.exec(text) ?? [];
    if (value !== undefined) throw new Error(`${shared[k]}: "${value}" would come too late in a file with all code`);
  });
  if (/^export async function createScene/m.test(source)) texts.splice(1, 0, RUN);
  if (texts.length === 1) return source;
  const imported = new Map();
  const bodies = texts.map((text) =>
    text.replace(
      /^import (?:type )?(?:(\w+)(?:, )?)?(?:\{([^}]*)\} )?(?:from )?"([^"]+)";\n/gm,
      (line, whole, names, from) => {
        if (from.startsWith(".")) return "";
        const known = imported.get(from) ?? { whole: undefined, names: new Set() };
        known.whole ??= whole;
        for (const part of (names ?? "").split(",")) if (part.trim() !== "") known.names.add(part.trim());
        imported.set(from, known);
        return "";
      },
    ),
  );
  const head = [...imported].map(([from, { whole, names }]) => {
    // A value is its type, too.
    for (const part of names) names.delete(`type ${part}`);
    const list = names.size > 0 ? `{\n  ${[...names].sort().join(",\n  ")},\n}` : "";
    const what = [whole, list].filter(Boolean).join(", ");
    return what === "" ? `import "${from}";\n` : `import ${what} from "${from}";\n`;
  });
  return `${head.join("")}\n${bodies.map((body) => body.trim()).join("\n\n")}\n`;
}
