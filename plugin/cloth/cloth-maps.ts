import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { BaseTexture } from "@babylonjs/core/Materials/Textures/baseTexture";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { invalid } from "../../src/errors";
import type { ClothModel } from "../../src/models/cloth";
import { vertexFactorNames, withMaps, type VertexFactors } from "../../src/models/gpbd/with-maps";
import { checkNames, optionNames } from "../../src/option-names";
import { requireKind, requireMesh } from "../plugin-of";
import type { VertexPredicate } from "../deformable/find-points";

const channels = "rgba";

/** A channel of colors: values from 0 to 1 become factors between `from` and `to`. */
export interface VertexMapOptions {
  /** default `r` */
  channel?: "r" | "g" | "b" | "a";
  /** factor where the channel is 0; default 0 */
  from?: number;
  /** factor where the channel is 1; default 1 */
  to?: number;
}

const vertexMapNames = optionNames<VertexMapOptions>()("channel from to");

/**
 * A number for each vertex of a mesh: a list, a channel of the mesh's vertex colors, or a function of the place of a
 * vertex in the world [m] and its index.
 */
export type VertexMap = ArrayLike<number> | VertexMapOptions | ((...vertex: Parameters<VertexPredicate>) => number);

/** Maps of a cloth: factors of mass (above 0), stiffness in the plane (above 0), bending stiffness and friction (0 or more), and thickness (above 0, at most 1). */
export type ClothMapSources = { readonly [Name in keyof VertexFactors]?: VertexMap };

/**
 * Factors of a fabric's mass and stiffness that vary over the mesh, such as a stiff collar or a heavy hem, for option
 * `maps` of a `ClothAggregate` of solver `gpbd`.
 *
 * @example
 * ```ts
 * const maps = new ClothMaps({ bending: ({ y }) => (y > 1.4 ? 50 : 1), mass: { channel: "r", from: 1, to: 4 } });
 * const shirt = new ClothAggregate(mesh, { fabric: "cotton", maps }, scene);
 * ```
 */
export class ClothMaps {
  /** @throws PliantError for an unknown map; the aggregate checks the factors */
  constructor(private readonly sources: ClothMapSources) {
    checkNames("ClothMaps", sources, vertexFactorNames);
  }

  /**
   * @internal Reads the maps now: later the mesh may have other colors, which show its strain. The result throws as
   * `withMaps`.
   *
   * @param places of the vertices, world space, three numbers each [m]
   * @throws PliantError for a channel of a mesh without vertex colors, or an unknown channel
   */
  _of(mesh: AbstractMesh, places: ArrayLike<number>): (model: ClothModel) => ClothModel {
    const given = Object.entries(this.sources).filter((entry) => entry[1] !== undefined);
    const factors = given.map(([key, map]) => [key, factorsAt(`ClothMaps.${key}`, mesh, map, places)] as const);
    return (model) => withMaps(model, Object.fromEntries(factors));
  }
}

/** @throws PliantError for a channel of a mesh without vertex colors, or an unknown channel */
export function factorsAt(
  object: string,
  mesh: AbstractMesh,
  map: VertexMap,
  places: ArrayLike<number>,
): ArrayLike<number> {
  if (typeof map === "function")
    return Array.from({ length: places.length / 3 }, (_, v) => map(Vector3.FromArray(places, 3 * v), v));
  if (typeof map !== "object" || map === null) throw invalid(object, map, "must be a list, a function or a channel");
  if ("length" in map) return map;
  const colors = mesh.getVerticesData(VertexBuffer.ColorKind);
  if (colors) return ofChannel(object, colors, colors.length / (places.length / 3), map);
  throw invalid(object, map.channel ?? "r", "needs a mesh with vertex colors");
}

/**
 * Reads a map from a texture at the texture coordinates of a mesh: a factor for each vertex, between `from` and `to`.
 * The texture repeats, and pixels blend. It must be loaded.
 *
 *     const stretch = await readVertexMap(mesh, texture, { channel: "g", from: 1, to: 8 });
 *     new ClothAggregate(mesh, { maps: new ClothMaps({ stretch }) }, scene);
 *
 * @returns rejects with a PliantError for a mesh without texture coordinates, a texture that cannot be read, or an
 * unknown channel
 */
export async function readVertexMap(
  mesh: AbstractMesh,
  texture: BaseTexture,
  range: VertexMapOptions = {},
): Promise<Float32Array> {
  const object = `readVertexMap "${requireMesh("readVertexMap", mesh).name}"`;
  requireKind(`${object}.texture`, texture, "readPixels", "a texture");
  const uvs = mesh.getVerticesData(VertexBuffer.UVKind);
  if (!uvs) throw invalid(object, "no texture coordinates", "needs a mesh with them");
  const pixels = (await texture.readPixels()) as Uint8Array | Float32Array | null;
  if (!pixels) throw invalid(object, texture.name, "must be a texture that can be read");
  const { width, height } = texture.getSize();
  const scale = pixels instanceof Float32Array ? 1 : 1 / 255;
  const wrap = (i: number, n: number): number => ((i % n) + n) % n;
  const colors = new Float32Array(2 * uvs.length);
  for (let v = 0; v < uvs.length / 2; v++) {
    const [x, y] = [uvs[2 * v] * width - 0.5, uvs[2 * v + 1] * height - 0.5];
    const [i, j] = [Math.floor(x), Math.floor(y)];
    for (const [di, dj] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ]) {
      const share = scale * (di ? x - i : 1 - x + i) * (dj ? y - j : 1 - y + j);
      const from = 4 * (wrap(j + dj, height) * width + wrap(i + di, width));
      for (let c = 0; c < 4; c++) colors[4 * v + c] += share * pixels[from + c];
    }
  }
  return ofChannel(object, colors, 4, range);
}

/** Factors of a channel; colors without one for opacity are opaque. */
function ofChannel(object: string, colors: ArrayLike<number>, stride: number, range: VertexMapOptions): Float32Array {
  checkNames(object, range, vertexMapNames);
  const { channel = "r", from = 0, to = 1 } = range;
  const c = channels.indexOf(channel);
  if (c < 0 || channel.length !== 1) throw invalid(`${object}.channel`, channel, "must be r, g, b or a");
  const value = (v: number): number => (c < stride ? colors[stride * v + c] : 1);
  return Float32Array.from({ length: colors.length / stride }, (_, v) => from + (to - from) * value(v));
}
