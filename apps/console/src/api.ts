// The service, asked over its public API. What it refuses is a Problem of RFC 9457.

import { signal } from "@preact/signals";
import { declare } from "./core/core.ts";
import { token } from "./state.ts";

export class Problem extends Error {
  constructor(
    readonly status: number, // 0: nobody answered
    readonly code: string,
    readonly title: string,
    readonly detail: string,
    readonly hint: string,
    readonly correction: string,
    readonly deleted: string,
  ) {
    super(detail || title);
  }
}

export interface Answer<T> {
  status: number;
  headers: Headers;
  text: string;
  body: T;
}

// Whether the service answered at all the last time that it was asked.
export const reachable = signal(true);

interface Ask {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export async function send(path: string, ask: Ask = {}): Promise<Answer<unknown>> {
  const headers: Record<string, string> = { ...ask.headers };
  if (token.value) headers.Authorization = `Bearer ${token.value}`;
  const init: RequestInit = { method: ask.method ?? "GET", headers, cache: "no-store" };
  if (ask.body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = typeof ask.body === "string" ? ask.body : JSON.stringify(ask.body);
  }
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    reachable.value = false;
    throw new Problem(0, "unreachable", "", "", "", "", "");
  }
  reachable.value = true;
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// The body of a good answer; anything else is thrown.
export async function call<T>(path: string, ask: Ask = {}): Promise<T> {
  return (await callWhole<T>(path, ask)).body;
}

export async function callWhole<T>(path: string, ask: Ask = {}): Promise<Answer<T>> {
  const answer = await send(path, ask);
  if (answer.status >= 400) throw problemOf(answer);
  return answer as Answer<T>;
}

function problemOf(answer: Answer<unknown>): Problem {
  const said = (answer.body ?? {}) as Record<string, unknown>;
  const text = (key: string) => (typeof said[key] === "string" ? (said[key] as string) : "");
  return new Problem(
    answer.status,
    text("code") || `http_${answer.status}`,
    text("title"),
    text("detail"),
    text("hint"),
    text("correction"),
    text("deleted"),
  );
}

export function asProblem(fault: unknown): Problem {
  if (fault instanceof Problem) return fault;
  return new Problem(0, "page_fault", String(fault), "", "", "", "");
}

// What the pages ask for.

export interface TypeRow {
  name: string;
  prefix: string;
  style: string;
  separator: string;
  collection: string | null;
  parent: string | null;
}

export interface ScopeRow {
  name: string;
  min: string;
  max: string;
  step: number;
  order: string;
  js_safe: boolean;
  high_water?: string;
  draws?: string;
  updated?: string | null;
  status?: {
    health: string;
    runway_s: number | null;
    rate: number;
    cached: number;
    waiters: number;
    draws: number;
    drawn: number;
    issued: number;
    abandoned: number;
    failures: number;
  };
}

export interface ResourceRow {
  id: string;
  name: string | null;
  created?: string;
  deleted?: string;
}

export interface ResourcePage {
  items: ResourceRow[];
  next_page_token: string;
}

// The declared types, asked for once; again when somebody else asks.
let typesAsked: { who: string; rows: Promise<TypeRow[]> } | null = null;
export function declaredTypes(): Promise<TypeRow[]> {
  if (typesAsked?.who !== token.value) {
    const rows = call<{ types: TypeRow[] }>("/v1/types").then(({ types }) => {
      declare(types);
      return types;
    });
    const mine = { who: token.value, rows };
    typesAsked = mine;
    rows.catch(() => {
      if (typesAsked === mine) typesAsked = null;
    });
  }
  return typesAsked.rows;
}

export function resourcePath(tenant: string, collection: string, id = ""): string {
  const parts = ["v1", "tenants", tenant, collection, ...(id ? [id] : [])];
  return `/${parts.map(encodeURIComponent).join("/")}`;
}
