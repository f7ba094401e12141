import type { Fabric } from "../../src/index";

/** Whether an edge of a flat grid runs along neither axis. */
export function isDiagonal(positions: ArrayLike<number>, a: number, b: number): boolean {
  const moved = [0, 1, 2].filter((axis) => Math.abs(positions[3 * a + axis] - positions[3 * b + axis]) > 1e-9);
  return moved.length > 1;
}

/**
 * The fabric's numbers as stiffnesses of springs [N/m], and of hinges [N m]. A spring along a thread represents a strip whose width is its
 * length, so its stiffness is the fabric's per width. A spring along the diagonal of a square with side h grows by γ h / √2 under a shear
 * γ; ½ k (γ h / √2)² = ½ G γ² h² gives k = 2 G with the fabric's shear stiffness G. A hinge has the energy ½ (3 B l² / A) θ² with the
 * bending stiffness B, and l² / A is about 1 for the two triangles of a square.
 */
export function springStiffnesses(fabric: Readonly<Fabric>): { thread: number; shear: number; hinge: number } {
  return {
    thread: (fabric.stretchWarp + fabric.stretchWeft) / 2,
    shear: 2 * fabric.shear,
    hinge: (3 * (fabric.bendingWarp + fabric.bendingWeft)) / 2,
  };
}
