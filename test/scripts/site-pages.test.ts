/** Links of the site's pages lead somewhere, and pages name examples, pictures and files that exist. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { exampleNames } from "../../scripts/build-site.mjs";
import { scenes } from "../../samples/scenes/index";
import { showcases } from "../../samples/showcases/index";

const root = path.resolve(import.meta.dirname, "../..");
const site = path.join(root, "site");
const guides = fs.readdirSync(path.join(site, "guide")).filter((file) => file.endsWith(".md"));
/** See site/guide/measurements/[topic].paths.ts. */
const measurements = path.join(root, "docs/measurements");
const topics = fs.readdirSync(measurements).map((file) => `measurements/${file}`);
const pages = ["index.md", ...[...guides, ...topics].map((file) => `guide/${file}`)];
const fileOf = (page: string): string =>
  page.startsWith("guide/measurements/") ? path.join(measurements, path.basename(page)) : path.join(site, page);
/** Text of a page, with the pages that it includes. */
const textOf = (page: string): string =>
  fs
    .readFileSync(fileOf(page), "utf8")
    .replace(/<!--@include: (\S+)-->/g, (_whole, file: string) =>
      fs.readFileSync(path.resolve(site, path.dirname(page), file), "utf8"),
    );
const examples: string[] = exampleNames();

/** Anchor of a heading, as the generator makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[`*]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");

function faultOf(page: string, link: string): string | undefined {
  const [target, anchor] = link.split("#");
  if (/^\.{1,2}\/(api|gallery|benchmark)\//.test(target)) {
    const scene = /\?scene=([\w-]+)/.exec(target)?.[1];
    const isKnown = scene === undefined || scene in showcases || scenes.some(({ name }) => name === scene);
    return isKnown ? undefined : `no scene ${scene}`;
  }
  const whole = target === "" ? page : path.posix.join(path.posix.dirname(page), target);
  if (/^bench\/results\/.*\.svg$/.test(whole)) return fs.existsSync(path.join(root, whole)) ? undefined : `no ${whole}`;
  const file = whole.replace(/(\.html|\.md)?$/, ".md");
  if (!pages.includes(file)) return `no page ${file}`;
  if (anchor === undefined) return undefined;
  const headings = [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading));
  return headings.includes(anchor) ? undefined : `no heading ${anchor} in ${file}`;
}

describe.each(pages)("%s", (page) => {
  const text = textOf(page);
  const prose = text.replace(/^ *```[^]*?^ *```/gm, "");

  it("has links that lead somewhere", () => {
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)|href="([^"]+)"/g)].map(([, a, b]) => a ?? b);
    const internal = links.filter((link) => !/^\w+:/.test(link));
    expect(internal.flatMap((link) => faultOf(page, link) ?? [])).toEqual([]);
  });

  it("names files that exist", () => {
    for (const [, name] of prose.matchAll(/<LiveExample name="([\w-]+)"/g)) {
      expect(examples).toContain(name);
      expect(fs.existsSync(path.join(site, `public/pictures/${name}.jpg`)), name).toBe(true);
    }
    for (const [, file] of text.matchAll(/^<<< @\/([^\s{]+)(?:\{\w+\})?$/gm))
      expect(fs.existsSync(path.join(site, file)), file).toBe(true);
    for (const [, file] of text.matchAll(/src="(\/pictures\/\S+)"/g))
      expect(fs.existsSync(path.join(site, "public", file)), file).toBe(true);
    for (const [, file] of prose.matchAll(/`((?:bench\/results|test)\/[\w./-]+\.\w+)`/g))
      expect(fs.existsSync(path.join(root, file)), file).toBe(true);
  });
});

it("shows every example in a guide or on the first page", () => {
  const shown = pages.flatMap((page) =>
    [...textOf(page).matchAll(/<LiveExample name="([\w-]+)"/g)].map(([, name]) => name),
  );
  expect([...new Set(shown)].sort()).toEqual(examples);
});

it("shows every showcase on the first page, with its title and preview", () => {
  const page = textOf("index.md");
  const cards = [...page.matchAll(/\?scene=([\w-]+)".*previews\/([\w-]+)\.webp.*<b>(.+)<\/b>/g)].map(
    ([, ...card]) => card,
  );
  expect(cards).toEqual(Object.entries(showcases).map(([name, { title }]) => [name, name, title]));
  for (const name of Object.keys(showcases))
    expect(fs.existsSync(path.join(root, `samples/gallery/previews/${name}.webp`)), name).toBe(true);
});
