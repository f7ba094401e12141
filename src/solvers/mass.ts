const known = new WeakMap<Float64Array, number>();

/** Mass of a body [kg]; 0 for a model that has no masses. The sum is made once. */
export function massOf({ masses }: { readonly masses?: Float64Array | undefined }): number {
  if (!masses) return 0;
  let sum = known.get(masses);
  if (sum === undefined) known.set(masses, (sum = masses.reduce((all, mass) => all + mass, 0)));
  return sum;
}

/** After a change of masses: a copy of the body must come to the same sum. */
export function weighAgain(masses: Float64Array): void {
  known.delete(masses);
}
