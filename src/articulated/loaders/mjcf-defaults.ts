import type { FallbackAttributes, FileAttribute, FileElement } from "./xml";

/** Tags of actuators, which share one set of defaults. */
export const actuatorTags: ReadonlySet<string> = new Set(
  "general motor position velocity intvelocity damper cylinder muscle adhesion dcmotor plugin".split(" "),
);

/** Defaults of a class for a tag, and the elements that give them. */
interface Level extends FallbackAttributes {
  readonly own: Map<string, FileAttribute>;
  readonly above: Level | undefined;
  readonly sources: FileElement[];
}

interface Class {
  readonly above: Class | undefined;
  readonly levels: Map<string, Level>;
  /** defaults for actuators, which build on each other */
  readonly actuators: FileElement[];
}

/**
 * The default classes of an MJCF file: attributes for tags, by class. A class inherits from the enclosing one. An
 * element takes the attributes of its `class`, of the nearest `childclass` above it, or of the outermost class.
 */
export class Defaults {
  private readonly classes = new Map<string, Class>();
  private readonly main: string;

  constructor(root: FileElement) {
    const outermost = root.childrenNamed("default");
    this.main = outermost[0]?.attribute("class") ?? "main";
    this.classes.set(this.main, { above: undefined, levels: new Map(), actuators: [] });
    for (const element of outermost) this.addClass(element, element.attribute("class") ?? this.main, undefined);
  }

  /**
   * A copy of an element with all default attributes filled in.
   *
   * @param childClass class for elements without `class`
   * @throws PliantError for a class that the file does not have
   */
  fill(element: FileElement, childClass: string | undefined): FileElement {
    return element.withDefaults(used(levelOf(this.classOf(element, childClass), element.tag)));
  }

  /** Defaults of the outermost class for a tag. */
  of(tag: string): FallbackAttributes | undefined {
    return used(levelOf(this.classes.get(this.main), tag));
  }

  /** The default elements that an actuator builds on, outermost class first. Throws as `fill`. */
  actuatorsFor(element: FileElement): FileElement[] {
    const chain: FileElement[][] = [];
    for (let at: Class | undefined = this.classOf(element, undefined); at !== undefined; at = at.above)
      chain.unshift(at.actuators);
    return chain.flat();
  }

  private classOf(element: FileElement, childClass: string | undefined): Class {
    const name = element.attribute("class") ?? childClass ?? this.main;
    const found = this.classes.get(name);
    if (found === undefined) throw element.error("class must be one of the file's defaults", name);
    return found;
  }

  private addClass(element: FileElement, name: string, parent: Class | undefined): void {
    element.pass("class");
    const known = this.classes.get(name);
    if (known !== undefined && known.above !== parent)
      throw element.error("class must have a name that no other class has", name);
    const added = known ?? { above: parent, levels: new Map<string, Level>(), actuators: [] };
    this.classes.set(name, added);
    for (const child of element.children) {
      if (child.tag === "default") this.addClass(child, child.required("class"), added);
      else if (actuatorTags.has(child.tag)) added.actuators.push(child);
      else addTo(added, child);
    }
  }
}

function addTo(added: Class, source: FileElement): void {
  let level = added.levels.get(source.tag);
  if (level === undefined) {
    level = { own: new Map(), above: levelOf(added.above, source.tag), sources: [] };
    added.levels.set(source.tag, level);
  }
  const wasSeen = source.use.isSeen;
  for (const [name, attribute] of source.entries()) level.own.set(name, attribute);
  source.use.isSeen = wasSeen;
  level.sources.push(source);
}

/** Marks defaults as read. */
function used(level: Level | undefined): Level | undefined {
  for (let at = level; at !== undefined; at = at.above) for (const source of at.sources.splice(0)) source.pass();
  return level;
}

function levelOf(given: Class | undefined, tag: string): Level | undefined {
  for (let at = given; at !== undefined; at = at.above) {
    const found = at.levels.get(tag);
    if (found !== undefined) return found;
  }
  return undefined;
}
