// The page of the test that compares the bits of a browser with those of Node.

import { goldenHash, goldenRuns } from "../golden/runs";

declare global {
  var goldenHashes: () => Promise<Record<string, string>>;
}

globalThis.goldenHashes = async () => {
  const hashes: Record<string, string> = {};
  for (const run of goldenRuns) hashes[run.scene.name] = await goldenHash(run);
  return hashes;
};
