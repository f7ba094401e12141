// Stages of a long check: each is a child process with a name, a time and an exit code.

import { spawn } from "node:child_process";

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {string[]} command program and arguments
 * @property {Record<string, string>} [env] further variables
 * @property {boolean} [shown] whether its output is shown as it comes, also beside other stages
 */

/** A stage that failed. */
export class StageFailure extends Error {
  constructor(name, code) {
    super(`${name} failed with exit code ${code}`);
    this.name = "StageFailure";
    this.code = code;
  }
}

/**
 * Runs a stage with its output shown as it comes.
 *
 * @param {Stage} stage
 * @param {string} cwd
 */
export async function runStage(stage, cwd) {
  console.log(`== ${stage.name}`);
  const { code, seconds } = await start(stage, cwd, "inherit");
  report(stage, code, seconds);
}

/**
 * Runs stages side by side, `lanes` at a time. The output of each is shown in one piece when it ends, unless it is to be shown as it
 * comes. After a failure no new stage starts and running ones are ended.
 *
 * @param {Stage[]} stages
 * @param {string} cwd
 * @param {number} [lanes]
 */
export async function runTogether(stages, cwd, lanes = 2) {
  const waiting = [...stages];
  const running = new Set();
  let failure;
  const lane = async () => {
    while (waiting.length > 0 && failure === undefined) {
      const stage = waiting.shift();
      if (stage.shown) console.log(`== ${stage.name}`);
      const { code, seconds, output } = await start(stage, cwd, stage.shown ? "inherit" : "pipe", running);
      if (failure !== undefined) return;
      if (!stage.shown) console.log(`== ${stage.name}`);
      if (output.trim() !== "") console.log(output.trimEnd());
      try {
        report(stage, code, seconds);
      } catch (error) {
        failure = error;
        for (const child of running) child.kill();
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  if (failure !== undefined) throw failure;
}

function report(stage, code, seconds) {
  console.log(`== ${stage.name}: ${code === 0 ? "ok" : "FAILED"} (${seconds.toFixed(1)} s)\n`);
  if (code !== 0) throw new StageFailure(stage.name, code);
}

function start(stage, cwd, output, running = new Set()) {
  const begin = performance.now();
  const [program, ...args] = stage.command;
  const stdio = output === "inherit" ? "inherit" : ["ignore", "pipe", "pipe"];
  const child = spawn(program, args, { cwd, stdio, env: { ...process.env, ...stage.env } });
  running.add(child);
  const pieces = [];
  child.stdout?.on("data", (piece) => pieces.push(piece));
  child.stderr?.on("data", (piece) => pieces.push(piece));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      running.delete(child);
      const seconds = (performance.now() - begin) / 1000;
      resolve({ code: code ?? (signal ? 1 : 0), seconds, output: Buffer.concat(pieces).toString("utf8") });
    });
  });
}
