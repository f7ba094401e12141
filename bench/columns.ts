/** Three digits, in the shortest notation. */
export function digits(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** Makes columns as wide as their widest cell. */
export function aligned(lines: readonly string[][]): string[] {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((cells) => cells[column].length)));
  return lines.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]))
      .join("  ")
      .trimEnd(),
  );
}
