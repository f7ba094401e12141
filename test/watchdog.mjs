// A thread beside the test files of a process. Vitest's timeouts need the file's own thread; if that thread hangs, nothing would end the run. This
// thread reports the place where the file hangs, and ends its process, which Vitest reports as a failure.

import fs from "node:fs";
import { Session } from "node:inspector";
import { parentPort } from "node:worker_threads";

const session = new Session();
const scripts = new Map();

let timer;
parentPort.on("message", ({ file, limit }) => {
  clearTimeout(timer);
  if (file) timer = setTimeout(report, limit, file, limit);
});

function report(file, limit) {
  fs.writeSync(2, `${file} has not ended after ${limit / 60_000} min.\n`);
  session.connectToMainThread();
  session.on("Debugger.scriptParsed", ({ params }) => scripts.set(params.scriptId, params.url));
  session.on("Debugger.paused", ({ params }) => {
    const place = ({ functionName, location }) =>
      `  at ${functionName || "(anonymous)"} ${scripts.get(location.scriptId)}:${location.lineNumber + 1}\n`;
    end(params.callFrames.slice(0, 30).map(place).join(""));
  });
  session.post("Debugger.enable");
  session.post("Debugger.pause");
  // A call into native code is not paused.
  setTimeout(() => end("  at something that is not JavaScript\n"), 5_000);
}

function end(stack) {
  fs.writeSync(2, stack);
  process.kill(process.pid, "SIGKILL");
}
