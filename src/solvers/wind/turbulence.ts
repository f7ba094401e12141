/**
 * Turbulence as a sum of plane waves with random directions, each across its own direction, so that the sum has no divergence wherever
 * it is taken (Kraichnan 1970, Diffusion by a random velocity field). Three octaves of eddies, whose energy falls with their size as in
 * the inertial range of real turbulence: |u|² ∝ |k|^(−2/3).
 */
import { cos, sin } from "../../math/deterministic";
import { pow } from "../../math/powers";

const OCTAVES = 3;
const WAVES_OF_OCTAVE = 4;
/** as in shaders/wind.wgsl */
export const MODES = OCTAVES * WAVES_OF_OCTAVE;
/** Ratio of |u| from one octave to the next, 2^(−1/3). */
const DECAY = 0.7937005259840998;
/** Mean square of `wave`. */
const MEAN_SQUARE = 8 / 15;

/** Waves, `MODES` of them. */
export interface Modes {
  /** cycles per meter, three numbers each */
  readonly waves: Float64Array;
  /** [m/s], three numbers each */
  readonly amplitudes: Float64Array;
  /** at the start, in cycles */
  readonly phases: Float64Array;
  /** largest speed that they can add up to [m/s] */
  readonly top: number;
}

/** Two parabolas a cycle, in the place of a sine: from −1 to 1. */
export function wave(cycles: number): number {
  const s = 2 * (cycles - Math.floor(cycles)) - 1;
  return 4 * s * (1 - Math.abs(s));
}

/** Random numbers from 0 to 1 (splitmix32). */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let z = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
}

/**
 * @param speed root mean square of the velocity [m/s]
 * @param size of the largest eddies [m]
 */
export function turbulentModes(speed: number, size: number, seed: number): Modes {
  const random = randomFrom(seed);
  const waves = new Float64Array(3 * MODES);
  const amplitudes = new Float64Array(3 * MODES);
  const phases = new Float64Array(MODES);
  let [sum, squares] = [0, 0];
  for (let m = 0; m < MODES; m++) {
    const octave = Math.floor(m / WAVES_OF_OCTAVE);
    // Within an octave waves have different lengths, so that nothing repeats soon.
    const cycles = (pow(2, octave) * (1 + ((m % WAVES_OF_OCTAVE) + random()) / WAVES_OF_OCTAVE)) / size;
    const [z, turn, roll] = [2 * random() - 1, 2 * Math.PI * random(), 2 * Math.PI * random()];
    const r = Math.sqrt(1 - z * z);
    const [c, s] = [cos(turn), sin(turn)];
    // k, and two unit vectors across it
    const [k, e, f] = [
      [r * c, r * s, z],
      [-s, c, 0],
      [-z * c, -z * s, r],
    ];
    const size_ = pow(DECAY, octave);
    for (let i = 0; i < 3; i++) {
      waves[3 * m + i] = cycles * k[i];
      amplitudes[3 * m + i] = size_ * (cos(roll) * e[i] + sin(roll) * f[i]);
    }
    phases[m] = random();
    sum += size_;
    squares += MEAN_SQUARE * size_ * size_;
  }
  const factor = speed / Math.sqrt(squares);
  return { waves, amplitudes: amplitudes.map((value) => factor * value), phases, top: factor * sum };
}
