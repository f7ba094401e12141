// npm start: installs missing packages, builds the site with the gallery, and serves it on localhost. PORT sets the port.

import { bootstrap } from "./bootstrap.mjs";
import { generate } from "./generate.mjs";
import { serveFolder } from "./environment/static-server.mjs";

const FIRST_PORT = 5173;
const TRIES = 50;

bootstrap();

const { buildSite } = await import("./build-site.mjs");
console.log("Building the site ...");
let folder;
try {
  await generate({ log: console.log });
  folder = await buildSite({ base: "/" });
} catch (error) {
  console.error(error?.errors ? "The site does not build (see above)." : `The site does not build: ${error.message}`);
  process.exit(1);
}

const server = await listen();
console.log(`Pliant: ${server.url}  gallery: ${server.url}gallery/  (Ctrl+C ends it)`);
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    void server.close().then(() => process.exit(0));
  });
}

/** Takes the port in PORT, or the first free one. */
async function listen() {
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
