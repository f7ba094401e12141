import type { LinkDescription } from "../description";
import { degreesOfFreedom } from "../joints/degrees-of-freedom";
import type { FileElement } from "./xml";

/** Limits for mechanisms of files: memory grows with the square of the number of coordinates. */
const MAX_LINKS = 20_000;
const MAX_COORDINATES = 4_000;

/** @throws PliantError for a mechanism of more links or coordinates than a file may have */
export function requireSize(root: FileElement, links: readonly LinkDescription[]): void {
  if (links.length > MAX_LINKS) throw root.error(`must have at most ${MAX_LINKS} links`, links.length);
  const coordinates = links.reduce((sum, { joint }) => sum + degreesOfFreedom[joint.type], 0);
  if (coordinates > MAX_COORDINATES) throw root.error(`must have at most ${MAX_COORDINATES} coordinates`, coordinates);
}
