import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../../scripts/environment/browser";

const ROOT = path.resolve(import.meta.dirname, "../..");

let browser: Browser;
let server: ChildProcess;
let address: string;

beforeAll(async () => {
  browser = await launchBrowser();
  const env = { ...process.env, PORT: "0" };
  server = spawn(process.execPath, ["scripts/start.mjs"], { cwd: ROOT, env, stdio: ["ignore", "pipe", "inherit"] });
  address = await new Promise((resolve, reject) => {
    let output = "";
    server.stdout?.on("data", (piece: Buffer) => {
      output += piece.toString();
      const found = /http:\/\/localhost:\d+\//.exec(output);
      if (found) resolve(found[0]);
    });
    server.on("exit", (code) => reject(new Error(`npm start ended with code ${code}: ${output}`)));
  });
});

afterAll(async () => {
  server?.removeAllListeners("exit");
  server?.kill("SIGTERM");
  await browser?.close();
});

it("npm start serves a gallery that opens without an error", async () => {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("requestfailed", (request) => errors.push(`${request.url()} failed`));
  await page.goto(address);
  await page.waitForFunction(() => document.querySelector("#panel")?.childElementCount !== 0);
  expect(await page.title()).toContain("Pliant");
  expect(await page.isVisible("canvas")).toBe(true);
  expect(await page.isVisible("[role=alert]")).toBe(false);
  expect(errors).toEqual([]);
  await page.close();
});
