// Links to a result, views, and pictures of it.

import { useState } from 'preact/hooks'
import type { Query } from '../api.ts'
import type { Catalog } from '../catalog.ts'
import { savePicture } from '../chart/picture.ts'
import { isAsked } from '../filters.ts'
import { locale, m } from '../messages/index.ts'
import { Copy } from '../parts.tsx'
import { toHash, type State } from '../state.ts'
import { keepView } from '../views.ts'
import { askedText, filterText, rangeText } from './asked.ts'

interface Props {
  catalog: Catalog
  state: State
  query: Query
  /** The plots are in sight. */
  drawn: boolean
}

/** about are the lines below the title of a picture and of a printed page: the filters, the range and the day. */
export function aboutLines(catalog: Catalog, state: State): string[] {
  const filters = [...state.filters.filter(isAsked).map((f) => filterText(catalog, f)), state.where, state.context].filter(Boolean)
  return [filters.join(' · '), [rangeText(catalog, state) || m.form.allTime, catalog.model.name, made()].join(' · ')].filter(Boolean)
}

/** made names the day of a picture or of a printed page. */
const made = () => m.keep.made(new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(new Date()))

/** Printed are lines that only paper has: what the controls of the page show, and the day. */
export const Printed = ({ lines }: { lines: string[] }) => <p class="printed">{[...lines.filter(Boolean), made()].join(' · ')}</p>

/** titleOf names what is shown, without its filters and its range. */
export const titleOf = (catalog: Catalog, state: State) => askedText({ ...state, filters: [], where: '', context: '', start: '', end: '', last: '' }, catalog)

export function Keep({ catalog, state, query, drawn }: Props) {
  const [name, setName] = useState<string>()
  const [kept, setKept] = useState<boolean>()
  const file = state.metrics.join('_') || 'chart'
  return (
    <div class="bar keep">
      <span class="tools">
        <Copy text={() => location.href} label={m.keep.link} />
        <button type="button" class="small" aria-expanded={name !== undefined} onClick={() => (setName(name === undefined ? titleOf(catalog, state) : undefined), setKept(undefined))}>
          {kept ? m.keep.kept : m.keep.view}
        </button>
        {name !== undefined && (
          <form
            class="tools"
            onSubmit={(e) => {
              e.preventDefault()
              if (!name.trim()) return
              setKept(keepView(catalog, { name: name.trim(), hash: toHash(state) }))
              setName(undefined)
            }}
          >
            <input aria-label={m.keep.viewName} value={name} onInput={(e) => setName(e.currentTarget.value)} />
            <button type="submit" class="small">
              {m.keep.keep}
            </button>
          </form>
        )}
        <Copy text={() => savedYAML(state, query)} label={m.keep.saved} />
        {drawn && (
          <button type="button" class="small" onClick={() => savePicture(file, titleOf(catalog, state), aboutLines(catalog, state))}>
            {m.chart.picture}
          </button>
        )}
        <button type="button" class="small" onClick={() => print()}>
          {m.keep.print}
        </button>
      </span>
      {kept === false && (
        <p class="note" role="alert">
          {m.keep.notKept}
        </p>
      )}
    </div>
  )
}

const charts: Partial<Record<State['kind'], string>> = { line: 'line', area: 'area', bar: 'bar', number: 'number' }

/** savedYAML is the query as an entry of the saved queries of a model. The connection is not a part of a model. */
export function savedYAML(state: State, { connection: _, ...query }: Query): string {
  const name = [...state.metrics, ...state.calculations.map((c) => c.name), ...state.groups.map((g) => ['by', g.field.replaceAll(/\W+/g, '_'), g.grain ?? g.part].filter(Boolean).join('_'))].join('_')
  const chart = state.tab === 'table' ? 'table' : charts[state.kind]
  return [`- name: ${name}`, ...(chart ? [`  chart: ${chart}`] : []), `  query: ${JSON.stringify(query)}`].join('\n') + '\n'
}
