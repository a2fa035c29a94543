// A chart of uPlot in the colours of the page. Loaded with the first page that draws one.

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useWidth } from "../hooks.ts";
import { dark } from "../state.ts";

export interface Line {
  label: string;
  colour: string; // the name of a CSS variable
  dash?: number[];
  fill?: boolean;
}

export interface ChartProps {
  label: string; // what is to be seen, for those who do not see it
  data: (number | null)[][];
  lines: Line[];
  height?: number;
  time?: boolean; // x are seconds since 1970
  xLabel?: string;
  minY?: number;
  maxY?: number;
  x?: (value: number) => string;
  y?: (value: number) => string;
  marker?: number; // a place on the x axis
  legend?: boolean;
}

const css = (name: string) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const texts = (format: ((value: number) => string) | undefined) => (_: uPlot, splits: number[]) =>
  splits.map((value) => (format ? format(value) : String(value)));

const clock = (seconds: number) => new Date(seconds * 1000).toLocaleTimeString("en-GB");

const kSpanS = 60; // of time, that is shown at least

function optionsOf(props: ChartProps, width: number): uPlot.Options {
  const x = props.x ?? (props.time ? clock : String);
  const font = `11px ${css("--sans")}`;
  const axis = {
    stroke: css("--ink-3"),
    font,
    grid: { stroke: css("--line"), width: 1 },
    ticks: { show: false },
  };
  const drawMarker = (u: uPlot) => {
    if (props.marker === undefined) return;
    const x = u.valToPos(props.marker, "x", true);
    u.ctx.save();
    u.ctx.strokeStyle = css("--ink-2");
    u.ctx.setLineDash([4, 4]);
    u.ctx.beginPath();
    u.ctx.moveTo(x, u.bbox.top);
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  };
  return {
    width,
    height: props.height ?? 240,
    padding: [10, 26, 0, 0],
    legend: { show: props.legend ?? true, live: true },
    cursor: { points: { size: 7 }, drag: { x: false, y: false } },
    hooks: { draw: [drawMarker] },
    scales: {
      x: {
        time: false,
        range: (_u, min, max) => (props.time ? [Math.min(min, max - kSpanS), max] : [min, max]),
      },
      y: {
        range: (_u, min, max) => [props.minY ?? min, props.maxY ?? Math.max(max * 1.15, 1)],
      },
    },
    axes: [
      { ...axis, values: texts(x), ...(props.time ? { space: 90 } : { incrs: [1, 2, 4, 5, 10] }) },
      {
        ...axis,
        size: 58,
        values: texts(props.y),
        ...(props.time ? {} : { incrs: [2, 3, 4, 6, 10] }),
      },
    ],
    series: [
      { label: props.xLabel ?? "", value: (_u, v) => (v === null ? "–" : x(v)) },
      ...props.lines.map((line) => ({
        label: line.label,
        stroke: css(line.colour),
        width: 1.75,
        ...(line.dash ? { dash: line.dash } : {}),
        ...(line.fill ? { fill: `color-mix(in srgb, ${css(line.colour)} 12%, transparent)` } : {}),
        points: { show: false },
        value: (_u: uPlot, v: number | null) => (v === null ? "–" : (props.y?.(v) ?? String(v))),
      })),
    ],
  };
}

export default function Chart(props: ChartProps) {
  const { ref, width } = useWidth<HTMLDivElement>();
  const plot = useRef<uPlot | null>(null);
  const isDark = dark.value;
  const shape = JSON.stringify([props.lines, props.minY, props.maxY, props.marker, isDark]);
  useEffect(() => {
    if (!ref.current || width === 0) return;
    const made = new uPlot(optionsOf(props, width), props.data as uPlot.AlignedData, ref.current);
    plot.current = made;
    return () => {
      made.destroy();
      plot.current = null;
    };
  }, [shape, width > 0]);
  useEffect(() => {
    plot.current?.setData(props.data as uPlot.AlignedData);
  }, [props.data]);
  useEffect(() => {
    plot.current?.setSize({ width, height: props.height ?? 240 });
  }, [width]);
  return <div ref={ref} class="chart" role="img" aria-label={props.label} />;
}
