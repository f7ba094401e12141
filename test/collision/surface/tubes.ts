import type { PlacedSurface } from "../../../src/collision/surface/free-surfaces";

/** An open tube about the y axis whose radius has waves. */
export interface Tube {
  readonly radius: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
  readonly wave: number;
  readonly phase: number;
  readonly center: readonly number[];
}

/** Triangles counter-clockwise as seen from outside. */
export function tube(shape: Tube): PlacedSurface & { readonly positions: Float64Array } {
  const { radius, height, columns, rows, wave, phase, center } = shape;
  const positions: number[] = [];
  const faces: number[] = [];
  for (let row = 0; row <= rows; row++)
    for (let column = 0; column < columns; column++) {
      const angle = (2 * Math.PI * (column + (row % 2) / 2)) / columns;
      const y = height * (row / rows - 0.5);
      const r = radius * (1 + wave * Math.sin(3 * angle + phase + (6 * y) / height));
      positions.push(r * Math.cos(angle) + center[0], y + center[1], r * Math.sin(angle) + center[2]);
      if (row === rows) continue;
      const a = row * columns + column;
      const b = row * columns + ((column + 1) % columns);
      if (row % 2) faces.push(a, a + columns, b + columns, a, b + columns, b);
      else faces.push(a, a + columns, b, b, a + columns, b + columns);
    }
  return { positions: Float64Array.from(positions), faces: Uint32Array.from(faces) };
}
