// What inspect() says: the JSON of `tessera inspect --json`.

export interface Field {
  name: string;
  role: string;
  offset: number;
  width: number;
  value: string;
}

export interface Guess {
  kind: string;
  about: string;
  spelling: string;
  probability: number;
  unix_ms: number | null;
  note: string;
}

export interface NearMiss {
  kind: string;
  code: string | null;
  reason: string;
  correction: string | null;
}

export interface Inspection {
  input: string;
  valid: boolean;
  verdict: "sure" | "ambiguous" | "unknown";
  kind: string | null;
  version: number | null;
  type: string | null;
  prefix: string | null;
  about: string | null;
  text: string | null;
  hex: string | null;
  int: string | null;
  unix_ms: number | null;
  time: string | null;
  fields: Field[];
  forms: Record<string, string>;
  guesses: Guess[];
  near_misses: NearMiss[];
  inside: { text: string; kind: string }[];
  warnings: string[];
}
