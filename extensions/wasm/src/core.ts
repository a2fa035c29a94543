// Tessera over one instance of tessera.wasm. Most people import "tessera-id" itself, which loads the
// module; this is for those who have it in another way:
//
//    import { load } from "tessera-id/core";
//    const tessera = await load(await WebAssembly.compile(bytes));
//
// Wherever something is asked for by name, the name is a kind ("ulid", "uuidv7", "snowflake-discord")
// or the prefix of public IDs, with their style behind it unless that is ulid ("ord", "ord:checked").

import { type Fault, type Result, TesseraError } from "./fault.js";
import type { Inspection } from "./inspection.js";
import {
  type Answer,
  BAD_ARGUMENT,
  type Frame,
  type Name,
  Native,
  OK,
  type System,
  type Text,
} from "./native.js";

export { type Fault, type FaultCode, type Result, TesseraError, unwrap } from "./fault.js";
export type { Field, Guess, Inspection, NearMiss } from "./inspection.js";
export type { System, Text } from "./native.js";

export type Kind =
  | "ulid"
  | `uuidv${1 | 3 | 4 | 5 | 6 | 7 | 8}`
  | "objectid"
  | "ksuid"
  | "random"
  | "typeid"
  | "snowflake"
  | `snowflake-${string}`;
export type What = Kind | (string & {});
export type Form =
  | "ulid"
  | "uuid"
  | "hex"
  | "base32"
  | "base36"
  | "base62"
  | "base58"
  | "base64url"
  | "int"
  | "bytes"
  | "crockford"
  | "typeid";
export type Moment = Date | number; // a number is in ms since 1970

export interface NewOptions {
  bits?: number; // of random: 1 to 512, 120 if nothing is said
  check?: number; // its check symbols: 1, 2 or 3
  namespace?: string; // of uuidv3 and uuidv5: a UUID
  name?: string;
  machine?: number | bigint; // of a snowflake: this process alone must have it
}

export interface Span {
  smallest: string;
  largest: string;
}

export interface Odds {
  bits: number;
  count: number;
  probability: number;
  words: string;
}

// Two of the three; the other is the answer.
export type OddsQuestion =
  | { bits: number; count: number }
  | { bits: number; probability: number }
  | { count: number; probability: number };

export interface Tessera {
  readonly version: string;
  ulid(): string;
  uuidv4(): string;
  uuidv7(): string;
  // A new ID, or many: each sorts behind those before it, where its kind sorts at all.
  newId(what: What, options?: NewOptions): string;
  newIds(what: What, count: number, options?: NewOptions): string[];
  // Whether `text` is what it should be; without a name, whether it is anything. Strict: as a machine
  // writes it, with no variation but letter case.
  check(text: Text, what?: What, options?: { strict?: boolean; now?: Moment }): Result<true>;
  // Everything that can be said of a text, and the same as the JSON of the command line.
  inspect(text: Text, options?: { as?: string; now?: Moment }): Inspection;
  inspectJson(text: Text, options?: { as?: string; now?: Moment }): string;
  convert(text: Text, to: Form, options?: { from?: string; now?: Moment }): Result<string>;
  toBytes(text: Text, options?: { from?: string; now?: Moment }): Result<Uint8Array>;
  // When it was made.
  time(text: Text, what?: What): Result<Date>;
  // The smallest and the largest ID from `from` to before `to`.
  range(what: What, from: Moment, to: Moment): Result<Span>;
  odds(question: OddsQuestion): Odds;
  // The symbols that belong behind digits without any.
  checkSymbols(text: Text, options?: { bits?: number; count?: number }): Result<string>;
}

const COUNT_MAX = 10_000_000;
const MANY_PIECE = 4096; // IDs made in one call
const LIST_SIZE = 160; // TESSERA_TEXT_SIZE_MAX

export function systemOf(crypto: { getRandomValues(out: Uint8Array): unknown }): System {
  return { nowMs: () => Date.now(), random: (out) => void crypto.getRandomValues(out) };
}

export async function load(
  module: WebAssembly.Module,
  system: System = systemOf(globalThis.crypto),
): Promise<Tessera> {
  return over(await Native.start(module, system));
}

function over(native: Native): Tessera {
  const call = native.c.bind(native);
  const snowflakes = new Map<string, number>(); // generators, by layout and machine

  const faultOf = ({ status, offset }: Answer<unknown>): Fault => {
    const [code, phrase, hint] = native.wordsOf(status);
    return { code, offset, phrase, hint };
  };
  // A wrong call is thrown, a text that is no ID is an answer.
  const resultOf = <T>(about: string, answer: Answer<T | null>): Result<T> => {
    if (answer.status === OK) return { ok: true, value: answer.value as T };
    if (answer.status >= BAD_ARGUMENT) throw new TesseraError(faultOf(answer), about);
    return { ok: false, error: faultOf(answer) };
  };
  const valueIn = <T>(about: string, answer: Answer<T | null>): T => {
    if (answer.status !== OK) throw new TesseraError(faultOf(answer), about);
    return answer.value as T;
  };
  const one = (frame: Frame, at = 0) => frame.texts[at] as [number, number];
  const out = (frame: Frame) => native.out(frame);

  const newRandom = (options: NewOptions) =>
    valueIn(
      "newId random",
      native.call(
        [],
        (f) =>
          call(
            "tessera_random_new",
            options.bits ?? 120,
            options.check ?? 1,
            f.out,
            f.capacity,
            f.size,
          ),
        out,
      ),
    );

  const newNamed = (version: number, options: NewOptions) => {
    const about = `newId uuidv${version}`;
    if (options.namespace === undefined || options.name === undefined) {
      throw new TypeError(`${about} needs a namespace and a name`);
    }
    const texts = [options.namespace, options.name];
    const space = native.call(
      texts,
      (f) => call("tessera_uuid_parse", ...one(f), f.out, f.offset),
      (f) => native.bytesAt(f.out, 16),
    );
    const named = [valueIn(`${about}: namespace`, space), options.name];
    const work = (f: Frame) => {
      const made = call("tessera_uuid_from_name", version, one(f)[0], ...one(f, 1), f.numbers);
      if (made === OK) call("tessera_uuid_text", f.numbers, f.out);
      return made;
    };
    return valueIn(
      about,
      native.call(named, work, (f) => native.textAt(f.out, 36)),
    );
  };

  const snowflake = (what: string, options: NewOptions) => {
    const about = `newId ${what}`;
    if (options.machine === undefined)
      throw new TypeError(`${about} needs a machine, which no other process has`);
    const layout = what === "snowflake" ? "twitter" : what.slice("snowflake-".length);
    const machine = BigInt(options.machine);
    if (machine < 0n || machine > 0xffff_ffff_ffff_ffffn)
      throw new RangeError(`${about}: machine is out of range`);
    const key = `${layout} ${machine}`;
    let generator = snowflakes.get(key);
    if (generator === undefined) {
      const make = (f: Frame) => call("tessera_snowflake_create", one(f)[0], machine, f.out);
      generator = valueIn(
        about,
        native.call([`${layout}\0`], make, (f) => native.view().getUint32(f.out, true)),
      );
      snowflakes.set(key, generator);
    }
    const made = generator;
    return valueIn(
      about,
      native.call(
        [],
        (f) => call("tessera_snowflake_next", made, f.numbers),
        (f) => native.view().getBigUint64(f.numbers, true).toString(),
      ),
    );
  };

  const newId = (what: What, options: NewOptions = {}): string => {
    if (what === "random") return newRandom(options);
    if (what === "uuidv3" || what === "uuidv5") return newNamed(Number(what.slice(5)), options);
    if (/^snowflake(-|$)/.test(what)) return snowflake(what, options);
    const make = (f: Frame) => call("tessera_new", ...one(f), f.out, f.capacity, f.size);
    return valueIn(`newId ${what}`, native.call([what], make, out));
  };

  // One of 16 bytes, in room that stays, by functions that were found once.
  const single = (what: string, name: Name, version: number[], writeName: Name, size: number) => {
    const make = native.named(name);
    const write = native.named(writeName);
    const at = native.room(16 + size);
    return (): string => {
      const status = make(...version, at);
      if (status !== OK) valueIn(`newId ${what}`, { status, offset: null, value: null });
      write(at, at + 16);
      return native.asciiAt(at + 16, size);
    };
  };

  // 16 bytes each, made in one call and then written.
  const newMany = (
    make: (at: number, count: number) => number,
    write: Name,
    size: number,
    count: number,
  ) => {
    const pieces = Math.min(count, MANY_PIECE);
    return native.withRoom(16 * pieces + size, (at) => {
      const ids: string[] = [];
      while (ids.length < count) {
        const piece = Math.min(pieces, count - ids.length);
        valueIn("newIds", { status: make(at, piece), offset: null, value: null });
        for (let i = 0; i < piece; ++i) {
          call(write, at + 16 * i, at + 16 * pieces);
          ids.push(native.textAt(at + 16 * pieces, size));
        }
      }
      return ids;
    });
  };

  const newIds = (what: What, count: number, options: NewOptions = {}): string[] => {
    if (!Number.isInteger(count) || count < 0 || count > COUNT_MAX) {
      throw new RangeError(`newIds: count is a whole number up to ${COUNT_MAX}`);
    }
    if (what === "ulid") {
      return newMany(
        (at, n) => call("tessera_ulid_new_many", at, n),
        "tessera_ulid_text",
        26,
        count,
      );
    }
    if (/^uuidv[1467]$/.test(what)) {
      const version = Number(what.slice(5));
      return newMany(
        (at, n) => call("tessera_uuid_new_many", version, at, n),
        "tessera_uuid_text",
        36,
        count,
      );
    }
    return Array.from({ length: count }, () => newId(what, options));
  };

  const check = (
    text: Text,
    what = "",
    options: { strict?: boolean; now?: Moment } = {},
  ): Result<true> => {
    const now = msOf(options.now);
    const work = (f: Frame) =>
      what === ""
        ? call("tessera_check_any", ...one(f, 1), now)
        : call("tessera_check", ...one(f), options.strict ? 1 : 0, ...one(f, 1), f.offset);
    return resultOf(
      `check ${what}`,
      native.call([what, text], work, () => true as const),
    );
  };

  const inspectJson = (text: Text, options: { as?: string; now?: Moment } = {}): string => {
    const now = msOf(options.now); // once: the probabilities, and so the size, depend on it
    const work = (f: Frame) =>
      call("tessera_inspect", ...one(f), ...one(f, 1), now, f.out, f.capacity, f.size);
    return valueIn("inspect", native.call([options.as ?? "", text], work, out));
  };

  const convert = (
    text: Text,
    to: Form,
    options: { from?: string; now?: Moment } = {},
  ): Result<string> => {
    const now = msOf(options.now);
    const work = (f: Frame) =>
      call(
        "tessera_convert",
        ...one(f),
        ...one(f, 1),
        ...one(f, 2),
        now,
        f.out,
        f.capacity,
        f.size,
        f.offset,
      );
    return resultOf(`convert to ${to}`, native.call([options.from ?? "", to, text], work, out));
  };

  return {
    version: native.constant(call("tessera_version")),
    newId,
    newIds,
    check,
    inspectJson,
    convert,
    ulid: single("ulid", "tessera_ulid_new", [], "tessera_ulid_text", 26),
    uuidv4: single("uuidv4", "tessera_uuid_new", [4], "tessera_uuid_text", 36),
    uuidv7: single("uuidv7", "tessera_uuid_new", [7], "tessera_uuid_text", 36),
    inspect: (text, options) => JSON.parse(inspectJson(text, options)) as Inspection,

    toBytes(text, options) {
      const hex = convert(text, "hex", options);
      if (!hex.ok) return hex;
      return {
        ok: true,
        value: Uint8Array.from(hex.value.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)),
      };
    },

    time(text, what = "") {
      const work = (f: Frame) =>
        call("tessera_time_ms", ...one(f), ...one(f, 1), f.numbers, f.offset);
      const read = (f: Frame) => new Date(Number(native.view().getBigInt64(f.numbers, true)));
      return resultOf(`time ${what}`, native.call([what, text], work, read));
    },

    range(what, from, to) {
      const work = (f: Frame) =>
        call("tessera_range", ...one(f), msOf(from), msOf(to), f.out, f.out + LIST_SIZE, f.size);
      const read = (f: Frame) => {
        const size = native.view().getUint32(f.size, true);
        return {
          smallest: native.textAt(f.out, size),
          largest: native.textAt(f.out + LIST_SIZE, size),
        };
      };
      return resultOf(`range ${what}`, native.call([what], work, read));
    },

    odds(question) {
      const asked: Partial<Odds> = question;
      const numbers = [asked.bits ?? -1, asked.count ?? -1, asked.probability ?? -1];
      const work = (f: Frame) => {
        for (const [i, number] of numbers.entries()) {
          native.view().setFloat64(f.numbers + 8 * i, number, true);
        }
        return call(
          "tessera_odds",
          f.numbers,
          f.numbers + 8,
          f.numbers + 16,
          f.out,
          f.capacity,
          f.size,
        );
      };
      const read = (f: Frame): Odds => {
        const number = (i: number) => native.view().getFloat64(f.numbers + 8 * i, true);
        return { bits: number(0), count: number(1), probability: number(2), words: out(f) };
      };
      return valueIn("odds", native.call([], work, read));
    },

    checkSymbols(text, options = {}) {
      const isPublic = typeof text === "string" ? text.includes("_") : text.includes(0x5f);
      const count = options.count ?? (isPublic ? 2 : 1);
      const work = (f: Frame) =>
        call("tessera_checksum", ...one(f), options.bits ?? 0, count, f.out, f.offset);
      return resultOf(
        "checkSymbols",
        native.call([text], work, (f) => native.textAt(f.out, count)),
      );
    },
  };
}

function msOf(moment: Moment = Date.now()): bigint {
  const ms = Number(moment);
  if (!(ms >= 0 && ms <= Number.MAX_SAFE_INTEGER))
    throw new RangeError("a moment is in ms since 1970, and not before");
  return BigInt(Math.trunc(ms));
}
