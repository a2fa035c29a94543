// The command line's own commands, in the page: nothing that is inspected leaves the browser.

import { signal } from "@preact/signals";
import type { Inspection as Told } from "../../../../extensions/wasm/src/inspection.ts";
import { type Core, type DeclaredType, loadCore } from "./tessera.ts";

export type { Field, Guess, NearMiss } from "../../../../extensions/wasm/src/inspection.ts";

const kUrl = "/assets/tessera.wasm"; // packed beside the page

export const core = signal<Core | null>(null);
export const coreFault = signal("");

export function startCore(): void {
  loadCore(kUrl).then(
    (ready) => {
      if (declared.value.length) ready.declare(declared.value);
      core.value = ready;
    },
    (fault) => {
      coreFault.value = String(fault);
    },
  );
}

// The types that the core knows, beside the kinds.
export const declared = signal<DeclaredType[]>([]);
export function declare(types: DeclaredType[]): void {
  core.value?.declare(types);
  declared.value = types;
}

export interface Fault {
  message: string;
  hint: string;
}

export type Said<T> = { ok: true; items: T[]; text: string } | ({ ok: false } & Fault);

// Runs a command. Exit codes 0 and 1 are answers, as in a shell; 2 is a mistake in the question.
export function ask(args: string[], stdin = ""): Said<never> & { text?: string } {
  return askFor<never>(args, stdin, false);
}

export function askJson<T>(args: string[], stdin = ""): Said<T> {
  return askFor<T>(args, stdin, true);
}

function askFor<T>(args: string[], stdin: string, json: boolean): Said<T> {
  if (!core.value) return { ok: false, message: "", hint: "" };
  const said = core.value.run(args, stdin);
  if (said.status > 1 || (said.out === "" && said.err !== "")) return faultOf(said.err);
  const items = json
    ? said.out
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as T)
    : [];
  return { ok: true, items, text: said.out };
}

// "tessera: what is wrong\nhint: what to do".
function faultOf(err: string): { ok: false } & Fault {
  const lines = err.trim().split("\n");
  const find = (front: string) => lines.find((line) => line.startsWith(front))?.slice(front.length);
  return { ok: false, message: find("tessera: ") ?? lines[0] ?? "", hint: find("hint: ") ?? "" };
}

// What the commands print as JSON.

export interface Inspection extends Told {
  line: number;
}

export interface Checked {
  input: string;
  valid: boolean;
  kind: string | null;
  code?: string;
  offset?: number | null;
  message?: string;
  hint?: string;
  suggestions?: string[];
}

export interface KindInfo {
  kind: string;
  title: string;
  size: string;
  layout: string;
  sorts: string;
  guessing: string;
  gives_away: string;
  use_it_for: string;
  has_time: boolean;
}

export interface Minted {
  kind: string;
  text: string;
}

export interface Span {
  kind: string;
  from: string;
  to: string;
  smallest: string;
  largest: string;
}

export interface Odds {
  bits: number;
  count: number;
  probability: number;
  words: string;
}

export interface NameParts {
  input: string;
  valid: boolean;
  name?: string;
  parent?: string | null;
  parts?: { collection: string; id: string }[];
  code?: string;
  offset?: number;
  message?: string;
  hint?: string;
}

export function inspect(text: string, as = ""): Inspection | null {
  const said = askJson<Inspection>(["inspect", "--json", ...(as ? ["--as", as] : []), "--", text]);
  return said.ok ? (said.items[0] ?? null) : null;
}

// The kinds that can be made, as the table of the library tells them.
let kinds: KindInfo[] | null = null;
export function allKinds(): KindInfo[] {
  if (!kinds || kinds.length === 0) {
    const said = askJson<KindInfo>(["help", "kinds", "--json"]);
    const titled = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
    kinds = said.ok ? said.items.map((one) => ({ ...one, title: titled(one.title) })) : [];
  }
  return kinds;
}
