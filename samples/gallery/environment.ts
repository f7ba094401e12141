import { Constants } from "@babylonjs/core/Engines/constants";
import { RawCubeTexture } from "@babylonjs/core/Materials/Textures/rawCubeTexture";
import { Texture } from "@babylonjs/core/Materials/Textures/texture";
import { CubeMapToSphericalPolynomialTools } from "@babylonjs/core/Misc/HighDynamicRange/cubemapToSphericalPolynomial";
import { ToHalfFloat } from "@babylonjs/core/Misc/textureTools";
import type { Scene } from "@babylonjs/core/scene";

type Direction = readonly [number, number, number];

const SIZE = 64;

/** Lamps of the studio: direction, colour (linear radiance) and sharpness of the lobe exp(κ (cos − 1)). */
const LAMPS: readonly { direction: Direction; colour: Direction; sharpness: number }[] = [
  { direction: unit([0.55, 0.75, -0.35]), colour: [5.2, 4.9, 4.4], sharpness: 22 },
  { direction: unit([-0.8, 0.35, -0.3]), colour: [1.1, 1.3, 1.6], sharpness: 9 },
  { direction: unit([-0.1, 0.4, 0.9]), colour: [1.5, 1.45, 1.4], sharpness: 14 },
];

/** Faces in the order +X −X +Y −Y +Z −Z: direction of a texel from its face coordinates in [−1, 1]. */
const FACES: readonly ((u: number, v: number) => Direction)[] = [
  (u, v) => [1, -v, -u],
  (u, v) => [-1, -v, u],
  (u, v) => [u, 1, v],
  (u, v) => [u, -1, -v],
  (u, v) => [u, -v, 1],
  (u, v) => [-u, -v, -1],
];

/**
 * A photo studio without a photo: a bright ceiling that fades into a warm floor, and three soft lamps. Made here, so
 * that the page loads nothing.
 */
export function studioEnvironment(scene: Scene): RawCubeTexture {
  const faces = FACES.map((direction) => faceRadiance(direction));
  const half = faces.map((face) => Uint16Array.from(face, (value) => ToHalfFloat(value)));
  // Babylon wants the raw faces as +X +Y +Z −X −Y −Z.
  const order = [0, 2, 4, 1, 3, 5];
  const texture = new RawCubeTexture(
    scene,
    order.map((face) => half[face]),
    SIZE,
    Constants.TEXTUREFORMAT_RGBA,
    Constants.TEXTURETYPE_HALF_FLOAT,
    true,
    false,
    Texture.TRILINEAR_SAMPLINGMODE,
  );
  texture.gammaSpace = false;
  texture.sphericalPolynomial = CubeMapToSphericalPolynomialTools.ConvertCubeMapToSphericalPolynomial({
    size: SIZE,
    right: faces[0],
    left: faces[1],
    up: faces[2],
    down: faces[3],
    front: faces[4],
    back: faces[5],
    format: Constants.TEXTUREFORMAT_RGBA,
    type: Constants.TEXTURETYPE_FLOAT,
    gammaSpace: false,
  });
  return texture;
}

function faceRadiance(direction: (u: number, v: number) => Direction): Float32Array {
  const texels = new Float32Array(4 * SIZE * SIZE);
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) {
      const colour = radiance(unit(direction((2 * x + 1) / SIZE - 1, (2 * y + 1) / SIZE - 1)));
      texels.set([...colour, 1], 4 * (y * SIZE + x));
    }
  }
  return texels;
}

/** Light that comes from a direction, linear. */
function radiance(d: Direction): [number, number, number] {
  const up = 0.5 + 0.5 * Math.tanh(2.2 * d[1]);
  const colour: [number, number, number] = [0, 0, 0];
  const floor = [0.41, 0.405, 0.4];
  const ceiling = [0.78, 0.84, 0.94];
  for (let c = 0; c < 3; c++) {
    colour[c] = floor[c] + (ceiling[c] - floor[c]) * up;
    for (const lamp of LAMPS) {
      const cos = d[0] * lamp.direction[0] + d[1] * lamp.direction[1] + d[2] * lamp.direction[2];
      colour[c] += lamp.colour[c] * Math.exp(lamp.sharpness * (cos - 1));
    }
  }
  return colour;
}

function unit(v: Direction): Direction {
  const length = Math.hypot(v[0], v[1], v[2]);
  return [v[0] / length, v[1] / length, v[2] / length];
}
