import { RowClass, lowerBound, upperBound, type BoxedLcp } from "./problem";

/**
 * Projected Gauss-Seidel from the forces in `lcp.f`: each row in turn is set to the force that makes its velocity zero,
 * within its bounds. The method converges slowly, but always to a usable result. It writes `lcp.f`, and the classes
 * that it suggests.
 */
export function projectedGaussSeidel(lcp: BoxedLcp, iterations: number): void {
  const { n, a, b, f, classes } = lcp;
  for (let sweep = 0; sweep < iterations; sweep++) {
    let change = 0;
    let size = 0;
    for (let i = 0; i < n; i++) {
      const diagonal = a[i * n + i];
      if (!(diagonal > 0)) continue;
      let sum = b[i];
      for (let j = 0, at = i * n; j < n; j++) sum += a[at + j] * f[j];
      const next = Math.min(Math.max(f[i] - sum / diagonal, lowerBound(lcp, i, f)), upperBound(lcp, i, f));
      change = Math.max(change, Math.abs(next - f[i]));
      size = Math.max(size, Math.abs(next));
      f[i] = next;
    }
    if (change <= 1e-14 * size) break;
  }
  for (let i = 0; i < n; i++) {
    const low = lowerBound(lcp, i, f);
    const high = upperBound(lcp, i, f);
    const frictional = lcp.findex[i] >= 0;
    if (high <= low) classes[i] = RowClass.Separating;
    else if (f[i] <= low) classes[i] = frictional ? RowClass.Lower : RowClass.Separating;
    else classes[i] = f[i] >= high ? RowClass.Upper : RowClass.Clamping;
  }
}
