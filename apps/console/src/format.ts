// Numbers and times as people of the chosen language read them.

import { language } from "./state.ts";

const locale = () => (language.value === "zh" ? "zh-CN" : "en-GB");

// 9,223,372,036,854,775,807: also of texts that are too large for a number.
export function grouped(digits: string | number | bigint): string {
  return new Intl.NumberFormat(locale()).format(
    typeof digits === "string" ? BigInt(digits) : digits,
  );
}

// 12.3k, 4.5M.
export function short(number: number): string {
  if (!Number.isFinite(number)) return "∞";
  if (Math.abs(number) >= 1e15) return number.toExponential(1).replace("e+", " × 10^");
  return new Intl.NumberFormat(language.value === "zh" ? "zh-CN" : "en-US", {
    notation: Math.abs(number) >= 10000 ? "compact" : "standard",
    maximumSignificantDigits: 3,
  }).format(number);
}

// 0.9993 -> ">99.9 %".
export function percent(share: number): string {
  if (share > 0.999 && share < 1) return "> 99.9 %";
  if (share < 0.001) return "< 0.1 %";
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

export function localTime(ms: number): string {
  const when = new Date(ms);
  if (Number.isNaN(when.getTime())) return "";
  return new Intl.DateTimeFormat(locale(), {
    dateStyle: "medium",
    timeStyle: "long",
  }).format(when);
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31556952],
  ["month", 2629746],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

export function relative(ms: number, nowMs: number): string {
  const seconds = (ms - nowMs) / 1000;
  const [unit, size] = steps.find(([, s]) => Math.abs(seconds) >= s) ?? ["second", 1];
  const count = Math.trunc(seconds / size);
  return new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(count, unit);
}

// A length of time in its two largest units; brief, where there is little room.
export function duration(seconds: number, brief = false): string {
  if (!Number.isFinite(seconds)) return "∞";
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  const units: [string, number][] = [
    ["year", 31556952],
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
    ["second", 1],
  ];
  const at = units.findIndex(([, size]) => seconds >= size);
  const one = (unit: string, count: number) =>
    new Intl.NumberFormat(language.value === "zh" ? "zh-CN" : "en-US", {
      style: "unit",
      unit,
      unitDisplay: brief ? "narrow" : "long",
      notation: count >= 100000 ? "compact" : "standard",
    }).format(count);
  const [unit, size] = units[at] ?? ["second", 1];
  const count = Math.floor(seconds / size);
  const next = units[at + 1];
  if (!next || count >= 10) return one(unit, count);
  const rest = Math.floor((seconds - count * size) / next[1]);
  return rest ? `${one(unit, count)} ${one(next[0], rest)}` : one(unit, count);
}

// Seconds as "640 µs", "3.2 ms".
export function latency(seconds: number): string {
  if (!Number.isFinite(seconds)) return "–";
  if (seconds < 1e-3) return `${+(seconds * 1e6).toPrecision(3)} µs`;
  if (seconds < 1) return `${+(seconds * 1e3).toPrecision(3)} ms`;
  return `${+seconds.toPrecision(3)} s`;
}
