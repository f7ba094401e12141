// A process that plays the scenes of its messages.

import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import { families } from "./families/index";
import { play, type Task } from "./run";

process.on("message", ({ family: name, seed, backend }: Task) => {
  const family = families.find((one) => one.name === name)!;
  const gpu = backend === "webgpu" ? loadWebGpu() : undefined;
  // An exception here ends the process, which its owner notices.
  void Promise.resolve(gpu).then(async (loaded) => process.send!(await play(family, seed, loaded?.gpu)));
});
process.send!("ready");
