// Reading WGSL sources: comments, `#import` lines, and the order in which imported files are joined.

import fs from "node:fs";
import path from "node:path";

const IMPORT_LINE = /^[ \t]*#import[ \t]+"([^"]+)"[ \t]*;?[ \t]*$/;

/** A mistake in a shader, reported with the file that holds it. */
export class ShaderError extends Error {
  /**
   * @param {string} file path from the shader root
   * @param {string} message
   */
  constructor(file, message) {
    super(`${file}: ${message}`);
    this.name = "ShaderError";
    this.file = file;
  }
}

/**
 * Replaces comments by blanks and keeps every line break, so that line numbers still hold. WGSL block comments nest.
 *
 * @param {string} text
 * @returns {string}
 */
export function blankComments(text) {
  let out = "";
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const two = text.slice(i, i + 2);
    if (depth === 0 && two === "//") {
      while (i < text.length && text[i] !== "\n") i++;
      if (i < text.length) out += "\n";
    } else if (two === "/*") {
      depth++;
      i++;
      out += "  ";
    } else if (depth > 0 && two === "*/") {
      depth--;
      i++;
      out += "  ";
    } else {
      out += depth === 0 || text[i] === "\n" ? text[i] : " ";
    }
  }
  return out;
}

/**
 * Lists every .wgsl file below a folder as "folder/name.wgsl", sorted.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function listShaders(root) {
  if (!fs.existsSync(root)) return [];
  const found = [];
  const visit = (folder) => {
    for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const inside = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) visit(inside);
      else if (entry.name.endsWith(".wgsl")) found.push(inside);
    }
  };
  visit("");
  return found.sort();
}

/**
 * @typedef {object} ShaderFile
 * @property {string} name path from the shader root
 * @property {string[]} imports names of directly imported files, in the order written
 * @property {string[]} directives `enable`, `requires` and `diagnostic` directives; WGSL wants them before all else
 * @property {string} body text without comments, imports and directives; line numbers as in the file
 * @property {boolean} isEntry whether it is a module: it has compute entry points, its own or those of a file `…-entries.wgsl`
 */

/**
 * Reads all shaders of a folder.
 *
 * @param {string} root
 * @returns {Map<string, ShaderFile>}
 */
export function readShaders(root) {
  const files = new Map();
  for (const name of listShaders(root)) {
    files.set(name, parseShader(name, fs.readFileSync(path.join(root, name), "utf8")));
  }
  return files;
}

/**
 * @param {string} name
 * @param {string} text
 * @returns {ShaderFile}
 */
export function parseShader(name, text) {
  const imports = [];
  const directives = [];
  const lines = blankComments(text.replaceAll("\r\n", "\n")).split("\n");
  const body = lines.map((line, index) => {
    const match = IMPORT_LINE.exec(line);
    if (match) {
      imports.push(match[1]);
      return "";
    }
    if (/^\s*#/.test(line)) throw new ShaderError(name, `line ${index + 1}: expected #import "path.wgsl"`);
    if (/^\s*(enable\s|requires\s|diagnostic\s*\()/.test(line)) {
      directives.push(line.trim());
      return "";
    }
    return line.trimEnd();
  });
  const joined = body.join("\n");
  const isEntry = !isShared(name) && (/@compute\b/.test(joined) || imports.some(isShared));
  return { name, imports, directives, body: joined, isEntry };
}

/** Whether a file has entry points of several modules, each of which imports it and supplies the functions that it lacks. */
const isShared = (name) => name.endsWith("-entries.wgsl");

/**
 * Orders a file and all it imports so that each file stands once, after those it imports.
 *
 * @param {Map<string, ShaderFile>} files
 * @param {string} name
 * @returns {ShaderFile[]}
 */
export function importOrder(files, name) {
  const done = new Set();
  const open = [];
  const order = [];
  const visit = (current, importer) => {
    if (done.has(current)) return;
    if (open.includes(current)) {
      throw new ShaderError(importer, `import cycle: ${[...open.slice(open.indexOf(current)), current].join(" -> ")}`);
    }
    const file = files.get(current);
    if (!file) throw new ShaderError(importer, `imports "${current}", which does not exist in the shader folder`);
    open.push(current);
    for (const imported of file.imports) visit(imported, current);
    open.pop();
    done.add(current);
    order.push(file);
  };
  visit(name, name);
  return order;
}
