// The first page: the state of the business at a glance.

import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Metric } from '../api.ts'
import { headlinesFirst, type Catalog } from '../catalog.ts'
import { ConnectionChoice } from '../explore/form.tsx'
import { useCancelled } from '../hooks.ts'
import { m } from '../messages/index.ts'
import { Problem } from '../parts.tsx'
import { initial, openSaved, type State } from '../state.ts'
import { axesOf } from './axes.ts'
import { isClosed, loadAxis, type Card, type Cards } from './cards.ts'
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
  const { cards, again } = useCards(catalog, metrics, state)
  // An error of the connection is shown once, and not on each card.
  const error = metrics.length > 1 ? cards[metrics[0].name]?.error : undefined
  const shared = error && !isClosed(cards[metrics[0].name]) && metrics.every((x) => cards[x.name]?.error?.message === error.message) ? error : undefined
  const closed = metrics.length > 0 && metrics.every((x) => isClosed(cards[x.name]))
  const tiles = closed ? [] : catalog.saved.filter(isTile)
  const others = catalog.saved.filter((q) => !tiles.includes(q))
  const open = (metric: Metric, card: Card) =>
    set({
      ...initial,
      page: 'explore',
      metrics: [metric.name],
      connection: state.connection,
      ...(card.points && { groups: [{ field: 'metric_time', grain: card.grain }], start: card.start ?? '', end: card.end ?? '' }),
    })
  return (
    <main class="home">
      <h1>{catalog.model.name}</h1>
      {catalog.model.description && <p>{catalog.model.description}</p>}
      {metrics.length === 0 && <p class="empty">{m.home.noMetrics}</p>}
      <div class="bar homebar">
        <span class="quiet">{m.home.about(catalog.model.metrics, catalog.model.datasets)}</span>
        <span class="switches">
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
        </span>
      </div>
      {shared && <Problem error={shared} connection={state.connection} onAgain={again} onElsewhere={() => set({ connection: '' })} />}
      {closed && <p class="note">{m.compileOnly}</p>}
      <ul class="metriccards">
        {metrics.map((metric) => (
          <MetricCard key={metric.name} metric={metric} card={cards[metric.name]} quiet={shared !== undefined} onOpen={() => open(metric, cards[metric.name] ?? {})} onApply={(grain) => set({ grain })} />
        ))}
      </ul>
      {catalog.metricList.length > metrics.length && (
        <p>
          <button type="button" class="link" onClick={() => set({ ...initial, page: 'explore', connection: state.connection })}>
            {m.home.more(catalog.metricList.length - metrics.length)}
          </button>
        </p>
      )}
      {catalog.saved.length > 0 && <h2>{m.home.savedQueries}</h2>}
      {tiles.length > 0 && (
        <ul class="tiles">
          {tiles.map((q) => (
            <Tile key={q.name} catalog={catalog} saved={q} connection={state.connection} set={set} />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <p>
          {others.slice(0, most).map((q) => (
            <button type="button" key={q.name} title={q.description} onClick={() => set(openSaved(q.name, state.connection))}>
              {titleOf(q)}
            </button>
          ))}
        </p>
      )}
    </main>
  )
}

/** useCards asks for the axes side by side and shows each as it answers. */
function useCards(catalog: Catalog, metrics: Metric[], state: State): { cards: Cards; again: () => void } {
  const [attempt, setAttempt] = useState(0)
  const [known, setKnown] = useState<{ key: string; cards: Cards }>({ key: '', cards: {} })
  const { grain, periods, connection } = state
  const key = JSON.stringify([catalog.model.revision, grain, periods, connection, attempt])
  const turn = useCancelled((signal) => {
    setKnown({ key, cards: {} })
    for (const axis of axesOf(metrics, catalog.datasets, catalog.dimensions)) {
      loadAxis(axis, { grain, periods, connection }, signal)
        .then((more) => !signal.aborted && setKnown((before) => ({ key, cards: { ...before.cards, ...more } })))
        .catch(() => undefined) // only one that was cancelled
    }
  })
  useEffect(turn, [key])
  return { cards: known.key === key ? known.cards : {}, again: () => setAttempt(attempt + 1) }
}
