// What WGSL does not need is left out: it travels to every page.

const WORD = /[\w.]/;
const OPERATOR = /[-+*/%&|^<>=!~]/;

/**
 * Leaves out white space, but between top-level declarations, which have a line each.
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
