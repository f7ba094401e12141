import { invalid, type PliantError } from "../../../errors";

/** Reads the words of a text in order, with their line numbers for messages. */
export class TextReader {
  private readonly lines: readonly string[];
  /** number of the current line, from 1 */
  line = 0;
  private words: readonly string[] = [];
  private at = 0;

  /**
   * @param object name of the text in messages
   * @param comment text that starts a comment, which extends to the end of the line
   */
  constructor(
    private readonly object: string,
    text: string,
    private readonly comment?: string,
  ) {
    if (typeof text !== "string") throw invalid(object, text, "must be text");
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

  /** Reads the next word, possibly from a later line. */
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

  /**
   * Reads the number of things that follow. Each takes at least one character, so a larger number than the remaining
   * text is an error.
   */
  count(what: string): number {
    const value = this.integer(what);
    if (value < 0 || value > this.lines.reduce((sum, line) => sum + line.length, 0))
      throw this.error(String(value), `${what} must be a number of what follows`);
    return value;
  }

  /** Skips the rest of the current line and returns the next line as it is. */
  wholeLine(): string {
    if (this.line >= this.lines.length) throw this.error("the end", "a line is missing");
    this.nextLine();
    this.at = this.words.length;
    return this.lines[this.line - 1];
  }

  /** Skips the rest of the current line. */
  skipLine(): void {
    this.at = this.words.length;
  }

  /** Skips words up to and including this one. */
  skipPast(end: string): void {
    while (this.word(end) !== end) this.skipLine();
    this.skipLine();
  }

  /** An error about the current line. */
  error(value: string, rule: string): PliantError {
    return invalid(`${this.object} line ${this.line}`, value, rule);
  }

  private nextLine(): void {
    const line = this.lines[this.line++];
    const end = this.comment === undefined ? -1 : line.indexOf(this.comment);
    this.words = (end < 0 ? line : line.slice(0, end)).trim().split(/\s+/).filter(Boolean);
    this.at = 0;
  }
}
