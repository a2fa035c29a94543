// The frame: the rail of pages, the page itself, the token, the state of the service.

import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { call, reachable } from "./api.ts";
import { coreFault } from "./core/core.ts";
import { usePolled } from "./hooks.ts";
import { loadLanguage, words } from "./i18n/index.ts";
import { ApiPage } from "./pages/api.tsx";
import { InspectPage } from "./pages/inspect.tsx";
import { MintPage } from "./pages/mint.tsx";
import { NamesPage } from "./pages/names.tsx";
import { OddsPage } from "./pages/odds.tsx";
import { RangePage } from "./pages/range.tsx";
import { RegistryPage } from "./pages/registry.tsx";
import { SegmentsPage } from "./pages/segments.tsx";
import { ServicePage } from "./pages/service.tsx";
import {
  chooseLanguage,
  go,
  language,
  link,
  pasteWanted,
  route,
  setToken,
  theme,
  toast,
  token,
  tokenWanted,
} from "./state.ts";
import { Dialog, Note } from "./ui/parts.tsx";

const kPages: Record<string, ComponentType> = {
  inspect: InspectPage,
  mint: MintPage,
  range: RangePage,
  odds: OddsPage,
  names: NamesPage,
  registry: RegistryPage,
  segments: SegmentsPage,
  service: ServicePage,
  api: ApiPage,
};
const kGroups = [
  ["understand", ["inspect", "mint", "range", "odds", "names"]],
  ["operate", ["registry", "segments", "service"]],
  ["build", ["api"]],
] as const;

// As index.html has it, where it is seen before any of this runs.
function Logo() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <rect class="tile-time" x="0" y="0" width="9" height="9" rx="1.6" />
      <rect class="tile-version" x="11" y="0" width="9" height="9" rx="1.6" />
      <rect class="tile-random" x="0" y="11" width="9" height="9" rx="1.6" />
      <rect class="tile-open" x="11" y="11" width="9" height="9" rx="1.6" />
    </svg>
  );
}

// How the service is, in one dot and a few words.
function ServiceState() {
  const t = words.value;
  const health = usePolled(() => call<{ version: string }>("/healthz"), 10000, []);
  const good = reachable.value && !health.problem;
  return (
    <p class="state" role="status">
      <span class={`dot ${good ? "good" : "bad"}`} />
      <span>{good ? t.frame.serving(health.value?.version ?? "") : t.frame.gone}</span>
    </p>
  );
}

function Rail() {
  const t = words.value;
  const page = route.value.page;
  const themes = ["system", "light", "dark"] as const;
  const next = themes[(themes.indexOf(theme.value as "system") + 1) % 3] ?? "system";
  const themeName = t.frame.theme[theme.value as "system" | "light" | "dark"];
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const strip = nav.current;
    const here = strip?.querySelector<HTMLElement>('[aria-current="page"]');
    if (strip && here)
      strip.scrollLeft = here.offsetLeft - strip.clientWidth / 2 + here.offsetWidth / 2;
  }, [page]);
  return (
    <header class="rail">
      <a class="brand" href="#/inspect">
        <Logo />
        Tessera
      </a>
      <nav ref={nav} aria-label={t.frame.pages}>
        {kGroups.map(([group, pages]) => (
          <div key={group}>
            <h2>{t.frame[group]}</h2>
            <ul>
              {pages.map((name) => (
                <li key={name}>
                  <a href={link(name)} aria-current={name === page ? "page" : undefined}>
                    {t[name].title}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div class="rail-foot">
        <ServiceState />
        <div class="rail-row">
          <button
            type="button"
            class="bare"
            onClick={() => {
              tokenWanted.value = true;
            }}
          >
            <span class={`dot ${token.value ? "good" : ""}`} />
            {t.token.button}
          </button>
          <button
            type="button"
            class="bare"
            onClick={() => {
              theme.value = next;
            }}
            aria-label={t.frame.themeLabel(themeName)}
            title={t.frame.themeLabel(themeName)}
          >
            {theme.value === "system" ? "◐" : theme.value === "light" ? "○" : "●"}
          </button>
          <button
            type="button"
            class="bare"
            lang={language.value === "zh" ? "en" : "zh-Hans"}
            onClick={() => {
              chooseLanguage(language.value === "zh" ? "en" : "zh");
              loadLanguage();
            }}
          >
            {language.value === "zh" ? "English" : "中文"}
          </button>
        </div>
      </div>
    </header>
  );
}

function TokenDialog() {
  const t = words.value.token;
  const [text, set] = useState(token.value);
  const [keep, setKeep] = useState(true);
  const close = () => {
    tokenWanted.value = false;
  };
  const submit = () => {
    setToken(text.trim(), keep);
    close();
  };
  return (
    <Dialog title={t.title} open={tokenWanted.value} onClose={close} onSubmit={submit}>
      <p class="quiet">{t.about}</p>
      <label class="field">
        {t.label}
        <input
          type="password"
          class="mono"
          value={text}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => set(event.currentTarget.value)}
        />
      </label>
      <label class="tick">
        <input
          type="checkbox"
          checked={keep}
          onChange={(event) => setKeep(event.currentTarget.checked)}
        />
        {t.keep}
      </label>
      <div class="row">
        <button type="submit" class="primary">
          {t.use}
        </button>
        <button type="button" onClick={close}>
          {words.value.cancel}
        </button>
        {token.value && (
          <button
            type="button"
            class="push danger"
            onClick={() => {
              set("");
              setToken("", false);
              close();
            }}
          >
            {t.forget}
          </button>
        )}
      </div>
    </Dialog>
  );
}

export function App() {
  const t = words.value;
  const name = route.value.page in kPages ? route.value.page : "inspect";
  const Page = kPages[name] ?? InspectPage;
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    document.title = `${t[name as "inspect"].title} · Tessera`;
  }, [t, name]);
  useEffect(() => {
    if (first.current) first.current = false;
    else if (document.activeElement?.id !== "paste") main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [name]);
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        pasteWanted.value = true;
        if (route.value.page !== "inspect") go("#/inspect");
      }
    };
    window.addEventListener("keydown", keys);
    return () => window.removeEventListener("keydown", keys);
  }, []);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        {t.frame.skip}
      </button>
      <Rail />
      <main id="main" ref={main} tabIndex={-1}>
        {coreFault.value && (
          <Note tone="bad">
            {t.frame.noCore} {coreFault.value}
          </Note>
        )}
        <Page />
      </main>
      <TokenDialog />
      <div aria-live="polite">{toast.value && <div class="toast">{toast.value}</div>}</div>
    </>
  );
}
