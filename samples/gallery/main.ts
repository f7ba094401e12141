import { parseQuery } from "./query";

/** Tests and the command line wait for these states: `running`, `captured`, `listed` or `failed` in `data-state` of the page. */
async function start(): Promise<void> {
  const query = parseQuery(location.search);
  document.body.classList.toggle("capture", query.capture);
  // Each page loads its own code: the overview needs neither Babylon nor the engine.
  if (query.scene === undefined && !query.capture) {
    const { showOverview } = await import("./overview");
    await showOverview(document.querySelector<HTMLElement>("#overview")!);
    document.documentElement.dataset.state = "listed";
    return;
  }
  document.querySelector<HTMLElement>("#player")!.hidden = false;
  const { play } = await import("./play");
  document.documentElement.dataset.state = await play(query);
}

start().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  const banner = document.querySelector<HTMLElement>("#message")!;
  banner.textContent = message;
  banner.hidden = false;
  document.documentElement.dataset.state = "failed";
  console.error(message);
});
