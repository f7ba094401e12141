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
  // The rejection only says that the connection is closed.
  let cause: unknown;
  first.on("error", (error) => (cause ??= error));
  try {
    await first.connect();
  } catch (error) {
    cause ??= error;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`no Redis answers at ${shownAddress(url)}: ${why}`, { cause: error });
  } finally {
    first.disconnect();
  }
  const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: (tries) => Math.min(100 * tries, 1000) });
  // It connects again by itself; without a listener it would print each try.
  client.on("error", () => undefined);
  return client;
}
