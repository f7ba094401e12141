import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serveFolder } from "../../scripts/environment/static-server.mjs";

let folder: string;
let server: Awaited<ReturnType<typeof serveFolder>>;
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-server-"));
  fs.mkdirSync(path.join(folder, "public"));
  fs.writeFileSync(path.join(folder, "secret.txt"), "secret");
  fs.writeFileSync(path.join(folder, "public/index.html"), "<p>page</p>");
  fs.mkdirSync(path.join(folder, "public/inner"));
  fs.writeFileSync(path.join(folder, "public/inner/index.html"), "<p>inner</p>");
  server = await serveFolder(path.join(folder, "public"));
});
afterAll(async () => {
  await server.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

it("serves a folder's page", async () => {
  const response = await fetch(server.url);
  expect(response.headers.get("content-type")).toContain("text/html");
  expect(await response.text()).toBe("<p>page</p>");
});

it("leads to the slash of a folder, since relative links begin there", async () => {
  const response = await fetch(`${server.url}inner?a=1`);
  expect(response.url).toBe(`${server.url}inner/?a=1`);
  expect(await response.text()).toBe("<p>inner</p>");
});

it.each(["nothing.js", "..%2fsecret.txt", "%2e%2e/secret.txt", "%zz"])("answers 404 for %s", async (name) => {
  expect((await fetch(server.url + name)).status).toBe(404);
});

it("rejects a port that is taken", async () => {
  await expect(serveFolder(folder, server.port)).rejects.toThrow("EADDRINUSE");
});
