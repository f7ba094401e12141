import type { Quat } from "../../../math/types";
import { vector, type Compiler } from "./values";
import { apply, eulerRotation, identity, type Transform } from "../transform";
import type { FileElement } from "../xml";

/** Greatest number of elements that `<replicate>` makes in a file, copies of copies included. */
const MAX_COPIES = 50_000;

/**
 * Replaces `<replicate>` in all world bodies by frames, as many as it counts. Actuators and tendons of a copied joint,
 * tendon or site are copied as well, as MuJoCo does.
 *
 * @throws PliantError for a count that is no positive integer, or too many copies
 */
export function expandReplicates(root: FileElement, compiler: Compiler): FileElement {
  if (root.descendants("replicate").length === 0) return root;
  const expansion = new Expansion(compiler);
  const children = root.children.map((child) =>
    child.tag === "worldbody" ? child.altered(child.children.flatMap((each) => expansion.expand(each))) : child,
  );
  const copyUsers = (tag: string): void => {
    children.forEach((child, i) => {
      if (child.tag !== tag) return;
      // Copies come last: controls of keyframes have this order.
      const uses = child.children.map((each) => expansion.usersOf(each));
      const isCopied = (_: unknown, k: number): boolean => uses[k][0] !== child.children[k];
      children[i] = child.altered([
        ...uses.filter((list, k) => !isCopied(list, k)).flat(),
        ...uses.filter(isCopied).flat(),
      ]);
    });
  };
  copyUsers("tendon");
  copyUsers("actuator");
  return root.altered(children);
}

class Expansion {
  /** Suffixes of the copies of an element, by its tag and name. */
  private readonly suffixes = new Map<string, Set<string>>();
  private count = 0;

  constructor(private readonly compiler: Compiler) {}

  expand(element: FileElement): FileElement[] {
    const children = element.children.flatMap((child) => this.expand(child));
    if (element.tag !== "replicate") return [element.altered(children)];
    const count = element.number("count") ?? 0;
    if (!(Number.isInteger(count) && count >= 1)) throw element.error("count must be a positive integer", count);
    this.count += count * (1 + children.reduce((sum, child) => sum + sizeOf(child), 0));
    if (this.count > MAX_COPIES) throw element.error(`must make at most ${MAX_COPIES} elements`, this.count);
    const separator = element.attribute("sep") ?? "";
    const euler = element.numbers("euler", 3)?.map((angle) => angle * this.compiler.angle);
    const offset = vector(element, "offset") ?? identity.position;
    const childClass = element.attribute("childclass");
    const digits = String(count).length;
    let frame: Transform = identity;
    return Array.from({ length: count }, (_, i) => {
      const suffix = separator + String(i).padStart(digits, "0");
      // As in MuJoCo, offsets add up in the axes of each copy, but Euler angles are multiplied.
      const angles = euler?.map((angle) => i * angle);
      const rotation = angles === undefined ? identity.rotation : eulerRotation(angles, this.compiler.eulerOrder);
      const { position } = frame;
      frame = { position: apply({ position, rotation }, offset), rotation };
      return element.replacedBy(
        "frame",
        {
          pos: position.join(" "),
          quat: wxyz(rotation).join(" "),
          ...(childClass === undefined ? {} : { childclass: childClass }),
        },
        children.map((child) => this.renamed(child, suffix)),
      );
    });
  }

  /** Copies of a tendon or an actuator of copied elements, or itself. */
  usersOf(element: FileElement): FileElement[] {
    const uses = [element, ...element.children].flatMap((each) =>
      ["joint", "tendon", "site"].map((tag) => `${tag} ${each.attribute(tag) ?? ""}`),
    );
    const suffixes = uses.map((use) => this.suffixes.get(use)).find((found) => found !== undefined);
    if (suffixes === undefined) return [element];
    const name = element.attribute("name");
    const isTendon = element.tag === "fixed" || element.tag === "spatial";
    // Copies of copies have a suffix for each time.
    return [...suffixes].flatMap((suffix) => {
      this.count += sizeOf(element);
      if (this.count > MAX_COPIES) throw element.error(`must have at most ${MAX_COPIES} copies`, this.count);
      if (name !== undefined && isTendon) this.remember("tendon", name, suffix);
      return this.usersOf(this.suffixed(element, suffix));
    });
  }

  private suffixed(element: FileElement, suffix: string): FileElement {
    const changes: Record<string, string> = {};
    for (const tag of ["joint", "tendon", "site"]) {
      const name = element.attribute(tag);
      if (name !== undefined && this.suffixes.has(`${tag} ${name}`)) changes[tag] = name + suffix;
    }
    const name = element.attribute("name");
    if (name !== undefined) changes.name = name + suffix;
    return element.altered(
      element.children.map((child) => this.suffixed(child, suffix)),
      changes,
    );
  }

  private renamed(element: FileElement, suffix: string): FileElement {
    const name = element.attribute("name");
    const children = element.children.map((child) => this.renamed(child, suffix));
    if (name === undefined) return element.altered(children);
    this.remember(element.tag, name, suffix);
    return element.altered(children, { name: name + suffix });
  }

  private remember(tag: string, name: string, suffix: string): void {
    const key = `${tag === "freejoint" ? "joint" : tag} ${name}`;
    const known = this.suffixes.get(key);
    if (known === undefined) this.suffixes.set(key, new Set([suffix]));
    else known.add(suffix);
  }
}

function sizeOf(element: FileElement): number {
  return element.children.reduce((sum, child) => sum + sizeOf(child), 1);
}

function wxyz([x, y, z, w]: Quat): number[] {
  return [w, x, y, z];
}
