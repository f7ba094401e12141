import { PNG } from "pngjs";

/** Number of different colors of a picture, each channel in 16 steps. */
export function colorCount(picture: Buffer): number {
  const { data } = PNG.sync.read(picture);
  const colors = new Set<number>();
  for (let i = 0; i < data.length; i += 4)
    colors.add(((data[i] >> 4) << 8) | ((data[i + 1] >> 4) << 4) | (data[i + 2] >> 4));
  return colors.size;
}
