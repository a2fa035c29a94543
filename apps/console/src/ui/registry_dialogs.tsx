// Create with a key, so that it happens once; retire after it was said what ends with it.

import { useEffect, useState } from "preact/hooks";
import {
  asProblem,
  call,
  callWhole,
  type Problem,
  type ResourcePage,
  type ResourceRow,
  type TypeRow,
} from "../api.ts";
import { askJson, type Minted } from "../core/core.ts";
import { words } from "../i18n/index.ts";
import { listPath } from "../pages/registry.tsx";
import { link, say } from "../state.ts";
import { Copy, Dialog, Note, ProblemNote, TextField } from "./parts.tsx";

const kChildrenShown = 12;
const kConfirmSize = 4;

function newKey(): string {
  const made = askJson<Minted>(["new", "ulid", "--json"]);
  return made.ok ? (made.items[0]?.text ?? "") : "";
}

export function CreateDialog(props: {
  open: boolean;
  type: TypeRow;
  whose: string;
  parent: string;
  onClose: () => void;
  onDone: () => void;
}) {
  const t = words.value.registry;
  const [key, setKey] = useState("");
  const [count, setCount] = useState("1");
  const [parent, setParent] = useState(props.parent);
  const [made, setMade] = useState<{ rows: ResourceRow[]; replayed: boolean } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    if (!props.open) return;
    setKey(newKey());
    setParent(props.parent);
    setMade(null);
    setProblem(null);
  }, [props.open, props.parent]);
  const submit = async () => {
    try {
      const path = listPath(props.whose, props.type.collection ?? "", parent.trim());
      const body = count === "1" ? {} : { count: Number(count) };
      const headers: Record<string, string> = key ? { "Idempotency-Key": key } : {};
      const answer = await callWhole<ResourceRow & { items?: ResourceRow[] }>(path, {
        method: "POST",
        body,
        headers,
      });
      setMade({
        rows: answer.body.items ?? [answer.body],
        replayed: answer.headers.get("Idempotent-Replayed") === "true",
      });
      setProblem(null);
      props.onDone();
    } catch (fault) {
      setProblem(asProblem(fault));
    }
  };
  return (
    <Dialog
      title={t.createOf(props.type.name)}
      open={props.open}
      onClose={props.onClose}
      onSubmit={submit}
    >
      <p class="quiet">{t.createAbout}</p>
      {props.type.parent && (
        <TextField
          label={t.parentOf(props.type.parent)}
          value={parent}
          onInput={setParent}
          mono
          placeholder={`tenants/${props.whose}/…`}
        />
      )}
      <TextField label={t.count} value={count} onInput={setCount} type="number" />
      <TextField label={t.key} value={key} onInput={setKey} mono />
      <p class="quiet small">{t.keyAbout}</p>
      <ProblemNote problem={problem} />
      {made && (
        <Note tone="good">
          <p>{made.replayed ? t.replayed : t.createdCount(made.rows.length)}</p>
          {made.rows.slice(0, 5).map((row) => (
            <p key={row.id} class="row nowrap">
              <a class="mono" href={link("inspect", [row.id])}>
                {row.id}
              </a>
              <Copy text={row.id} what={t.id} />
            </p>
          ))}
        </Note>
      )}
      <div class="row">
        <button type="submit" class="primary">
          {made ? t.createAgain : t.create}
        </button>
        <button type="button" onClick={props.onClose}>
          {made ? words.value.close : words.value.cancel}
        </button>
      </div>
    </Dialog>
  );
}

// What belongs to a thing, by the collections that can stand in it.
async function childrenOf(row: ResourceRow, type: TypeRow, types: TypeRow[]) {
  const below = types.filter((one) => one.parent === type.name && one.collection);
  return Promise.all(
    below.map(async (child) => {
      const path = listPath("", child.collection ?? "", row.name ?? "");
      const page = await call<ResourcePage>(`${path}?page_size=${kChildrenShown}`);
      return { child, rows: page.items, more: page.next_page_token !== "" };
    }),
  );
}

type Below = Awaited<ReturnType<typeof childrenOf>>;

export function RetireDialog(props: {
  row: ResourceRow | null;
  type: TypeRow;
  types: TypeRow[];
  whose: string;
  onClose: () => void;
  onDone: () => void;
}) {
  const t = words.value.registry;
  const [below, setBelow] = useState<Below | null>(null);
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const row = props.row;
  useEffect(() => {
    setBelow(null);
    setTyped("");
    setProblem(null);
    if (!row) return;
    childrenOf(row, props.type, props.types).then(setBelow, (fault) =>
      setProblem(asProblem(fault)),
    );
  }, [row]);
  if (!row) return null;
  const wanted = row.id.slice(-kConfirmSize);
  const submit = async () => {
    if (typed !== wanted || !below) return;
    try {
      const path = listPath(props.whose, props.type.collection ?? "", "");
      await call(`${path}/${encodeURIComponent(row.id)}`, { method: "DELETE" });
      say(t.retired(row.id));
      props.onDone();
    } catch (fault) {
      setProblem(asProblem(fault));
    }
  };
  const some = below?.filter((one) => one.rows.length > 0) ?? [];
  return (
    <Dialog title={t.retireOf(props.type.name)} open onClose={props.onClose} onSubmit={submit}>
      <p class="mono">{row.id}</p>
      <p>{t.retireAbout}</p>
      {below === null && !problem && <p class="quiet">{words.value.busy}</p>}
      {below && some.length === 0 && <Note>{t.noChildren}</Note>}
      {some.length > 0 && (
        <Note tone="warn">
          <p>
            <strong>{t.endsToo}</strong>
          </p>
          {some.map((one) => (
            <div key={one.child.name}>
              <p class="small">{one.child.collection}</p>
              <ul class="children">
                {one.rows.map((child) => (
                  <li key={child.id} class="mono small">
                    {child.id}
                  </li>
                ))}
                {one.more && <li class="small quiet">{t.andMore}</li>}
              </ul>
            </div>
          ))}
          <p class="small">{t.andBelow}</p>
        </Note>
      )}
      <TextField label={t.confirm(wanted)} value={typed} onInput={setTyped} mono />
      <ProblemNote problem={problem} />
      <div class="row">
        <button type="submit" class="danger" disabled={typed !== wanted || !below}>
          {t.retireForEver}
        </button>
        <button type="button" onClick={props.onClose}>
          {words.value.cancel}
        </button>
      </div>
    </Dialog>
  );
}
