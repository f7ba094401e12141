import type { SparseInverseData } from "../../../math/sparse/sparse-inverse";
import { packInverse, unpackInverse } from "./packed";
import type { FactorStore } from "./factor-store";
import { surplus } from "./surplus";

/** Bytes by key, and beside them what is needed to decide which go, without reading them. */
const FACTORS = "factors";
const ENTRIES = "entries";

interface Entry {
  readonly key: string;
  /** [bytes] */
  readonly size: number;
  /** time of the last use [ms] */
  readonly used: number;
}

/** Factors in the database of the page's origin. */
export class DatabaseStore implements FactorStore {
  private constructor(private readonly limit: number) {}

  /** @param limit of all factors together [bytes] */
  static open(limit: number): DatabaseStore | undefined {
    return typeof indexedDB === "undefined" ? undefined : new DatabaseStore(limit);
  }

  read(key: string): Promise<SparseInverseData | undefined> {
    return withStores(async (factors, entries) => {
      const bytes = await answer<Uint8Array | undefined>(factors.get(key));
      if (!bytes) return undefined;
      entries.put({ key, size: bytes.byteLength, used: Date.now() } satisfies Entry);
      return unpackInverse(bytes);
    });
  }

  write(key: string, inverse: SparseInverseData): Promise<void> {
    const bytes = packInverse(inverse);
    return withStores(async (factors, entries) => {
      factors.put(bytes, key);
      entries.put({ key, size: bytes.byteLength, used: Date.now() } satisfies Entry);
      for (const old of surplus(await answer<Entry[]>(entries.getAll()), this.limit)) {
        factors.delete(old);
        entries.delete(old);
      }
    });
  }

  clear(): Promise<void> {
    return withStores(async (factors, entries) => {
      factors.clear();
      await answer(entries.clear());
    });
  }
}

async function withStores<T>(work: (factors: IDBObjectStore, entries: IDBObjectStore) => Promise<T>): Promise<T> {
  const request = indexedDB.open("babylon-pliant", 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(FACTORS);
    request.result.createObjectStore(ENTRIES, { keyPath: "key" });
  };
  const database = await answer<IDBDatabase>(request);
  try {
    const transaction = database.transaction([FACTORS, ENTRIES], "readwrite");
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const result = await work(transaction.objectStore(FACTORS), transaction.objectStore(ENTRIES));
    await done;
    return result;
  } finally {
    database.close();
  }
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
