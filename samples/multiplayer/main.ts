/** `npm run multiplayer`: the server, and the page of the players. Open the page twice. */

import path from "node:path";
import { serveFolder } from "../../scripts/environment/static-server.mjs";
import { buildPage } from "./page";
import { startServer } from "./server/start";

const folder = path.resolve(import.meta.dirname, "../../dist/multiplayer");
await buildPage(folder);
const { port } = await startServer(Number(process.env.PORT ?? 2567));
const page = await serveFolder(folder, 8080);
console.log(`The game is at ${page.url}?port=${port}`);
