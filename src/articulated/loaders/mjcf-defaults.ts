import type { FileElement } from "./xml";

/** Tags of elements with default attributes. */
const withDefaults = new Set(["joint", "freejoint", "geom", "mesh", "motor", "general", "position", "velocity"]);

type Attributes = ReadonlyMap<string, string>;

/**
 * The default classes of an MJCF file: attributes for tags, by class. A class inherits from the enclosing one. An
 * element takes the attributes of its `class`, of the nearest `childclass` above it, or of the outermost class.
 */
export class Defaults {
  private readonly classes = new Map<string, ReadonlyMap<string, Attributes>>();
  private readonly main: string;

  constructor(root: FileElement) {
    const outermost = root.childrenNamed("default");
    this.main = outermost[0]?.attribute("class") ?? "main";
    this.classes.set(this.main, new Map());
    for (const element of outermost) this.addClass(element, element.attribute("class") ?? this.main, this.main);
  }

  /**
   * A copy of an element with all default attributes filled in.
   *
   * @param childClass class for elements without `class`
   * @throws PliantError for a class that the file does not have
   */
  fill(element: FileElement, childClass: string | undefined): FileElement {
    if (!withDefaults.has(element.tag)) return element;
    const name = element.attribute("class") ?? childClass ?? this.main;
    const found = this.classes.get(name);
    if (found === undefined) throw element.error("class must be one of the file's defaults", name);
    return element.withDefaults(found.get(element.tag) ?? new Map());
  }

  private addClass(element: FileElement, name: string, parent: string): void {
    const tags = new Map(this.classes.get(parent));
    for (const child of element.children)
      if (child.tag !== "default") tags.set(child.tag, new Map([...(tags.get(child.tag) ?? []), ...child.entries()]));
    this.classes.set(name, tags);
    for (const child of element.childrenNamed("default")) this.addClass(child, child.required("class"), name);
  }
}
