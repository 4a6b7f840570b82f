// The first page: the state of the business at a glance.

import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ErrorBody, Metric } from '../api.ts'
import { compilesOnly, headlinesFirst, type Catalog } from '../catalog.ts'
import { filterText } from '../explore/asked.ts'
import { ConnectionChoice } from '../explore/form.tsx'
import { Printed } from '../explore/keep.tsx'
import { useCancelled } from '../hooks.ts'
import { metricLabel } from '../labels.ts'
import { m } from '../messages/index.ts'
import { Chip, Problem } from '../parts.tsx'
import { fragmentOf, fresh, openSaved, type State } from '../state.ts'
import { axesOf } from './axes.ts'
import { dropView, keyOf, viewsOf, type Owner } from '../views.ts'
import { Board, whereOf } from './board.tsx'
import { loadAxis, type Cards } from './cards.ts'
import { MetricCard } from './card.tsx'
import { isTile, Tile, titleOf } from './tile.tsx'

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
}

const most = 12
const grains = ['day', 'week', 'month', 'quarter', 'year']
const ranges = [12, 24, 36, 60]

export function Home({ catalog, state, set }: Props) {
  const metrics = useMemo(() => headlinesFirst(catalog.metricList).slice(0, most), [catalog])
  const { cards, attempt, again } = useCards(catalog, metrics, state)
  // An error of the connection is shown once, and not on each card.
  const error = metrics.length > 1 ? cards[metrics[0].name]?.error : undefined
  const shared = error && metrics.every((x) => cards[x.name]?.error?.message === error.message) ? error : undefined
  const causes = useMemo(() => causesOf(metrics, cards, shared !== undefined, state.filters.length > 0 ? 1 : 2), [metrics, cards, shared, state.filters.length])
  const grouped = new Set(causes.flatMap((c) => c.metrics))
  const opened = metrics.find((x) => x.name === state.metrics[0])
  const closed = compilesOnly(catalog)
  const tiles = closed ? [] : catalog.saved.filter(isTile)
  const others = catalog.saved.filter((q) => !tiles.includes(q))
  // An error that a box above names, or an earlier query, is not written again.
  const [failures, setFailures] = useState<Record<string, string>>({})
  const said = new Set([shared, ...causes.map((c) => c.error)].map((e) => e?.code))
  const isSaid = (name: string, code: string) => said.has(code) || tiles.find((q) => failures[q.name] === code)?.name !== name
  return (
    <main class="home">
      <h1>{catalog.model.name}</h1>
      {catalog.model.description && <p>{catalog.model.description}</p>}
      <Printed lines={[]} />
      {metrics.length === 0 && (
        <p class="empty">
          {m.home.noMetrics}{' '}
          <button type="button" class="link" onClick={() => set(fresh(state, 'model'))}>
            {m.home.toModel}
          </button>
        </p>
      )}
      <div class="bar homebar">
        <span class="quiet">{m.home.about(catalog.model.metrics, catalog.model.datasets)}</span>
        {metrics.length > 0 && <span class="switches">
          <label>
            {m.home.grain}{' '}
            <select value={state.grain} onChange={(e) => set({ grain: e.currentTarget.value })}>
              {grains.map((g) => (
                <option key={g} value={g}>
                  {m.grains[g]}
                </option>
              ))}
            </select>
          </label>
          <label>
            {m.home.range}{' '}
            <select value={state.periods} onChange={(e) => set({ periods: Number(e.currentTarget.value) })}>
              {(ranges.includes(state.periods) ? ranges : [...ranges, state.periods]).map((n) => (
                <option key={n} value={n}>
                  {m.home.periods(n)}
                </option>
              ))}
            </select>
          </label>
          <ConnectionChoice {...{ catalog, state, set }} />
        </span>}
      </div>
      {state.filters.length > 0 && (
        <p class="homefilters">
          {state.filters.map((f, i) => (
            <Chip key={i} name={filterText(catalog, f)} title={f.field} onRemove={() => set({ filters: state.filters.filter((x) => x !== f) })}>
              {filterText(catalog, f)}
            </Chip>
          ))}
        </p>
      )}
      {shared && <Problem error={shared} connection={state.connection} onAgain={again} onElsewhere={() => set({ connection: '' })} />}
      {closed && <p class="note">{m.compileOnly}</p>}
      {causes.map((c) =>
        state.filters.length > 0 ? (
          <p class="note cause" key={c.error.code}>
            {m.home.notFiltered(c.metrics.map((x) => metricLabel(x)).join(', '))} {c.error.message} <code class="tag">{c.error.code}</code>
          </p>
        ) : (
          <section class="cause" key={c.error.code}>
            <Problem error={c.error} connection={state.connection} onAgain={again} compact />
            <p class="quiet">{m.home.concerned(c.metrics.map((x) => metricLabel(x)).join(', '))}</p>
          </section>
        ),
      )}
      <ul class={opened ? 'metriccards compact' : 'metriccards'}>
        {metrics.filter((x) => !grouped.has(x)).map((metric) => (
          <MetricCard key={metric.name} metric={metric} card={cards[metric.name]} quiet={closed || shared !== undefined} opened={metric === opened} onOpen={() => set(closed ? { ...fresh(state, 'explore'), metrics: [metric.name] } : { metrics: metric === opened ? [] : [metric.name] })} onApply={(grain) => set({ grain })} />
        ))}
      </ul>
      {opened && cards[opened.name] && !cards[opened.name].error && <Board key={opened.name} {...{ catalog, state, set }} metric={opened} card={cards[opened.name]} />}
      {catalog.metricList.length > metrics.length && (
        <p>
          <button type="button" class="link" onClick={() => set(fresh(state, 'explore'))}>
            {m.home.more(catalog.metricList.length - metrics.length)}
          </button>
        </p>
      )}
      <Views key={keyOf(catalog)} owner={catalog} />
      {catalog.saved.length > 0 && <h2>{m.home.savedQueries}</h2>}
      {tiles.length > 0 && (
        <ul class="tiles">
          {tiles.map((q) => (
            <Tile key={q.name} catalog={catalog} saved={q} connection={state.connection} attempt={attempt} set={set} quiet={(code) => isSaid(q.name, code)} onError={(code) => setFailures((f) => ({ ...f, [q.name]: code }))} onAgain={again} />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <p>
          {others.slice(0, most).map((q) => (
            <button type="button" key={q.name} title={q.description} onClick={() => set(openSaved(q.name, state.connection, q.chart))}>
              {titleOf(q)}
            </button>
          ))}
        </p>
      )}
    </main>
  )
}

/** Views are the addresses that a person has kept in this browser. */
function Views({ owner }: { owner: Owner }) {
  const [views, setViews] = useState(() => viewsOf(owner))
  if (views.length === 0) return null
  return (
    <>
      <h2>{m.keep.views}</h2>
      <p class="homefilters">
        {views.map((v) => (
          <span class="chip" key={v.name}>
            <a href={v.hash}>{v.name}</a>
            <button
              type="button"
              class="bare"
              aria-label={m.keep.drop(v.name)}
              onClick={() => {
                dropView(owner, v.name)
                setViews(viewsOf(owner))
              }}
            >
              ×
            </button>
          </span>
        ))}
      </p>
    </>
  )
}

interface Cause {
  error: ErrorBody
  metrics: Metric[]
}

/** causesOf puts the metrics together whose errors have the same code, from so many on: they have one box. */
function causesOf(metrics: Metric[], cards: Cards, shared: boolean, least: number): Cause[] {
  if (shared) return []
  const causes = new Map<string, Cause>()
  for (const metric of metrics) {
    const error = cards[metric.name]?.error
    if (!error || fragmentOf(error.suggested_retry)) continue
    const cause = causes.get(error.code) ?? { error, metrics: [] }
    const message = cause.error.message.includes(error.message) ? cause.error.message : `${cause.error.message}; ${error.message}`
    causes.set(error.code, { error: { ...cause.error, message }, metrics: [...cause.metrics, metric] })
  }
  return [...causes.values()].filter((c) => c.metrics.length >= least)
}

/** useCards asks for the axes side by side and shows each as it answers. */
function useCards(catalog: Catalog, metrics: Metric[], state: State): { cards: Cards; attempt: number; again: () => void } {
  const [attempt, setAttempt] = useState(0)
  const [known, setKnown] = useState<{ key: string; cards: Cards }>({ key: '', cards: {} })
  const { grain, periods, connection } = state
  const where = whereOf(catalog, state.filters)
  const key = JSON.stringify([catalog.model.revision, grain, periods, connection, where, attempt])
  const turn = useCancelled((signal) => {
    setKnown({ key, cards: {} })
    if (compilesOnly(catalog)) return
    for (const axis of axesOf(metrics, catalog.datasets, catalog.dimensions)) {
      loadAxis(axis, { grain, periods, connection, where }, signal)
        .then((more) => !signal.aborted && setKnown((before) => ({ key, cards: { ...before.cards, ...more } })))
        .catch(() => undefined) // only one that was cancelled
    }
  })
  useEffect(turn, [key])
  return { cards: known.key === key ? known.cards : {}, attempt, again: () => setAttempt(attempt + 1) }
}
