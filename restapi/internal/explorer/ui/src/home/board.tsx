// The parts of a metric: a list for each dimension with few values, sorted by surprise.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useAccepted } from '../accepted.ts'
import type { Dimension, ErrorBody, Metric, Query } from '../api.ts'
import { isOfCalendar, type Catalog } from '../catalog.ts'
import { hasFewValues } from '../few.ts'
import { condition, type Filter } from '../filters.ts'
import { bucket, change, number, otherValue } from '../format.ts'
import { useAnswer, useSeen } from '../hooks.ts'
import { metricLabel, nameField } from '../labels.ts'
import { m } from '../messages/index.ts'
import { Problem } from '../parts.tsx'
import { addPeriods, isPeriod } from '../periods.ts'
import { fresh, type State } from '../state.ts'
import { comparing, type Card } from './cards.ts'
import { leadersQuery, readLeaders, type Leader, type Window } from './leaders.ts'

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
  metric: Metric
  card: Card
}

/** windowOf is the last complete period of a card. */
function windowOf(card: Card): Window | undefined {
  const last = card.points?.at(-1)
  return last && card.grain && isPeriod(card.grain) ? { start: last.bucket, end: addPeriods(last.bucket, 1, card.grain), grain: card.grain } : undefined
}

/** whereOf is the condition of the filters of the page. */
export const whereOf = (catalog: Catalog, filters: Filter[]): string => filters.map((f) => condition(f, catalog.dimensions.get(f.field)?.datatype ?? 'String')).filter(Boolean).join(' AND ')

export function Board(p: Props) {
  const { catalog, state, set, metric, card } = p
  const { lists, error: refused, again: askAgain } = useAccepted([metric.name])
  const fixed = new Set(state.filters.filter((f) => f.op === '=' || f.op === 'is null' || f.op === 'is empty').map((f) => f.field))
  const dimensions = useMemo(() => (lists?.[0] ?? []).filter((d) => d.is_dimension && !d.is_time && d.name !== 'metric_time' && !isNumber(d)), [lists])
  const where = whereOf(catalog, state.filters)
  const [sizes, setSizes] = useState<Record<string, { size: number; where: string }>>({})
  // Lists that fail for one cause have one box, as cards have.
  const [attempt, setAttempt] = useState(0)
  const [failures, setFailures] = useState<Record<string, ErrorBody | undefined>>({})
  const window = windowOf(card)
  const shown = dimensions.filter((d) => !fixed.has(d.name))
  const size = (d: Dimension) => sizes[d.name]?.size ?? -1
  const ordered = [...shown].sort((a, b) => size(b) - size(a))
  // A list that is out of sight is asked for when no other is: the most surprising one comes first.
  const isLoaded = (d: Dimension) => sizes[d.name]?.where === where
  const next = shown.slice(0, mostUnseen).find((d) => !isLoaded(d))
  const causes = shown.flatMap((d) => failures[d.name] ?? []).filter((e, i, all) => all.findIndex((x) => x.code === e.code && x.message === e.message) === i)
  const before = window && { start: addPeriods(window.start, -1, window.grain), end: window.start }
  return (
    <section class="board" aria-label={m.home.board(metricLabel(metric))}>
      <div class="bar">
        <h2>{window ? m.home.boardOf(metricLabel(metric), bucket(window.start, window.grain)) : metricLabel(metric)}</h2>
        <span class="tools">
          <button type="button" class="small" onClick={() => set(exploring(p))}>
            {m.home.explore}
          </button>
          {window && before && (
            <button type="button" class="small" onClick={() => set({ ...fresh(state, 'attribution'), metrics: [metric.name], filters: state.filters, grain: window.grain, current: { start: window.start, end: window.end }, baseline: before })}>
              {m.home.why}
            </button>
          )}
        </span>
      </div>
      {refused && <Problem error={refused} onAgain={askAgain} />}
      {causes.map((e) => (
        <Problem key={e.code + e.message} error={e} connection={state.connection} onAgain={() => setAttempt(attempt + 1)} compact />
      ))}
      <ul class="boards">
        {ordered.map((d) => (
          <Leaders key={d.name} {...p} attempt={attempt} onError={(error) => setFailures((f) => (f[d.name] === error ? f : { ...f, [d.name]: error }))} dimension={d.name} window={window} where={where} wanted={d === next || isLoaded(d)} onSize={(size) => setSizes((s) => ({ ...s, [d.name]: { size, where } }))} />
        ))}
      </ul>
    </section>
  )
}

/** So many lists are asked for before a person scrolls to them. */
const mostUnseen = 16

const isNumber = (d: Dimension) => d.datatype === 'Integer' || d.datatype === 'Decimal' || d.datatype === 'Float'

/** exploring opens the metric over time with the filters of the page. */
const exploring = ({ state, metric, card }: Props): State => ({
  ...fresh(state, 'explore'),
  metrics: [metric.name],
  filters: state.filters,
  ...(card.points && { groups: [{ field: 'metric_time', grain: card.grain }], start: card.start ?? '', end: card.end ?? '' }),
})

interface LeadersProps extends Props {
  dimension: string
  window?: Window
  where: string
  wanted: boolean
  /** How often a person has asked again for what failed. */
  attempt: number
  onError: (error?: ErrorBody) => void
  onSize: (size: number) => void
}

function Leaders({ catalog, state, set, metric, dimension, window, where, wanted, attempt, onError, onSize }: LeadersProps) {
  const place = useRef<HTMLLIElement>(null)
  const seen = useSeen(place)
  const keys: Query = { ...(where && { where_sql: where }), ...(state.connection && { connection: state.connection }) }
  const query = leadersQuery(metric, dimension, window, keys)
  const key = seen || wanted ? JSON.stringify([catalog.model.revision, query, attempt]) : undefined
  const answer = useAnswer<Leader[] | undefined>(key, async (signal) => ((await hasFewValues(catalog.model.revision, dimension, state.connection)) ? readLeaders(await comparing(query, signal), metric) : undefined))
  const leaders = answer.data
  const largest = Math.max(0, ...(leaders ?? []).map((l) => Math.abs(l.now ?? 0)))
  const settled = key !== undefined && !answer.running
  useEffect(() => {
    if (settled) onSize(isOfCalendar(catalog, dimension) ? 0 : Math.max(0, ...(leaders ?? []).filter((l) => l.value !== otherValue).map((l) => Math.abs(l.surprise))))
  }, [settled, leaders])
  useEffect(() => onError(answer.error), [answer.error])
  if (settled && !answer.error && leaders === undefined) return null // it has many values
  const pick = (value: Leader['value']) => {
    const filter: Filter = value === null ? { field: dimension, op: 'is null', value: '' } : value === '' ? { field: dimension, op: 'is empty', value: '' } : { field: dimension, op: '=', value: String(value) }
    set({ filters: [...state.filters.filter((f) => f.field !== dimension), filter] })
  }
  return (
    <li class="leaders" ref={place} aria-busy={answer.running} data-dimension={dimension}>
      <h3 title={dimension}>{nameField(catalog, dimension)}</h3>
      {answer.error && <p class="quiet">{m.home.notLoaded}</p>}
      {leaders && (
        <table>
          <thead class="hidden">
            <tr>
              <th scope="col">{nameField(catalog, dimension)}</th>
              <th scope="col">{metricLabel(metric)}</th>
              <th scope="col">{m.table.kinds.share}</th>
              <th scope="col">{m.why.change}</th>
            </tr>
          </thead>
          <tbody>
            {leaders.map((l) => {
              // A part of a sum that has nothing any more has lost all of it.
              const c = change(l.before, l.now ?? (metric.additivity === 'additive' && l.before !== null ? 0 : null), metric)
              return (
                <tr key={String(l.value)}>
                  <th scope="row" style={{ background: `linear-gradient(to right, var(--heat) ${largest > 0 && l.value !== otherValue ? (Math.abs(l.now ?? 0) / largest) * 100 : 0}%, transparent 0)` }}>
                    {l.value === otherValue ? (
                      <span class="quiet">{m.other}</span>
                    ) : (
                      <button type="button" class="cell" title={m.home.only(bucket(l.value, undefined))} onClick={() => pick(l.value)}>
                        {bucket(l.value, undefined)}
                      </button>
                    )}
                  </th>
                  <td class="number" title={String(l.now ?? '')}>
                    {number(l.now, metric, true)}
                  </td>
                  <td class="number quiet">{l.share === undefined ? '' : number(l.share, sharePercent)}</td>
                  <td class={`number change ${c?.mood ?? ''}`}>{c ? `${c.arrow} ${c.text}` : ''}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </li>
  )
}

const sharePercent = { format: 'percent:0' } as Metric
