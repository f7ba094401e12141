/** Mean over the faces around each particle of the edge elongation with the largest magnitude. */
export function particleStrains(x: ArrayLike<number>, rest: ArrayLike<number>, faces: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(rest.length / 3);
  const counts = new Float64Array(rest.length / 3);
  for (let f = 0; f < faces.length; f += 3) {
    let most = 0;
    for (let corner = 0; corner < 3; corner++) {
      const a = 3 * faces[f + corner];
      const b = 3 * faces[f + ((corner + 1) % 3)];
      const elongation = edgeLength(x, a, b) / edgeLength(rest, a, b) - 1;
      if (Math.abs(elongation) > Math.abs(most)) most = elongation;
    }
    for (let corner = 0; corner < 3; corner++) {
      sums[faces[f + corner]] += most;
      counts[faces[f + corner]]++;
    }
  }
  return sums.map((sum, i) => sum / Math.max(1, counts[i]));
}

function edgeLength(x: ArrayLike<number>, a: number, b: number): number {
  return Math.hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]);
}

const REST = [0.92, 0.92, 0.92];
const STRETCHED = [0.9, 0.1, 0.06];
const COMPRESSED = [0.1, 0.25, 0.9];

/** Red, green, blue and alpha of a strain as part of the full scale: the same colors as in the shader. */
export function strainColour(strain: number): [number, number, number, number] {
  const t = Math.max(-1, Math.min(1, strain));
  const to = t < 0 ? COMPRESSED : STRETCHED;
  const mix = (i: number): number => REST[i] + Math.abs(t) * (to[i] - REST[i]);
  return [mix(0), mix(1), mix(2), 1];
}
