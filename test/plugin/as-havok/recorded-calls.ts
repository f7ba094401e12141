/**
 * Adds to `calls` the name of each of the plugin's `members` that outside code calls or reads. The plugin stays the same object, since it
 * compares itself with the plugin of the scene.
 */
export function recordCalls(plugin: object, members: readonly string[], calls: Set<string>): void {
  let depth = 0;
  const enter = <T>(name: string, act: () => T): T => {
    if (depth === 0) calls.add(name);
    depth++;
    try {
      return act();
    } finally {
      depth--;
    }
  };
  for (const name of members) {
    const property = findProperty(plugin, name);
    if (!property) continue;
    const { value, get } = property as { value: unknown; get?: () => unknown };
    Object.defineProperty(plugin, name, {
      configurable: true,
      ...(typeof value === "function"
        ? { value: (...args: unknown[]) => enter(name, () => (value as Method).apply(plugin, args)) }
        : { get: () => enter(name, () => (get ? get.call(plugin) : value)) }),
    });
  }
}

type Method = (...args: unknown[]) => unknown;

function findProperty(object: object, name: string): PropertyDescriptor | undefined {
  for (let o: object | null = object; o; o = Object.getPrototypeOf(o) as object | null) {
    const found = Object.getOwnPropertyDescriptor(o, name);
    if (found) return found;
  }
  return undefined;
}
