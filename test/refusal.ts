import { expect } from "vitest";
import { PliantError, type PliantErrorCode } from "../src/errors";

/** Asserts that a call is refused with a typed error that names the object, the value and the rule. */
export function expectRefused(call: () => unknown, code: PliantErrorCode, message: RegExp): void {
  let error: unknown;
  try {
    call();
  } catch (thrown) {
    error = thrown;
  }
  expectPliantError(error, code, message);
}

/** As `expectRefused` for a promise. */
export async function expectRejected(promise: Promise<unknown>, code: PliantErrorCode, message: RegExp): Promise<void> {
  let error: unknown;
  try {
    await promise;
  } catch (thrown) {
    error = thrown;
  }
  expectPliantError(error, code, message);
}

function expectPliantError(error: unknown, code: PliantErrorCode, message: RegExp): void {
  expect(error, "a PliantError was to be thrown").toBeInstanceOf(PliantError);
  if (!(error instanceof PliantError)) return;
  expect({ code: error.code, message: error.message }).toEqual({ code, message: expect.stringMatching(message) });
  expect(error.object.length).toBeGreaterThan(0);
  expect(error.rule.length).toBeGreaterThan(0);
}
