/** No sentence of a comment or page begins with a clause in place of a noun ("What lies there"): a noun says more. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const folders = ["src", "plugin", "samples", "bench", "scripts", "shaders", "test", "assembly", "docs", "site"];
const here = path.join("test", "scripts", path.basename(import.meta.filename));
const pages = fs.readdirSync(root).filter((name) => name.endsWith(".md"));
const files = folders
  .flatMap((folder) =>
    fs.readdirSync(path.join(root, folder), { recursive: true }).map((name) => path.join(folder, String(name))),
  )
  .filter(
    (file) => /\.(ts|mjs|wgsl|md)$/.test(file) && !file.startsWith(path.join("src", "generated")) && file !== here,
  )
  .concat(pages);

/** Sentences that begin with such a clause; questions may. */
const headless = /(?:^|[.!?:] )((?:What|Where|Who|Whoever|Whatever|How) [^.?!]*)(?=[.!]|$)/g;

/** Text of the comments of a program, each on one line. */
function commentsOf(source: string): string[] {
  const blocks = source.match(/\/\*[^]*?\*\/|(?:^[ \t]*\/\/.*\n?)+/gm) ?? [];
  const inline = [...source.matchAll(/\S.*?[ \t]\/\/ (.*)$/gm)].map(([, text]) => text);
  return [...blocks.map((block) => block.replace(/^[ \t]*(?:\/\*\*?|\*\/|\*|\/\/)[ \t]?/gm, "")), ...inline];
}

/** Paragraphs and items of a page, without its code. */
function paragraphsOf(page: string): string[] {
  return page.replace(/^ *```[^]*?^ *```/gm, "").split(/\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.) )/);
}

function headlessSentences(file: string, text: string): string[] {
  const parts = file.endsWith(".md") ? paragraphsOf(text) : commentsOf(text);
  return parts.flatMap((part) => {
    const line = part
      .replace(/^[\s>*|-]+/, "")
      .replace(/@(?:param \S+|returns|throws)/g, ":")
      .replace(/\s+/g, " ")
      .trim();
    return [...line.matchAll(headless)].map(([, sentence]) => sentence);
  });
}

describe("plain English", () => {
  it("finds headless clauses, and lets questions be", () => {
    const found = headlessSentences(
      "a.ts",
      "/** What it does. How many are there? */\n// Bodies. Where they lie\nconst a = 1; // Who pays",
    );
    expect(found).toEqual(["What it does", "Where they lie", "Who pays"]);
    expect(headlessSentences("a.md", "- Where it is, it is.\n\n```\nWhat\n```\nA noun.")).toEqual([
      "Where it is, it is",
    ]);
  });

  it("begins sentences with their subject", () => {
    expect(files.length).toBeGreaterThan(1000);
    const found = files.flatMap((file) =>
      headlessSentences(file, fs.readFileSync(path.join(root, file), "utf8")).map((sentence) => `${file}: ${sentence}`),
    );
    expect(found).toEqual([]);
  });
});
