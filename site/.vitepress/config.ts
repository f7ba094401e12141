import { defineConfig } from "vitepress";

const guides = [
  {
    text: "Begin",
    items: [
      { text: "Install", link: "/guide/install" },
      { text: "First cloth", link: "/guide/first-cloth" },
      { text: "Which solver when", link: "/guide/which-solver" },
    ],
  },
  {
    text: "Cloth",
    items: [
      { text: "Pin, attach, tear", link: "/guide/pin-attach-tear" },
      { text: "Fabrics", link: "/guide/fabrics" },
      { text: "Garments on characters", link: "/guide/garments" },
      { text: "Wind", link: "/guide/wind" },
      { text: "Balloons", link: "/guide/balloons" },
    ],
  },
  {
    text: "Other bodies",
    items: [
      { text: "Soft bodies from any mesh", link: "/guide/soft-bodies" },
      { text: "Ropes and cables", link: "/guide/ropes-and-cables" },
      { text: "Rigid bodies and constraints", link: "/guide/rigid-bodies" },
      { text: "Mechanisms", link: "/guide/mechanisms" },
      { text: "Learning", link: "/guide/learning" },
      { text: "An energy of your own", link: "/guide/own-energy" },
    ],
  },
  {
    text: "In an app",
    items: [
      { text: "Beside Havok", link: "/guide/beside-havok" },
      { text: "Character controller", link: "/guide/character" },
      { text: "Picking and dragging", link: "/guide/dragging" },
      { text: "XR", link: "/guide/xr" },
      { text: "Snapshots and replays", link: "/guide/snapshots" },
      { text: "Physics in files", link: "/guide/gltf" },
      { text: "React, Vue and tests", link: "/guide/frameworks" },
      { text: "Headless on a server", link: "/guide/headless" },
      { text: "Multiplayer", link: "/guide/multiplayer" },
      { text: "Coming from another engine", link: "/guide/coming-from" },
    ],
  },
  {
    text: "When it matters",
    items: [
      { text: "All features", link: "/guide/features" },
      { text: "Performance", link: "/guide/performance" },
      { text: "Parameter studies", link: "/guide/parameter-studies" },
      { text: "Troubleshooting", link: "/guide/troubleshooting" },
      { text: "Limits", link: "/guide/limits" },
    ],
  },
];

type Highlight = (code: string, language: string, attributes: string) => string;

/** Most guides show the code that their examples share, and each page is read twice: for itself, and for the search. */
function remembered(highlight: Highlight): Highlight {
  const known = new Map<string, string>();
  return (code, language, attributes) => {
    const key = JSON.stringify([code, language, attributes]);
    const html = known.get(key) ?? highlight(code, language, attributes);
    known.set(key, html);
    return html;
  };
}

export default defineConfig({
  title: "Pliant",
  description: "Cloth, soft bodies, ropes and rigid bodies for Babylon.js, in one scene.",
  lang: "en",
  head: [["link", { rel: "icon", href: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E" }]],
  cacheDir: "../dist/.vitepress-cache",
  metaChunk: true,
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark" },
    config: (md) => (md.options.highlight = remembered(md.options.highlight!)),
  },
  // The gallery, the examples and the API documentation are built beside the pages; a test follows their links.
  ignoreDeadLinks: [/\/(gallery|api|examples|benchmark)\//],
  vite: { build: { chunkSizeWarningLimit: 1000 }, logLevel: "warn" },
  themeConfig: {
    siteTitle: "Pliant",
    search: { provider: "local" },
    outline: { level: [2, 3], label: "On this page" },
    nav: [
      { text: "Guides", link: "/guide/install", activeMatch: "/guide/" },
      { text: "Gallery", link: "/gallery/", target: "_self" },
      { text: "Benchmark", link: "/benchmark/", target: "_self" },
      { text: "API", link: "/api/", target: "_self" },
    ],
    sidebar: { "/guide/": guides },
    aside: false,
    docFooter: { prev: "Before", next: "Next" },
  },
});
