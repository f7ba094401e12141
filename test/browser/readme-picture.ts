import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { PNG } from "pngjs";
import { expect } from "vitest";

/** The page of the README, verbatim. */
export function readmePage(): string {
  const text = fs.readFileSync(path.resolve(import.meta.dirname, "../../README.md"), "utf8");
  return /^```html\n(<!doctype html>[^]*?)^```/m.exec(text)![1];
}

/** Size of the window. */
export const WINDOW = { width: 320, height: 240 };

/** Collects the complaints of a page from now on. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("requestfailed", (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on("console", (message) => {
    if (message.type() === "error" || /uncaptured/i.test(message.text())) complaints.push(message.text());
  });
  return complaints;
}

/** The page has a margin beside the canvas, and nothing of the scene is drawn this near to the edge [pixels]. */
const BORDER = 20;

/** Babylon's clear color. */
const BACKGROUND = [51, 51, 76];

const isCloth = (r: number, g: number, b: number): boolean => r > 60 && r > 1.4 * g && r > 1.4 * b;
const isBall = (r: number, g: number, b: number): boolean => r > 60 && Math.max(r, g, b) - Math.min(r, g, b) < 8;

/** Pixels of a color: their number, and the box around them. */
function region(
  { data, width, height }: PNG,
  is: (r: number, g: number, b: number) => boolean,
): { count: number; left: number; right: number; top: number; bottom: number } {
  const found = { count: 0, left: width, right: -1, top: height, bottom: -1 };
  for (let y = BORDER; y < height - BORDER; y++)
    for (let x = BORDER; x < width - BORDER; x++) {
      const i = 4 * (width * y + x);
      if (!is(data[i], data[i + 1], data[i + 2])) continue;
      found.count++;
      found.left = Math.min(found.left, x);
      found.right = Math.max(found.right, x);
      found.top = Math.min(found.top, y);
      found.bottom = y;
    }
  return found;
}

async function pictureAfter(page: Page, frames: number): Promise<PNG> {
  await page.evaluate(
    (count) =>
      new Promise<void>((resolve) => {
        let left = count;
        const next = (): void => void (left-- > 0 ? requestAnimationFrame(next) : resolve());
        next();
      }),
    frames,
  );
  return PNG.sync.read(await page.screenshot());
}

/** Places near the corners whose color differs from the background. */
function wrongBackground({ width, height, data }: PNG): string[] {
  const faults: string[] = [];
  for (const x of [BORDER, width - BORDER])
    for (const y of [BORDER, height - BORDER]) {
      const colour = [...data.subarray(4 * (width * y + x), 4 * (width * y + x) + 3)];
      if (colour.some((value, k) => Math.abs(value - BACKGROUND[k]) > 2))
        faults.push(`${String(colour)} at ${x}, ${y}`);
    }
  return faults;
}

/** Faults of a picture of the ball below the cloth, on Babylon's background. */
function faultsOf(picture: PNG): string[] {
  const { width } = picture;
  const faults = wrongBackground(picture);
  const [cloth, ball] = [region(picture, isCloth), region(picture, isBall)];
  // The ball is 80 pixels wide, its top is 40 above the middle. A sheet that lies flat is wider, one that fell off is lower.
  const breadth = cloth.right - cloth.left;
  if (cloth.count < 4000) faults.push(`${cloth.count} pixels of cloth`);
  if (breadth < 85 || breadth > 125) faults.push(`cloth ${breadth} wide`);
  if (Math.abs(cloth.left + cloth.right - width) > 16) faults.push(`cloth from ${cloth.left} to ${cloth.right}`);
  if (cloth.top < 72 || cloth.top > 88 || cloth.bottom < 150) faults.push(`cloth from ${cloth.top} to ${cloth.bottom}`);
  if (ball.count > 0.2 * cloth.count) faults.push(`${ball.count} pixels of the ball beside ${cloth.count} of cloth`);
  return faults;
}

/** Waits, for at most this many pictures, until the cloth lies on the ball and hangs down around it. */
export async function expectDraped(page: Page, pictures: number): Promise<void> {
  let faults = ["no picture"];
  for (let i = 0; i < pictures && faults.length > 0; i++) faults = faultsOf(await pictureAfter(page, 10));
  expect(faults).toEqual([]);
}

/** Picture row of the sheet's upper edge at its initial place. */
const START = 43;

/** Waits, for at most this many pictures, until the sheet appears on Babylon's background, below its start. */
export async function expectFalling(page: Page, pictures: number): Promise<void> {
  let faults = ["no picture"];
  for (let i = 0; i < pictures && faults.length > 0; i++) {
    const picture = await pictureAfter(page, 5);
    const [cloth, ball] = [region(picture, isCloth), region(picture, isBall)];
    faults = wrongBackground(picture);
    if (cloth.count < 2000 || ball.count < 200)
      faults.push(`${cloth.count} pixels of cloth, ${ball.count} of the ball`);
    if (cloth.top < START + 5) faults.push(`the sheet is at ${cloth.top}`);
  }
  expect(faults).toEqual([]);
}
