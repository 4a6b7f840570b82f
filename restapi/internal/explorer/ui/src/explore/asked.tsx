// The query in one line, which takes the place of the form on a narrow screen.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Catalog } from '../catalog.ts'
import { isAsked, takesValue, type Filter } from '../filters.ts'
import { bucket } from '../format.ts'
import { useMedia } from '../hooks.ts'
import { m } from '../messages/index.ts'
import { defaultLimit, hasRange, type Group, type State } from '../state.ts'
import { partLabel } from '../timeparts.ts'

/** Folded is a form that a narrow screen hides behind a line, so that the result is in sight. A form that a person has used stays open, and so does one whose query is not complete. */
export function Folded({ line, stays = false, children }: { line: string; stays?: boolean; children: ComponentChildren }) {
  const narrow = useMedia('(max-width: 900px)') && !stays
  const [open, setOpen] = useState(false)
  return (
    <div class="folded">
      {narrow && (
        <button type="button" class="asked" aria-expanded={open} aria-label={m.form.asked(line)} onClick={() => setOpen(!open)}>
          <span aria-hidden="true">{open ? '▾' : '▸'}</span> <span class="line">{line}</span>
        </button>
      )}
      <div hidden={narrow && !open} onFocusIn={() => stays || setOpen(true)}>
        {children}
      </div>
    </div>
  )
}

/** askedText names the query of a form: its metrics and group-bys, then each part that differs from an empty form. */
export function askedText(state: State, catalog: Pick<Catalog, 'metrics'>): string {
  const names = state.metrics.map((name) => catalog.metrics.get(name)?.label || name)
  const groups = state.groups.map(groupText)
  const first = state.order[0]
  return [
    [names.join(', '), groups.length > 0 && `${m.form.by} ${groups.join(', ')}`].filter(Boolean).join(' '),
    rangeOf(state),
    ...state.filters.filter(isAsked).map(filterText),
    state.where,
    state.context && `${m.form.beforeAll} ${state.context}`,
    ...Object.entries(state.params).map(([name, value]) => value && `${name} = ${value}`),
    state.compare && hasRange(state) && m.form.comparisons[state.compare],
    first && (first.desc ? m.form.largest(first.key) : m.form.smallest(first.key)),
    state.limit !== defaultLimit && `${m.form.atMost} ${state.limit.toLocaleString()} ${m.form.rows}`,
    state.totals && groups.length > 0 && m.form.totals,
    state.shares && groups.length > 0 && m.form.shares,
    ...Object.entries(state.rest).map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
    state.connection,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** groupText names a group-by with its grain or its part. */
export const groupText = (g: Group) => (g.grain ? `${g.field} (${m.grains[g.grain] ?? g.grain})` : g.part ? `${g.field} (${partLabel(g.part)})` : g.field)

const filterText = (f: Filter) => [f.field, f.op, takesValue(f.op) && f.value].filter(Boolean).join(' ')

/** lastText names a relative range. */
export const lastText = (last: string) => m.form.last(Number(last.split(' ')[0]), m.grains[last.split(' ')[1]] ?? last.split(' ')[1])

function rangeOf(s: State): string {
  const day = (text: string) => bucket(text, 'day')
  const range = s.last ? [lastText(s.last), s.asOf && `→ ${s.asOf}`] : [s.start && `${m.form.from} ${day(s.start)}`, s.end && `${m.form.until} ${day(s.end)}`]
  const text = range.filter(Boolean).join(' ')
  return text && s.timeDimension ? `${text} ${m.form.of} ${s.timeDimension}` : text
}

/** windowsText names the windows that an attribution compares, and its dimensions. */
export function windowsText(state: State, catalog: Pick<Catalog, 'metrics'>, where: string): string {
  const name = catalog.metrics.get(state.metrics[0])?.label || state.metrics[0]
  const window = (w: State['current']) => m.why.window(bucket(w.start, 'day'), bucket(w.end, 'day'))
  return [name, m.why.windows(window(state.baseline), window(state.current)), m.why.explainedBy(state.dimensions.join(', ')), where].filter(Boolean).join(' · ')
}
