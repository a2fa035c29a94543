// Languages: the words of the page, the names of kinds, and what the core says.

import { language } from "../state.ts";
import { type Dictionary, en } from "./en.ts";
import { zh } from "./zh.ts";
import { patterns, phrases } from "./zh_core.ts";

export type Language = "en" | "zh";
export const dictionaries: Record<Language, Dictionary> = { en, zh };

// What the core said, in the language of the page as far as that is known.
export function said(text: string): string {
  if (language.value !== "zh" || !text) return text;
  const known = phrases[text];
  if (known) return known;
  for (const [pattern, words] of patterns) {
    if (pattern.test(text)) return text.replace(pattern, words);
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
