// Buttons that copy, notes, tables of facts, code, dialogs.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Problem } from "../api.ts";
import { words } from "../i18n/index.ts";
import { say, token, tokenWanted } from "../state.ts";

const kCopy =
  "M5.5 5.5V3.2c0-.7.5-1.2 1.2-1.2h6.1c.7 0 1.2.5 1.2 1.2v6.1c0 .7-.5 1.2-1.2 1.2h-2.3M3.2 5.5h6.1c.7 0 1.2.5 1.2 1.2v6.1c0 .7-.5 1.2-1.2 1.2H3.2c-.7 0-1.2-.5-1.2-1.2V6.7c0-.7.5-1.2 1.2-1.2Z";
const kLink =
  "M6.7 9.3a2.6 2.6 0 0 0 3.7 0l2.3-2.3a2.6 2.6 0 0 0-3.7-3.7l-.9.9M9.3 6.7a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 0 0 7 12.7l.9-.9";
const kDone = "m3 8.6 3.3 3.2L13 4.6";

export function Copy({ text, what, icon = kCopy }: { text: string; what: string; icon?: string }) {
  const [done, set] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      set(true);
      say(words.value.copied(what));
      window.setTimeout(() => set(false), 1600);
    } catch {
      say(words.value.copyRefused);
    }
  };
  const label = words.value.copy(what);
  return (
    <button
      type="button"
      class="copy"
      onClick={copy}
      aria-label={label}
      title={label}
      data-done={done}
    >
      <svg
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        stroke-width="1.3"
        aria-hidden="true"
      >
        <path d={done ? kDone : icon} />
      </svg>
    </button>
  );
}

// The address of what is shown.
export function CopyLink() {
  return <Copy text={location.href} what={words.value.inspect.permalink} icon={kLink} />;
}

export function Code({ text, what }: { text: string; what: string }) {
  return (
    <div class="code-box">
      <pre class="code" tabIndex={0} role="region" aria-label={what}>
        {text}
      </pre>
      <Copy text={text} what={what} />
    </div>
  );
}

export function Panel(props: {
  title: string;
  about?: string;
  aside?: ComponentChildren;
  flush?: boolean;
  children: ComponentChildren;
}) {
  return (
    <section class="panel">
      <header>
        <h2>{props.title}</h2>
        {props.about && <p>{props.about}</p>}
        {props.aside}
      </header>
      {props.flush ? props.children : <div class="body">{props.children}</div>}
    </section>
  );
}

export function Note({ tone = "", children }: { tone?: string; children: ComponentChildren }) {
  return (
    <div class={`note ${tone}`} role={tone === "bad" ? "alert" : "note"}>
      {children}
    </div>
  );
}

// What the service refused, in words, with what to do about it.
export function ProblemNote({ problem }: { problem: Problem | null }) {
  const t = words.value;
  if (!problem) return null;
  const needsToken = problem.status === 401 || problem.status === 403;
  const title =
    problem.code === "unreachable"
      ? t.problem.unreachable
      : problem.status === 401
        ? token.value
          ? t.problem.badToken
          : t.problem.noToken
        : problem.status === 403
          ? t.problem.forbidden
          : problem.detail || problem.title;
  const hint = problem.code === "unreachable" ? t.problem.unreachableHint : problem.hint;
  return (
    <Note tone="bad">
      <p>
        <strong>{title}</strong>{" "}
        <span class="quiet small">{problem.status ? problem.code : ""}</span>
      </p>
      {hint && <p>{hint}</p>}
      {needsToken && (
        <p>
          <button
            type="button"
            onClick={() => {
              tokenWanted.value = true;
            }}
          >
            {t.token.enter}
          </button>
        </p>
      )}
    </Note>
  );
}

export function Segmented<T extends string>(props: {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}) {
  return (
    <div class="segmented" role="group" aria-label={props.label}>
      {props.options.map(([value, text]) => (
        <button
          type="button"
          key={value}
          aria-pressed={value === props.value}
          onClick={() => props.onChange(value)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

export function TextField(props: {
  label: string;
  value: string;
  onInput: (value: string) => void;
  placeholder?: string;
  mono?: boolean;
  type?: string;
  list?: string;
}) {
  return (
    <label class="field">
      {props.label}
      <input
        type={props.type ?? "text"}
        class={props.mono ? "mono" : ""}
        value={props.value}
        placeholder={props.placeholder ?? ""}
        list={props.list}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => props.onInput(event.currentTarget.value)}
      />
    </label>
  );
}

export function Select(props: {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}) {
  return (
    <label class="field">
      {props.label}
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        {props.options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

// A modal dialog; Escape and the back of it close it.
export function Dialog(props: {
  title: string;
  open: boolean;
  onClose: () => void;
  onSubmit: () => void;
  children: ComponentChildren;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (props.open && !dialog?.open) dialog?.showModal();
    if (!props.open && dialog?.open) dialog.close();
  }, [props.open]);
  return (
    <dialog ref={ref} aria-label={props.title} onClose={props.onClose}>
      {props.open && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            props.onSubmit();
          }}
        >
          <h2>{props.title}</h2>
          {props.children}
        </form>
      )}
    </dialog>
  );
}

export function PageHead({ title, about }: { title: string; about: string }) {
  return (
    <div class="page-head">
      <h1>{title}</h1>
      <p>{about}</p>
    </div>
  );
}
