// Runs beside each example in its frame: tells the page around it, and tests, when the scene is drawn or has failed.

import { EngineStore } from "@babylonjs/core";

const { dataset } = document.documentElement;

function tell(state: "drawn" | "failed"): void {
  dataset.state = state;
  parent.postMessage({ example: state }, "*");
}

for (const kind of ["error", "unhandledrejection"]) addEventListener(kind, () => tell("failed"));

let first: number | undefined;
function look(): void {
  const frame = EngineStore.LastCreatedScene?.getFrameId() ?? 0;
  if (frame > 0) first ??= frame;
  dataset.frame = String(first === undefined ? 0 : frame - first + 1);
  if (dataset.state === undefined && first !== undefined && frame > first + 1) tell("drawn");
  requestAnimationFrame(look);
}
look();
