import { Constants } from "@babylonjs/core/Engines/constants";
import { RawCubeTexture } from "@babylonjs/core/Materials/Textures/rawCubeTexture";
import { Texture } from "@babylonjs/core/Materials/Textures/texture";
import { CubeMapToSphericalPolynomialTools } from "@babylonjs/core/Misc/HighDynamicRange/cubemapToSphericalPolynomial";
import { ToHalfFloat } from "@babylonjs/core/Misc/textureTools";
import type { Scene } from "@babylonjs/core/scene";

type Direction = readonly [number, number, number];

const SIZE = 64;

interface Lamp {
  readonly direction: Direction;
  /** linear radiance */
  readonly colour: Direction;
  /** κ of the lobe exp(κ (cos − 1)) */
  readonly sharpness: number;
}

/** Key, fill and rim light, the key light at an angle about the vertical axis. */
function lampsAround(azimuth: number): Lamp[] {
  const lamp = (turn: number, height: number, colour: Direction, sharpness: number): Lamp => ({
    direction: unit([Math.cos(azimuth + turn), height, Math.sin(azimuth + turn)]),
    colour,
    sharpness,
  });
  return [lamp(0, 1.1, [5.2, 4.9, 4.4], 22), lamp(1.9, 0.4, [1.1, 1.3, 1.6], 9), lamp(3.5, 0.5, [1.5, 1.45, 1.4], 14)];
}

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
 * A photo studio without a photo: a bright ceiling that fades into a warm floor, and three soft lamps. It is made
 * here, so that the page loads nothing.
 *
 * @param azimuth angle of the key light about the vertical axis, radians
 */
export function studioEnvironment(scene: Scene, azimuth: number): RawCubeTexture {
  const lamps = lampsAround(azimuth);
  const faces = FACES.map((direction) => faceRadiance(direction, lamps));
  const half = faces.map((face) => Uint16Array.from(face, (value) => ToHalfFloat(value)));
  const texture = new RawCubeTexture(
    scene,
    half,
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

/** Light that comes from a direction, linear. @testOnly */
export function studioLight(direction: Direction, azimuth: number): [number, number, number] {
  return radiance(unit(direction), lampsAround(azimuth));
}

function faceRadiance(direction: (u: number, v: number) => Direction, lamps: readonly Lamp[]): Float32Array {
  const texels = new Float32Array(4 * SIZE * SIZE);
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) {
      const colour = radiance(unit(direction((2 * x + 1) / SIZE - 1, (2 * y + 1) / SIZE - 1)), lamps);
      texels.set([...colour, 1], 4 * (y * SIZE + x));
    }
  }
  return texels;
}

function radiance(d: Direction, lamps: readonly Lamp[]): [number, number, number] {
  const up = 0.5 + 0.5 * Math.tanh(2.2 * d[1]);
  const colour: [number, number, number] = [0, 0, 0];
  const floor = [0.41, 0.405, 0.4];
  const ceiling = [0.78, 0.84, 0.94];
  for (let c = 0; c < 3; c++) {
    colour[c] = floor[c] + (ceiling[c] - floor[c]) * up;
    for (const lamp of lamps) {
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
