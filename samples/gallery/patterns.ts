import { DynamicTexture } from "@babylonjs/core/Materials/Textures/dynamicTexture";
import { Texture } from "@babylonjs/core/Materials/Textures/texture";
import type { Scene } from "@babylonjs/core/scene";

/** The interface that paints a texture; both kinds of 2D context have it. */
type Painter = ReturnType<DynamicTexture["getContext"]>;

/** A printed or dyed pattern: `paint` fills a square of `texels` that covers `width` × `height` meters of cloth. */
export interface Pattern {
  readonly width: number;
  readonly height: number;
  readonly paint: (painter: Painter, texels: number) => void;
}

const TEXELS = 1024;

/** The pattern as a tileable color texture for texture coordinates in meters. */
export function paintPattern(name: string, pattern: Pattern, scene: Scene): DynamicTexture {
  const texture = new DynamicTexture(name, TEXELS, scene, true, Texture.TRILINEAR_SAMPLINGMODE);
  pattern.paint(texture.getContext(), TEXELS);
  texture.update(true);
  texture.wrapU = Texture.WRAP_ADDRESSMODE;
  texture.wrapV = Texture.WRAP_ADDRESSMODE;
  texture.anisotropicFilteringLevel = 8;
  texture.uScale = 1 / pattern.width;
  texture.vScale = 1 / pattern.height;
  return texture;
}

/** One color with the faint unevenness of dyed yarn along both thread directions. */
export function plain(colour: string, unevenness: number): Pattern {
  return {
    width: 0.5,
    height: 0.5,
    paint: (painter, texels) => {
      fill(painter, colour, 0, 0, texels, texels);
      yarns(painter, texels, unevenness);
    },
  };
}

/** Lengthwise stripes: `stripes` are [start, width] as fractions of a repeat of `repeat` meters. */
export function striped(
  ground: string,
  stripe: string,
  repeat: number,
  stripes: readonly (readonly [number, number])[],
  unevenness: number,
): Pattern {
  return {
    width: repeat,
    height: 0.5,
    paint: (painter, texels) => {
      fill(painter, ground, 0, 0, texels, texels);
      for (const [start, width] of stripes) fill(painter, stripe, start * texels, 0, width * texels, texels);
      yarns(painter, texels, unevenness);
    },
  };
}

/** Gingham: stripes of dyed yarn in both directions, full color where both cross, half color where only one is dyed. */
export function checked(ground: string, dye: string, repeat: number, unevenness: number): Pattern {
  return {
    width: 2 * repeat,
    height: 2 * repeat,
    paint: (painter, texels) => {
      fill(painter, ground, 0, 0, texels, texels);
      const half = `${dye}90`; // with alpha
      for (const start of [0, texels / 2]) {
        fill(painter, half, start, 0, texels / 4, texels);
        fill(painter, half, 0, start, texels, texels / 4);
      }
      yarns(painter, texels, unevenness);
    },
  };
}

/** A flag of 1.5 m × 1 m: bands along the length and a disc. */
export function banner(bands: readonly string[], disc: string): Pattern {
  return {
    width: 1.5,
    height: 1,
    paint: (painter, texels) => {
      const height = texels / bands.length;
      bands.forEach((colour, i) => fill(painter, colour, 0, i * height, texels, height + 1));
      painter.fillStyle = disc;
      painter.beginPath();
      // An ellipse of the texture is a circle of the flag.
      const [rx, ry] = [(0.22 * texels) / 1.5, 0.22 * texels];
      for (let i = 0; i < 64; i++) {
        const angle = (i * Math.PI) / 32;
        const [x, y] = [texels / 2 + rx * Math.cos(angle), texels / 2 + ry * Math.sin(angle)];
        if (i === 0) painter.moveTo(x, y);
        else painter.lineTo(x, y);
      }
      painter.closePath();
      painter.fill();
      yarns(painter, texels, 0.03);
    },
  };
}

/** Wood: long streaks along the first texture coordinate, for texture coordinates in [0, 1]. */
export function grained(colour: string, strength: number): Pattern {
  return {
    width: 1,
    height: 1,
    paint: (painter, texels) => {
      fill(painter, colour, 0, 0, texels, texels);
      const random = sequence();
      for (let i = 0; i < 900; i++) {
        const shade = random() < 0.65 ? "40,20,5" : "255,220,170";
        painter.fillStyle = `rgba(${shade},${(0.16 * strength * random()).toFixed(4)})`;
        const thickness = 1 + 10 * random() ** 3;
        painter.fillRect(
          texels * (1.4 * random() - 0.4),
          texels * random(),
          texels * (0.1 + 0.5 * random()),
          thickness,
        );
      }
    },
  };
}

/** Crossing thin lines of slightly lighter and darker yarn, the same on every load. */
function yarns(painter: Painter, texels: number, strength: number): void {
  const random = sequence();
  for (let i = 0; i < texels; i += 2) {
    for (const along of [true, false]) {
      const shade = 2 * random() - 1;
      const colour = shade > 0 ? "255,255,255" : "0,0,0";
      painter.fillStyle = `rgba(${colour},${(strength * Math.abs(shade)).toFixed(4)})`;
      if (along) painter.fillRect(i, 0, 2, texels);
      else painter.fillRect(0, i, texels, 2);
    }
  }
}

/** Numbers in [0, 1) that look random, the same on every load. */
function sequence(): () => number {
  let seed = 12345;
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

function fill(painter: Painter, colour: string, x: number, y: number, width: number, height: number): void {
  painter.fillStyle = colour;
  painter.fillRect(x, y, width, height);
}
