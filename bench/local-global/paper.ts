/** Megabytes of S in Tables 1 and 2 of paper 2, in double precision, by vertices. */
const tables: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  bar: [
    [5300, 125.02],
    [11300, 463.03],
    [20800, 1310.19],
  ],
  ball: [
    [7100, 266.87],
    [14700, 946.97],
  ],
  "cloth without bending": [
    [5100, 34.8],
    [10200, 102.51],
    [15300, 183.79],
    [20200, 280.41],
  ],
  "cloth with isometric bending": [
    [5100, 62.37],
    [10200, 183.82],
    [15300, 342.68],
    [20200, 523.36],
  ],
  "cloth with Laplace-Beltrami bending": [
    [5100, 87.08],
    [10200, 258.85],
    [15300, 487.14],
    [20200, 749.1],
  ],
};

/** Interpolates the paper's tables between their sizes, and extrapolates them with the nearest power law. */
export function paperMegabytes(scene: string, vertices: number): number {
  const rows = tables[scene];
  let k = 0;
  while (k < rows.length - 2 && vertices > rows[k + 1][0]) k++;
  const [[n0, m0], [n1, m1]] = [rows[k], rows[k + 1]];
  return m0 * (vertices / n0) ** (Math.log(m1 / m0) / Math.log(n1 / n0));
}
