// Inspect: paste anything. One ID is explained, many are listed, a line of a log is searched.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { askJson, core, declared, type Inspection } from "../core/core.ts";
import { percent } from "../format.ts";
import { kindTitle, words } from "../i18n/index.ts";
import { go, link, pasteWanted, replace, route } from "../state.ts";
import { Card } from "../ui/card.tsx";
import { Note, PageHead, Panel } from "../ui/parts.tsx";

const kLinkSizeMax = 2000; // longer text is inspected, but not put into the address
const kLinesMax = 1000;

const kExamples: readonly [string, string][] = [
  ["ULID", "01ARZ3NDEKTSV4RRFFQ69G5FAV"],
  ["UUID v7", "017F22E2-79B0-7CC3-98C4-DC0C0C07398F"],
  ["Snowflake", "1541815603606036480"],
  ["ObjectId", "507f1f77bcf86cd799439011"],
  ["mistyped", "KFV1-B65P-8Q3D-MC"],
  ["url", "https://example.com/orders/01ARZ3NDEKTSV4RRFFQ69G5FAV?page=2"],
  [
    "log",
    "2026-01-31T09:00:01Z WARN pay_01KG9MFMM0D7S65XGYYP0Y0E5Y declined for order 550e8400-e29b-41d4-a716-446655440000",
  ],
];

// A line with IDs in it: they are marked, and one of them is explained below.
function Within({ seen }: { seen: Inspection }) {
  const t = words.value.inspect;
  const [picked, pick] = useState(0);
  const pieces: (string | number)[] = [];
  let rest = seen.input;
  seen.inside.forEach((part, i) => {
    const at = rest.indexOf(part.text);
    if (at < 0) return;
    pieces.push(rest.slice(0, at), i);
    rest = rest.slice(at + part.text.length);
  });
  pieces.push(rest);
  const shown = seen.inside[picked];
  return (
    <>
      <Panel title={t.found(seen.inside.length)}>
        <p class="log-line mono">
          {pieces.map((piece, i) =>
            typeof piece === "string" ? (
              piece
            ) : (
              <button
                type="button"
                key={i}
                class="found"
                aria-pressed={piece === picked}
                onClick={() => pick(piece)}
              >
                {seen.inside[piece]?.text}
              </button>
            ),
          )}
        </p>
      </Panel>
      {shown && <Card text={shown.text} as="" />}
    </>
  );
}

function One({ text, as }: { text: string; as: string }) {
  const seen = useMemo(() => {
    const said = askJson<Inspection>(["inspect", "--json", "--", text]);
    return said.ok ? said.items[0] : undefined;
  }, [text, declared.value]);
  if (!as && seen && !seen.valid && seen.inside.length > 0) return <Within seen={seen} />;
  return <Card text={text} as={as} />;
}

function Many({ lines }: { lines: string[] }) {
  const t = words.value.inspect;
  const [picked, pick] = useState(0);
  const shown = lines.slice(0, kLinesMax);
  const rows = useMemo(() => {
    const said = askJson<Inspection>(
      ["inspect", "--json", "-0"],
      shown.map((line) => `${line}\0`).join(""),
    );
    return said.ok ? said.items : [];
  }, [shown.join("\n")]);
  const line = shown[picked] ?? shown[0] ?? "";
  return (
    <>
      <Panel
        title={t.lines(lines.length)}
        about={lines.length > kLinesMax ? t.linesCut(kLinesMax) : ""}
        flush
      >
        <div class="table-box lines">
          <table class="table">
            <thead>
              <tr>
                <th>{t.text}</th>
                <th>{t.kind}</th>
                <th class="number">{t.certainty}</th>
                <th>{t.utc}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, i) => (
                <tr key={i} class={i === picked ? "picked" : ""}>
                  <td>
                    <button
                      type="button"
                      class="bare mono line-pick"
                      aria-pressed={i === picked}
                      onClick={() => pick(i)}
                    >
                      {row.input}
                    </button>
                  </td>
                  <td>
                    {row.kind
                      ? kindTitle(row.kind)
                      : row.inside.length
                        ? t.found(row.inside.length)
                        : t.unknown}
                  </td>
                  <td class="number">
                    {row.guesses[0] ? percent(row.guesses[0].probability) : "–"}
                  </td>
                  <td class="mono">{row.time ?? "–"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Panel>
      <One key={line} text={line} as="" />
    </>
  );
}

export function InspectPage() {
  const t = words.value.inspect;
  const asked = route.value.rest.join("/");
  const as = route.value.query.get("as") ?? "";
  const [text, setText] = useState(asked);
  const box = useRef<HTMLTextAreaElement>(null);
  // A link, or the way back, brings another text.
  useEffect(() => {
    if (asked && asked !== text.trim()) setText(asked);
  }, [asked]);
  useEffect(() => {
    if (!box.current) return;
    box.current.style.height = "auto";
    box.current.style.height = `${Math.min(box.current.scrollHeight + 2, 220)}px`;
  }, [text]);
  useEffect(() => {
    if (!pasteWanted.value) return;
    pasteWanted.value = false;
    box.current?.focus();
    box.current?.select();
  }, [pasteWanted.value]);
  const change = (next: string) => {
    setText(next);
    const trimmed = next.trim();
    replace(link("inspect", trimmed && trimmed.length <= kLinkSizeMax ? [trimmed] : []));
  };
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const one = lines[0]?.trim() ?? "";
  return (
    <div class="page">
      <PageHead title={t.title} about={t.about} />
      <div class="paste-box">
        <label class="unseen" for="paste">
          {t.paste}
        </label>
        <textarea
          id="paste"
          ref={box}
          class="mono"
          rows={1}
          value={text}
          placeholder={t.paste}
          spellcheck={false}
          autocapitalize="off"
          onInput={(event) => change(event.currentTarget.value)}
        />
        <span class="keys" aria-hidden="true">
          Ctrl K
        </span>
      </div>
      <div class="chips" role="group" aria-label={t.examples}>
        <span class="quiet small">{t.examples}</span>
        {kExamples.map(([name, example]) => (
          <button
            type="button"
            class="bare"
            key={name}
            onClick={() => go(link("inspect", [example]))}
          >
            {name in t.exampleNames ? t.exampleNames[name as keyof typeof t.exampleNames] : name}
          </button>
        ))}
      </div>
      {as && one && (
        <Note>
          {t.readAs(kindTitle(as))} <a href={link("inspect", [one])}>{t.readFreely}</a>
        </Note>
      )}
      {!core.value ? null : lines.length > 1 ? (
        <Many lines={lines} />
      ) : (
        one && <One key={one + as} text={one} as={as} />
      )}
    </div>
  );
}
