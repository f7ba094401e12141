/** Greatest number of triangles of a mesh of a robot. */
export const MAX_TRIANGLES = 4_000_000;

/** Reports what is wrong with a mesh. */
export type Refuse = (rule: string, value: unknown) => never;
