// Installs the npm packages if they are missing or differ from package-lock.json. It uses Node built-ins only, since it
// runs before anything is installed. All output goes to standard error, since some callers own standard output.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

const MINIMUM_NODE = 20;
const LOCK = path.join(ROOT, "package-lock.json");
const STAMP = path.join(ROOT, "node_modules", ".pliant-install");

/** Makes sure that node_modules holds the packages of package-lock.json. Ends the process if that fails. */
export function bootstrap() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < MINIMUM_NODE) {
    console.error(`Pliant needs Node ${MINIMUM_NODE} or newer; this is Node ${process.versions.node}.`);
    process.exit(1);
  }
  const hash = createHash("sha256").update(fs.readFileSync(LOCK)).digest("hex");
  if (fs.existsSync(STAMP) && fs.readFileSync(STAMP, "utf8") === hash) return;
  // Someone may have run `npm install` by hand: then it is enough to record that.
  if (!installedAsLocked()) install();
  fs.writeFileSync(STAMP, hash);
}

/** Compares npm's own record of what it installed with the lock file. */
function installedAsLocked() {
  const record = path.join(ROOT, "node_modules", ".package-lock.json");
  if (!fs.existsSync(record)) return false;
  const installed = JSON.parse(fs.readFileSync(record, "utf8")).packages;
  const locked = JSON.parse(fs.readFileSync(LOCK, "utf8")).packages;
  return Object.entries(locked).every(([name, wanted]) => {
    if (name === "") return true;
    // Packages for other platforms are locked but not installed.
    if (!installed[name]) return wanted.optional === true;
    return installed[name].version === wanted.version && fs.existsSync(path.join(ROOT, name));
  });
}

function install() {
  console.error("Installing npm packages (first run, or package-lock.json has changed) ...");
  // Under `npm run` this is the npm that was called; PATH may hold another one.
  const npm = process.env.npm_execpath;
  const isNpm = npm !== undefined && /npm-cli\.[cm]?js$/.test(npm);
  const [command, first] = isNpm ? [process.execPath, [npm]] : ["npm", []];
  const result = spawnSync(command, [...first, "ci", "--include=dev", "--no-audit", "--no-fund"], {
    cwd: ROOT,
    stdio: ["ignore", 2, 2],
    shell: !isNpm && process.platform === "win32",
  });
  if (result.error || result.status !== 0) {
    console.error(`npm ci failed${result.error ? `: ${result.error.message}` : ""}`);
    process.exit(result.status || 1);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) bootstrap();
