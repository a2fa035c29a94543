// Whether the registry knows an ID: live, deleted, never issued, mistyped. Four answers, never mixed.

import { useEffect, useState } from "preact/hooks";
import {
  call,
  declaredTypes,
  Problem,
  type ResourceRow,
  resourcePath,
  type TypeRow,
} from "../api.ts";
import { useLoaded } from "../hooks.ts";
import { words } from "../i18n/index.ts";
import { link, tenant, token } from "../state.ts";
import { Panel, ProblemNote, TextField } from "./parts.tsx";

interface Found extends ResourceRow {
  type: string;
  state: string;
}

function State({ id, type, whose }: { id: string; type: TypeRow; whose: string }) {
  const t = words.value.inspect;
  const found = useLoaded(
    () => call<Found>(resourcePath(whose, type.collection ?? "", id)),
    [id, whose, token.value],
  );
  if (found.busy) return <p class="quiet">{words.value.busy}</p>;
  const problem = found.problem;
  if (problem && ![404, 410, 400].includes(problem.status))
    return <ProblemNote problem={problem} />;
  const [tone, title, detail] = !problem
    ? ["good", t.live, found.value?.created ? t.createdAt(found.value.created) : ""]
    : problem.status === 410
      ? ["bad", t.deleted, problem.detail]
      : problem.status === 404
        ? ["warn", t.neverIssued, t.neverIssuedAbout]
        : ["bad", t.mistyped, problem.detail || problem.title];
  return (
    <div class="registry-state">
      <span class={`badge ${tone}`}>
        <span class={`dot ${tone}`} />
        {title}
      </span>
      <p class="quiet">{detail}</p>
      {!problem && type.collection && (
        <a href={link("registry", [whose, type.collection], { find: id })}>{t.openInRegistry}</a>
      )}
    </div>
  );
}

export function RegistryState({ id, prefix }: { id: string; prefix: string }) {
  const t = words.value.inspect;
  const types = useLoaded(declaredTypes, [token.value]);
  const [whose, setWhose] = useState(tenant.value);
  const [asked, setAsked] = useState(tenant.value);
  useEffect(() => setAsked(tenant.value), []);
  const type = types.value?.find((one) => one.prefix === prefix);
  const unknown = types.problem instanceof Problem && types.problem.status !== 0;
  return (
    <Panel title={t.registry} about={type ? t.declaredAs(type.name) : ""}>
      {unknown ? (
        <ProblemNote problem={types.problem} />
      ) : !type?.collection ? (
        <p class="quiet">{type ? t.notKept(type.name) : t.noSuchType(prefix)}</p>
      ) : (
        <>
          <form
            class="row look-up"
            onSubmit={(event) => {
              event.preventDefault();
              tenant.value = whose.trim();
              setAsked(whose.trim());
            }}
          >
            <TextField
              label={words.value.tenant}
              value={whose}
              onInput={setWhose}
              placeholder="acme"
            />
            <button type="submit">{t.lookUp}</button>
          </form>
          {asked ? (
            <State id={id} type={type} whose={asked} />
          ) : (
            <p class="quiet small">{t.lookUpAbout}</p>
          )}
        </>
      )}
    </Panel>
  );
}
