// Odds: how likely two IDs are alike, over how many there are, for several sizes.

import { useMemo } from "preact/hooks";
import { askJson, core, type Odds } from "../core/core.ts";
import { short } from "../format.ts";
import { said, words } from "../i18n/index.ts";
import { link, replace, route } from "../state.ts";
import { Chart } from "../ui/lazy_chart.tsx";
import { Note, PageHead, Panel } from "../ui/parts.tsx";

const kSizes: readonly [bits: number, name: string][] = [
  [40, "short"],
  [58, "UUIDv7"],
  [64, ""],
  [80, "ULID"],
  [96, "KSUID"],
  [122, "UUIDv4"],
  [128, ""],
];
const kColours = [
  "--role-variant",
  "--role-version",
  "--role-random",
  "--role-sequence",
  "--role-time",
  "--role-machine",
  "--role-custom",
];
const kDashes = [[], [6, 3], [2, 2], [10, 3, 2, 3], [1, 4], [12, 4], [4, 6]];
const kPowerMax = 20;
const kShares = ["1e-12", "1e-9", "1e-6", "0.001", "0.5"];
const kFloor = -24; // of the powers that are drawn

// 9 -> "10⁹".
const power = (n: number) => {
  if (!Number.isInteger(n)) return `10^${n.toFixed(1)}`;
  const digits = [...String(Math.abs(n))].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(d)]).join("");
  return n === 0 ? "1" : n === 1 ? "10" : `10${n < 0 ? "⁻" : ""}${digits}`;
};

function odds(flags: string[]): Odds | null {
  const said = askJson<Odds>(["odds", "--json", ...flags]);
  return said.ok ? (said.items[0] ?? null) : null;
}

export function OddsPage() {
  const t = words.value.odds;
  const query = route.value.query;
  const count = query.get("count") ?? "1e9";
  const asked = (query.get("bits") ?? "64,80,122").split(",").map(Number);
  const sizes = asked
    .filter((bits) => Number.isInteger(bits) && bits > 0 && bits <= 1000)
    .slice(0, 7);
  const set = (bits: number[], n: string) =>
    replace(link("odds", [], { bits: bits.join(","), count: n }));
  const ready = core.value !== null;

  const counts = useMemo(() => Array.from({ length: kPowerMax * 2 + 1 }, (_, i) => i / 2), []);
  const curves = useMemo(() => {
    if (!ready) return null;
    const curve = (bits: number) =>
      counts.map((n) => {
        const share =
          odds(["--bits", String(bits), "--count", String(Math.round(10 ** n))])?.probability ?? 0;
        const height = share > 0 ? Math.log10(share) : kFloor - 1;
        return height >= kFloor ? height : null;
      });
    return [counts, ...sizes.map(curve)];
  }, [sizes.join(), ready]);
  const answers = ready
    ? sizes.map((bits) => odds(["--bits", String(bits), "--count", count]))
    : [];
  const value = answers.find(Boolean)?.count ?? 0;
  const slider = value > 0 ? Math.min(kPowerMax, Math.log10(value)) : 9;

  return (
    <div class="page">
      <PageHead title={t.title} about={t.about} />
      <Panel title={t.question}>
        <div class="odds-ask">
          <label class="field">
            {t.count}
            <input
              class="mono"
              value={count}
              spellcheck={false}
              onInput={(event) => set(sizes, event.currentTarget.value)}
            />
          </label>
          <label class="field grow">
            {t.slide}
            <input
              type="range"
              min={0}
              max={kPowerMax}
              step={0.5}
              value={slider}
              aria-valuetext={short(value)}
              onInput={(event) => {
                const n = Number(event.currentTarget.value);
                set(sizes, Number.isInteger(n) ? `1e${n}` : String(Math.round(10 ** n)));
              }}
            />
          </label>
        </div>
        <div class="chips" role="group" aria-label={t.sizes}>
          <span class="quiet small">{t.sizes}</span>
          {kSizes.map(([bits, name]) => (
            <button
              type="button"
              key={bits}
              class="pick"
              aria-pressed={sizes.includes(bits)}
              onClick={() =>
                set(
                  (sizes.includes(bits)
                    ? sizes.filter((one) => one !== bits)
                    : [...sizes, bits]
                  ).sort((a, b) => a - b),
                  count,
                )
              }
            >
              {t.bits(bits)} {name && <span class="quiet">{name}</span>}
            </button>
          ))}
        </div>
        {ready && answers.length > 0 && answers.every((one) => one === null) && (
          <Note tone="bad">{t.badCount}</Note>
        )}
        <ul class="answers">
          {sizes.map((bits, i) => (
            <li key={bits}>
              <span class="swatch" style={{ background: `var(${kColours[i]})` }} />
              <span>{t.bits(bits)}</span>
              <strong>{said(answers[i]?.words ?? "–")}</strong>
              <span class="quiet mono">
                {answers[i] ? answers[i].probability.toExponential(2) : ""}
              </span>
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title={t.curve} about={t.curveAbout}>
        {curves && sizes.length > 0 && (
          <Chart
            label={t.curveLabel(sizes.length)}
            data={curves}
            lines={sizes.map((bits, i) => ({
              label: t.bits(bits),
              colour: kColours[i] ?? "--ink",
              dash: kDashes[i] ?? [],
            }))}
            height={340}
            xLabel={t.count}
            minY={kFloor}
            maxY={0}
            x={power}
            y={power}
            marker={slider}
          />
        )}
      </Panel>
      <Panel title={t.room} about={t.roomAbout} flush>
        <div class="table-box">
          <table class="table">
            <thead>
              <tr>
                <th>{t.size}</th>
                {kShares.map((share) => (
                  <th key={share} class="number">
                    {Number(share) < 0.5 ? t.oneIn(short(1 / Number(share))) : t.evens}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {ready &&
                sizes.map((bits) => (
                  <tr key={bits}>
                    <th scope="row">{t.bits(bits)}</th>
                    {kShares.map((share) => (
                      <td key={share} class="number mono">
                        {short(odds(["--bits", String(bits), "--probability", share])?.count ?? 0)}
                      </td>
                    ))}
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </Panel>
    </div>
  );
}
