// Mint: make IDs of a kind, and see what they are made of and what they give away.

import { useMemo, useState } from "preact/hooks";
import { declaredTypes } from "../api.ts";
import { allKinds, askJson, core, inspect, type KindInfo, type Minted } from "../core/core.ts";
import { useLoaded } from "../hooks.ts";
import { said, words } from "../i18n/index.ts";
import { link, replace, route, token } from "../state.ts";
import { FieldList, Scale, Strips } from "../ui/bits.tsx";
import { Code, Copy, Note, PageHead, Panel, Segmented, Select, TextField } from "../ui/parts.tsx";

const kLayouts = ["twitter", "discord", "instagram", "sony", "mastodon", "linkedin", "js53"];
const kStyles = ["ulid", "typeid", "base36", "checked"];
const kSpaces = ["dns", "url", "oid", "x500"];
const kBits = ["40", "64", "80", "120", "128", "160", "256"];
const kCounts = ["1", "8", "64", "1000"];
const kStripsMax = 12;

// Kinds that this page cannot make: a short ID needs a scope, a uuidv8 bits of somebody's own.
const kNotHere = ["short", "uuidv8"];

type Wish = Record<
  "n" | "at" | "prefix" | "style" | "bits" | "group" | "layout" | "machine" | "space" | "name",
  string
>;

function argsOf(kind: string, wish: Wish): string[] {
  const args = ["new", kind, "--json", "-n", wish.n];
  const add = (flag: string, value: string) => {
    if (value) args.push(flag, value);
  };
  if (kind === "public") {
    add("--prefix", wish.prefix);
    add("--style", wish.style);
  }
  if (kind === "random") {
    add("--bits", wish.bits);
    add("--group", wish.group);
  }
  if (kind === "snowflake") {
    add("--layout", wish.layout);
    add("--machine", wish.machine);
  }
  if (kind === "uuidv3" || kind === "uuidv5") {
    add("--namespace", wish.space);
    add("--name", wish.name);
  } else {
    add("--at", wish.at);
  }
  return args;
}

// How inspect calls what was made.
const asOf = (kind: string, wish: Wish) =>
  kind === "snowflake" ? `snowflake-${wish.layout}` : kind === "public" ? "" : kind;

const kCppTypes: Record<string, string> = {
  ulid: "Ulid",
  snowflake: "Snowflake",
  objectid: "ObjectId",
  ksuid: "Ksuid",
};

function written(ids: string[], kind: string, how: string): string {
  if (how === "json") return JSON.stringify(ids.length === 1 ? { id: ids[0] } : { ids }, null, 2);
  if (how === "sql") {
    const literal = (id: string) => (kind === "snowflake" ? id : `'${id}'`);
    return `INSERT INTO items (id) VALUES\n${ids.map((id) => `  (${literal(id)})`).join(",\n")};`;
  }
  if (how === "cpp") {
    const type = kind.startsWith("uuid") ? "Uuid" : kCppTypes[kind];
    if (type && ids.length === 1) return `const auto id = tessera::${type}::parse("${ids[0]}");`;
    return `constexpr std::array ids = {\n${ids.map((id) => `    "${id}",`).join("\n")}\n};`;
  }
  return ids.join("\n");
}

function Facts({ info }: { info: KindInfo }) {
  const t = words.value.mint;
  const rows: [string, string][] = [
    [t.sorts, info.sorts],
    [t.guessing, info.guessing],
    [t.givesAway, info.gives_away],
    [t.size, info.size],
    [t.useItFor, info.use_it_for],
  ];
  return (
    <dl class="kind-facts">
      {rows.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{said(text)}</dd>
        </div>
      ))}
    </dl>
  );
}

// All kinds side by side: what to know before choosing one.
function Compared({ kinds, kind }: { kinds: KindInfo[]; kind: string }) {
  const t = words.value.mint;
  return (
    <Panel title={t.compared} flush>
      <div class="table-box">
        <table class="table compared">
          <thead>
            <tr>
              <th>{t.kinds}</th>
              <th>{t.sorts}</th>
              <th>{t.guessing}</th>
              <th>{t.givesAway}</th>
            </tr>
          </thead>
          <tbody>
            {kinds.map((one) => (
              <tr key={one.kind} class={one.kind === kind ? "picked" : ""}>
                <th scope="row">
                  <a href={link("mint", [one.kind])}>{one.title}</a>
                </th>
                <td>{said(one.sorts)}</td>
                <td>{said(one.guessing)}</td>
                <td>{said(one.gives_away)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function Options(props: { kind: string; wish: Wish; set: (change: Partial<Wish>) => void }) {
  const t = words.value.mint;
  const { kind, wish, set } = props;
  const types = useLoaded(declaredTypes, [token.value]);
  const pairs = (values: string[]) => values.map((value) => [value, value] as const);
  return (
    <div class="fields">
      {kind === "public" && (
        <>
          <TextField
            label={t.prefix}
            value={wish.prefix}
            onInput={(prefix) => set({ prefix })}
            mono
            list="prefixes"
          />
          <datalist id="prefixes">
            {types.value?.map((type) => (
              <option key={type.prefix} value={type.prefix}>
                {type.name}
              </option>
            ))}
          </datalist>
          <Select
            label={t.style}
            value={wish.style}
            options={pairs(kStyles)}
            onChange={(style) => set({ style })}
          />
        </>
      )}
      {kind === "random" && (
        <>
          <Select
            label={t.bits}
            value={wish.bits}
            options={pairs(kBits)}
            onChange={(bits) => set({ bits })}
          />
          <Select
            label={t.group}
            value={wish.group}
            options={[
              ["", t.noGroup],
              ["4", "4"],
              ["5", "5"],
            ]}
            onChange={(group) => set({ group })}
          />
        </>
      )}
      {kind === "snowflake" && (
        <>
          <Select
            label={t.layout}
            value={wish.layout}
            options={pairs(kLayouts)}
            onChange={(layout) => set({ layout })}
          />
          <TextField
            label={t.machine}
            value={wish.machine}
            onInput={(machine) => set({ machine })}
            mono
          />
        </>
      )}
      {kind === "uuidv3" || kind === "uuidv5" ? (
        <>
          <Select
            label={t.space}
            value={wish.space}
            options={pairs(kSpaces)}
            onChange={(space) => set({ space })}
          />
          <TextField label={t.name} value={wish.name} onInput={(name) => set({ name })} />
        </>
      ) : (
        <TextField
          label={t.at}
          value={wish.at}
          onInput={(at) => set({ at })}
          placeholder={t.now}
          mono
        />
      )}
    </div>
  );
}

function Made(props: { kind: string; wish: Wish; info: KindInfo; kinds: KindInfo[] }) {
  const { kind, wish, info } = props;
  const t = words.value.mint;
  const [turn, setTurn] = useState(0);
  const [how, setHow] = useState("text");
  const [lit, setLit] = useState(-1);
  const made = useMemo(() => askJson<Minted>(argsOf(kind, wish)), [kind, wish, turn]);
  const ids = made.ok ? made.items.map((one) => one.text) : [];
  const seen = useMemo(
    () => ids.slice(0, kStripsMax).map((id) => inspect(id, asOf(kind, wish))),
    [ids[0], ids.length, ids[1]],
  );
  const first = seen[0];
  const rows = seen.flatMap((one) => (one?.hex ? [{ hex: one.hex, fields: one.fields }] : []));
  const formats = [
    ["text", t.asText],
    ["sql", "SQL"],
    ["json", "JSON"],
    ["cpp", "C++"],
  ] as const;
  return (
    <>
      <section class="panel headline">
        {made.ok ? (
          <p class="the-id">
            <span class="mono">{ids[0]}</span>
            <Copy text={ids[0] ?? ""} what={info.title} />
            <a class="small" href={link("inspect", [ids[0] ?? ""])}>
              {t.inspectIt}
            </a>
          </p>
        ) : (
          <Note tone="bad">
            <p>{made.message}</p>
            <p>{made.hint}</p>
          </Note>
        )}
        <div class="mint-row">
          <button type="button" class="primary" onClick={() => setTurn(turn + 1)}>
            {t.again}
          </button>
          <Segmented
            label={t.count}
            value={wish.n}
            options={kCounts.map((n) => [n, n] as const)}
            onChange={(n) => replaceWith(kind, { ...wish, n })}
          />
          <Options
            kind={kind}
            wish={wish}
            set={(change) => replaceWith(kind, { ...wish, ...change })}
          />
        </div>
      </section>
      {first && first.fields.length > 0 && (
        <Panel title={t.layoutTitle} about={t.layoutAbout}>
          <Scale fields={first.fields} lit={lit} />
          <FieldList fields={first.fields} lit={lit} onLit={setLit} />
        </Panel>
      )}
      <Panel title={t.facts(info.title)} flush>
        <Facts info={info} />
      </Panel>
      {rows.length > 1 && (
        <Panel title={t.moves} about={t.movesAbout}>
          <Strips rows={rows} />
        </Panel>
      )}
      {made.ok && (
        <Panel
          title={t.copyAs}
          aside={<Segmented label={t.copyAs} value={how} options={formats} onChange={setHow} />}
        >
          <Code text={written(ids, kind, how)} what={t.copyAs} />
        </Panel>
      )}
      <Compared kinds={props.kinds} kind={kind} />
    </>
  );
}

const kFirst: Wish = {
  n: "8",
  at: "",
  prefix: "ord",
  style: "ulid",
  bits: "120",
  group: "",
  layout: "twitter",
  machine: "1",
  space: "dns",
  name: "www.example.com",
};

function replaceWith(kind: string, wish: Wish): void {
  const changed = Object.entries(wish).filter(
    ([key, value]) => value !== kFirst[key as keyof Wish],
  );
  replace(link("mint", [kind], Object.fromEntries(changed)));
}

export function MintPage() {
  const t = words.value.mint;
  const kinds = core.value ? allKinds().filter((info) => !kNotHere.includes(info.kind)) : [];
  const kind = route.value.rest[0] || "ulid";
  const query = route.value.query.toString();
  const wish = useMemo<Wish>(() => {
    const asked = Object.fromEntries(new URLSearchParams(query));
    return { ...kFirst, ...asked };
  }, [query]);
  const info = kinds.find((one) => one.kind === kind);
  return (
    <div class="page">
      <PageHead title={t.title} about={t.about} />
      <div class="side">
        <nav class="panel kind-list" aria-label={t.kinds}>
          {kinds.map((one) => (
            <a
              key={one.kind}
              href={link("mint", [one.kind])}
              aria-current={one.kind === kind ? "true" : undefined}
            >
              <strong>{one.title}</strong>
              <span>{said(one.use_it_for)}</span>
            </a>
          ))}
        </nav>
        <div class="stack">
          {info && <Made key={kind} kind={kind} wish={wish} info={info} kinds={kinds} />}
          {core.value && !info && <Note tone="bad">{t.unknownKind(kind)}</Note>}
        </div>
      </div>
    </div>
  );
}
