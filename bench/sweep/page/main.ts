import { boxY, dot, lineY, plot, ruleY, groupX, type Data, type Markish } from "@observablehq/plot";
import type { PageData } from "./data";

const data = JSON.parse(document.getElementById("data")!.textContent!) as PageData;
const NOTHING = "(nothing)";
/** More different values are not a grid, and get neither medians nor a table. */
const MOST_PLACES = 40;

type Row = Readonly<Record<string, number | string | boolean | null>>;
const rows: readonly Row[] = Array.from({ length: data.rows }, (_, i) =>
  Object.fromEntries(Object.entries(data.columns).map(([name, column]) => [name, column[i]])),
);

const form = document.querySelector("form")!;
const x = choice("Across", data.varied.length > 0 ? data.varied : data.metrics);
const y = choice("Up", data.metrics);
const color = choice("Color", [NOTHING, ...data.varied, ...data.metrics]);
color.value = data.varied.find((name) => name !== "seed" && name !== x.value) ?? NOTHING;
const scale = choice("Scale", ["linear", "logarithmic"]);

document.querySelector("h1")!.textContent = data.title;
document.getElementById("summary")!.textContent =
  `${data.rows} jobs of the scene ${data.scene}, ${data.failed.length} failed; Pliant ${data.version}.`;
show();
listFailed();

function choice(label: string, names: readonly string[]): HTMLSelectElement {
  const select = document.createElement("select");
  for (const name of names) select.append(new Option(name));
  select.addEventListener("change", show);
  const frame = document.createElement("label");
  frame.append(`${label}: `, select);
  form.append(frame);
  return select;
}

function titled(name: string): string {
  const unit = data.units[name];
  return unit === undefined || unit === "" ? name : `${name} [${unit}]`;
}

function show(): void {
  const isLogarithmic = scale.value === "logarithmic";
  const there = rows.filter((row) => row[y.value] !== null && (!isLogarithmic || Number(row[y.value]) > 0));
  const isNumber = there.every((row) => typeof row[x.value] === "number");
  if (isNumber) there.sort((a, b) => Number(a[x.value]) - Number(b[x.value]));
  const stroke = color.value === NOTHING ? undefined : color.value;
  const colors = new Set(there.map((row) => (stroke === undefined ? "" : row[stroke])));
  const isPlain = colors.size <= 10 || there.some((row) => typeof row[stroke ?? ""] === "string");
  const places = new Set(there.map((row) => row[x.value]));
  const marks: Markish[] = isLogarithmic ? [] : [ruleY([0], { strokeOpacity: 0.3 })];
  const source = there as Data;
  // A line joins the medians of places that several jobs share, one for each color.
  if (isNumber && places.size <= MOST_PLACES && places.size < there.length) {
    const line = { x: x.value, y: y.value, ...(isPlain && stroke !== undefined ? { stroke, z: stroke } : {}) };
    marks.push(lineY(source, groupX({ y: "median" }, line)));
  }
  if (!isNumber) marks.push(boxY(source, { x: x.value, y: y.value, fillOpacity: 0.15, r: 0 }));
  marks.push(dot(source, { x: x.value, y: y.value, stroke, r: 2.5, tip: true, channels: channels() }));
  const drawn = plot({
    width: Math.min(940, document.body.clientWidth - 32),
    height: 440,
    marginLeft: 64,
    marginBottom: 44,
    grid: true,
    x: { label: titled(x.value), type: isNumber ? "linear" : "band", nice: isNumber },
    y: { label: titled(y.value), type: isLogarithmic ? "log" : "linear" },
    color: {
      legend: stroke !== undefined,
      label: stroke && titled(stroke),
      ...(isPlain ? { type: "categorical" as const } : { scheme: "viridis" as const }),
    },
    marks,
  });
  document.getElementById("plot")!.replaceChildren(drawn);
  tabulate(there);
}

/** Values that a tip tells of a job. */
function channels(): Record<string, string> {
  return Object.fromEntries(data.varied.map((name) => [name, name]));
}

/** Number, lowest, median and highest value at each place. */
function tabulate(there: readonly Row[]): void {
  const groups = new Map<string, number[]>();
  for (const row of there) {
    const place = String(row[x.value]);
    if (!groups.has(place)) groups.set(place, []);
    groups.get(place)!.push(Number(row[y.value]));
  }
  const target = document.getElementById("table")!;
  target.replaceChildren();
  if (groups.size > MOST_PLACES) return;
  const table = document.createElement("table");
  const line = (tag: "th" | "td", cells: readonly string[]): void => {
    const row = table.insertRow();
    for (const text of cells) {
      const cell = document.createElement(tag);
      cell.textContent = text;
      row.append(cell);
    }
  };
  line("th", [titled(x.value), "jobs", "lowest", "median", "highest"]);
  for (const [place, values] of groups) {
    values.sort((a, b) => a - b);
    const middle = values.length / 2;
    const median = (values[Math.floor(middle - 0.5)] + values[Math.floor(middle)]) / 2;
    const figures = [values[0], median, values[values.length - 1]].map((value) => String(Number(value.toPrecision(5))));
    line("td", [place, String(values.length), ...figures]);
  }
  target.append(table);
}

function listFailed(): void {
  const target = document.getElementById("failed")!;
  if (data.failed.length === 0) return;
  const title = document.createElement("h2");
  title.textContent = "Failed, with the command that replays each";
  target.append(title);
  for (const { error, command } of data.failed.slice(0, 200)) {
    const [why, replay] = [document.createElement("p"), document.createElement("pre")];
    why.textContent = error;
    replay.textContent = command;
    target.append(why, replay);
  }
}
