import { button, element, setPressed } from "./controls";

/** A scene as the overview shows it; `scripts/build-gallery.mjs` writes them to `listing.json`. */
export interface Listed {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
}

export interface ListedGroup {
  readonly title: string;
  readonly about: string;
  readonly scenes: readonly Listed[];
}

/** All scenes as cards with moving pictures, with a search and tags. The address keeps both. */
export async function showOverview(root: HTMLElement): Promise<void> {
  const groups = (await (await fetch("listing.json")).json()) as readonly ListedGroup[];
  const query = new URLSearchParams(location.search);
  let words = query.get("q") ?? "";
  let tag = query.get("tag") ?? "";

  const search = element("input", { type: "search", placeholder: "Search scenes", value: words });
  search.setAttribute("aria-label", "Search scenes");
  const tags = [...new Set(groups.flatMap(({ scenes }) => scenes.flatMap((scene) => scene.tags)))].sort();
  const chips = tags.map((name) => {
    const chip = button(name, () => {
      tag = tag === name ? "" : name;
      update();
    });
    chip.dataset.tag = name;
    return chip;
  });
  const shown = groups.map((group) => ({ group, ...sectionOf(group) }));
  const nothing = element("p", { className: "nothing", hidden: true }, "No scene has these words.");
  search.addEventListener("input", () => {
    words = search.value;
    update();
  });

  const update = (): void => {
    for (const chip of chips) setPressed(chip, chip.dataset.tag === tag);
    let found = 0;
    for (const { section, cards } of shown) {
      let inSection = 0;
      for (const { card, scene } of cards) {
        card.hidden = !matches(scene, words, tag);
        if (!card.hidden) inSection++;
      }
      section.hidden = inSection === 0;
      found += inSection;
    }
    nothing.hidden = found > 0;
    const next = new URLSearchParams();
    if (words !== "") next.set("q", words);
    if (tag !== "") next.set("tag", tag);
    history.replaceState(null, "", next.size === 0 ? location.pathname : `?${next}`);
  };

  root.replaceChildren(
    element(
      "header",
      {},
      ...siteLinks(),
      element("h1", {}, "Gallery"),
      element(
        "p",
        {},
        "Every scene runs in the page. Take hold of cloth with the pointer, turn the view, change what you like.",
      ),
      search,
      element("div", { className: "tags" }, ...chips),
    ),
    ...shown.map(({ section }) => section),
    nothing,
  );
  update();
  root.hidden = false;
}

/** Links to the pages around the gallery; there are none if it was built by itself. */
function siteLinks(): HTMLElement[] {
  const { site } = document.documentElement.dataset;
  if (site === undefined) return [];
  const pages = { Pliant: "", Guides: "guide/install.html", API: "api/" };
  const links = Object.entries(pages).map(([name, page]) => element("a", { href: site + page }, name));
  const nav = element("nav", {}, ...links);
  nav.setAttribute("aria-label", "Site");
  return [nav];
}

function sectionOf({ title, about, scenes }: ListedGroup): {
  section: HTMLElement;
  cards: readonly { card: HTMLElement; scene: Listed }[];
} {
  const cards = scenes.map((scene) => ({ scene, card: cardOf(scene) }));
  const grid = element("div", { className: "cards" }, ...cards.map(({ card }) => card));
  return { section: element("section", {}, element("h2", {}, title), element("p", {}, about), grid), cards };
}

function cardOf({ name, title, description, tags }: Listed): HTMLElement {
  const preview = element("div", { className: "preview" });
  preview.style.setProperty("--strip", `url("previews/${name}.webp")`);
  const card = element(
    "a",
    { className: "card", href: `?scene=${name}` },
    preview,
    element("h3", {}, title),
    element("p", {}, description),
    element("p", { className: "tagged" }, tags.join(" · ")),
  );
  card.dataset.scene = name;
  return card;
}

/** Whether a scene has the tag, and all words somewhere in its texts. @testOnly */
export function matches(scene: Listed, words: string, tag: string): boolean {
  if (tag !== "" && !scene.tags.includes(tag)) return false;
  const text = [scene.name, scene.title, scene.description, ...scene.tags].join(" ").toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
