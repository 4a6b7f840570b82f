// A link can hold any query, and a page of another site can open one. Its query is
// sent when the person who sees it asks for that.

import { embedder } from './embed.ts'
import { m } from './messages/index.ts'
import type { State } from './state.ts'

/** openedElsewhere reports whether a page of another site opened this one. */
export function openedElsewhere(): boolean {
  if (embedder()) return false
  if (document.documentElement.dataset.opened === 'elsewhere') return true
  try {
    return document.referrer !== '' && new URL(document.referrer).origin !== location.origin
  } catch {
    return true
  }
}

/** Held shows the query of a link and asks whether to run it. */
export function Held({ state, onRun }: { state: State; onRun: () => void }) {
  const lines: [string, string][] = [
    [m.held.saved, state.saved],
    [m.form.parameters, Object.entries(state.params).map(([k, v]) => `${k} = ${v}`).join(', ')],
    [m.picker.metrics, [...state.metrics, state.focus].filter(Boolean).join(', ')],
    [m.held.grouped, [...state.groups.map((g) => [g.field, g.grain ?? g.part].filter(Boolean).join(' ')), ...state.dimensions].join(', ')],
    [m.held.condition, [...state.filters.map((f) => JSON.stringify(f)), state.where, state.context].filter(Boolean).join(' AND ')],
    [m.pages.sql, state.statement],
    [m.form.connection, state.connection],
  ]
  return (
    <main class="boot held">
      <h1 class="hidden">{m.held.saved}</h1>
      <p>{m.held.about}</p>
      <dl>
        {lines
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ))}
      </dl>
      <button type="button" onClick={onRun}>
        {m.held.run}
      </button>
    </main>
  )
}
