import type { FileElement } from "./xml";

/** Parts of a mechanism file that a loader left out, one line for all elements of a kind. */
export class Notes {
  private readonly found = new Map<string, { readonly first: string; count: number }>();

  add(element: FileElement, what: string): void {
    const key = `${element.tag}: ${what}`;
    const old = this.found.get(key);
    if (old === undefined) this.found.set(key, { first: `${element.label}: ${what}`, count: 1 });
    else old.count++;
  }

  /** Adds all elements that no loader has looked at, and all attributes that none has read. */
  addUnread(root: FileElement): void {
    if (!root.use.isSeen) {
      this.add(root, "is left out");
      return;
    }
    for (const [name, { isRead }] of root.ownAttributes)
      if (!isRead && name !== "name" && !name.startsWith("xmlns")) this.add(root, `"${name}" is left out`);
    for (const child of root.children) this.addUnread(child);
  }

  /** `MJCF line 30 <geom>: "solref" is left out (and 4 more)` */
  list(): string[] {
    return Array.from(this.found.values(), ({ first, count }) =>
      count === 1 ? first : `${first} (and ${count - 1} more)`,
    );
  }
}
