// Service: whether it is well, what it is asked, and how long it takes; live.

import { useRef } from "preact/hooks";
import { call, Problem, send } from "../api.ts";
import { latency, short } from "../format.ts";
import { usePolled } from "../hooks.ts";
import { words } from "../i18n/index.ts";
import { type Metrics, quantile, summary, totalOf } from "../metrics.ts";
import { token } from "../state.ts";
import { Chart } from "../ui/lazy_chart.tsx";
import { PageHead, Panel, ProblemNote } from "../ui/parts.tsx";

const kPeriodMs = 2000;
const kSamplesMax = 300;

interface State {
  version: string;
  ready: boolean;
  reason: string;
  metrics: Metrics | null;
  refused: Problem | null; // why there are no metrics
}

async function ask(): Promise<State> {
  const [health, ready, metrics] = await Promise.all([
    call<{ version: string }>("/healthz"),
    send("/readyz"),
    send("/metrics"),
  ]);
  const said = ready.body as { detail?: string; title?: string } | null;
  const told = metrics.status === 200;
  return {
    version: health.version,
    ready: ready.status === 200,
    reason: ready.status === 200 ? "" : said?.detail || said?.title || "",
    metrics: told ? summary(metrics.text, Date.now() / 1000) : null,
    refused: told ? null : new Problem(metrics.status, "", "", "", "", "", ""),
  };
}

// Requests a second between each two samples.
function rates(samples: Metrics[]): (number | null)[] {
  return samples.map((sample, i) => {
    const before = samples[i - 1];
    return before
      ? Math.max(0, totalOf(sample) - totalOf(before)) / (sample.atS - before.atS)
      : null;
  });
}

function Histogram({ classes }: { classes: Metrics["classes"] }) {
  const t = words.value.service;
  const first = classes.findIndex((one) => one.count > 0);
  if (first < 0) return <p class="empty">{t.noRequests}</p>;
  const last = classes.findLastIndex((one) => one.count > 0);
  const shown = classes.slice(Math.max(0, first - 1), last + 2);
  const most = Math.max(...shown.map((one) => one.count));
  const all = shown.reduce((sum, one) => sum + one.count, 0);
  return (
    <ol class="histogram" aria-label={t.latency}>
      {shown.map((one) => (
        <li key={one.le}>
          <span class="small quiet">
            {Number.isFinite(one.le) ? `≤ ${latency(one.le)}` : t.slower}
          </span>
          <span class="bar" aria-hidden="true">
            <span style={{ width: `${(one.count / most) * 100}%` }} />
          </span>
          <span class="small number">
            {short(one.count)}{" "}
            <span class="quiet">{all ? `${((one.count / all) * 100).toFixed(1)} %` : ""}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

function Routes({ metrics }: { metrics: Metrics }) {
  const t = words.value.service;
  const rows = metrics.routes.filter((row) => row.total > 0).sort((a, b) => b.total - a.total);
  return (
    <div class="table-box">
      <table class="table">
        <thead>
          <tr>
            <th>{t.route}</th>
            <th class="number">{t.requests}</th>
            <th class="number">{t.mean}</th>
            <th class="number">4xx</th>
            <th class="number">5xx</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.method + row.route}>
              <th scope="row" class="mono">
                <span class={`method ${row.method.toLowerCase()}`}>{row.method || "–"}</span>{" "}
                {row.route}
              </th>
              <td class="number">{short(row.total)}</td>
              <td class="number">{latency(row.seconds / row.total)}</td>
              <td class={`number ${row.refused ? "" : "quiet"}`}>{short(row.refused)}</td>
              <td class={`number ${row.failed ? "fault" : "quiet"}`}>{short(row.failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function ServicePage() {
  const t = words.value.service;
  const samples = useRef<Metrics[]>([]);
  const polled = usePolled(
    async () => {
      const state = await ask();
      if (state.metrics)
        samples.current = [...samples.current.slice(1 - kSamplesMax), state.metrics];
      return state;
    },
    kPeriodMs,
    [token.value],
  );
  const state = polled.value;
  const metrics = state?.metrics;
  const rate = rates(samples.current);
  const failed = metrics?.routes.reduce((sum, row) => sum + row.failed, 0) ?? 0;
  const gone = polled.problem !== null;
  const well = !gone && state?.ready;
  return (
    <div class="page">
      <PageHead title={t.title} about={t.about} />
      <ProblemNote problem={polled.problem} />
      {state && (
        <dl class="figures">
          <div>
            <dt>{t.state}</dt>
            <dd class="row">
              <span class={`dot ${well ? "good" : "bad"}`} />
              {gone ? t.gone : state.ready ? t.ready : t.notReady}
            </dd>
          </div>
          <div>
            <dt>{t.store}</dt>
            <dd>{gone ? "–" : state.ready ? t.storeAnswers : state.reason || t.storeSilent}</dd>
          </div>
          <div>
            <dt>{t.version}</dt>
            <dd>{state.version}</dd>
          </div>
          {metrics && (
            <>
              <div>
                <dt>{t.perSecond}</dt>
                <dd>
                  {rate.at(-1) === null || rate.at(-1) === undefined
                    ? "–"
                    : short(rate.at(-1) ?? 0)}
                </dd>
              </div>
              <div>
                <dt>{t.median}</dt>
                <dd>
                  <small>≤</small> {latency(quantile(metrics.classes, 0.5))}
                </dd>
              </div>
              <div>
                <dt>{t.p99}</dt>
                <dd>
                  <small>≤</small> {latency(quantile(metrics.classes, 0.99))}
                </dd>
              </div>
              <div>
                <dt>{t.connections}</dt>
                <dd>{short(metrics.connections)}</dd>
              </div>
              <div>
                <dt>{t.failures}</dt>
                <dd class={failed ? "fault" : ""}>{short(failed)}</dd>
              </div>
            </>
          )}
        </dl>
      )}
      {state?.refused && <ProblemNote problem={state.refused} />}
      {metrics && (
        <>
          <div class="columns">
            <Panel title={t.chart} about={t.chartAbout}>
              <Chart
                label={t.chart}
                data={[samples.current.map((one) => one.atS), rate]}
                lines={[{ label: t.perSecond, colour: "--role-time", fill: true }]}
                height={330}
                time
                xLabel={words.value.inspect.time}
                minY={0}
                y={(value) => short(value)}
              />
            </Panel>
            <Panel title={t.latency} about={t.latencyAbout}>
              <Histogram classes={metrics.classes} />
            </Panel>
          </div>
          <Panel
            title={t.routes}
            about={t.routesAbout(short(totalOf(metrics)), short(metrics.redis))}
            flush
          >
            <Routes metrics={metrics} />
          </Panel>
        </>
      )}
    </div>
  );
}
