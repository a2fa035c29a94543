// API: the OpenAPI document, readable, and each operation to be tried.

import { useState } from "preact/hooks";
import { asProblem, call, type Problem, send } from "../api.ts";
import { useLoaded } from "../hooks.ts";
import { words } from "../i18n/index.ts";
import { link, route, token } from "../state.ts";
import { Code, PageHead, Panel, ProblemNote } from "../ui/parts.tsx";

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  example?: unknown;
}

interface Media {
  example?: unknown;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description?: string; content?: Record<string, Media> }>;
  security: unknown[];
}

interface Document {
  openapi: string;
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
}

interface Row extends Operation {
  method: string;
  path: string;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

// "/v1/ids/{id}" with what was filled in; query and headers beside it.
function requestOf(row: Row, values: Record<string, string>) {
  let path = row.path;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  for (const parameter of row.parameters ?? []) {
    const value = values[parameter.name] ?? "";
    if (parameter.in === "path")
      path = path.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else if (value && parameter.in === "query") query.set(parameter.name, value);
    else if (value) headers[parameter.name] = value;
  }
  return { path: query.size ? `${path}?${query}` : path, headers };
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function curlOf(row: Row, path: string, headers: Record<string, string>, body: string): string {
  const lines = [
    `curl ${row.method === "GET" ? "" : `-X ${row.method} `}${quoted(location.origin + path)}`,
  ];
  for (const [name, value] of Object.entries(headers))
    lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (row.security.length > 0 && token.value)
    lines.push('-H "Authorization: Bearer $TESSERA_TOKEN"');
  if (body) lines.push("-H 'Content-Type: application/json'", `-d ${quoted(body)}`);
  return lines.join(" \\\n  ");
}

function Try({ row }: { row: Row }) {
  const t = words.value.api;
  const example = row.requestBody?.content["application/json"]?.example;
  const [values, setValues] = useState<Record<string, string>>(
    Object.fromEntries(
      (row.parameters ?? []).map((one) => [
        one.name,
        one.example === undefined ? "" : String(one.example),
      ]),
    ),
  );
  const [body, setBody] = useState(row.requestBody ? json(example ?? {}) : "");
  const [answer, setAnswer] = useState<{ status: number; text: string; ms: number } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { path, headers } = requestOf(row, values);
  const submit = async () => {
    const begun = performance.now();
    try {
      const got = await send(path, { method: row.method, headers, ...(body ? { body } : {}) });
      const text = got.body === null ? got.text : json(got.body);
      setAnswer({ status: got.status, text, ms: performance.now() - begun });
      setProblem(null);
    } catch (fault) {
      setAnswer(null);
      setProblem(asProblem(fault));
    }
  };
  return (
    <form
      class="try"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {(row.parameters ?? []).map((parameter) => (
        <label class="field" key={parameter.name}>
          <span>
            <code>{parameter.name}</code>{" "}
            <span class="quiet">
              {t.places[parameter.in]}
              {parameter.required ? ` · ${t.required}` : ""}
            </span>
          </span>
          <input
            class="mono"
            value={values[parameter.name] ?? ""}
            spellcheck={false}
            onInput={(event) =>
              setValues({ ...values, [parameter.name]: event.currentTarget.value })
            }
          />
          <span class="quiet small">{parameter.description}</span>
        </label>
      ))}
      {row.requestBody && (
        <label class="field">
          {t.body}
          <textarea
            class="mono"
            rows={Math.min(8, body.split("\n").length)}
            value={body}
            spellcheck={false}
            onInput={(event) => setBody(event.currentTarget.value)}
          />
        </label>
      )}
      <Code text={curlOf(row, path, headers, body)} what="curl" />
      <div class="row">
        <button type="submit" class={row.method === "DELETE" ? "danger" : "primary"}>
          {t.tryIt}
        </button>
        {answer && (
          <>
            <span class={`badge ${answer.status < 400 ? "good" : "bad"}`}>{answer.status}</span>
            <span class="quiet small">{answer.ms.toFixed(1)} ms</span>
          </>
        )}
      </div>
      <ProblemNote problem={problem} />
      {answer && <Code text={answer.text || t.nothing} what={t.answer} />}
    </form>
  );
}

function Detail({ row }: { row: Row }) {
  const t = words.value.api;
  const answers = Object.entries(row.responses).filter(([status]) => status !== "default");
  const inside = row.description?.startsWith("On the internal listener only");
  return (
    <Panel title={row.operationId} about={row.summary}>
      <p class="path mono">
        <span class={`method ${row.method.toLowerCase()}`}>{row.method}</span> {row.path}
      </p>
      {row.description && <p class="quiet">{row.description}</p>}
      {row.security.length === 0 && <p class="quiet">{t.open}</p>}
      {inside && <p class="quiet">{t.inside}</p>}
      {answers.map(([status, answer]) => {
        const example = answer.content?.["application/json"]?.example;
        return example === undefined ? null : (
          <div key={status} class="stack-s">
            <h3>{t.example(status)}</h3>
            <Code text={json(example)} what={t.example(status)} />
          </div>
        );
      })}
      <h3>{t.tryIt}</h3>
      <Try key={row.operationId + row.path} row={row} />
    </Panel>
  );
}

// The routes that go by the same words, in the order of the document.
function groupOf(path: string): "health" | "ids" | "registry" | "numbers" {
  if (path.startsWith("/v1/tenants") || path === "/v1/resolve") return "registry";
  if (/^\/v1\/(segments|numbers|scopes|types)/.test(path)) return "numbers";
  return path.startsWith("/v1/") ? "ids" : "health";
}

export function ApiPage() {
  const t = words.value.api;
  const asked = route.value.rest[0] ?? "";
  const loaded = useLoaded(() => call<Document>("/openapi.json"), []);
  const rows = Object.entries(loaded.value?.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
  );
  const picked = rows.find((row) => row.operationId === asked) ?? rows[0];
  const groups = ["ids", "registry", "numbers", "health"] as const;
  return (
    <div class="page">
      <PageHead title={t.title} about={t.about} />
      <ProblemNote problem={loaded.problem} />
      {picked && (
        <div class="side">
          <nav class="panel route-list" aria-label={t.operations}>
            {groups.map((group) => (
              <div key={group}>
                <h2>{t.groups[group]}</h2>
                {rows
                  .filter((row) => groupOf(row.path) === group)
                  .map((row) => (
                    <a
                      key={row.operationId}
                      href={link("api", [row.operationId])}
                      aria-current={row === picked ? "true" : undefined}
                    >
                      <span class={`method ${row.method.toLowerCase()}`}>{row.method}</span>
                      <span>{row.operationId}</span>
                    </a>
                  ))}
              </div>
            ))}
            <p class="small">
              <a href="/openapi.json">openapi.json</a>
            </p>
          </nav>
          <div class="stack">
            <Detail row={picked} />
          </div>
        </div>
      )}
    </div>
  );
}
