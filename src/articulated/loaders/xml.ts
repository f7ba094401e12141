import { parseXml, XmlElement as ParsedElement, XmlText } from "@rgrove/parse-xml";
import { PliantError, type PliantErrorCode } from "../../errors";

/**
 * An element of a mechanism file with its line. Errors of reading functions include the element, its line and the
 * value.
 */
export class FileElement {
  constructor(
    readonly tag: string,
    /** line in the file, from 1 */
    readonly line: number,
    /** name of the file in messages: "URDF" */
    readonly file: string,
    private readonly attributes: ReadonlyMap<string, string>,
    readonly children: readonly FileElement[],
    readonly text: string,
  ) {}

  /** Name of this element in messages: `URDF line 12 <joint name="elbow">`. */
  get label(): string {
    const name = this.attributes.get("name");
    return `${this.file} line ${this.line} <${this.tag}${name === undefined ? "" : ` name="${name}"`}>`;
  }

  /** All attributes: name and value. */
  entries(): Iterable<[string, string]> {
    return this.attributes.entries();
  }

  /** The same element with defaults for missing attributes. */
  withDefaults(defaults: ReadonlyMap<string, string>): FileElement {
    if (defaults.size === 0) return this;
    const attributes = new Map([...defaults, ...this.attributes]);
    return new FileElement(this.tag, this.line, this.file, attributes, this.children, this.text);
  }

  attribute(name: string): string | undefined {
    return this.attributes.get(name);
  }

  /** @throws PliantError if the attribute is missing */
  required(name: string): string {
    const value = this.attributes.get(name);
    if (value === undefined) throw this.error(`needs the attribute "${name}"`, undefined);
    return value;
  }

  /** First child with this tag. */
  child(tag: string): FileElement | undefined {
    return this.children.find((child) => child.tag === tag);
  }

  /** @throws PliantError if there is none */
  requiredChild(tag: string): FileElement {
    const found = this.child(tag);
    if (found === undefined) throw this.error(`needs a <${tag}>`, undefined);
    return found;
  }

  childrenNamed(tag: string): FileElement[] {
    return this.children.filter((child) => child.tag === tag);
  }

  /** Elements with this tag among this element and all below it, in the order of the file. */
  descendants(tag: string): FileElement[] {
    const below = this.children.flatMap((child) => child.descendants(tag));
    return this.tag === tag ? [this, ...below] : below;
  }

  /**
   * A number of an attribute.
   *
   * @throws PliantError if it is not a finite number
   */
  number(name: string): number | undefined {
    const value = this.attributes.get(name);
    return value === undefined ? undefined : this.parseNumbers(value, `${name}`, 1, 1)[0];
  }

  /**
   * Numbers of an attribute, separated by blanks.
   *
   * @param least least number of values
   * @param most largest number of values, default `least`
   * @throws PliantError if there are more or fewer, or one is not finite
   */
  numbers(name: string, least: number, most = least): number[] | undefined {
    const value = this.attributes.get(name);
    return value === undefined ? undefined : this.parseNumbers(value, name, least, most);
  }

  /** Numbers of the text of this element. Throws as `numbers`. */
  textNumbers(least: number, most = least): number[] {
    return this.parseNumbers(this.text, "text", least, most);
  }

  /** A number in the text of a child. Throws as `numbers`. */
  childNumber(tag: string): number | undefined {
    return this.child(tag)?.textNumbers(1)[0];
  }

  /** An error that names this element and its line. */
  error(rule: string, value: unknown, code: PliantErrorCode = "invalid-argument"): PliantError {
    return new PliantError(code, this.label, value, rule);
  }

  private parseNumbers(text: string, what: string, least: number, most: number): number[] {
    const words = text.split(/[\s,]+/).filter((word) => word !== "");
    const count = least === most ? String(least) : most === Infinity ? `at least ${least}` : `${least} to ${most}`;
    if (words.length < least || words.length > most)
      throw this.error(`${what} must hold ${count} number${count === "1" ? "" : "s"}`, text);
    return words.map((word) => {
      const value = Number(word);
      if (!Number.isFinite(value)) throw this.error(`${what} must be finite numbers`, text, "non-finite");
      return value;
    });
  }
}

/**
 * Reads XML text.
 *
 * @param text the file
 * @param file name of the file in messages
 * @param root required tag of the outermost element
 * @throws PliantError `invalid-argument`, with the line, if the text is not well-formed or has another root
 */
export function parseFile(text: string, file: string, root: string): FileElement {
  let parsed: ParsedElement | null;
  try {
    parsed = parseXml(text, { includeOffsets: true }).root;
  } catch (error) {
    const { message, line } = error as { message: string; line?: number };
    const where = line === undefined ? file : `${file} line ${line}`;
    throw new PliantError("invalid-argument", where, message.split("\n")[0], "must be well-formed XML");
  }
  const element = wrap(parsed!, file, lineCounter(text));
  if (element.tag !== root) throw element.error(`the outermost element must be <${root}>`, element.tag);
  return element;
}

function wrap(parsed: ParsedElement, file: string, lineOf: (offset: number) => number): FileElement {
  const line = lineOf(parsed.start);
  const children: FileElement[] = [];
  let text = "";
  for (const child of parsed.children) {
    if (child instanceof ParsedElement) children.push(wrap(child, file, lineOf));
    else if (child instanceof XmlText) text += child.text;
  }
  return new FileElement(parsed.name, line, file, new Map(Object.entries(parsed.attributes)), children, text.trim());
}

/** Lines of byte offsets, which must be requested in ascending order: elements start one after the other. */
function lineCounter(text: string): (offset: number) => number {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  let line = 1;
  return (offset) => {
    for (; at < offset; at++) if (bytes[at] === 10) line++;
    return line;
  };
}
