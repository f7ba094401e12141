/** Errors that strangers cause go to the log, but so few that they cannot fill it. */

const LINES_PER_SECOND = 5;

function limited(write: (line: string) => void): (...values: unknown[]) => void {
  let [second, lines] = [0, 0];
  return (...values) => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) [second, lines] = [now, 0];
    if (++lines <= LINES_PER_SECOND) write(String(values[0]).slice(0, 200));
  };
}

const toError = limited((line) => console.error(line));
const nowhere = (): void => undefined;

/** A log for Colyseus. */
export const log = { error: toError, warn: toError, info: nowhere, debug: nowhere, trace: nowhere };
