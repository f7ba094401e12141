import { PliantError } from "../../../errors";

/** Words of a text in order, with the lines they are on for messages. */
export class TextReader {
  private readonly lines: readonly string[];
  /** number of the line that was looked at last, from 1 */
  line = 0;
  private words: readonly string[] = [];
  private at = 0;

  /**
   * @param object how messages call the text
   * @param comment what begins a comment, to the end of the line
   */
  constructor(
    private readonly object: string,
    text: string,
    private readonly comment?: string,
  ) {
    this.lines = text.split(/\r\n|\n|\r/);
  }

  /** Whether there are no more words. */
  get atEnd(): boolean {
    while (this.at >= this.words.length) {
      if (this.line >= this.lines.length) return true;
      this.nextLine();
    }
    return false;
  }

  /** The next word, also from a later line. */
  word(what: string): string {
    if (this.atEnd) throw this.error("the end", `${what} is missing`);
    return this.words[this.at++];
  }

  number(what: string): number {
    const word = this.word(what);
    const value = Number(word);
    if (!Number.isFinite(value)) throw this.error(word, `${what} must be a finite number`);
    return value;
  }

  integer(what: string): number {
    const word = this.word(what);
    const value = Number(word);
    if (!Number.isInteger(value)) throw this.error(word, `${what} must be a whole number`);
    return value;
  }

  /** A number of things to come. Each takes a character at least, so a file cannot promise more than it holds. */
  count(what: string): number {
    const value = this.integer(what);
    if (value < 0 || value > this.lines.reduce((sum, line) => sum + line.length, 0))
      throw this.error(String(value), `${what} must be a number of what follows`);
    return value;
  }

  /** The next line as it is, words of the current one left aside. */
  wholeLine(): string {
    if (this.line >= this.lines.length) throw this.error("the end", "a line is missing");
    this.nextLine();
    this.at = this.words.length;
    return this.lines[this.line - 1];
  }

  /** Leaves the rest of the current line aside. */
  skipLine(): void {
    this.at = this.words.length;
  }

  /** Leaves words aside up to and with this one. */
  skipPast(end: string): void {
    while (this.word(end) !== end) this.skipLine();
    this.skipLine();
  }

  /** An error about the line that was read last. */
  error(value: string, rule: string): PliantError {
    return new PliantError("invalid-argument", `${this.object} line ${this.line}`, value, rule);
  }

  private nextLine(): void {
    const line = this.lines[this.line++];
    const end = this.comment === undefined ? -1 : line.indexOf(this.comment);
    this.words = (end < 0 ? line : line.slice(0, end)).trim().split(/\s+/).filter(Boolean);
    this.at = 0;
  }
}
