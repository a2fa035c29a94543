// Names: build resource names of the declared types, and check those that somebody sent.

import { useEffect, useMemo, useState } from "preact/hooks";
import { declaredTypes, type TypeRow } from "../api.ts";
import { askJson, type Checked, core, type Minted, type NameParts } from "../core/core.ts";
import { useLoaded } from "../hooks.ts";
import { said, words } from "../i18n/index.ts";
import { go, link, replace, route, tenant, token } from "../state.ts";
import { Copy, Note, PageHead, Panel, ProblemNote, Select, TextField } from "../ui/parts.tsx";

interface Part {
  collection: string;
  id: string;
  type: TypeRow | undefined;
  fault: string;
}

// From the outermost to the type itself.
function chainOf(types: TypeRow[], type: TypeRow): TypeRow[] {
  const chain = [type];
  for (let at = type; at.parent && chain.length < 8; ) {
    const parent = types.find((one) => one.name === at.parent);
    if (!parent) break;
    chain.unshift(parent);
    at = parent;
  }
  return chain;
}

function newId(type: TypeRow): string {
  const made = askJson<Minted>([
    "new",
    "public",
    "--json",
    "--prefix",
    type.prefix,
    "--style",
    type.style,
  ]);
  const text = made.ok ? (made.items[0]?.text ?? "") : "";
  return type.separator === "_" ? text : text.replace("_", type.separator);
}

// Each part against what is declared: its collection, its ID, and what it stands in.
function partsOf(parsed: NameParts, types: TypeRow[]): Part[] {
  const t = words.value.names;
  let outer: TypeRow | undefined;
  return (parsed.parts ?? []).map(({ collection, id }, i) => {
    if (i === 0 && collection === "tenants") return { collection, id, type: undefined, fault: "" };
    const type = types.find((one) => one.collection === collection);
    const inside = outer;
    outer = type;
    if (!type) return { collection, id, type, fault: t.noCollection(collection) };
    if ((type.parent ?? "") !== (inside?.name ?? "") && (inside || type.parent)) {
      return { collection, id, type, fault: type.parent ? t.wrongParent(type.parent) : t.noParent };
    }
    const plain = type.separator === "_" ? id : id.replace(type.separator, "_");
    const flags = [
      "check",
      "--json",
      "--as",
      "public",
      "--prefix",
      type.prefix,
      "--style",
      type.style,
    ];
    const checked = askJson<Checked>([...flags, "--", plain]);
    const answer = checked.ok ? checked.items[0] : undefined;
    return { collection, id, type, fault: answer?.valid ? "" : said(answer?.message ?? "") };
  });
}

function Check({ types, built }: { types: TypeRow[]; built: string }) {
  const t = words.value.names;
  const shown = route.value.rest.join("/") || built;
  const parsed = useMemo(() => {
    if (!shown || !core.value) return null;
    const answer = askJson<NameParts>(["name", "parse", "--json", "--", shown]);
    return answer.ok ? answer.items[0] : null;
  }, [shown, core.value]);
  const parts = parsed?.valid ? partsOf(parsed, types) : [];
  const good = parsed?.valid && parts.every((part) => !part.fault);
  const change = (next: string) => replace(link("names", next ? next.trim().split("/") : []));
  return (
    <Panel title={t.check} about={t.checkAbout}>
      <TextField
        label={t.name}
        value={shown}
        onInput={change}
        placeholder="tenants/acme/stores/sto_01…"
        mono
      />
      {parsed && !parsed.valid && (
        <Note tone="bad">
          <p class="mono">
            {shown.slice(0, parsed.offset)}
            <mark>{shown.slice(parsed.offset, (parsed.offset ?? 0) + 1) || "·"}</mark>
            {shown.slice((parsed.offset ?? 0) + 1)}
          </p>
          <p>{said(parsed.message ?? "")}</p>
          <p>{said(parsed.hint ?? "")}</p>
        </Note>
      )}
      {parts.length > 0 && (
        <>
          <ol class="name-parts">
            {parts.map((part, i) => (
              <li key={i} class={part.fault ? "wrong" : ""}>
                <span class="quiet small">
                  {part.type
                    ? part.type.name
                    : part.collection === "tenants"
                      ? words.value.tenant
                      : "?"}
                </span>
                <span class="mono">
                  {part.collection}/<b>{part.id}</b>
                </span>
                <span class={`small ${part.fault ? "fault" : "quiet"}`}>
                  {part.fault || t.fits}
                </span>
              </li>
            ))}
          </ol>
          <Note tone={good ? "good" : "bad"}>{good ? t.good : t.bad}</Note>
          {parsed?.parent && (
            <p class="small">
              {t.parent}{" "}
              <a class="mono" href={link("names", parsed.parent.split("/"))}>
                {parsed.parent}
              </a>
            </p>
          )}
        </>
      )}
    </Panel>
  );
}

// A type, whose, and an ID for each level.
function useBuilt(types: TypeRow[]) {
  const kept = types.filter((type) => type.collection);
  const [picked, pick] = useState("");
  const [ids, setIds] = useState<Record<string, string>>({});
  const type = kept.find((one) => one.name === picked) ?? kept[0];
  const chain = type ? chainOf(kept, type) : [];
  const ready = core.value !== null;
  const renew = () => setIds(Object.fromEntries(chain.map((one) => [one.name, newId(one)])));
  useEffect(() => {
    if (ready) renew();
  }, [type?.name, ready]);
  const whose = tenant.value || "acme";
  const parts = chain.flatMap((one) => [one.collection ?? "", ids[one.name] ?? ""]);
  const name = type && ids[type.name] ? ["tenants", whose, ...parts].join("/") : "";
  return { kept, type, chain, ids, setIds, pick, renew, name };
}

function Build({ built }: { built: ReturnType<typeof useBuilt> }) {
  const t = words.value.names;
  const { kept, type, chain, ids, setIds, pick, renew, name } = built;
  if (!type) return null;
  return (
    <Panel title={t.build} about={t.buildAbout}>
      <div class="fields">
        <Select
          label={t.type}
          value={type.name}
          options={kept.map((one) => [one.name, one.name] as const)}
          onChange={pick}
        />
        <TextField
          label={words.value.tenant}
          value={tenant.value}
          placeholder="acme"
          onInput={(value) => {
            tenant.value = value;
          }}
        />
      </div>
      {chain.map((one) => (
        <TextField
          key={one.name}
          label={`${one.collection}/`}
          value={ids[one.name] ?? ""}
          mono
          onInput={(value) => setIds({ ...ids, [one.name]: value })}
        />
      ))}
      <p class="the-id small-id">
        <span class="mono">{name}</span>
        <Copy text={name} what={t.name} />
      </p>
      <div class="row">
        <button type="button" onClick={renew}>
          {t.renew}
        </button>
        <button type="button" onClick={() => go(link("names", name.split("/")))}>
          {t.checkIt}
        </button>
      </div>
      <p class="quiet small">{t.notIssued}</p>
    </Panel>
  );
}

function Types({ types }: { types: TypeRow[] }) {
  const t = words.value.names;
  return (
    <Panel title={t.types} about={t.typesAbout} flush>
      <div class="table-box">
        <table class="table">
          <thead>
            <tr>
              <th>{t.type}</th>
              <th>{words.value.mint.prefix}</th>
              <th>{words.value.mint.style}</th>
              <th>{t.collection}</th>
              <th>{t.parent}</th>
            </tr>
          </thead>
          <tbody>
            {types.map((type) => (
              <tr key={type.name}>
                <th scope="row">{type.name}</th>
                <td class="mono">
                  {type.prefix}
                  {type.separator}
                </td>
                <td>{type.style}</td>
                <td class="mono">{type.collection ?? "–"}</td>
                <td>{type.parent ?? "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

export function NamesPage() {
  const t = words.value.names;
  const types = useLoaded(declaredTypes, [token.value]);
  const built = useBuilt(types.value ?? []);
  return (
    <div class="page">
      <PageHead title={t.title} about={t.about} />
      <ProblemNote problem={types.problem} />
      {core.value && (
        <div class="columns">
          {types.value && <Build built={built} />}
          <Check types={types.value ?? []} built={built.name} />
        </div>
      )}
      {types.value && <Types types={types.value} />}
    </div>
  );
}
