// Everything that can be said of one ID: what it is, when it was made, its bits and its forms.

import { useMemo, useState } from "preact/hooks";
import { declared, type Guess, type Inspection, inspect } from "../core/core.ts";
import { localTime, percent, relative } from "../format.ts";
import { useNow } from "../hooks.ts";
import { kindTitle, said, words } from "../i18n/index.ts";
import { link } from "../state.ts";
import { BitGrid, FieldList, HexText, Scale } from "./bits.tsx";
import { Corrections, mistypedOf } from "./corrections.tsx";
import { Copy, CopyLink, Note, Panel } from "./parts.tsx";
import { RegistryState } from "./registry_state.tsx";

function Fact(props: { name: string; text: string; mono?: boolean }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>
        <span class={props.mono ? "mono" : ""}>{props.text}</span>
        <Copy text={props.text} what={props.name} />
      </dd>
    </div>
  );
}

function Time({ seen }: { seen: Inspection }) {
  const t = words.value.inspect;
  const now = useNow(1000);
  return (
    <Panel title={t.time} flush>
      {seen.unix_ms === null || seen.time === null ? (
        <p class="empty">{t.noTime}</p>
      ) : (
        <dl class="facts">
          <Fact name={t.utc} text={seen.time} mono />
          <Fact name={t.local} text={localTime(seen.unix_ms)} />
          <Fact name={t.relative} text={relative(seen.unix_ms, now)} />
          <Fact name={t.unix} text={String(seen.unix_ms)} mono />
        </dl>
      )}
    </Panel>
  );
}

function Bits({ seen }: { seen: Inspection }) {
  const t = words.value.inspect;
  const [lit, setLit] = useState(-1);
  if (!seen.hex || seen.fields.length === 0) return null;
  return (
    <Panel
      title={t.bits}
      about={words.value.bits.count(seen.hex.length * 4)}
      aside={<HexText hex={seen.hex} fields={seen.fields} lit={lit} />}
    >
      <Scale fields={seen.fields} lit={lit} />
      <BitGrid hex={seen.hex} fields={seen.fields} lit={lit} onLit={setLit} />
      <FieldList fields={seen.fields} lit={lit} onLit={setLit} />
    </Panel>
  );
}

function Forms({ seen }: { seen: Inspection }) {
  const t = words.value.inspect;
  const forms = Object.entries(seen.forms);
  if (forms.length === 0) return null;
  return (
    <Panel title={t.forms} about={t.formsAbout} flush>
      <dl class={`facts ${seen.prefix ? "" : "paired"}`}>
        {forms.map(([name, text]) => (
          <Fact key={name} name={name} text={text} mono />
        ))}
      </dl>
    </Panel>
  );
}

// Why a reading is where it is, in words.
function reasonOf(guess: Guess): string {
  const t = words.value.inspect;
  const parts = [said(guess.about)];
  if (guess.spelling !== "canonical" && guess.spelling !== "hyphenated")
    parts.push(t.written(guess.spelling));
  if (guess.note) parts.push(said(guess.note));
  return parts.filter(Boolean).join(" · ");
}

function Readings({ seen }: { seen: Inspection }) {
  const t = words.value.inspect;
  const [all, setAll] = useState(false);
  const likely = seen.guesses.filter((guess) => guess.probability >= 0.001);
  const shown = all ? seen.guesses : likely.length ? likely : seen.guesses.slice(0, 1);
  if (seen.guesses.length === 0) return null;
  const rest = seen.guesses.length - shown.length;
  return (
    <Panel title={t.readings} about={t.readingsAbout} flush>
      <ol class="readings">
        {shown.map((guess) => (
          <li key={guess.kind + guess.spelling}>
            <span class="share" aria-hidden="true">
              <span style={{ width: `${Math.max(guess.probability * 100, 0.5)}%` }} />
            </span>
            <span class="number small">{percent(guess.probability)}</span>
            <span>
              <a href={link("inspect", [seen.input], { as: guess.kind })}>
                {kindTitle(guess.kind)}
              </a>{" "}
              {guess.unix_ms !== null && (
                <span class="quiet small">{new Date(guess.unix_ms).getUTCFullYear()}</span>
              )}
              <span class="why">{reasonOf(guess)}</span>
            </span>
          </li>
        ))}
      </ol>
      {rest > 0 && (
        <p class="more">
          <button type="button" class="bare" onClick={() => setAll(true)}>
            {t.moreReadings(rest)}
          </button>
        </p>
      )}
    </Panel>
  );
}

function Unknown({ seen }: { seen: Inspection }) {
  const t = words.value.inspect;
  const mistyped = mistypedOf(seen);
  const reasons = mistyped
    ? [[kindTitle(seen.near_misses[0]?.kind ?? ""), said(mistyped.message ?? "")] as const]
    : seen.near_misses.map((miss) => [kindTitle(miss.kind), said(miss.reason)] as const);
  return (
    <Panel title={mistyped ? t.mistyped : t.unknown}>
      {reasons.length === 0 ? (
        <p class="quiet">{t.unknownAbout}</p>
      ) : (
        <ul class="near">
          {reasons.map(([kind, reason]) => (
            <li key={kind + reason}>
              <strong>{kind}</strong> {reason}
            </li>
          ))}
        </ul>
      )}
      <Corrections seen={seen} />
    </Panel>
  );
}

function Headline({ seen }: { seen: Inspection }) {
  const t = words.value.inspect;
  const sure = seen.verdict === "sure";
  const text = seen.text ?? seen.input;
  return (
    <section class="panel headline">
      <div class="row">
        <h2>{kindTitle(seen.kind ?? "")}</h2>
        <span class={`badge ${sure ? "good" : "warn"}`}>
          {sure ? t.sure : t.ambiguous} {percent(seen.guesses[0]?.probability ?? 1)}
        </span>
        {seen.prefix && (
          <span class="badge">
            {t.prefix} <code>{seen.prefix}</code>
          </span>
        )}
        <span class="quiet">{said(seen.about ?? "")}</span>
      </div>
      <p class="the-id">
        <span class="mono">{text}</span>
        <Copy text={text} what={t.canonical} />
        <CopyLink />
      </p>
      {seen.warnings.map((warning) => (
        <Note key={warning} tone={sure ? "" : "warn"}>
          {said(warning)}
        </Note>
      ))}
    </section>
  );
}

export function Card({ text, as }: { text: string; as: string }) {
  const t = words.value.inspect;
  const seen = useMemo(() => inspect(text, as), [text, as, declared.value]);
  if (!seen) return <Note tone="bad">{t.noReading(as)}</Note>;
  if (!seen.valid) return <Unknown seen={seen} />;
  return (
    <>
      <Headline seen={seen} />
      <div class="columns">
        <Time seen={seen} />
        {seen.prefix ? (
          <RegistryState id={seen.text ?? text} prefix={seen.prefix} />
        ) : (
          <Readings seen={seen} />
        )}
      </div>
      <Bits seen={seen} />
      <div class="columns">
        <Forms seen={seen} />
        {seen.prefix && <Readings seen={seen} />}
      </div>
    </>
  );
}
