// What the whole page shares: where we are, in which language and theme, and who asks.

import { computed, effect, signal } from "@preact/signals";

export type Language = "en" | "zh";

// The route: "#/inspect/01ARZ…?as=ulid".
export interface Route {
  page: string;
  rest: string[];
  query: URLSearchParams;
}

function readHash(): Route {
  const text = location.hash.replace(/^#\/?/, "");
  const [path = "", query = ""] = splitOnce(text, "?");
  const parts = path.split("/").map(decode);
  return { page: parts[0] || "inspect", rest: parts.slice(1), query: new URLSearchParams(query) };
}

function splitOnce(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

// Whatever somebody wrote behind the #: what is no good escape stands for itself.
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const route = signal<Route>(readHash());
window.addEventListener("hashchange", () => {
  route.value = readHash();
});

export function link(
  page: string,
  rest: string[] = [],
  query: Record<string, string> = {},
): string {
  const path = [page, ...rest.map(encodeURIComponent)].join("/");
  const used = Object.entries(query).filter(([, value]) => value !== "");
  return `#/${path}${used.length ? `?${new URLSearchParams(used)}` : ""}`;
}

export function go(to: string): void {
  location.hash = to;
}

// The same page, told anew: no step in the history for every key.
export function replace(to: string): void {
  if (location.hash === to) return;
  history.replaceState(null, "", to);
  route.value = readHash();
}

// A signal that lasts as long as the tab, or as the browser remembers.
function kept(storage: Storage, name: string, first: string) {
  const value = signal(storage.getItem(name) ?? first);
  effect(() => {
    if (value.value) storage.setItem(name, value.value);
    else storage.removeItem(name);
  });
  return value;
}

export type Theme = "system" | "light" | "dark";
export const theme = kept(localStorage, "tessera.theme", "system");
const darkQuery = matchMedia("(prefers-color-scheme: dark)");
const systemDark = signal(darkQuery.matches);
darkQuery.addEventListener("change", (event) => {
  systemDark.value = event.matches;
});
export const dark = computed(() =>
  theme.value === "system" ? systemDark.value : theme.value === "dark",
);
effect(() => {
  document.documentElement.dataset.theme = dark.value ? "dark" : "light";
});

const spoken: Language = navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
const chosenLanguage = kept(localStorage, "tessera.language", "");
export const language = computed<Language>(() => {
  const chosen = chosenLanguage.value;
  return chosen === "zh" || chosen === "en" ? chosen : spoken;
});
export function chooseLanguage(next: Language): void {
  chosenLanguage.value = next;
}
effect(() => {
  document.documentElement.lang = language.value === "zh" ? "zh-Hans" : "en";
});

// The token: in memory, or until the tab is closed. Never longer.
export const token = signal(sessionStorage.getItem("tessera.token") ?? "");
export function setToken(text: string, keep: boolean): void {
  token.value = text;
  if (text && keep) sessionStorage.setItem("tessera.token", text);
  else sessionStorage.removeItem("tessera.token");
}
export const tokenWanted = signal(false); // the dialog is open

export const pasteWanted = signal(false); // the box of Inspect is to be typed into

export const tenant = kept(sessionStorage, "tessera.tenant", "");

export const toast = signal("");
let toastTimer = 0;
export function say(text: string): void {
  toast.value = text;
  clearTimeout(toastTimer);
  toastTimer = window.setTimeout(() => {
    toast.value = "";
  }, 2400);
}
