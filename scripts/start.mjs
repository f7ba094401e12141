// npm start: installs missing packages, builds the gallery and serves it on localhost. PORT sets the port.

import path from "node:path";
import { bootstrap, ROOT } from "./bootstrap.mjs";
import { generate } from "./generate.mjs";
import { serveFolder } from "./environment/static-server.mjs";

const FIRST_PORT = 5173;
const TRIES = 50;

bootstrap();

const { buildGallery } = await import("./build-gallery.mjs");
console.log("Building the gallery ...");
try {
  await generate({ log: console.log });
  await buildGallery();
} catch (error) {
  console.error(
    error?.errors ? "The gallery does not build (see above)." : `The gallery does not build: ${error.message}`,
  );
  process.exit(1);
}

const server = await listen();
console.log(`Pliant gallery: ${server.url}  (Ctrl+C ends it)`);
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    void server.close().then(() => process.exit(0));
  });
}

/** Takes the port in PORT, or the first free one. */
async function listen() {
  const folder = path.join(ROOT, "dist/gallery");
  const wish = process.env.PORT;
  if (wish !== undefined && wish !== "") {
    const port = Number(wish);
    if (!Number.isInteger(port) || port < 0 || port > 65535) fail(`PORT is "${wish}"; valid are 0 to 65535`);
    return serveFolder(folder, port).catch((error) => fail(`port ${port}: ${error.message}`));
  }
  for (let port = FIRST_PORT; port < FIRST_PORT + TRIES; port++) {
    try {
      return await serveFolder(folder, port);
    } catch (error) {
      if (error.code !== "EADDRINUSE") throw error;
    }
  }
  return serveFolder(folder, 0);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
