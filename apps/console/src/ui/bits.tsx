// Bits: to scale, one by one, and many IDs below each other. A field is a colour and a letter.

import { useRef, useState } from "preact/hooks";
import type { Field } from "../core/core.ts";
import { useWidth } from "../hooks.ts";
import { words } from "../i18n/index.ts";

const kRoles = ["time", "random", "version", "variant", "machine", "sequence"];
export const roleClass = (role: string) => `role-${kRoles.includes(role) ? role : "custom"}`;
export const letterOf = (index: number) => String.fromCharCode(97 + index);

// The bits of hex digits, as texts "0" and "1".
export function bitsOf(hex: string): string {
  return [...hex].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
}

const fieldAt = (fields: Field[], bit: number) =>
  fields.findIndex((field) => bit >= field.offset && bit < field.offset + field.width);

export function Scale({ fields, lit = -1 }: { fields: Field[]; lit?: number }) {
  const total = fields.reduce((sum, field) => sum + field.width, 0);
  return (
    <div class="scale" role="img" aria-label={words.value.bits.scaleLabel(total)}>
      {fields.map((field, i) => (
        <div
          key={field.offset}
          class={`${roleClass(field.role)} ${field.width / total < 0.075 ? "slim" : ""} ${i === lit ? "lit" : ""}`}
          style={{ flex: `${field.width} 1 0` }}
          title={`${field.name}: ${words.value.bits.count(field.width)}`}
        >
          <b>{letterOf(i)}</b>
          <span>
            {field.name} · {field.width}
          </span>
        </div>
      ))}
    </div>
  );
}

export function FieldList(props: { fields: Field[]; lit: number; onLit: (index: number) => void }) {
  const t = words.value.bits;
  return (
    <ul class="field-list">
      {props.fields.map((field, i) => (
        <li
          key={field.offset}
          class={`${roleClass(field.role)} ${i === props.lit ? "lit" : ""}`}
          onMouseEnter={() => props.onLit(i)}
          onMouseLeave={() => props.onLit(-1)}
        >
          <span class="letter">{letterOf(i)}</span>
          <span class="mono">{field.name}</span>
          <span class="quiet">{t.place(field.offset, field.width)}</span>
          <span class="mono">{field.value}</span>
        </li>
      ))}
    </ul>
  );
}

// A digit of hex is four bits: each is coloured by the field that its first bit is in.
export function HexText(props: { hex: string; fields: Field[]; lit: number }) {
  const runs: { field: number; text: string }[] = [];
  [...props.hex].forEach((digit, i) => {
    const field = fieldAt(props.fields, i * 4);
    const last = runs.at(-1);
    if (last?.field === field) last.text += digit;
    else runs.push({ field, text: digit });
  });
  return (
    <span class="mono coloured">
      {runs.map((run, i) => (
        <span
          key={i}
          class={`${roleClass(props.fields[run.field]?.role ?? "")} ${run.field === props.lit ? "lit" : ""}`}
        >
          {run.text}
        </span>
      ))}
    </span>
  );
}

// One cell for a bit. One of them is in the tab order; arrows move between them.
export function BitGrid(props: {
  hex: string;
  fields: Field[];
  lit: number;
  onLit: (index: number) => void;
}) {
  const t = words.value.bits;
  const { ref, width } = useWidth<HTMLDivElement>();
  const [at, setAt] = useState(0);
  const cells = useRef<(HTMLDivElement | null)[]>([]);
  const bits = bitsOf(props.hex);
  const perRow = width > 0 && width < 620 ? 16 : 32;
  const starts = Array.from({ length: Math.ceil(bits.length / perRow) }, (_, i) => i * perRow);

  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at - perRow,
      ArrowDown: at + perRow,
      Home: event.ctrlKey ? 0 : at - (at % perRow),
      End: event.ctrlKey ? bits.length - 1 : at - (at % perRow) + perRow - 1,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const bounded = Math.min(bits.length - 1, Math.max(0, next));
    setAt(bounded);
    cells.current[bounded]?.focus();
  };

  return (
    <div
      ref={ref}
      class="bit-grid"
      role="grid"
      aria-label={t.gridLabel}
      onKeyDown={move}
      onMouseLeave={() => props.onLit(-1)}
    >
      {starts.map((start) => (
        <div key={start} class="bit-row" role="row" style={{ "--per-row": perRow }}>
          <span class="at" role="rowheader">
            {start}
          </span>
          {[...bits.slice(start, start + perRow)].map((bit, i) => {
            const index = start + i;
            const number = fieldAt(props.fields, index);
            const field = props.fields[number];
            return (
              <div
                key={index}
                ref={(element) => {
                  cells.current[index] = element;
                }}
                role="gridcell"
                class={`bit ${bit === "1" ? "on" : "off"} ${roleClass(field?.role ?? "")} ${number === props.lit ? "lit" : ""} ${index % 8 === 7 ? "byte-end" : ""}`}
                tabIndex={index === at ? 0 : -1}
                aria-label={t.cell(index, bit, field ? letterOf(number) : "", field?.name ?? "")}
                onFocus={() => {
                  setAt(index);
                  props.onLit(number);
                }}
                onMouseEnter={() => props.onLit(number)}
              >
                {bit}
              </div>
            );
          })}
          <Braces fields={props.fields} start={start} end={Math.min(start + perRow, bits.length)} />
        </div>
      ))}
    </div>
  );
}

// Below a row: which field the bits above belong to, by letter and, where there is room, by name.
function Braces({ fields, start, end }: { fields: Field[]; start: number; end: number }) {
  return (
    <>
      {fields.map((field, i) => {
        const first = Math.max(start, field.offset);
        const stop = Math.min(end, field.offset + field.width);
        if (first >= stop) return null;
        const named = first === field.offset && stop - first >= 6;
        return (
          <div
            key={field.offset}
            class={`brace ${roleClass(field.role)}`}
            aria-hidden="true"
            style={{ gridColumn: `${first - start + 2} / ${stop - start + 2}` }}
          >
            {letterOf(i)}
            {named && ` ${field.name}`}
          </div>
        );
      })}
    </>
  );
}

// IDs below each other: full colour where a bit differs from the ID above, a tint where not.
export function Strips({ rows }: { rows: { hex: string; fields: Field[] }[] }) {
  const t = words.value.bits;
  return (
    <div class="strips" tabIndex={0} role="group" aria-label={t.stripsLabel}>
      {rows.map((row, n) => {
        const bits = bitsOf(row.hex);
        const above = bitsOf(rows[n - 1]?.hex ?? row.hex);
        const moved = [...bits].filter((bit, i) => bit !== above[i]).length;
        return (
          <div key={n} class="strip">
            <span class="number">{n + 1}</span>
            <svg
              viewBox={`0 0 ${bits.length} 10`}
              preserveAspectRatio="none"
              role="img"
              aria-label={t.movedLabel(n + 1, moved)}
            >
              {[...bits].map((bit, i) => (
                <rect
                  key={i}
                  x={i + 0.06}
                  y={bit !== above[i] ? 0 : 2.5}
                  width={0.88}
                  height={bit !== above[i] ? 10 : 5}
                  class={`${roleClass(row.fields[fieldAt(row.fields, i)]?.role ?? "")} ${bit !== above[i] ? "moved" : "still"}`}
                />
              ))}
            </svg>
            <span>{n ? t.moved(moved) : ""}</span>
          </div>
        );
      })}
    </div>
  );
}
