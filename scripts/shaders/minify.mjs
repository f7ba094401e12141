// Leaves out the parts of WGSL that are not needed, because every page downloads it.

const WORD = /[\w.]/;
const OPERATOR = /[-+*/%&|^<>=!~]/;

/**
 * Removes white space, except between top-level declarations, which have a line each, and gives what functions declare short names.
 *
 * @param {string} text WGSL without comments
 * @returns {string} the same program
 */
export function minifyWgsl(text) {
  let out = "";
  let depth = 0;
  let isApart = false;
  for (const char of text) {
    if (/\s/.test(char)) {
      isApart = true;
      continue;
    }
    const last = out.at(-1) ?? "\n";
    // Two words or two operators would become one.
    const isNeeded = (WORD.test(last) && WORD.test(char)) || (OPERATOR.test(last) && OPERATOR.test(char));
    if (isApart && isNeeded) out += " ";
    isApart = false;
    out += char;
    if (char === "{") depth++;
    if (char === "}") depth--;
    if (depth === 0 && (char === "}" || char === ";")) out += "\n";
  }
  const lines = out.endsWith("\n") ? out : `${out}\n`;
  return lines.replace(FUNCTION, shorten);
}

/** A function without white space, in a line. */
const FUNCTION = /^(?:@\w+(?:\([^)]*\))?)*fn .*$/gm;
/** A name that is no member of something, and no suffix of a number. */
const NAME = /(?<![\w.])[A-Za-z_]\w*/g;
const PARAMETER = /[(,)]([A-Za-z_]\w*):/g;
const VARIABLE = /(?<![\w.])(?:let|var|const) ([A-Za-z_]\w*)/g;

/** Gives parameters and variables of a function names of one letter and a number, none of which occurs in it. */
function shorten(text) {
  const names = text.match(NAME);
  const used = new Set(names);
  // In another block the same name may be that of a function, and attributes have names of their own.
  const kept = new Set([...text.matchAll(/(\w+)\(/g), ...text.matchAll(/@\w+\((\w+)\)/g)].map(([, name]) => name));
  const short = new Map();
  let next = 0;
  const body = text.indexOf("{");
  const declared = [...text.slice(0, body).matchAll(PARAMETER), ...text.slice(body).matchAll(VARIABLE)];
  for (const [, name] of declared) {
    if (name.length === 1 || short.has(name) || kept.has(name)) continue;
    let letter;
    do {
      letter = String.fromCharCode(97 + (next % 26)) + (next < 26 ? "" : Math.floor(next / 26));
      next++;
    } while (used.has(letter));
    short.set(name, letter);
  }
  return text.replace(NAME, (name) => short.get(name) ?? name);
}
