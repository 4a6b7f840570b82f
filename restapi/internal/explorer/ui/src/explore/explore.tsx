// The page of queries: metrics and dimensions on the left, the result on the right.

import { useEffect, useRef, useState } from 'preact/hooks'
import { useTypes } from '../accepted.ts'
import { api, type Compiled, type Dimension, type Query, type Result, type RowKind } from '../api.ts'
import { compilesOnly, headlinesFirst, type Catalog } from '../catalog.ts'
import { useAnswer, useMedia } from '../hooks.ts'
import { metricLabel } from '../labels.ts'
import { m } from '../messages/index.ts'
import { fromQuery, groupsIn, merge, openSaved, toQuery, type State } from '../state.ts'
import { isPartColumn } from '../timeparts.ts'
import { Rows } from './answer.tsx'
import { QueryBar } from './bar.tsx'
import { Picker } from './picker.tsx'
import { aboutLines, titleOf } from './keep.tsx'
import { titleOf as savedTitle } from '../home/tile.tsx'
import { replacement } from './replacement.ts'

export interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
}

/** Typing is not a question yet. */
const pause = 200

/** usePause is how long a query waits for the next letter. A choice sends its query immediately. A filter on a name whose type is not known yet waits for it. */
function usePause(state: State, types: Map<string, Dimension>): number {
  const typed = JSON.stringify([state.filters, state.where])
  const before = useRef(typed)
  const typing = before.current !== typed
  useEffect(() => {
    before.current = typed
  }, [typed])
  return typing || state.filters.some((f) => !types.has(f.field) && !state.metrics.includes(f.field)) ? pause : 0
}

export function Explore({ catalog, state, set }: Props) {
  const narrow = useMedia('(max-width: 1199px)')
  const empty = state.metrics.length + state.calculations.length === 0
  const types = useTypes(catalog, state.metrics)
  const query = toQuery(state, { metrics: catalog.metrics, dimensions: types })
  const key = empty ? undefined : JSON.stringify(query)
  const asked = useRows(catalog, key, query, 'query', usePause(state, types))
  const columns = asked.shown?.result.columns ?? []
  // Conditions can name the columns of parts.
  const parts = columns.filter((c) => state.groups.some((g) => isPartColumn(c, g)))
  const takes = new Map([...types, ...parts.map((name): [string, Dimension] => [name, { name, datatype: 'Integer', is_time: false, is_dimension: true, source: 'part' }])])
  const apply = (fragment: Record<string, unknown>) => set(fromQuery(state, merge(query, fragment), { metrics: catalog.metrics, dimensions: types }))
  return (
    <div class="explore">
      <aside>
        <details open={!narrow || empty}>
          <summary>{m.picker.choose}</summary>
          <Picker catalog={catalog} state={state} set={set} query={query} />
        </details>
      </aside>
      <main tabIndex={-1}>
        {empty ? (
          <Welcome catalog={catalog} state={state} set={set} />
        ) : (
          <>
            <h1 class="printed">{titleOf(catalog, state)}</h1>
            {aboutLines(catalog, state).map((line) => (
              <p class="printed" key={line}>
                {line}
              </p>
            ))}
            <QueryBar catalog={catalog} state={state} set={set} takes={takes} columns={columns} />
            <Rows
              {...{ catalog, state, set, asked, query }}
              kind="query"
              groups={groupsIn(asked.shown?.query ?? query)}
              ordered={state.order.length > 0}
              drillable={true}
              onFragment={apply}
              onCandidate={(error) => replacement(error, state, set)}
              onLimit={(limit) => set({ limit })}
              onLargest={state.order.length === 0 ? (key) => set({ order: [{ key, desc: true }] }) : undefined}
            />
          </>
        )}
      </main>
    </div>
  )
}

/** A result with the query that it answers and what that compiles to: under the names of another query its rows would be drawn wrong. */
export interface Ran {
  query: Query
  result: Result
  compiled?: Compiled
}

/** useRows compiles a query and executes it, unless the service only compiles or a person has stopped it. */
export function useRows(catalog: Catalog, key: string | undefined, query: Query, kind: RowKind, delay = pause) {
  const compileOnly = compilesOnly(catalog)
  const [stoppedKey, setStoppedKey] = useState('')
  const stopped = stoppedKey === key
  const hinted = kind === 'select' || query.saved ? query : { ...query, hints: true }
  const compiled = useAnswer<Compiled>(key, (signal) => api.compile(query, signal, kind), delay)
  const run = useAnswer<Result>(compileOnly || stopped ? undefined : key, (signal) => api.execute(hinted, signal, kind), delay)
  const refusal = compileOnly ? compiled.error : run.error
  // The two answers come in any order, and are shown together.
  const ran = useRef<Ran | undefined>(undefined)
  if (run.data === undefined) ran.current = undefined
  else if (run.of === compiled.of && ran.current?.result !== run.data) ran.current = { query: JSON.parse(run.of!), result: run.data, compiled: compiled.data }
  const running = run.running || (run.data !== undefined && ran.current?.result !== run.data)
  const again = () => (compiled.again(), run.again())
  return { compiled, again, shown: ran.current, running, took: run.took, refusal, compileOnly, stopped, stop: () => setStoppedKey(key ?? ''), resume: () => setStoppedKey('') }
}

function Welcome({ catalog, state, set }: Props) {
  return (
    <section class="welcome">
      <h1>{catalog.model.name}</h1>
      <p class="quiet">{m.welcome.pick}</p>
      <p>
        {headlinesFirst(catalog.metricList)
          .slice(0, 8)
          .map((metric) => (
            <button type="button" key={metric.name} title={metric.description} onClick={() => set({ metrics: [metric.name] })}>
              {metricLabel(metric)}
            </button>
          ))}
      </p>
      {catalog.saved.length > 0 && (
        <>
          <p class="quiet">{m.welcome.saved}</p>
          <p>
            {catalog.saved.slice(0, 8).map((q) => (
              <button type="button" key={q.name} title={q.description} onClick={() => set(openSaved(q.name, state.connection, q.chart))}>
                {savedTitle(q)}
              </button>
            ))}
          </p>
        </>
      )}
    </section>
  )
}
