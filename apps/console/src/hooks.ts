// Small helpers for pages: answers that come later, answers that come again and again.

import { useEffect, useRef, useState } from "preact/hooks";
import { asProblem, type Problem } from "./api.ts";

export interface Loaded<T> {
  value: T | null;
  problem: Problem | null;
  busy: boolean;
  reload: () => void;
}

// Asks when `keys` change. A late answer to an old question is dropped.
export function useLoaded<T>(load: () => Promise<T>, keys: unknown[]): Loaded<T> {
  const [state, set] = useState<Omit<Loaded<T>, "reload">>({
    value: null,
    problem: null,
    busy: true,
  });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let current = true;
    set((old) => ({ ...old, busy: true }));
    load().then(
      (value) => current && set({ value, problem: null, busy: false }),
      (fault) => current && set({ value: null, problem: asProblem(fault), busy: false }),
    );
    return () => {
      current = false;
    };
  }, [...keys, turn]);
  return { ...state, reload: () => setTurn((n) => n + 1) };
}

// Asks every `periodMs` while somebody looks. The last good answer stays beside a problem.
export function usePolled<T>(load: () => Promise<T>, periodMs: number, keys: unknown[]) {
  const [state, set] = useState<{ value: T | null; problem: Problem | null }>({
    value: null,
    problem: null,
  });
  useEffect(() => {
    let current = true;
    let timer = 0;
    const turn = async () => {
      if (!document.hidden) {
        try {
          const value = await load();
          if (current) set({ value, problem: null });
        } catch (fault) {
          if (current) set((old) => ({ value: old.value, problem: asProblem(fault) }));
        }
      }
      if (current) timer = window.setTimeout(turn, periodMs);
    };
    turn();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, keys);
  return state;
}

// The moment, told anew every so often.
export function useNow(periodMs: number): number {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => set(Date.now()), periodMs);
    return () => clearInterval(timer);
  }, [periodMs]);
  return now;
}

// A number that follows the width of an element.
export function useWidth<E extends HTMLElement>() {
  const ref = useRef<E>(null);
  const [width, set] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() => set(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
