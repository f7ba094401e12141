// Leaves out the parts of WGSL that are not needed, because every page downloads it.

const WORD = /[\w.]/;
const OPERATOR = /[-+*/%&|^<>=!~]/;

/**
 * Removes white space, except between top-level declarations, which have a line each.
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
  return out.endsWith("\n") ? out : `${out}\n`;
}
