/**
 * The worker of the benchmark page: it runs the rounds, so that the page stays alive. It starts at once; `?quick` in its address makes
 * scenes tiny.
 */

import HavokPhysics from "@babylonjs/havok";
import { labelText } from "../contestant";
import { race } from "../race";
import { FRAME, type Message, type PageRow } from "./messages";
import { roundsFor, type Round, type Rung } from "./rounds";

const send = (message: Message): void => self.postMessage(message);
void run();

async function run(): Promise<void> {
  const gpu = await usableGpu();
  const havok = await HavokPhysics({ locateFile: () => new URL("HavokPhysics.wasm", self.location.href).href });
  const rounds = roundsFor({ gpu: gpu?.gpu, havok }, self.location.search === "?quick");
  const texts = rounds.map(({ name, title, about, quality }) => ({ name, title, about, quality }));
  send({ type: "rounds", adapter: gpu?.adapter ?? "none", rounds: texts });
  for (const round of rounds)
    try {
      send({ type: "rows", round: round.name, rows: await runRound(round) });
    } catch (error) {
      send({ type: "failed", round: round.name, error: error instanceof Error ? error.message : String(error) });
    }
  send({ type: "done" });
}

/** WebGPU of this browser, if it gives an adapter. */
async function usableGpu(): Promise<{ gpu: GPU; adapter: string } | undefined> {
  const gpu = (navigator as { readonly gpu?: GPU }).gpu;
  const adapter = await gpu?.requestAdapter();
  if (!gpu || !adapter) return undefined;
  const { vendor, architecture, description } = adapter.info;
  return { gpu, adapter: [vendor, architecture, description].filter(Boolean).join(" ") || "unnamed" };
}

async function runRound(round: Round): Promise<PageRow[]> {
  const rows: PageRow[] = [];
  const rungs = round.ladders.flat();
  for (const ladder of round.ladders)
    for (const rung of ladder) {
      const before = rungs.indexOf(rung) / rungs.length;
      rows.push(...(await runRung(round, rung, (share) => before + share / rungs.length)));
      if (rows.at(-1)!.msPerFrame > FRAME) break;
    }
  return rows;
}

async function runRung({ name, frames }: Round, rung: Rung, shareOf: (part: number) => number): Promise<PageRow[]> {
  const contestants = await rung.contestants();
  try {
    let told = -1;
    const timings = await race(contestants, frames, (done, total) => {
      const percent = Math.floor((100 * done) / total);
      if (percent === told) return;
      told = percent;
      send({ type: "progress", round: name, share: shareOf(done / total) });
    });
    const rows: PageRow[] = [];
    for (const [k, { label, settings, measure }] of contestants.entries())
      rows.push({
        contestant:
          "backend" in label ? `Pliant, ${label.backend === "cpu" ? "CPU" : "WebGPU"}` : named(labelText(label)),
        settings,
        frames,
        ...timings[k],
        metrics: { ...(await measure()), ...(rung.vertices && { vertices: rung.vertices }) },
      });
    return rows;
  } finally {
    for (const contestant of contestants) contestant.dispose();
  }
}

function named(peer: string): string {
  return peer === "jolt-physics" ? "Jolt" : peer[0].toUpperCase() + peer.slice(1);
}
