/**
 * Charts of curves as SVG, for figures like those of the papers: residuals against iterations, merit functions, errors.
 *
 * drawCharts("Title", [{ title, xLabel, yLabel, scale: "log", curves: [{ name, values }] }]) gives the text of a file;
 * `writePlots` also paints them as PNG.
 */

import { writeFile } from "node:fs/promises";
import { axis, type Axis } from "./plot-axis";

export interface Curve {
  readonly name: string;
  /** upward coordinates; a value that is not finite, or not positive on a logarithmic scale, makes a gap */
  readonly values: ArrayLike<number>;
  /** rightward coordinates, default 0, 1, 2, … */
  readonly at?: ArrayLike<number>;
  /** bounds of a shaded area, for example quartiles */
  readonly band?: { readonly low: ArrayLike<number>; readonly high: ArrayLike<number> };
  readonly dashed?: boolean;
}

export interface Chart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** scale of the upward axis, default "linear" */
  readonly scale?: "linear" | "log";
  /** lowest and highest drawn value, default those of the curves; either may be undefined */
  readonly range?: readonly [number | undefined, number | undefined];
  readonly curves: readonly Curve[];
}

/** Okabe and Ito's colors, which color-blind people can distinguish. */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a8a00"];
const WIDTH = 380;
const HEIGHT = 260;
const MARGIN = { left: 72, right: 16, top: 34, bottom: 46 };
const LEGEND_LINE = 17;
const HEADING = 34;

/**
 * Charts beside and below each other under one heading.
 *
 * @param columns charts in a row
 * @returns an SVG file
 */
export function drawCharts(title: string, charts: readonly Chart[], columns = Math.min(3, charts.length)): string {
  const legend = Math.max(0, ...charts.map((chart) => legendRows(chart))) * LEGEND_LINE;
  const cell = { width: WIDTH + MARGIN.left + MARGIN.right, height: HEIGHT + MARGIN.top + MARGIN.bottom + legend };
  const rows = Math.ceil(charts.length / columns);
  const [width, height] = [columns * cell.width, HEADING + rows * cell.height];
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    ` font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#222">\n`,
    `<rect width="${width}" height="${height}" fill="#fff"/>\n`,
    text(width / 2, 22, title, 'text-anchor="middle" font-size="16"'),
  ];
  charts.forEach((chart, k) => {
    const x = (k % columns) * cell.width + MARGIN.left;
    const y = HEADING + Math.floor(k / columns) * cell.height + MARGIN.top;
    parts.push(`<g transform="translate(${x} ${y})">\n${drawChart(chart)}</g>\n`);
  });
  return `${parts.join("")}</svg>\n`;
}

/** A drawing, and its path without extension. */
export interface Drawing {
  readonly file: string;
  readonly svg: string;
}

/**
 * Writes `FILE.svg` of each drawing, and `FILE.png` painted by a headless browser.
 *
 * @returns the files written
 */
export async function writePlots(drawings: readonly Drawing[]): Promise<string[]> {
  const { launchBrowser } = await import("../scripts/environment/browser");
  const browser = await launchBrowser();
  try {
    for (const { file, svg } of drawings) {
      await writeFile(`${file}.svg`, svg);
      const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? ["", "800", "600"];
      const page = await browser.newPage({ viewport: { width: Number(width), height: Number(height) } });
      await page.setContent(`<style>body{margin:0}svg{display:block}</style>${svg}`);
      await page.screenshot({ path: `${file}.png` });
      await page.close();
    }
  } finally {
    await browser.close();
  }
  return drawings.flatMap(({ file }) => [`${file}.svg`, `${file}.png`]);
}

function drawChart(chart: Chart): string {
  const isLog = chart.scale === "log";
  const all = chart.curves.flatMap(({ values, band }) => [values, band?.low ?? [], band?.high ?? []]);
  const shown = all.flatMap((list) => Array.from(list)).filter((y) => Number.isFinite(y) && (!isLog || y > 0));
  const across = chart.curves.flatMap(({ values, at }) => Array.from(at ?? [0, values.length - 1]));
  const x = axis(Math.min(...across), Math.max(...across), "linear");
  const low = chart.range?.[0] ?? Math.min(...shown);
  const high = chart.range?.[1] ?? Math.max(...shown);
  const y = axis(low, high, isLog ? "log" : "linear");
  return [
    text(WIDTH / 2, -12, chart.title, 'text-anchor="middle" font-size="14"'),
    text(WIDTH / 2, HEIGHT + 36, chart.xLabel, 'text-anchor="middle"'),
    text(-HEIGHT / 2, -56, chart.yLabel, 'text-anchor="middle" transform="rotate(-90)"'),
    ...x.ticks.map(({ value, label }) => verticalLine(WIDTH * x.place(value), label)),
    ...y.ticks.map(({ value, label }) => horizontalLine(HEIGHT * (1 - y.place(value)), label)),
    ...chart.curves.map((curve, k) => drawCurve(curve, x, y, COLOURS[k % COLOURS.length])),
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="none" stroke="#555"/>\n`,
    ...chart.curves.map((curve, k) => legendEntry(curve, k)),
  ].join("");
}

function drawCurve(curve: Curve, x: Axis, y: Axis, colour: string): string {
  const point = (k: number, value: number): string => {
    const right = WIDTH * x.place(curve.at?.[k] ?? k);
    return `${right.toFixed(1)} ${(HEIGHT * (1 - clamp(y.place(value)))).toFixed(1)}`;
  };
  let path = "";
  let isDown = false;
  for (let k = 0; k < curve.values.length; k++) {
    const isDrawn = Number.isFinite(y.place(curve.values[k]));
    if (isDrawn) path += `${isDown ? "L" : "M"}${point(k, curve.values[k])}`;
    isDown = isDrawn;
  }
  const dash = curve.dashed === true ? ' stroke-dasharray="6 4"' : "";
  const line = `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.7"${dash}/>\n`;
  if (!curve.band) return line;
  const { low, high } = curve.band;
  const upper = Array.from(high, (value, k) => point(k, value));
  const lower = Array.from(low, (value, k) => point(k, value)).reverse();
  return `<path d="M${[...upper, ...lower].join("L")}Z" fill="${colour}" opacity="0.18"/>\n${line}`;
}

/** Values off the chart run along its edge. */
function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}

function verticalLine(x: number, label: string): string {
  const line = `<path d="M${x.toFixed(1)} 0V${HEIGHT}" stroke="#ddd"/>\n`;
  return line + text(x, HEIGHT + 16, label, 'text-anchor="middle"');
}

function horizontalLine(y: number, label: string): string {
  const line = `<path d="M0 ${y.toFixed(1)}H${WIDTH}" stroke="#ddd"/>\n`;
  return line + text(-6, y + 4, label, 'text-anchor="end"');
}

const LEGEND_COLUMNS = 2;

function legendRows(chart: Chart): number {
  return Math.ceil(chart.curves.length / LEGEND_COLUMNS);
}

function legendEntry({ name, dashed }: Curve, k: number): string {
  const x = (k % LEGEND_COLUMNS) * (WIDTH / LEGEND_COLUMNS);
  const y = HEIGHT + MARGIN.bottom + LEGEND_LINE * Math.floor(k / LEGEND_COLUMNS) + 8;
  const dash = dashed === true ? ' stroke-dasharray="6 4"' : "";
  const line = `<path d="M${x} ${y - 4}h24" stroke="${COLOURS[k % COLOURS.length]}" stroke-width="2.5"${dash}/>\n`;
  return line + text(x + 30, y, name, "");
}

function text(x: number, y: number, content: string, attributes: string): string {
  const escaped = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${escaped}</text>\n`;
}
