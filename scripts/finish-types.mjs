// Completes the emitted declarations for every kind of module resolution.
//
// Sources import "./errors"; under "moduleResolution": "nodenext" a package must say "./errors.js". The same holds for
// Babylon's modules, since its package has no export map.

import fs from "node:fs";
import path from "node:path";

const SPECIFIER =
  /(\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)(["'])(\.{1,2}\/[^"']*|\.{1,2}|@babylonjs\/[^/"']+\/[^"']+)\2/g;

/**
 * @param {string} folder root of the .d.ts files
 * @returns {number} number of changed files
 */
export function finishTypes(folder) {
  let changed = 0;
  for (const name of fs.readdirSync(folder, { recursive: true }).map(String)) {
    if (!name.endsWith(".d.ts")) continue;
    const file = path.join(folder, name);
    const before = fs.readFileSync(file, "utf8");
    const after = before.replace(SPECIFIER, (_whole, head, quote, specifier) => {
      return `${head}${quote}${completed(path.dirname(file), specifier)}${quote}`;
    });
    if (after === before) continue;
    fs.writeFileSync(file, after);
    changed++;
  }
  return changed;
}

function completed(folder, specifier) {
  if (/\.(js|mjs|json)$/.test(specifier)) return specifier;
  if (!specifier.startsWith(".")) return `${specifier}.js`;
  const target = path.resolve(folder, specifier);
  if (fs.existsSync(`${target}.d.ts`)) return `${specifier}.js`;
  if (fs.existsSync(path.join(target, "index.d.ts"))) return `${specifier.replace(/\/$/, "")}/index.js`;
  throw new Error(`${folder}: "${specifier}" leads to no declaration`);
}
