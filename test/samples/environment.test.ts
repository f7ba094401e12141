import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { InternalTexture, InternalTextureSource } from "@babylonjs/core/Materials/Textures/internalTexture";
import { FromHalfFloat } from "@babylonjs/core/Misc/textureTools";
import { Scene } from "@babylonjs/core/scene";
import { expect, it } from "vitest";
import { softboxes } from "../../site/examples/studio";

/** The brightest light on each of the six uploaded faces, in the order of the graphics APIs: +X −X +Y −Y +Z −Z. */
function uploadedLight(azimuth: number): number[] {
  const engine = new NullEngine();
  let uploaded: ArrayBufferView[] = [];
  engine.createRawCubeTexture = (data) => {
    uploaded = data!;
    return new InternalTexture(engine, InternalTextureSource.CubeRaw);
  };
  try {
    softboxes(new Scene(engine), azimuth);
    return uploaded.map((face) => (face as Uint16Array).reduce((most, half) => Math.max(most, FromHalfFloat(half)), 0));
  } finally {
    engine.dispose();
  }
}

it("has its ceiling above, its floor below and the key light where the azimuth says", () => {
  for (const [azimuth, brightest] of [
    [0, 0],
    [Math.PI, 1],
    [Math.PI / 2, 4],
    [-Math.PI / 2, 5],
  ] as const) {
    const light = uploadedLight(azimuth);
    const walls = [0, 1, 4, 5].map((face) => light[face]);
    expect(light[2]).toBeGreaterThan(light[3]);
    expect(light[3]).toBe(Math.min(...light));
    expect(light[brightest]).toBe(Math.max(...walls));
  }
});
