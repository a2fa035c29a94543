// What can be wrong, as values: the codes, phrases and hints are those of all of Tessera.

export type FaultCode =
  | "invalid_length"
  | "invalid_character"
  | "overflow"
  | "non_canonical"
  | "bad_check"
  | "invalid_prefix"
  | "prefix_mismatch"
  | "unknown_prefix"
  | "invalid_version"
  | "invalid_variant"
  | "reserved_value"
  | "out_of_range"
  | "invalid_resource_name"
  | "no_entropy"
  | "time_out_of_range"
  | "exhausted"
  | "too_far_ahead"
  | "forked"
  | "invalid_machine"
  | "unknown"
  | "ambiguous"
  | "lossy"
  | "no_time"
  | "bad_argument"
  | "no_memory";

export interface Fault {
  readonly code: FaultCode;
  readonly offset: number | null; // in the bytes of the text, which of plain ASCII are its characters
  readonly phrase: string; // "bad character"
  readonly hint: string; // what to do about it; may be empty
}

// The answer of a function that reads what somebody else has written.
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: Fault };

// Thrown where the call itself is wrong, or no ID could be made; never for a text that is no ID.
export class TesseraError extends Error implements Fault {
  readonly code: FaultCode;
  readonly offset: number | null;
  readonly phrase: string;
  readonly hint: string;

  constructor(fault: Fault, about: string) {
    super(`${about}: ${fault.phrase}`);
    this.name = "TesseraError";
    this.code = fault.code;
    this.offset = fault.offset;
    this.phrase = fault.phrase;
    this.hint = fault.hint;
  }
}

// The value, or the fault thrown: for those who prefer exceptions.
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new TesseraError(result.error, "tessera");
}
