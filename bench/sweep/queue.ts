import { Redis } from "ioredis";
import type { Job } from "./job";

/** Before all keys of sweeps in Redis. */
export const PREFIX = "pliant";

/** A job in the queue; its id there is the key of the result. */
export interface Order {
  readonly job: Job;
  /** longest time, s */
  readonly limit: number;
}

/** The queue of a version: workers with other code do not see it. */
export const queueOf = (version: string): string => `sweep-${version}`;

/** The address without its password. */
export function shownAddress(url: string): string {
  const shown = new URL(url);
  shown.password = "";
  return shown.href;
}

/**
 * A connection that waits for the server if it goes away.
 *
 * @throws Error if nobody answers now
 */
export async function connect(url: string): Promise<Redis> {
  const first = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 5000 });
  first.on("error", () => undefined);
  try {
    await first.connect();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`no Redis answers at ${shownAddress(url)}: ${why}`, { cause: error });
  } finally {
    first.disconnect();
  }
  const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: (tries) => Math.min(100 * tries, 1000) });
  // It connects again by itself; without a listener it would print each try.
  client.on("error", () => undefined);
  return client;
}
