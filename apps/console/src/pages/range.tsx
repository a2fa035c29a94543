// Range: a span of time as the smallest and the largest ID, and as a WHERE clause.

import { useMemo } from "preact/hooks";
import { ask, askJson, core, inspect, type Span } from "../core/core.ts";
import { duration } from "../format.ts";
import { said, words } from "../i18n/index.ts";
import { link, replace, route } from "../state.ts";
import { Scale } from "../ui/bits.tsx";
import { Code, Copy, CopyLink, Note, PageHead, Panel, Select, TextField } from "../ui/parts.tsx";

const kKinds = ["ulid", "uuidv7", "uuidv6", "snowflake", "objectid", "ksuid", "public"];
const kLayouts = ["twitter", "discord", "instagram", "sony", "mastodon", "linkedin", "js53"];
const kForms = ["", "uuid", "hex", "int", "bytes", "base62"];
const kSpans: readonly [key: "hour" | "today" | "week" | "month", from: string, to: string][] = [
  ["hour", "-60m", "now"],
  ["today", "today", "now"],
  ["week", "-7d", "now"],
  ["month", "-30d", "now"],
];

const pairs = (values: string[]) => values.map((value) => [value, value] as const);

export function RangePage() {
  const t = words.value.range;
  const query = route.value.query;
  const wish = {
    kind: query.get("kind") ?? "ulid",
    from: query.get("from") ?? "-7d",
    to: query.get("to") ?? "now",
    column: query.get("column") ?? "id",
    layout: query.get("layout") ?? "twitter",
    prefix: query.get("prefix") ?? "ord",
    form: query.get("form") ?? "",
  };
  const set = (change: Partial<typeof wish>) => replace(link("range", [], { ...wish, ...change }));
  const args = ["range", wish.kind, "--", wish.from, wish.to];
  const flags = [
    ...(wish.kind === "snowflake" ? ["--layout", wish.layout] : []),
    ...(wish.kind === "public" ? ["--prefix", wish.prefix] : []),
    ...(wish.form ? ["--form", wish.form] : []),
  ];
  const key = JSON.stringify([args, flags, wish.column, core.value !== null]);
  const [span, clause] = useMemo(() => {
    // Both speak of the same moment.
    const options = [args[0] ?? "", args[1] ?? "", ...flags, "--now", String(Date.now())];
    const bounds = args.slice(2);
    return [
      askJson<Span>([...options, "--json", ...bounds]),
      ask([...options, "--sql", wish.column || "id", ...bounds]),
    ] as const;
  }, [key]);
  const found = span.ok ? span.items[0] : undefined;
  const as = wish.kind === "snowflake" ? `snowflake-${wish.layout}` : "";
  const seen = found ? inspect(found.smallest, as) : null;
  return (
    <div class="page">
      <PageHead title={t.title} about={t.about} />
      <Panel title={t.span}>
        <div class="fields">
          <Select
            label={t.kind}
            value={wish.kind}
            options={pairs(kKinds)}
            onChange={(kind) => set({ kind })}
          />
          <TextField label={t.from} value={wish.from} onInput={(from) => set({ from })} mono />
          <TextField label={t.to} value={wish.to} onInput={(to) => set({ to })} mono />
          {wish.kind === "snowflake" && (
            <Select
              label={words.value.mint.layout}
              value={wish.layout}
              options={pairs(kLayouts)}
              onChange={(layout) => set({ layout })}
            />
          )}
          {wish.kind === "public" && (
            <TextField
              label={words.value.mint.prefix}
              value={wish.prefix}
              onInput={(prefix) => set({ prefix })}
              mono
            />
          )}
          <Select
            label={t.form}
            value={wish.form}
            options={kForms.map((form) => [form, form || t.own] as const)}
            onChange={(form) => set({ form })}
          />
          <TextField
            label={t.column}
            value={wish.column}
            onInput={(column) => set({ column })}
            mono
          />
        </div>
        <div class="chips" role="group" aria-label={t.presets}>
          {kSpans.map(([name, from, to]) => (
            <button type="button" class="bare" key={name} onClick={() => set({ from, to })}>
              {t.spans[name]}
            </button>
          ))}
          <span class="quiet small push">{t.times}</span>
        </div>
      </Panel>
      {!core.value ? null : span.ok && found ? (
        <>
          <Panel
            title={t.bounds}
            about={t.boundsAbout(duration((Date.parse(found.to) - Date.parse(found.from)) / 1000))}
            flush
          >
            <div class="bounds">
              <Bound name={t.smallest} text={found.smallest} time={found.from} note={t.included} />
              <Bound name={t.largest} text={found.largest} time={found.to} note={t.excluded} />
            </div>
          </Panel>
          <Panel title={t.clause} aside={<CopyLink />}>
            {clause.ok ? (
              <Code text={(clause.text ?? "").trim()} what={t.clause} />
            ) : (
              <Note tone="bad">{said(clause.message)}</Note>
            )}
          </Panel>
          {seen && seen.fields.length > 0 && (
            <Panel title={t.why} about={t.whyAbout}>
              <Scale fields={seen.fields} />
            </Panel>
          )}
        </>
      ) : (
        !span.ok && (
          <Note tone="bad">
            <p>{said(span.message)}</p>
            <p>{said(span.hint)}</p>
          </Note>
        )
      )}
    </div>
  );
}

function Bound(props: { name: string; text: string; time: string; note: string }) {
  return (
    <div>
      <h3>{props.name}</h3>
      <p class="the-id">
        <span class="mono">{props.text}</span>
        <Copy text={props.text} what={props.name} />
      </p>
      <p class="quiet small">
        <span class="mono">{props.time}</span> · {props.note}
      </p>
    </div>
  );
}
