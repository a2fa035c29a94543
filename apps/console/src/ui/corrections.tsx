// "Did you mean": what may have been meant, with the symbol marked that differs.

import { askJson, type Checked, type Inspection } from "../core/core.ts";
import { words } from "../i18n/index.ts";
import { link } from "../state.ts";

// Both texts cut into runs that are alike or differ. Blanks, hyphens and letter case are no
// difference: people type them as they like.
export function differences(typed: string, meant: string): { text: string; differs: boolean }[] {
  const bare = [...typed]
    .filter((c) => /[0-9a-z*~$=]/i.test(c))
    .join("")
    .toUpperCase();
  const runs: { text: string; differs: boolean }[] = [];
  let at = 0;
  for (const symbol of meant) {
    const plain = /[0-9a-z*~$=]/i.test(symbol);
    const differs = plain && bare[at] !== symbol.toUpperCase();
    if (plain) at += 1;
    const last = runs.at(-1);
    if (last && last.differs === differs) last.text += symbol;
    else runs.push({ text: symbol, differs });
  }
  return runs;
}

// Kinds that have a check symbol, and what `check` calls them.
const kChecked: Record<string, string> = { "crockford-check": "random", "public-id": "public" };

// What the check symbol says of a text that is nearly an ID: nothing, if that is not its fault.
export function mistypedOf(seen: Inspection): Checked | null {
  for (const miss of seen.near_misses) {
    const as = kChecked[miss.kind];
    if (!as) continue;
    const said = askJson<Checked>(["check", "--json", "--as", as, "--", seen.input]);
    const answer = said.ok ? said.items[0] : undefined;
    if (answer?.code === "bad_check") return answer;
  }
  return null;
}

function suggestionsOf(seen: Inspection): string[] {
  const meant = seen.near_misses.flatMap((miss) => (miss.correction ? [miss.correction] : []));
  return [...new Set([...(mistypedOf(seen)?.suggestions ?? []), ...meant])];
}

export function Corrections({ seen }: { seen: Inspection }) {
  const t = words.value.inspect;
  const suggestions = suggestionsOf(seen);
  if (suggestions.length === 0) return null;
  return (
    <div class="corrections">
      <h3>{t.didYouMean}</h3>
      <ul>
        {suggestions.map((text) => (
          <li key={text}>
            <a class="mono" href={link("inspect", [text])}>
              {differences(seen.input, text).map((run, i) =>
                run.differs ? <mark key={i}>{run.text}</mark> : run.text,
              )}
            </a>
          </li>
        ))}
      </ul>
      <p class="quiet small">{t.marked}</p>
    </div>
  );
}
