// Module-scope declarations of a WGSL file, found by brackets alone: names for collision checks, and the texts of
// constants and overrides.

/**
 * @typedef {object} Declaration
 * @property {"const" | "override" | "struct" | "alias" | "fn" | "var"} kind
 * @property {string} name
 * @property {string} attributes text before the keyword, such as "@id(3)"
 * @property {string | undefined} type annotation of a const or override
 * @property {string | undefined} value initializer of a const or override
 * @property {number} line counted from 1
 */

const HEAD = /^((?:@\w+\s*(?:\([^)]*\))?\s*)*)(const|override|struct|alias|fn|var)\b(?:\s*<[^>]*>)?\s*([A-Za-z_]\w*)/;

/**
 * @param {string} body WGSL without comments
 * @returns {Declaration[]}
 */
export function declarations(body) {
  const found = [];
  for (const { text, line } of statements(body)) {
    const head = HEAD.exec(text);
    if (!head) continue;
    const [whole, attributes, kind, name] = head;
    const rest = text.slice(whole.length);
    const typed = /^\s*(?::\s*([^=]+?))?\s*(?:=([\s\S]*))?$/.exec(rest);
    const valued = kind === "const" || kind === "override" ? typed : null;
    found.push({ kind, name, attributes: attributes.trim(), type: valued?.[1], value: valued?.[2]?.trim(), line });
  }
  return found;
}

/** Splits at semicolons and closing braces that stand outside all brackets. */
function* statements(body) {
  let depth = 0;
  let start = 0;
  let line = 1;
  let startLine = 1;
  const piece = (end) => {
    const raw = body.slice(start, end);
    const lead = raw.length - raw.trimStart().length;
    return { text: raw.trim(), line: startLine + (raw.slice(0, lead).match(/\n/g)?.length ?? 0) };
  };
  for (let i = 0; i < body.length; i++) {
    const c = body[i];
    if (c === "\n") line++;
    if (c === "{" || c === "(" || c === "[") depth++;
    if (c === "}" || c === ")" || c === "]") depth--;
    if (depth === 0 && (c === ";" || c === "}")) {
      yield piece(i);
      start = i + 1;
      startLine = line;
    }
  }
  if (body.slice(start).trim() !== "") yield piece(body.length);
}
