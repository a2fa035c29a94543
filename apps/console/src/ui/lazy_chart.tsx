// The chart, loaded when it is first needed: most pages draw none.

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ChartProps } from "./chart.tsx";

let loaded: ComponentType<ChartProps> | null = null;

export function Chart(props: ChartProps) {
  const [, arrived] = useState(loaded !== null);
  useEffect(() => {
    if (loaded) return;
    let current = true;
    import("./chart.tsx").then((module) => {
      loaded = module.default;
      if (current) arrived(true);
    });
    return () => {
      current = false;
    };
  }, []);
  const Loaded = loaded;
  return Loaded ? <Loaded {...props} /> : <div style={{ height: `${props.height ?? 240}px` }} />;
}
