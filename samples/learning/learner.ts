import { defaultDevice, init, jit, numpy as np, tree, valueAndGrad } from "@jax-js/jax";
import { normal } from "./environment";
import { Network } from "./policy";

/** Weights and biases of each layer. */
type Layers = np.Array[];

/** All that is learned. */
export type Learned = {
  /** network of the mean actions */
  actor: Layers;
  /** logarithm of the spread of each number of the actions */
  logSpread: np.Array;
  /** network of the worth of states */
  critic: Layers;
};

/** Decisions to learn from, one in each row. */
export type Batch = {
  observations: np.Array;
  actions: np.Array;
  /** logarithm of the probability density that the actions had when they were chosen */
  logProbabilities: np.Array;
  advantages: np.Array;
  /** worth of the states that was found */
  worths: np.Array;
};

export interface LearnerOptions {
  readonly observationSize: number;
  readonly actionSize: number;
  /** numbers of the hidden layers */
  readonly hidden: readonly number[];
  /** bound of the change of an action's probability, ε */
  readonly clip: number;
  /** spread of the actions at the start */
  readonly spread: number;
}

/** Decay of the moments of Adam, and the number that keeps its steps finite. */
const [DECAY, SQUARE_DECAY, TINY] = [0.9, 0.999, 1e-5];

// Arrays of jax-js are moved into an operation; `ref` keeps one for another use.

/** A network of tanh layers with a linear output, for each row of x. */
export function networkOf(layers: Layers, x: np.Array): np.Array {
  for (let k = 0; k < layers.length; k += 2) {
    x = np.dot(x, layers[k]).add(layers[k + 1]);
    if (k + 2 < layers.length) x = np.tanh(x);
  }
  return x;
}

/** log N(action; mean, spread²) for each row, the sum over the numbers of an action. */
export function logProbabilityOf(actions: np.Array, means: np.Array, logSpread: np.Array): np.Array {
  const z = actions.sub(means).mul(np.exp(logSpread.ref.mul(-1)));
  const terms = np
    .square(z)
    .mul(-0.5)
    .sub(logSpread)
    .sub(0.5 * Math.log(2 * Math.PI));
  return np.sum(terms, 1);
}

/**
 * The loss of proximal policy optimization (Schulman et al. 2017, equations 7 and 9), with the error of the critic: the mean over the batch
 * of −min(r Â, clip(r, 1 − ε, 1 + ε) Â) + ½ (V − worth)², where r is the ratio of the action's probabilities now and when it was chosen.
 */
export function lossOf(learned: Learned, batch: Batch, clip: number): np.Array {
  const means = networkOf(learned.actor, batch.observations.ref);
  const now = logProbabilityOf(batch.actions, means, learned.logSpread);
  const ratio = np.exp(now.sub(batch.logProbabilities));
  const clipped = np.clip(ratio.ref, 1 - clip, 1 + clip).mul(batch.advantages.ref);
  const gain = np.mean(np.minimum(ratio.mul(batch.advantages), clipped));
  const worth = np.squeeze(networkOf(learned.critic, batch.observations), 1);
  return np
    .mean(np.square(worth.sub(batch.worths)))
    .mul(0.5)
    .sub(gain);
}

/** Starts the library. WebAssembly is in Node and in every browser. */
export async function prepareLearning(): Promise<void> {
  await init("wasm");
  defaultDevice("wasm");
}

/** Initial weights: random ones with rows that keep the size of what they carry; small ones for the output. */
function initialLayers(sizes: readonly number[], outputScale: number, random: () => number): Layers {
  return sizes.slice(1).flatMap((width, k) => {
    const scale = (k + 2 === sizes.length ? outputScale : 1) / Math.sqrt(sizes[k]);
    const weights = Float32Array.from({ length: sizes[k] * width }, () => scale * normal(random));
    return [np.array(weights).reshape([sizes[k], width]), np.zeros([width])];
  });
}

/** Learns actor and critic by steps of Adam (Kingma and Ba 2015) on the loss. Call `prepareLearning` first. */
export class Learner {
  readonly actorSizes: readonly number[];
  readonly criticSizes: readonly number[];
  private learned: Learned;
  private moments: { first: Learned; second: Learned };
  private steps = 0;
  private readonly update;

  /** @param random numbers in [0, 1) for the initial weights */
  constructor(options: LearnerOptions, random: () => number) {
    const { observationSize, actionSize, hidden, spread, clip } = options;
    this.actorSizes = [observationSize, ...hidden, actionSize];
    this.criticSizes = [observationSize, ...hidden, 1];
    this.learned = {
      actor: initialLayers(this.actorSizes, 0.01, random),
      logSpread: np.full([actionSize], Math.log(spread)),
      critic: initialLayers(this.criticSizes, 1, random),
    };
    const zeros = (): Learned => tree.map((array: np.Array) => np.zeros(array.shape), this.learned) as Learned;
    this.moments = { first: zeros(), second: zeros() };
    this.update = jit((learned: Learned, first: Learned, second: Learned, batch: Batch, rate: np.Array) => {
      const [loss, gradient] = valueAndGrad((now: Learned) => lossOf(now, batch, clip))(tree.ref(learned));
      const adam = (parameter: np.Array, m: np.Array, v: np.Array, g: np.Array): [np.Array, np.Array, np.Array] => {
        const nextM = m.mul(DECAY).add(g.ref.mul(1 - DECAY));
        const nextV = v.mul(SQUARE_DECAY).add(np.square(g).mul(1 - SQUARE_DECAY));
        const step = nextM.ref.div(np.sqrt(nextV.ref).add(TINY)).mul(rate.ref);
        return [parameter.sub(step), nextM, nextV];
      };
      const [leaves, structure] = tree.flatten(learned);
      const all = [tree.leaves(first), tree.leaves(second), tree.leaves(gradient as Learned)];
      const next = leaves.map((leaf, i) => adam(leaf, all[0][i], all[1][i], all[2][i]));
      rate.dispose();
      const part = (k: 0 | 1 | 2): Learned =>
        tree.unflatten(
          structure,
          next.map((row) => row[k]),
        ) as Learned;
      return { learned: part(0), first: part(1), second: part(2), loss };
    });
  }

  /**
   * Takes a step.
   *
   * @param rate length of the steps of Adam
   * @returns the loss before it
   */
  learn(batch: Batch, rate: number): number {
    this.steps++;
    // The bias of both moments, which begin at 0, as a factor of the length.
    const unbiased = (rate * Math.sqrt(1 - SQUARE_DECAY ** this.steps)) / (1 - DECAY ** this.steps);
    const { first, second } = this.moments;
    const next = this.update(this.learned, first, second, batch, np.array(Float32Array.of(unbiased)));
    this.learned = next.learned;
    this.moments = { first: next.first, second: next.second };
    return next.loss.js() as number;
  }

  /** Copies for the simulation. */
  networks(): { actor: Network; critic: Network; spread: Float64Array } {
    const layersOf = (layers: Layers): Float64Array[] =>
      layers.flatMap((array, k) =>
        k % 2 === 0 ? [Float64Array.from([...array.ref.dataSync(), ...layers[k + 1].ref.dataSync()])] : [],
      );
    return {
      actor: new Network({ sizes: this.actorSizes, layers: layersOf(this.learned.actor) }),
      critic: new Network({ sizes: this.criticSizes, layers: layersOf(this.learned.critic) }),
      spread: Float64Array.from(this.learned.logSpread.ref.dataSync(), Math.exp),
    };
  }

  /** Gives up the arrays. */
  dispose(): void {
    tree.dispose([this.learned, this.moments.first, this.moments.second]);
    this.update.dispose();
  }
}
