// The program's own commands, in the page: the words of a command line in, its answer out.
//
//    const core = await loadCore(url);
//    core.run(["inspect", "--json", text])      { status: 0, out: "{…}\n", err: "" }
//
// tessera.wasm is a WASI program. This file is the system that it runs on: arguments, standard
// input and output, a clock and randomness. It has no files, and all else is refused. Each call is
// a fresh instance of the module, so that none can leave anything behind for the next.

export interface Answer {
  status: number; // the exit code: 0 good, 1 some input invalid, 2 usage, 3 input or output
  out: string;
  err: string;
}

// A type of public IDs, as GET /v1/types lists them.
export interface DeclaredType {
  name: string;
  prefix: string;
  style: string;
  separator: string;
}

export interface Core {
  run(args: string[], stdin?: string): Answer;
  declare(types: DeclaredType[]): void; // for all calls that follow
}

const OUTPUT_MAX = 8 * 1024 * 1024; // more than a page can show; the program then ends
const INPUT_MAX = 8 * 1024 * 1024;
const ENTROPY_PIECE = 65536; // getRandomValues() gives no more at once

// Numbers of WASI (snapshot preview 1).
const GOOD = 0;
const E_BADF = 8;
const E_FBIG = 22;
const E_NOSYS = 52;
const E_SPIPE = 70;
const FILE_REGULAR = 4;

class Ended extends Error {
  constructor(readonly status: number) {
    super("ended");
  }
}

// What an instance has written to one file descriptor.
class Collected {
  private readonly decoder = new TextDecoder();
  private text = "";
  private size = 0;

  // False if it is too much.
  add(bytes: Uint8Array): boolean {
    this.size += bytes.length;
    if (this.size > OUTPUT_MAX) return false;
    this.text += this.decoder.decode(bytes, { stream: true });
    return true;
  }

  whole(): string {
    return this.text + this.decoder.decode();
  }
}

class Run {
  private memory = new WebAssembly.Memory({ initial: 0 });
  private readonly out = new Collected();
  private readonly err = new Collected();
  private readonly args: Uint8Array[];
  private readonly environment: Uint8Array[];

  constructor(
    args: string[],
    environment: string[],
    private input: Uint8Array,
  ) {
    const encoder = new TextEncoder();
    // A NUL would end an argument early, and the rest of it would go unseen.
    const terminated = (text: string) => encoder.encode(`${text.replaceAll("\0", "\ufffd")}\0`);
    this.args = ["tessera", ...args].map(terminated);
    this.environment = environment.map(terminated);
  }

  of(module: WebAssembly.Module): Answer {
    const instance = new WebAssembly.Instance(module, {
      wasi_snapshot_preview1: this.system(module),
    });
    this.memory = instance.exports.memory as WebAssembly.Memory;
    let status = 0;
    try {
      (instance.exports._start as () => void)();
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      status = error.status;
    }
    return { status, out: this.out.whole(), err: this.err.whole() };
  }

  // Whatever the module asks for and is not here is refused.
  private system(module: WebAssembly.Module): WebAssembly.ModuleImports {
    const known: Record<string, CallableFunction> = {
      args_sizes_get: (count: number, size: number) => this.sizes(this.args, count, size),
      args_get: (at: number, text: number) => this.texts(this.args, at, text),
      environ_sizes_get: (count: number, size: number) => this.sizes(this.environment, count, size),
      environ_get: (at: number, text: number) => this.texts(this.environment, at, text),
      fd_read: (fd: number, parts: number, count: number, size: number) =>
        fd === 0 ? this.read(parts, count, size) : E_BADF,
      fd_write: (fd: number, parts: number, count: number, size: number) =>
        fd === 1 || fd === 2 ? this.write(fd, parts, count, size) : E_BADF,
      fd_close: () => GOOD,
      fd_seek: () => E_SPIPE,
      fd_fdstat_get: (fd: number, at: number) => this.about(fd, at, 24, 0),
      fd_filestat_get: (fd: number, at: number) => this.about(fd, at, 64, 16),
      fd_prestat_get: () => E_BADF, // there are no folders
      clock_time_get: (_clock: number, _precision: bigint, at: number) => this.time(at),
      random_get: (at: number, size: number) => this.random(at, size),
      proc_exit: (status: number) => {
        throw new Ended(status);
      },
    };
    const refuse = () => E_NOSYS;
    return Object.fromEntries(
      WebAssembly.Module.imports(module).map(({ name }) => [name, known[name] ?? refuse]),
    ) as WebAssembly.ModuleImports;
  }

  private view(): DataView {
    return new DataView(this.memory.buffer);
  }

  private sizes(texts: Uint8Array[], count: number, size: number): number {
    this.view().setUint32(count, texts.length, true);
    this.view().setUint32(
      size,
      texts.reduce((sum, text) => sum + text.length, 0),
      true,
    );
    return GOOD;
  }

  private texts(texts: Uint8Array[], at: number, to: number): number {
    for (const text of texts) {
      this.view().setUint32(at, to, true);
      new Uint8Array(this.memory.buffer).set(text, to);
      at += 4;
      to += text.length;
    }
    return GOOD;
  }

  // The parts of memory that a read fills or a write empties.
  private *parts(at: number, count: number): Generator<Uint8Array> {
    for (let i = 0; i < count; ++i) {
      const start = this.view().getUint32(at + 8 * i, true);
      yield new Uint8Array(this.memory.buffer, start, this.view().getUint32(at + 8 * i + 4, true));
    }
  }

  private read(at: number, count: number, size: number): number {
    let done = 0;
    for (const part of this.parts(at, count)) {
      const piece = this.input.subarray(0, part.length);
      part.set(piece);
      this.input = this.input.subarray(piece.length);
      done += piece.length;
    }
    this.view().setUint32(size, done, true);
    return GOOD;
  }

  private write(fd: number, at: number, count: number, size: number): number {
    const to = fd === 1 ? this.out : this.err;
    let done = 0;
    for (const part of this.parts(at, count)) {
      if (!to.add(part)) return E_FBIG;
      done += part.length;
    }
    this.view().setUint32(size, done, true);
    return GOOD;
  }

  // Standard input and output are files here, so nothing takes them for a terminal.
  private about(fd: number, at: number, size: number, type: number): number {
    if (fd > 2) return E_BADF;
    new Uint8Array(this.memory.buffer, at, size).fill(0);
    this.view().setUint8(at + type, FILE_REGULAR);
    return GOOD;
  }

  private time(at: number): number {
    const ms = performance.timeOrigin + performance.now();
    this.view().setBigUint64(at, BigInt(Math.trunc(ms * 1000)) * 1000n, true);
    return GOOD;
  }

  private random(at: number, size: number): number {
    for (let done = 0; done < size; done += ENTROPY_PIECE) {
      const piece = Math.min(size - done, ENTROPY_PIECE);
      crypto.getRandomValues(new Uint8Array(this.memory.buffer, at + done, piece));
    }
    return GOOD;
  }
}

export function coreOf(module: WebAssembly.Module): Core {
  let environment = ["TZ=UTC"];
  return {
    run(args, stdin = "") {
      const input = new TextEncoder().encode(stdin);
      if (input.length > INPUT_MAX) {
        return { status: 3, out: "", err: "tessera: more input than a web page should hold\n" };
      }
      return new Run(args, environment, input).of(module);
    },
    declare(types) {
      const lines = types.map((type) =>
        [type.name, type.prefix, type.style, type.separator].join(" "),
      );
      environment = ["TZ=UTC", `TESSERA_TYPES=${lines.join("\n")}`];
    },
  };
}

export async function loadCore(url: string): Promise<Core> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`could not load ${url}: ${answer.status}`);
  return coreOf(await WebAssembly.compileStreaming(answer));
}
