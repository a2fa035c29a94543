// Registry: what was issued to a tenant, live and deleted; create and retire.

import { useEffect, useState } from "preact/hooks";
import {
  asProblem,
  call,
  declaredTypes,
  type Problem,
  type ResourcePage,
  type ResourceRow,
  type TypeRow,
} from "../api.ts";
import { relative } from "../format.ts";
import { useLoaded, useNow } from "../hooks.ts";
import { words } from "../i18n/index.ts";
import { go, link, replace, route, say, tenant, token } from "../state.ts";
import {
  Copy,
  Note,
  PageHead,
  Panel,
  ProblemNote,
  Segmented,
  Select,
  TextField,
} from "../ui/parts.tsx";
import { CreateDialog, RetireDialog } from "../ui/registry_dialogs.tsx";
import { RegistryState } from "../ui/registry_state.tsx";

const kPageSize = 50;

// The place of a collection: of a tenant, or of one thing of his.
export function listPath(whose: string, collection: string, parent: string): string {
  const front = parent ? parent.split("/") : ["tenants", whose];
  return `/v1/${[...front, collection].map(encodeURIComponent).join("/")}`;
}

interface Listing {
  items: ResourceRow[];
  next: string;
  problem: Problem | null;
  busy: boolean;
}

// Pages are added below each other, as they are asked for.
function useListing(path: string, state: string, turn: number) {
  const [listing, set] = useState<Listing>({ items: [], next: "", problem: null, busy: false });
  const load = async (pageToken: string, before: ResourceRow[]) => {
    set((old) => ({ ...old, busy: true, problem: null }));
    const query = new URLSearchParams({ page_size: String(kPageSize), state });
    if (pageToken) query.set("page_token", pageToken);
    try {
      const page = await call<ResourcePage>(`${path}?${query}`);
      return {
        items: [...before, ...page.items],
        next: page.next_page_token,
        problem: null,
        busy: false,
      };
    } catch (fault) {
      return { items: before, next: "", problem: asProblem(fault), busy: false };
    }
  };
  useEffect(() => {
    let current = true;
    if (path) load("", []).then((next) => current && set(next));
    return () => {
      current = false;
    };
  }, [path, state, turn, token.value]);
  return { ...listing, more: () => load(listing.next, listing.items).then(set) };
}

function Rows(props: {
  items: ResourceRow[];
  type: TypeRow;
  types: TypeRow[];
  whose: string;
  onRetire: (row: ResourceRow) => void;
  onUndelete: (row: ResourceRow) => void;
}) {
  const t = words.value.registry;
  const now = useNow(10000);
  const children = props.types.filter((type) => type.parent === props.type.name && type.collection);
  return (
    <div class="table-box">
      <table class="table">
        <thead>
          <tr>
            <th>{t.id}</th>
            <th>{t.state}</th>
            <th>{t.created}</th>
            {props.type.parent && <th>{t.within}</th>}
            <th class="tight">
              <span class="unseen">{t.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {props.items.map((row) => {
            const parent = row.name?.split("/").slice(0, -2) ?? [];
            return (
              <tr key={row.id} class={row.deleted ? "tombstone" : ""}>
                <th scope="row">
                  <span class="row nowrap">
                    <a class="mono" href={link("inspect", [row.id])}>
                      {row.id}
                    </a>
                    <Copy text={row.id} what={t.id} />
                  </span>
                </th>
                <td>
                  <span class={`badge ${row.deleted ? "bad" : "good"}`} title={row.deleted ?? ""}>
                    {row.deleted
                      ? `† ${t.deleted} ${relative(Date.parse(row.deleted), now)}`
                      : t.live}
                  </span>
                </td>
                <td title={row.created}>
                  {row.created ? relative(Date.parse(row.created), now) : "–"}
                </td>
                {props.type.parent && <td class="mono small">{parent.at(-1)}</td>}
                <td class="tight">
                  <span class="row nowrap">
                    {!row.deleted &&
                      children.map((child) => (
                        <a
                          key={child.name}
                          class="small"
                          href={link("registry", [props.whose, child.collection ?? ""], {
                            parent: row.name ?? "",
                          })}
                        >
                          {child.collection}
                        </a>
                      ))}
                    {row.deleted ? (
                      <button type="button" class="bare" onClick={() => props.onUndelete(row)}>
                        {t.undelete}
                      </button>
                    ) : (
                      <button type="button" class="bare" onClick={() => props.onRetire(row)}>
                        {t.retire}
                      </button>
                    )}
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Browse({ types, whose, type }: { types: TypeRow[]; whose: string; type: TypeRow }) {
  const t = words.value.registry;
  const query = route.value.query;
  const state = query.get("state") === "deleted" ? "deleted" : "live";
  const parent = query.get("parent") ?? "";
  const [turn, setTurn] = useState(0);
  const [creating, setCreating] = useState(false);
  const [retiring, setRetiring] = useState<ResourceRow | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const path = listPath(whose, type.collection ?? "", parent);
  const listing = useListing(path, state, turn);
  const here = (change: Record<string, string>) =>
    link("registry", [whose, type.collection ?? ""], {
      state: state === "deleted" ? state : "",
      parent,
      ...change,
    });
  const undelete = async (row: ResourceRow) => {
    try {
      await call(
        `${listPath(whose, type.collection ?? "", "")}/${encodeURIComponent(row.id)}:undelete`,
        {
          method: "POST",
          body: {},
        },
      );
      say(t.broughtBack(row.id));
      setProblem(null);
      setTurn(turn + 1);
    } catch (fault) {
      setProblem(asProblem(fault));
    }
  };
  return (
    <>
      <Panel
        title={`${whose} / ${type.collection}`}
        about={parent ? t.ofParent(parent.split("/").slice(2).join("/")) : ""}
        flush
        aside={
          <span class="row">
            {parent && (
              <a class="small" href={here({ parent: "" })}>
                {t.allOf}
              </a>
            )}
            <Segmented
              label={t.state}
              value={state}
              options={
                [
                  ["live", t.live],
                  ["deleted", t.deleted],
                ] as const
              }
              onChange={(next) => go(here({ state: next === "deleted" ? next : "" }))}
            />
            <button type="button" class="bare" onClick={() => setTurn(turn + 1)}>
              {t.reload}
            </button>
            <button type="button" class="primary" onClick={() => setCreating(true)}>
              {t.create}
            </button>
          </span>
        }
      >
        {(listing.problem || problem) && (
          <div class="body">
            <ProblemNote problem={listing.problem ?? problem} />
          </div>
        )}
        {listing.items.length > 0 ? (
          <Rows
            items={listing.items}
            type={type}
            types={types}
            whose={whose}
            onRetire={setRetiring}
            onUndelete={undelete}
          />
        ) : (
          !listing.problem && (
            <p class="empty">
              {listing.busy ? words.value.busy : state === "live" ? t.none : t.noneDeleted}
            </p>
          )
        )}
        {listing.next && (
          <p class="more">
            <button type="button" disabled={listing.busy} onClick={listing.more}>
              {t.more}
            </button>
          </p>
        )}
      </Panel>
      <CreateDialog
        open={creating}
        type={type}
        whose={whose}
        parent={parent}
        onClose={() => setCreating(false)}
        onDone={() => {
          setTurn(turn + 1);
        }}
      />
      <RetireDialog
        row={retiring}
        type={type}
        types={types}
        whose={whose}
        onClose={() => setRetiring(null)}
        onDone={() => {
          setRetiring(null);
          setTurn(turn + 1);
        }}
      />
    </>
  );
}

export function RegistryPage() {
  const t = words.value.registry;
  const [asked = "", collection = ""] = route.value.rest;
  const find = route.value.query.get("find") ?? "";
  const types = useLoaded(declaredTypes, [token.value]);
  const kept = types.value?.filter((type) => type.collection) ?? [];
  const type = kept.find((one) => one.collection === collection) ?? kept[0];
  const [whose, setWhose] = useState(asked || tenant.value);
  useEffect(() => {
    if (asked) {
      tenant.value = asked;
      setWhose(asked);
    }
  }, [asked]);
  const open = (next: string, of: string) => {
    if (next.trim()) go(link("registry", [next.trim(), of]));
  };
  return (
    <div class="page">
      <PageHead title={t.title} about={t.about} />
      <ProblemNote problem={types.problem} />
      {types.value && kept.length === 0 && <Note>{t.nothingKept}</Note>}
      {type && (
        <form
          class="fields"
          onSubmit={(event) => {
            event.preventDefault();
            open(whose, type.collection ?? "");
          }}
        >
          <TextField
            label={words.value.tenant}
            value={whose}
            onInput={setWhose}
            placeholder="acme"
          />
          <Select
            label={t.type}
            value={type.collection ?? ""}
            options={kept.map((one) => [one.collection ?? "", one.name] as const)}
            onChange={(next) =>
              whose.trim() ? open(whose, next) : replace(link("registry", ["", next]))
            }
          />
          <TextField
            label={t.find}
            value={find}
            mono
            placeholder={`${type.prefix}${type.separator}…`}
            onInput={(text) =>
              replace(
                link("registry", [whose.trim() || asked, type.collection ?? ""], {
                  find: text.trim(),
                }),
              )
            }
          />
          <button type="submit">{t.open}</button>
        </form>
      )}
      {type && find && <RegistryState key={find} id={find} prefix={prefixOf(find, kept)} />}
      {type && asked ? (
        <Browse types={kept} whose={asked} type={type} />
      ) : (
        type && <p class="empty">{t.whose}</p>
      )}
    </div>
  );
}

// The longest declared prefix that the text begins with.
function prefixOf(text: string, types: TypeRow[]): string {
  const fitting = types.filter((type) => text.startsWith(type.prefix + type.separator));
  return fitting.sort((a, b) => b.prefix.length - a.prefix.length)[0]?.prefix ?? text;
}
