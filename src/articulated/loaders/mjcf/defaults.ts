import type { FileAttribute, FileElement } from "../xml";

/** Tags of actuators, which share one set of defaults. */
export const actuatorTags: ReadonlySet<string> = new Set(
  "general motor position velocity intvelocity damper cylinder muscle adhesion dcmotor plugin".split(" "),
);

/** Greatest number of attributes of a default, and of tags of a class; MuJoCo has fewer. */
const MAX_NAMES = 100;

/** Elements in order, the last first. */
interface Chain {
  readonly element: FileElement;
  readonly previous: Chain | undefined;
}

/** Defaults of a class for a tag, and the elements that give them. */
interface Level {
  readonly attributes: ReadonlyMap<string, FileAttribute>;
  readonly sources: Chain;
}

interface Class {
  readonly levels: Map<string, Level>;
  /** defaults for actuators, which build on each other */
  actuators: Chain | undefined;
}

/**
 * The default classes of an MJCF file: attributes for tags, by class. A class begins as a copy of the enclosing one,
 * with what this has so far. An element takes the attributes of its `class`, of the nearest `childclass` above it, or of
 * the outermost class.
 */
export class Defaults {
  private readonly classes = new Map<string, Class>();
  private readonly main: string;

  /** @throws PliantError for two classes of one name */
  constructor(root: FileElement) {
    const outermost = root.childrenNamed("default");
    this.main = outermost[0]?.attribute("class") ?? "main";
    const main: Class = { levels: new Map(), actuators: undefined };
    this.classes.set(this.main, main);
    for (const element of outermost) {
      element.pass("class");
      this.addTo(main, element);
    }
  }

  /**
   * A copy of an element with all default attributes filled in.
   *
   * @param childClass class for elements without `class`
   * @throws PliantError for a class that the file does not have
   */
  fill(element: FileElement, childClass: string | undefined): FileElement {
    return withLevel(element, this.classOf(element, childClass).levels.get(element.tag));
  }

  /** An equality or a tendon with the defaults of its class, which has one tag for all of them. Throws as `fill`. */
  fillAs(element: FileElement, tag: "equality" | "tendon"): FileElement {
    return withLevel(element, this.classOf(element, undefined).levels.get(tag));
  }

  /** The default elements that an actuator builds on, in order. Throws as `fill`. */
  actuatorsFor(element: FileElement): FileElement[] {
    const chain: FileElement[] = [];
    for (let at = this.classOf(element, undefined).actuators; at !== undefined; at = at.previous)
      chain.push(at.element);
    return chain.reverse();
  }

  private classOf(element: FileElement, childClass: string | undefined): Class {
    const name = element.attribute("class") ?? childClass ?? this.main;
    const found = this.classes.get(name);
    if (found === undefined) throw element.error("class must be one of the file's defaults", name);
    return found;
  }

  private addTo(added: Class, element: FileElement): void {
    for (const child of element.children) {
      if (child.tag === "default") continue;
      if (actuatorTags.has(child.tag)) added.actuators = { element: child, previous: added.actuators };
      else addLevel(added, child);
    }
    for (const child of element.childrenNamed("default")) {
      const name = child.required("class");
      if (this.classes.has(name)) throw child.error("class must have a name that no other class has", name);
      const inner = { levels: new Map(added.levels), actuators: added.actuators };
      this.classes.set(name, inner);
      this.addTo(inner, child);
    }
  }
}

function addLevel({ levels }: Class, element: FileElement): void {
  const old = levels.get(element.tag);
  const attributes = new Map(old?.attributes);
  for (const [name, attribute] of element.ownAttributes) attributes.set(name, attribute);
  levels.set(element.tag, { attributes, sources: { element, previous: old?.sources } });
  if (attributes.size > MAX_NAMES || levels.size > MAX_NAMES)
    throw element.error(`a class must have at most ${MAX_NAMES} tags with ${MAX_NAMES} attributes`, attributes.size);
}

function withLevel(element: FileElement, level: Level | undefined): FileElement {
  if (level === undefined) return element;
  // Sources are marked all at once, the last first.
  for (let at: Chain | undefined = level.sources; at && !at.element.use.isSeen; at = at.previous) at.element.pass();
  return element.withDefaults(level.attributes);
}
