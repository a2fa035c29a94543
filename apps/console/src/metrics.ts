// Reads what Prometheus reads, as far as the page shows it.

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export function parseMetrics(text: string): Sample[] {
  const samples: Sample[] = [];
  for (const line of text.split("\n")) {
    const found = /^([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? (\S+)$/i.exec(line);
    if (!found) continue;
    const labels: Record<string, string> = {};
    for (const [, key, value] of (found[2] ?? "").matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
      if (key) labels[key] = (value ?? "").replace(/\\(.)/g, "$1");
    }
    const value = found[3] === "+Inf" ? Number.POSITIVE_INFINITY : Number(found[3]);
    samples.push({ name: found[1] ?? "", labels, value });
  }
  return samples;
}

export interface RouteCount {
  method: string;
  route: string;
  total: number;
  failed: number; // 5xx
  refused: number; // 4xx
  seconds: number; // all together
}

export interface Metrics {
  atS: number;
  connections: number;
  redis: number;
  routes: RouteCount[];
  // How many took at most `le` seconds: not yet those that took less than the class before.
  classes: { le: number; count: number }[];
}

export function summary(text: string, atS: number): Metrics {
  const routes = new Map<string, RouteCount>();
  const classes = new Map<number, number>();
  let connections = 0;
  let redis = 0;
  for (const { name, labels, value } of parseMetrics(text)) {
    if (name === "tessera_connections") connections = value;
    if (name === "tessera_redis_commands_total") redis = value;
    if (name === "tessera_request_seconds_bucket") {
      const le = labels.le === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels.le);
      classes.set(le, (classes.get(le) ?? 0) + value);
    }
    if (labels.route === undefined || name.endsWith("_bucket")) continue;
    const key = `${labels.method} ${labels.route}`;
    const row = routes.get(key) ?? {
      method: labels.method ?? "",
      route: labels.route,
      total: 0,
      failed: 0,
      refused: 0,
      seconds: 0,
    };
    if (name === "tessera_requests_total") {
      row.total += value;
      if (labels.code === "5xx") row.failed += value;
      if (labels.code === "4xx") row.refused += value;
    }
    if (name === "tessera_request_seconds_sum") row.seconds += value;
    routes.set(key, row);
  }
  const sorted = [...classes].sort((a, b) => a[0] - b[0]);
  return {
    atS,
    connections,
    redis,
    routes: [...routes.values()],
    classes: sorted.map(([le, sum], i) => ({ le, count: sum - (sorted[i - 1]?.[1] ?? 0) })),
  };
}

export const totalOf = (metrics: Metrics) =>
  metrics.routes.reduce((sum, row) => sum + row.total, 0);

// The time that a share of the requests did not exceed, as finely as the classes tell.
export function quantile(classes: Metrics["classes"], share: number): number {
  const all = classes.reduce((sum, one) => sum + one.count, 0);
  if (all === 0) return Number.NaN;
  let sum = 0;
  for (const one of classes) {
    sum += one.count;
    if (sum >= share * all) return one.le;
  }
  return Number.POSITIVE_INFINITY;
}
