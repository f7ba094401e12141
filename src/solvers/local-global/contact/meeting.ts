/** Whether any surface may touch another one, or itself. */
export function surfacesMeet(
  bodies: readonly { readonly options: { readonly selfCollision: boolean; readonly bodyCollision: boolean } }[],
): boolean {
  const mayMeet = bodies.filter(({ options }) => options.bodyCollision).length > 1;
  return mayMeet || bodies.some(({ options }) => options.selfCollision);
}
