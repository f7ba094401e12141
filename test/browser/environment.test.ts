import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../../scripts/environment/browser";
import { serveFolder } from "../../scripts/environment/static-server.mjs";

const TRIANGLE_NUMBERS = fs.readFileSync(new URL("triangle-numbers.wgsl", import.meta.url), "utf8");

describe("WebGPU in the headless browser", () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serveFolder>>;
  let folder: string;

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-page-"));
    fs.writeFileSync(path.join(folder, "index.html"), "<!doctype html><title>page</title><canvas></canvas>");
    server = await serveFolder(folder);
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it("computes in a page", async () => {
    const page = await browser.newPage();
    await page.goto(server.url);
    const sums = await page.evaluate(async (code) => {
      const adapter = await navigator.gpu.requestAdapter();
      const device = await adapter!.requestDevice();
      const size = 4 * 100;
      const buffer = device.createBuffer({ size, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
      const readback = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
      const module = device.createShaderModule({ code });
      const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute: { module } });
      const layout = pipeline.getBindGroupLayout(0);
      const group = device.createBindGroup({ layout, entries: [{ binding: 0, resource: { buffer } }] });
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(2);
      pass.end();
      encoder.copyBufferToBuffer(buffer, 0, readback, 0, size);
      device.queue.submit([encoder.finish()]);
      await readback.mapAsync(GPUMapMode.READ);
      return Array.from(new Uint32Array(readback.getMappedRange()));
    }, TRIANGLE_NUMBERS);
    expect(sums).toEqual(Array.from({ length: 100 }, (_, i) => (i * (i + 1)) / 2));
    await page.close();
  });
});
