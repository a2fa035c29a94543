// "Did you mean": what may have been meant, with the symbol marked that differs.

import { askJson, type Checked, type Inspection } from "../core/core.ts";
import { link, words } from "../state.ts";

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

// What the check symbol allows, beyond what the reading itself suggests.
function suggestionsOf(seen: Inspection): string[] {
  const found = new Set<string>();
  for (const miss of seen.near_misses) {
    if (miss.code === "bad_check") {
      const as = miss.kind === "crockford-check" ? "random" : "public";
      const said = askJson<Checked>(["check", "--json", "--as", as, "--", seen.input]);
      if (said.ok) for (const text of said.items[0]?.suggestions ?? []) found.add(text);
    }
    if (miss.correction) found.add(miss.correction);
  }
  return [...found];
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
