import { parseXml, XmlElement as ParsedElement, XmlText } from "@rgrove/parse-xml";
import { invalid, PliantError, type PliantErrorCode } from "../../errors";

/** Limits for files of strangers: characters, elements, and elements within each other. */
const MAX_LENGTH = 1 << 26;
const MAX_ELEMENTS = 200_000;
const MAX_DEPTH = 100;

/** The value of an attribute, and whether anything has read it. Copies of an element share it. */
export interface FileAttribute {
  readonly value: string;
  isRead: boolean;
}

/**
 * An element of a mechanism file with its line. Errors of reading functions include the element, its line and the
 * value. It records which of its attributes were read, so that the others can be reported (`unreadNotes`).
 */
export class FileElement {
  constructor(
    readonly tag: string,
    /** line in the file, from 1 */
    readonly line: number,
    /** name of the file in messages: "URDF" */
    readonly file: string,
    readonly ownAttributes: ReadonlyMap<string, FileAttribute>,
    readonly children: readonly FileElement[],
    readonly text: string,
    private readonly fallback: ReadonlyMap<string, FileAttribute> | undefined = undefined,
    /** Whether a loader has looked at this element or a copy of it. */
    readonly use = { isSeen: false },
  ) {}

  /** Name of this element in messages: `URDF line 12 <joint name="elbow">`. */
  get label(): string {
    const name = this.ownAttributes.get("name")?.value;
    return `${this.file} line ${this.line} <${this.tag}${name === undefined ? "" : ` name="${name}"`}>`;
  }

  /** The same element with defaults for missing attributes. */
  withDefaults(fallback: ReadonlyMap<string, FileAttribute>): FileElement {
    const { tag, line, file, ownAttributes, children, text, use } = this;
    return new FileElement(tag, line, file, ownAttributes, children, text, fallback, use);
  }

  /** The same element with other children, and with some attributes replaced. */
  altered(children: readonly FileElement[], changes: Readonly<Record<string, string>> = {}): FileElement {
    const attributes = new Map(this.ownAttributes);
    for (const [name, value] of Object.entries(changes)) {
      const old = attributes.get(name);
      if (old !== undefined) old.isRead = true;
      attributes.set(name, { value, isRead: false });
    }
    return new FileElement(this.tag, this.line, this.file, attributes, children, this.text, this.fallback, this.use);
  }

  /** A new element at the place of this one. */
  replacedBy(tag: string, attributes: Readonly<Record<string, string>>, children: readonly FileElement[]): FileElement {
    const map = new Map(Object.entries(attributes).map(([name, value]) => [name, { value, isRead: false }]));
    return new FileElement(tag, this.line, this.file, map, children, "");
  }

  attribute(name: string): string | undefined {
    this.use.isSeen = true;
    const found = this.ownAttributes.get(name) ?? this.fallback?.get(name);
    if (found !== undefined) found.isRead = true;
    return found?.value;
  }

  /** Marks the element, and attributes without influence on a mechanism, as read. */
  pass(...names: readonly string[]): void {
    this.use.isSeen = true;
    for (const name of names) this.attribute(name);
  }

  /** @throws PliantError if the attribute is missing */
  required(name: string): string {
    const value = this.attribute(name);
    if (value === undefined) throw this.error(`needs the attribute "${name}"`, undefined);
    return value;
  }

  /** First child with this tag. */
  child(tag: string): FileElement | undefined {
    this.use.isSeen = true;
    const found = this.children.find((child) => child.tag === tag);
    if (found !== undefined) found.use.isSeen = true;
    return found;
  }

  /** @throws PliantError if there is none */
  requiredChild(tag: string): FileElement {
    const found = this.child(tag);
    if (found === undefined) throw this.error(`needs a <${tag}>`, undefined);
    return found;
  }

  childrenNamed(tag: string): FileElement[] {
    this.use.isSeen = true;
    return this.children.filter((child) => child.tag === tag);
  }

  /** Elements with this tag among this element and all below it, in the order of the file. */
  descendants(tag: string): FileElement[] {
    const found: FileElement[] = [];
    const visit = (element: FileElement): void => {
      if (element.tag === tag) found.push(element);
      element.children.forEach(visit);
    };
    visit(this);
    return found;
  }

  /** A number of an attribute. @throws PliantError if it is not a finite number */
  number(name: string): number | undefined {
    const value = this.attribute(name);
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
    const value = this.attribute(name);
    return value === undefined ? undefined : this.parseNumbers(value, name, least, most);
  }

  /** "true", "false" or "auto". @throws PliantError for another value */
  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.attribute(name);
    if (value !== undefined && !choices.includes(value as T))
      throw this.error(`${name} must be one of ${choices.join(", ")}`, value);
    return value as T | undefined;
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
 * Reads XML text. Entities of a document type are not expanded.
 *
 * @param text the file
 * @param file name of the file in messages
 * @param roots allowed tags of the outermost element
 * @throws PliantError `invalid-argument`, with the line, if the text is not well-formed, has another root, or more
 * characters, elements or levels than a file may have
 */
export function parseFile(text: string, file: string, ...roots: readonly string[]): FileElement {
  if (text.length > MAX_LENGTH) throw invalid(file, text.length, `must have at most ${MAX_LENGTH} characters`);
  // The parser itself has no limits.
  let begun = 0;
  for (let at = text.indexOf("<"); at >= 0 && begun <= 2 * MAX_ELEMENTS; at = text.indexOf("<", at + 1))
    if (text[at + 1] !== "/" && text[at + 1] !== "!") begun++;
  if (begun > MAX_ELEMENTS) throw tooLarge(file, begun);
  let parsed: ParsedElement | null;
  try {
    parsed = parseXml(withoutDeclaration(text), { includeOffsets: true }).root;
  } catch (error) {
    const { message, line } = error as { message: string; line?: number };
    const where = line === undefined ? file : `${file} line ${line}`;
    throw invalid(where, message.split("\n")[0], "must be well-formed XML");
  }
  const element = new Wrapping(text, file).wrap(parsed!, 1);
  if (!roots.includes(element.tag))
    throw element.error(`the outermost element must be ${roots.map((root) => `<${root}>`).join(" or ")}`, element.tag);
  return element;
}

/** The text with blanks for its declaration: robots' files have it behind blank lines, with unknown versions. */
function withoutDeclaration(text: string): string {
  const from = text.indexOf("<?xml ");
  const to = from < 0 ? -1 : text.indexOf("?>", from);
  if (to < 0 || text.slice(0, from).trim() !== "") return text;
  return text.slice(0, to + 2).replace(/[^\n]/g, " ") + text.slice(to + 2);
}

function tooLarge(where: string, value: unknown): PliantError {
  const rule = `must have at most ${MAX_ELEMENTS} elements, ${MAX_DEPTH} within each other`;
  return invalid(where, value, rule);
}

/** Turns parsed elements into those of this file. */
class Wrapping {
  private count = 0;
  private at = 0;
  private line = 1;

  constructor(
    private readonly text: string,
    private readonly file: string,
  ) {}

  wrap(parsed: ParsedElement, depth: number): FileElement {
    const line = this.lineOf(parsed.start);
    if (++this.count > MAX_ELEMENTS || depth > MAX_DEPTH) throw tooLarge(`${this.file} line ${line}`, parsed.name);
    const children: FileElement[] = [];
    const words: string[] = [];
    for (const child of parsed.children)
      if (child instanceof ParsedElement) children.push(this.wrap(child, depth + 1));
      else if (child instanceof XmlText) words.push(child.text);
    const attributes = new Map(
      Object.entries(parsed.attributes).map(([name, value]) => [name, { value, isRead: false }]),
    );
    return new FileElement(parsed.name, line, this.file, attributes, children, words.join("").trim());
  }

  /** The line of an offset. Offsets come in ascending order: elements start one after the other. */
  private lineOf(offset: number): number {
    for (; this.at < offset; this.at++) if (this.text.charCodeAt(this.at) === 10) this.line++;
    return this.line;
  }
}
