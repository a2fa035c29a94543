// tessera.wasm, called: the functions of tessera/c.h with texts laid into its memory.
//
// The module is a WASI reactor: it is started once and keeps what makes IDs increase. All it
// needs of a system is a clock and randomness; whatever else it may ask for is refused.

import type { FaultCode } from "./fault.js";

// Where time and randomness come from. Both may be replaced, for tests.
export interface System {
  nowMs(): number;
  random(out: Uint8Array): void; // at most 65,536 bytes at once
}

export type Text = string | Uint8Array;

export const OK = 0;
const BUFFER_TOO_SMALL = 128;
export const BAD_ARGUMENT = 129;
export const INVALID_LENGTH = 1;
const TEXT_MAX = 65536; // of tessera_inspect(); nothing that long is an ID
const OUT_SIZE = 512; // whatever the kind, whatever the form
const NO_OFFSET = 0xffffffff;

const ENTROPY_PIECE = 65536; // of getRandomValues()
const POOL_SIZE = 1024; // random bytes drawn ahead; a call for a few costs as much as one for many
const E_NOSYS = 52; // of WASI

type Size = number;
type Pointer = number;

// As in c.h. A size_t is a number, a uint64_t a bigint.
export type Name = `tessera_${string}`;
export type Call = (...args: (number | bigint)[]) => number;
interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  malloc(size: Size): Pointer;
  free(at: Pointer): void;
  [name: Name]: Call;
}

// What a call has to work with: its texts, and room for what comes out.
export interface Frame {
  readonly texts: [Pointer, Size][];
  readonly size: Pointer; // size_t
  readonly offset: Pointer; // uint32_t
  readonly numbers: Pointer; // three of eight bytes
  readonly out: Pointer;
  readonly capacity: Size;
}

export interface Answer<T> {
  readonly status: number;
  readonly offset: number | null;
  readonly value: T;
}

export class Native {
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder();
  private readonly words = new Map<number, [FaultCode, string, string]>();

  private memory = new Uint8Array();

  private constructor(private readonly exports: Exports) {}

  // A function of c.h, by its name.
  c(name: Name, ...args: (number | bigint)[]): number {
    return (this.exports[name] as Call)(...args);
  }

  // The same, found once for many calls.
  named(name: Name): Call {
    return this.exports[name] as Call;
  }

  // Room for `size` bytes that is never given back.
  room(size: Size): Pointer {
    const at = this.exports.malloc(size);
    if (at === 0) throw new RangeError("tessera.wasm has no memory left");
    return at;
  }

  // Room for `size` bytes, while `work` runs.
  withRoom<T>(size: Size, work: (at: Pointer) => T): T {
    const at = this.room(size);
    try {
      return work(at);
    } finally {
      this.exports.free(at);
    }
  }

  static async start(module: WebAssembly.Module, system: System): Promise<Native> {
    let memory: WebAssembly.Memory;
    const pool = new Uint8Array(POOL_SIZE);
    let unread = 0;
    const known: Record<string, CallableFunction> = {
      clock_time_get: (_clock: number, _precision: bigint, at: Pointer) => {
        const ns = BigInt(Math.trunc(system.nowMs())) * 1_000_000n;
        new DataView(memory.buffer).setBigUint64(at, ns, true);
        return OK;
      },
      random_get: (at: Pointer, size: Size) => {
        if (size <= POOL_SIZE / 4) {
          if (unread < size) {
            system.random(pool);
            unread = POOL_SIZE;
          }
          unread -= size;
          const taken = pool.subarray(unread, unread + size);
          new Uint8Array(memory.buffer, at, size).set(taken);
          taken.fill(0); // what was handed out is kept nowhere
          return OK;
        }
        for (let done = 0; done < size; done += ENTROPY_PIECE) {
          system.random(
            new Uint8Array(memory.buffer, at + done, Math.min(size - done, ENTROPY_PIECE)),
          );
        }
        return OK;
      },
      proc_exit: (status: number) => {
        throw new Error(`tessera.wasm ended with ${status}`);
      },
    };
    const imports = WebAssembly.Module.imports(module).map(({ name }) => [
      name,
      known[name] ?? (() => E_NOSYS),
    ]);
    const instance = await WebAssembly.instantiate(module, {
      wasi_snapshot_preview1: Object.fromEntries(imports) as WebAssembly.ModuleImports,
    });
    const exports = instance.exports as unknown as Exports;
    memory = exports.memory;
    exports._initialize();
    return new Native(exports);
  }

  // Runs `work` with the texts in memory. A text that is too long for any ID is one of invalid length.
  // When what comes out needs more room than there is, it is asked once more, with enough.
  call<T>(
    texts: Text[],
    work: (frame: Frame) => number,
    read: (frame: Frame) => T,
  ): Answer<T | null> {
    const bytes = texts.map((text) =>
      typeof text === "string" ? this.encoder.encode(text) : text,
    );
    if (bytes.some((text) => text.length > TEXT_MAX)) {
      return { status: INVALID_LENGTH, offset: TEXT_MAX, value: null };
    }
    let answer = this.attempt(bytes, OUT_SIZE, work, read);
    if (answer.status === BUFFER_TOO_SMALL) answer = this.attempt(bytes, answer.needed, work, read);
    return answer;
  }

  private attempt<T>(
    texts: Uint8Array[],
    capacity: Size,
    work: (frame: Frame) => number,
    read: (frame: Frame) => T,
  ) {
    const fixed = 32;
    const total = texts.reduce((sum, text) => sum + text.length, fixed + capacity);
    return this.withRoom(total, (at) => {
      let place = at + fixed + capacity;
      const places = texts.map((text): [Pointer, Size] => {
        new Uint8Array(this.exports.memory.buffer).set(text, place);
        place += text.length;
        return [place - text.length, text.length];
      });
      const frame = {
        texts: places,
        size: at,
        offset: at + 4,
        numbers: at + 8,
        out: at + fixed,
        capacity,
      };
      this.view().setUint32(frame.offset, NO_OFFSET, true);
      const status = work(frame);
      const offset = this.view().getUint32(frame.offset, true);
      return {
        status,
        offset: status === OK || offset === NO_OFFSET ? null : offset,
        needed: this.view().getUint32(frame.size, true),
        value: status === OK ? read(frame) : null,
      };
    });
  }

  view(): DataView {
    return new DataView(this.exports.memory.buffer);
  }

  bytesAt(at: Pointer, size: Size): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer).slice(at, at + size);
  }

  textAt(at: Pointer, size: Size): string {
    return this.decoder.decode(new Uint8Array(this.exports.memory.buffer, at, size));
  }

  // A short text of ASCII: its characters are put together faster than a decoder is asked.
  asciiAt(at: Pointer, size: Size): string {
    if (this.memory.buffer !== this.exports.memory.buffer) {
      this.memory = new Uint8Array(this.exports.memory.buffer); // it has grown
    }
    return String.fromCharCode.apply(
      null,
      this.memory.subarray(at, at + size) as unknown as number[],
    );
  }

  // The text that a function has put into `out`, its size into `size`.
  out(frame: Frame): string {
    return this.textAt(frame.out, this.view().getUint32(frame.size, true));
  }

  // A text that ends with NUL.
  constant(at: Pointer): string {
    const memory = new Uint8Array(this.exports.memory.buffer);
    return this.textAt(at, memory.indexOf(0, at) - at);
  }

  // Name, phrase and hint of a status.
  wordsOf(status: number): [FaultCode, string, string] {
    let words = this.words.get(status);
    if (!words) {
      words = [
        this.constant(this.c("tessera_error_name", status)) as FaultCode,
        this.constant(this.c("tessera_error_phrase", status)),
        this.constant(this.c("tessera_error_hint", status)),
      ];
      this.words.set(status, words);
    }
    return words;
  }
}
