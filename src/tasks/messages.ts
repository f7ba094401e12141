import { PliantError, type PliantErrorCode } from "../errors";

/** A message to a worker. */
export type TaskRequest =
  | { readonly type: "run"; readonly id: number; readonly task: unknown; readonly canceled: boolean }
  | { readonly type: "cancel"; readonly id: number };

/** A message from a worker. */
export type TaskReply =
  | { readonly type: "progress"; readonly id: number; readonly progress: unknown }
  | { readonly type: "result"; readonly id: number; readonly result: unknown }
  | { readonly type: "error"; readonly id: number; readonly error: SentError };

/** An error in a form that survives the transfer, which loses classes. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly refused?: {
    readonly code: PliantErrorCode;
    readonly object: string;
    readonly value: unknown;
    readonly rule: string;
  };
}

export function sentError(error: unknown): SentError {
  if (error instanceof PliantError) {
    const { code, object, rule, message, name } = error;
    const value = typeof error.value === "function" ? String(error.value) : error.value;
    return { name, message, refused: { code, object, value, rule } };
  }
  const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
  return { name, message };
}

export function receivedError({ name, message, refused }: SentError): Error {
  if (refused) return new PliantError(refused.code, refused.object, refused.value, refused.rule);
  const error = new Error(message);
  error.name = name;
  return error;
}
