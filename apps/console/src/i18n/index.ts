// Languages: the words of the page, the names of kinds, and what the core says.

import { computed, signal } from "@preact/signals";
import { language } from "../state.ts";
import { en } from "./en.ts";

// Loaded by those who read it.
const chinese = signal<typeof import("./zh.ts") | null>(null);
export async function loadLanguage(): Promise<void> {
  if (language.value === "zh" && !chinese.value) chinese.value = await import("./zh.ts");
}

// The words of the chosen language.
export const words = computed(() => (language.value === "zh" && chinese.value?.zh) || en);

// What the core said, in the language of the page as far as that is known.
export function said(text: string): string {
  if (language.value !== "zh" || !chinese.value || !text) return text;
  const known = chinese.value.phrases[text];
  if (known) return known;
  for (const [pattern, translation] of chinese.value.patterns) {
    if (pattern.test(text)) return text.replace(pattern, translation);
  }
  return text;
}

const kTitles: Record<string, string> = {
  ulid: "ULID",
  "uuid-nil": "nil UUID",
  "uuid-max": "max UUID",
  "public-id": "Public ID",
  typeid: "TypeID",
  objectid: "ObjectId",
  ksuid: "KSUID",
  "ksuid-hex": "KSUID in hex",
  "crockford-check": "Random ID with a check",
  "resource-name": "Resource name",
  snowflake: "Snowflake",
  xid: "XID",
  cuid1: "CUID",
  cuid2: "CUID2",
  nanoid: "Nano ID",
  tsid: "TSID",
  "unix-s": "Unix seconds",
  "unix-ms": "Unix milliseconds",
  "unix-us": "Unix microseconds",
  "unix-ns": "Unix nanoseconds",
  md5: "MD5",
  sha1: "SHA-1",
  sha256: "SHA-256",
  sha512: "SHA-512",
};

// "uuid-v7" -> "UUID version 7". Names are the same in every language.
export function kindTitle(kind: string): string {
  const version = /^uuid-v(\d+)$/.exec(kind);
  if (version) return `UUID version ${version[1]}`;
  const layout = /^snowflake-(\w)(\w+)$/.exec(kind);
  if (layout) return `Snowflake (${layout[1]?.toUpperCase()}${layout[2]})`;
  return kTitles[kind] ?? kind;
}
