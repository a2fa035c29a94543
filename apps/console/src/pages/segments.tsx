// Segments: every scope, how far it is, how fast it goes, and when it will end if that goes on.

import { useRef } from "preact/hooks";
import { call, type ScopeRow } from "../api.ts";
import { duration, grouped, short } from "../format.ts";
import { usePolled } from "../hooks.ts";
import { words } from "../i18n/index.ts";
import { go, link, route, token } from "../state.ts";
import { Chart } from "../ui/lazy_chart.tsx";
import { Note, PageHead, Panel, ProblemNote } from "../ui/parts.tsx";

const kPeriodMs = 2000;
const kSamplesMax = 300;

interface Sample {
  atS: number;
  issued: Map<string, number>;
}

const usedShare = (scope: ScopeRow) => {
  if (scope.high_water === undefined) return 0;
  const room = BigInt(scope.max) - BigInt(scope.min) + 1n;
  const used = BigInt(scope.high_water) - BigInt(scope.min) + 1n;
  return used <= 0n ? 0 : Number((used * 1000000n) / room) / 1000000;
};

// Seconds until the last number, at the rate of this service.
function forecast(scope: ScopeRow): number {
  const rate = scope.status?.rate ?? 0;
  if (scope.high_water === undefined || rate <= 0) return Number.POSITIVE_INFINITY;
  return Number(BigInt(scope.max) - BigInt(scope.high_water)) / rate;
}

function toneOf(health: string): string {
  if (health === "healthy") return "good";
  return health === "empty" || health === "poisoned" || health === "closed" ? "bad" : "warn";
}

// Issued a second between two samples, by scope.
function rates(samples: Sample[], scope: string): (number | null)[] {
  return samples.map((sample, i) => {
    const before = samples[i - 1];
    const now = sample.issued.get(scope);
    const then = before?.issued.get(scope);
    if (!before || now === undefined || then === undefined) return null;
    return Math.max(0, now - then) / (sample.atS - before.atS);
  });
}

function Table({ scopes, picked }: { scopes: ScopeRow[]; picked: string }) {
  const t = words.value.segments;
  return (
    <div class="table-box">
      <table class="table dense">
        <thead>
          <tr>
            <th>{t.scope}</th>
            <th>{t.health}</th>
            <th class="number">{t.highWater}</th>
            <th>{t.used}</th>
            <th class="number">{t.rate}</th>
            <th class="number">{t.runway}</th>
            <th class="number">{t.drawn}</th>
            <th class="number">{t.issued}</th>
            <th class="number">{t.abandoned}</th>
          </tr>
        </thead>
        <tbody>
          {scopes.map((scope) => {
            const status = scope.status;
            const share = usedShare(scope);
            return (
              <tr key={scope.name} class={scope.name === picked ? "picked" : ""}>
                <th scope="row">
                  <a
                    class="mono"
                    href={link("segments", [scope.name])}
                    aria-current={scope.name === picked ? "true" : undefined}
                  >
                    {scope.name}
                  </a>
                </th>
                <td>
                  {status ? (
                    <span class={`badge ${toneOf(status.health)}`}>
                      <span class={`dot ${toneOf(status.health)}`} />
                      {t.healths[status.health as keyof typeof t.healths] ?? status.health}
                    </span>
                  ) : (
                    <span class="quiet">{t.notServed}</span>
                  )}
                </td>
                <td class="number mono">
                  {scope.high_water === undefined ? "–" : grouped(scope.high_water)}
                </td>
                <td class="nowrap">
                  <span class="meter" title={`${grouped(scope.min)} – ${grouped(scope.max)}`}>
                    <span style={{ width: `${Math.max(share * 100, 0)}%` }} />
                  </span>
                  <span class="small quiet">
                    {Number(scope.high_water ?? 0) < Number(scope.min)
                      ? "0 %"
                      : share < 0.0001
                        ? "< 0.01 %"
                        : `${(share * 100).toFixed(2)} %`}
                  </span>
                </td>
                <td class="number">{status ? `${short(status.rate)}/s` : "–"}</td>
                <td class="number">
                  {status
                    ? status.rate > 0 && status.runway_s !== null
                      ? duration(status.runway_s, true)
                      : t.idle
                    : "–"}
                </td>
                <td class="number mono">{status ? grouped(status.drawn) : "–"}</td>
                <td class="number mono">{status ? grouped(status.issued) : "–"}</td>
                <td class="number mono">{status ? grouped(status.abandoned) : "–"}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Detail({ scope, samples }: { scope: ScopeRow; samples: Sample[] }) {
  const t = words.value.segments;
  const status = scope.status;
  const ends = forecast(scope);
  const facts: [string, string][] = [
    [t.range, `${grouped(scope.min)} – ${grouped(scope.max)}`],
    [t.step, grouped(scope.step)],
    [t.order, scope.order],
    [t.jsSafe, scope.js_safe ? words.value.yes : words.value.no],
    [t.draws, scope.draws === undefined ? "–" : grouped(scope.draws)],
    [t.cached, status ? grouped(status.cached) : "–"],
    [t.failures, status ? grouped(status.failures) : "–"],
    [t.updated, scope.updated ?? "–"],
  ];
  return (
    <div class="columns wide-left">
      <Panel title={t.chart(scope.name)} about={t.chartAbout}>
        <Chart
          label={t.chart(scope.name)}
          data={[samples.map((one) => one.atS), rates(samples, scope.name)]}
          lines={[{ label: t.perSecond, colour: "--role-sequence", fill: true }]}
          height={220}
          time
          xLabel={words.value.inspect.time}
          minY={0}
          y={(value) => short(value)}
        />
        <Note tone={ends < 86400 * 90 ? "warn" : ""}>
          {Number.isFinite(ends) ? t.endsIn(duration(ends)) : t.endsNever}
        </Note>
      </Panel>
      <Panel title={t.facts} flush>
        <dl class="facts">
          {facts.map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="mono">{text}</dd>
            </div>
          ))}
        </dl>
      </Panel>
    </div>
  );
}

export function SegmentsPage() {
  const t = words.value.segments;
  const samples = useRef<Sample[]>([]);
  const polled = usePolled(
    async () => {
      const { scopes } = await call<{ scopes: ScopeRow[] }>("/v1/scopes");
      const issued = new Map(scopes.map((scope) => [scope.name, scope.status?.issued ?? 0]));
      samples.current = [
        ...samples.current.slice(1 - kSamplesMax),
        { atS: Date.now() / 1000, issued },
      ];
      return scopes;
    },
    kPeriodMs,
    [token.value],
  );
  const scopes = polled.value ?? [];
  const asked = route.value.rest[0] ?? "";
  const busiest = [...scopes].sort((a, b) => (b.status?.issued ?? 0) - (a.status?.issued ?? 0))[0];
  const picked = scopes.find((scope) => scope.name === asked) ?? busiest;
  const told = scopes.some((scope) => scope.status);
  return (
    <div class="page">
      <PageHead title={t.title} about={t.about} />
      <ProblemNote problem={polled.problem} />
      {scopes.length > 0 && !told && <Note>{t.adminOnly}</Note>}
      {polled.value && scopes.length === 0 && <Note>{t.none}</Note>}
      {scopes.length > 0 && (
        <Panel title={t.scopes(scopes.length)} about={t.live} flush>
          <Table scopes={scopes} picked={picked?.name ?? ""} />
        </Panel>
      )}
      {picked && told && <Detail key={picked.name} scope={picked} samples={samples.current} />}
      {asked && polled.value && picked?.name !== asked && (
        <Note tone="warn">
          {t.noScope(asked)}{" "}
          <button type="button" class="bare" onClick={() => go(link("segments"))}>
            {t.showAll}
          </button>
        </Note>
      )}
    </div>
  );
}
