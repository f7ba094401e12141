/**
 * Joins still WebP pictures of one size into a moving one that repeats forever (https://developers.google.com/speed/webp/docs/riff_container).
 *
 * @param stills files as a canvas makes them, lossy and without alpha
 * @param duration of each picture, ms
 * @throws Error for a file that is no such picture
 */
export function animatedWebp(stills: readonly Uint8Array[], width: number, height: number, duration: number): Buffer {
  const size = Buffer.concat([numberOf(width - 1, 3), numberOf(height - 1, 3)]);
  const frames = stills.map((still) =>
    chunk("ANMF", Buffer.alloc(6), size, numberOf(duration, 3), Buffer.alloc(1), picturePart(Buffer.from(still))),
  );
  const header = chunk("VP8X", Buffer.from([0x02, 0, 0, 0]), size);
  return chunk("RIFF", Buffer.from("WEBP"), header, chunk("ANIM", Buffer.alloc(6)), ...frames);
}

const numberOf = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
};

function chunk(name: string, ...parts: readonly Buffer[]): Buffer {
  const data = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(name), numberOf(data.length, 4), data, Buffer.alloc(data.length % 2)]);
}

/** The chunk with the picture itself. */
function picturePart(file: Buffer): Buffer {
  for (let at = 12; at + 8 <= file.length;) {
    const length = file.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (file.toString("latin1", at, at + 4) === "VP8 ") return file.subarray(at, end);
    at = end;
  }
  throw new Error("needs lossy WebP pictures");
}
