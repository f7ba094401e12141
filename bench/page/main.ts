/** The benchmark page: a button that runs the rounds in a worker, bars of times, tables of quality, and the result as a file. */

import { axisX, barX, plot, ruleX, text } from "@observablehq/plot";
import { FRAME, type Message, type PageResult, type PageRow, type RoundText } from "./messages";

/** Versions of Pliant and its peers; the build writes them. */
declare const PLIANT_VERSIONS: Readonly<Record<string, string>>;

const runButton = element<HTMLButtonElement>("run");
const saveButton = element<HTMLButtonElement>("save");
const state = element("state");
const list = element("rounds");

let result: PageResult | undefined;

runButton.addEventListener("click", run);
saveButton.addEventListener("click", save);

function element<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

function run(): void {
  runButton.disabled = true;
  saveButton.disabled = true;
  list.replaceChildren();
  document.documentElement.dataset.state = "running";
  state.textContent = "Loading the engines …";
  // A page with `?quick` passes it on.
  const worker = new Worker(new URL(`worker.js${location.search}`, location.href), { type: "module" });
  const rounds = new Map<string, RoundView>();
  const rows: Record<string, readonly PageRow[]> = {};
  let adapter = "none";
  const end = (words: string, name: "done" | "failed"): void => {
    worker.terminate();
    state.textContent = words;
    runButton.disabled = false;
    document.documentElement.dataset.state = name;
  };
  worker.addEventListener("error", (event) => end(`The engines did not load: ${event.message}`, "failed"));
  worker.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.type === "rounds") {
      adapter = data.adapter;
      state.textContent = `WebGPU adapter: ${adapter}.`;
      for (const round of data.rounds) rounds.set(round.name, new RoundView(round));
    } else if (data.type === "progress") rounds.get(data.round)!.progress(data.share);
    else if (data.type === "rows") {
      rows[data.round] = data.rows;
      rounds.get(data.round)!.show(data.rows);
    } else if (data.type === "failed") rounds.get(data.round)!.fail(data.error);
    else {
      const { userAgent, hardwareConcurrency: cores } = navigator;
      const date = new Date().toISOString();
      result = { suite: "page", date, userAgent, cores, adapter, versions: PLIANT_VERSIONS, rounds: rows };
      saveButton.disabled = false;
      end(`Done. WebGPU adapter: ${adapter}; ${cores} cores.`, "done");
    }
  });
}

function save(): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(result, undefined, 2)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `pliant-benchmark-${result!.date.slice(0, 10)}.json`;
  link.click();
  URL.revokeObjectURL(url);
}

/** The part of the page that belongs to a round. */
class RoundView {
  private readonly place = document.createElement("section");
  private readonly bar = document.createElement("progress");

  constructor(private readonly round: RoundText) {
    const title = document.createElement("h2");
    title.textContent = round.title;
    const about = document.createElement("p");
    about.textContent = round.about;
    this.bar.value = 0;
    this.bar.setAttribute("aria-label", `Progress of: ${round.title}`);
    this.place.append(title, about, this.bar);
    list.append(this.place);
  }

  progress(share: number): void {
    this.bar.value = share;
  }

  show(rows: readonly PageRow[]): void {
    this.bar.replaceWith(...reach(rows), bars(rows, this.round.title), table(rows, this.round));
  }

  fail(error: string): void {
    const words = document.createElement("p");
    words.setAttribute("role", "alert");
    words.textContent = `This round failed: ${error}`;
    this.bar.replaceWith(words);
  }
}

/** For each contestant that had scenes of several sizes, the vertices of the largest one that ran at 60 Hz. */
function reach(rows: readonly PageRow[]): HTMLElement[] {
  const most = new Map<string, number>();
  for (const { contestant, msPerFrame, metrics } of rows)
    if (metrics.vertices !== undefined)
      most.set(contestant, Math.max(most.get(contestant) ?? 0, msPerFrame <= FRAME ? metrics.vertices : 0));
  return [...most].map(([contestant, vertices]) => {
    const words = document.createElement("p");
    const what = vertices > 0 ? `${vertices.toLocaleString("en")} vertices` : "not even the smallest cloth";
    words.append(Object.assign(document.createElement("strong"), { textContent: `${contestant}: ${what} at 60 Hz` }));
    return words;
  });
}

/** Peers have several settings; a bar needs a name of its own. */
function nameOf({ contestant, settings, metrics }: PageRow): string {
  if (metrics.vertices !== undefined) return `${contestant}, ${metrics.vertices.toLocaleString("en")} vertices`;
  return contestant.startsWith("Pliant") ? contestant : `${contestant}, ${settings}`;
}

function bars(rows: readonly PageRow[], title: string): HTMLElement {
  const data = rows.map((row) => ({ name: nameOf(row), ms: row.msPerFrame, own: row.contestant.startsWith("Pliant") }));
  const figure = document.createElement("figure");
  const widest = Math.max(...data.map(({ ms }) => ms));
  // Names stand above the bars, so that a phone has room for both.
  const name = { x: 0, y: "name", text: "name", textAnchor: "start", dy: -13, fontSize: 13 } as const;
  const time = { x: "ms", y: "name", text: ({ ms }: { ms: number }) => digits(ms), textAnchor: "start" } as const;
  const drawing = plot({
    width: Math.min(900, document.body.clientWidth - 40),
    height: 50 + 42 * data.length,
    marginLeft: 4,
    marginRight: 60,
    x: { label: "ms a frame", domain: [0, widest] },
    y: { axis: null, domain: data.map((row) => row.name) },
    color: { domain: [true, false], range: ["#0d7d87", "#9aa3ad"] },
    ariaLabel: `Milliseconds a frame: ${title}`,
    marks: [
      axisX({ ticks: 5, fontSize: 12 }),
      barX(data, { x: "ms", y: "name", fill: "own", insetTop: 18 }),
      text(data, name),
      text(data, { ...time, dx: 5, dy: 9, fontSize: 13 }),
      ...(widest > FRAME ? [ruleX([FRAME], { stroke: "#c2410c", strokeDasharray: "4 3" })] : []),
    ],
  });
  figure.append(drawing);
  return figure;
}

function table(rows: readonly PageRow[], { title, quality }: RoundText): HTMLElement {
  const heads = ["engine", "settings", "ms a frame", "slowest 5 % [ms]", ...Object.values(quality)];
  const cells = rows.map((row) => [
    row.contestant,
    row.settings,
    digits(row.msPerFrame),
    digits(row.p95MsPerFrame),
    ...Object.keys(quality).map((name) => digits(row.metrics[name])),
  ]);
  const made = document.createElement("table");
  const head = made.createTHead().insertRow();
  for (const words of heads) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = words;
    head.append(cell);
  }
  const body = made.createTBody();
  for (const line of cells) {
    const row = body.insertRow();
    for (const value of line) row.insertCell().textContent = value;
  }
  const frame = document.createElement("div");
  frame.className = "scroll";
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", `Times and quality: ${title}`);
  frame.append(made);
  return frame;
}

/** Three significant digits. */
function digits(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return "–";
  return value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(1) : String(Number(value.toPrecision(3)));
}
