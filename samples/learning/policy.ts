import { PliantError } from "../../src/errors";
import { normal } from "./environment";

/** Weights of a network, and the spread of its actions in training, as plain data. */
export interface PolicyData {
  /** numbers of each layer: observation, hidden layers, output */
  readonly sizes: readonly number[];
  /** for each layer after the first: weights, one row for each input, then biases */
  readonly layers: readonly (readonly number[] | Float64Array)[];
}

/**
 * A network of tanh layers with a linear output: the mean action for an observation, or the worth of a state. It is plain arithmetic, so
 * that scenes run a trained policy without the library that trained it.
 */
export class Network {
  readonly sizes: readonly number[];
  /** weights and biases, which may be changed: see `PolicyData` */
  readonly layers: readonly Float64Array[];
  private readonly values: readonly Float64Array[];
  private readonly gradients: readonly Float64Array[];

  /** @throws PliantError for layers that do not fit the sizes, or numbers that are not finite */
  constructor({ sizes, layers }: PolicyData) {
    if (sizes.length < 2 || layers.length !== sizes.length - 1)
      throw new PliantError("invalid-argument", "policy.layers", layers.length, "must be one fewer than the sizes");
    layers.forEach((layer, k) => {
      const wanted = (sizes[k] + 1) * sizes[k + 1];
      if (layer.length !== wanted)
        throw new PliantError("invalid-argument", `policy.layers[${k}]`, layer.length, `must hold ${wanted} numbers`);
      const bad = Array.from(layer).find((value) => !Number.isFinite(value));
      if (bad !== undefined) throw new PliantError("non-finite", `policy.layers[${k}]`, bad, "must be finite");
    });
    this.sizes = [...sizes];
    this.layers = layers.map((layer) => Float64Array.from(layer));
    this.values = sizes.map((size) => new Float64Array(size));
    this.gradients = sizes.map((size) => new Float64Array(size));
  }

  /** Input of the network; write it before `run`. */
  get input(): Float64Array {
    return this.values[0];
  }

  /** @returns the output, which the next run overwrites */
  run(): Float64Array {
    const last = this.layers.length - 1;
    this.layers.forEach((layer, k) => {
      const [from, to] = [this.values[k], this.values[k + 1]];
      const width = to.length;
      for (let j = 0; j < width; j++) to[j] = layer[from.length * width + j];
      for (let i = 0; i < from.length; i++) for (let j = 0; j < width; j++) to[j] += from[i] * layer[i * width + j];
      if (k < last) for (let j = 0; j < width; j++) to[j] = Math.tanh(to[j]);
    });
    return this.values[last + 1];
  }

  /**
   * Goes back over the last run.
   *
   * @param output gradient by the output
   * @param layers the gradient by weights and biases is added to these; not calculated if omitted
   * @returns the gradient by the input, which the next call overwrites
   */
  pull(output: ArrayLike<number>, layers?: readonly Float64Array[]): Float64Array {
    const { values, gradients } = this;
    gradients.at(-1)!.set(output);
    for (let k = this.layers.length - 1; k >= 0; k--) {
      const [layer, from, to, back, out] = [this.layers[k], gradients[k + 1], gradients[k], values[k], layers?.[k]];
      const width = from.length;
      for (let i = 0; i < to.length; i++) {
        let sum = 0;
        for (let j = 0; j < width; j++) sum += layer[i * width + j] * from[j];
        to[i] = k > 0 ? sum * (1 - back[i] * back[i]) : sum;
        if (out) for (let j = 0; j < width; j++) out[i * width + j] += back[i] * from[j];
      }
      if (out) for (let j = 0; j < width; j++) out[to.length * width + j] += from[j];
    }
    return gradients[0];
  }

  /** Plain data with few digits: decisions do not depend on more. */
  data(): PolicyData {
    const layers = this.layers.map((layer) => Array.from(layer, (value) => Number(value.toPrecision(4))));
    return { sizes: this.sizes, layers };
  }
}

/** Random weights that keep the size of what they carry, small ones for the output, and no biases. */
export function randomNetwork(sizes: readonly number[], outputScale: number, random: () => number): Network {
  const layers = sizes.slice(1).map((width, k) => {
    const scale = (k + 2 === sizes.length ? outputScale : 1) / Math.sqrt(sizes[k]);
    const weights = sizes[k] * width;
    return Float64Array.from({ length: weights + width }, (_, i) => (i < weights ? scale * normal(random) : 0));
  });
  return new Network({ sizes, layers });
}
