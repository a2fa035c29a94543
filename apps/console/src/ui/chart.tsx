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
  time?: boolean;
  logX?: boolean;
  logY?: boolean;
  minY?: number;
  maxY?: number;
  x?: (value: number) => string;
  y?: (value: number) => string;
  marker?: number; // a place on the x axis
  legend?: boolean;
}

const css = (name: string) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// The texts of an axis: only powers of ten on a logarithmic one.
function ticks(format: ((value: number) => string) | undefined, log: boolean) {
  return (_: uPlot, splits: number[]) =>
    splits.map((value) => {
      if (value === null || value === undefined) return "";
      const power = Math.log10(value);
      if (log && Math.abs(power - Math.round(power)) > 1e-9) return "";
      return format ? format(value) : String(value);
    });
}

function optionsOf(props: ChartProps, width: number): uPlot.Options {
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
    padding: [10, 12, 0, 0],
    legend: { show: props.legend ?? true, live: true },
    cursor: { points: { size: 7 }, drag: { x: false, y: false } },
    hooks: { draw: [drawMarker] },
    scales: {
      x: { time: props.time ?? false, distr: props.logX ? 3 : 1 },
      y: {
        distr: props.logY ? 3 : 1,
        range: (_u, min, max) => [
          props.minY ?? min,
          props.maxY ?? Math.max(max, (props.minY ?? 0) + 1e-9) * (props.logY ? 1 : 1.1),
        ],
      },
    },
    axes: [
      props.time ? axis : { ...axis, values: ticks(props.x, props.logX ?? false) },
      { ...axis, size: 62, values: ticks(props.y, props.logY ?? false) },
    ],
    series: [
      props.time ? {} : { value: (_u, v) => (v === null ? "–" : (props.x?.(v) ?? String(v))) },
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
  const shape = JSON.stringify([
    props.lines,
    props.logX,
    props.logY,
    props.minY,
    props.maxY,
    props.marker,
    isDark,
  ]);
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
