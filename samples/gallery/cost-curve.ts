import type { Optimisation } from "../scene";
import { element, formatted } from "./controls";

const WIDTH = 260;
const HEIGHT = 120;
const MARGIN = 10;

/** The cost of an optimization over its iterations, drawn live in a corner of the page. */
export class CostCurve {
  private readonly canvas = element("canvas", { width: 2 * WIDTH, height: 2 * HEIGHT });
  private readonly caption = element("figcaption");
  private readonly figure = element("figure", { id: "cost-curve" }, this.canvas, this.caption);
  private drawn = "";

  constructor(private readonly optimisation: Optimisation) {
    document.body.append(this.figure);
    this.update();
  }

  update(): void {
    const { costs, running } = this.optimisation;
    const state = `${costs.length} ${running}`;
    if (state === this.drawn || costs.length === 0) return;
    this.drawn = state;
    const last = formatted(costs[costs.length - 1], "");
    this.caption.textContent = `${running ? "optimizing" : "done"}: iteration ${costs.length - 1}, cost ${last}`;
    this.figure.dataset.iterations = String(costs.length - 1);
    this.paint(costs);
  }

  dispose(): void {
    this.figure.remove();
  }

  /** Logarithmic if all costs are positive. */
  private paint(costs: readonly number[]): void {
    const painter = this.canvas.getContext("2d");
    if (painter === null) return;
    const logarithmic = costs.every((cost) => cost > 0);
    const heights = logarithmic ? costs.map((cost) => Math.log10(cost)) : costs;
    const [low, high] = [Math.min(...heights), Math.max(...heights)];
    const x = (i: number): number => MARGIN + ((WIDTH - 2 * MARGIN) * i) / Math.max(1, costs.length - 1);
    const y = (value: number): number =>
      HEIGHT - MARGIN - ((HEIGHT - 2 * MARGIN) * (value - low)) / Math.max(1e-12, high - low);
    painter.setTransform(2, 0, 0, 2, 0, 0);
    painter.clearRect(0, 0, WIDTH, HEIGHT);
    painter.strokeStyle = "rgba(255, 255, 255, 0.18)";
    painter.lineWidth = 1;
    painter.beginPath();
    const lines = logarithmic ? range(Math.ceil(low), Math.floor(high)) : [0].filter((v) => v >= low && v <= high);
    for (const line of lines) {
      painter.moveTo(MARGIN, y(line));
      painter.lineTo(WIDTH - MARGIN, y(line));
    }
    painter.stroke();
    painter.strokeStyle = "#e9a23b";
    painter.lineWidth = 2;
    painter.beginPath();
    heights.forEach((value, i) => (i === 0 ? painter.moveTo(x(0), y(value)) : painter.lineTo(x(i), y(value))));
    painter.stroke();
    painter.fillStyle = "#ffd28a";
    painter.beginPath();
    painter.arc(x(costs.length - 1), y(heights[heights.length - 1]), 3.5, 0, 2 * Math.PI);
    painter.fill();
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}
