// The result of a query: its chart, its table, and remarks about both.

import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { api, type Compiled, type ErrorBody, type Query, type Result, type Row, type RowKind, type Warning } from '../api.ts'
import { colourValues, hasColours } from '../chart/colours.ts'
import { cutsOf } from '../chart/cuts.ts'
import { withOrders } from '../chart/order.ts'
import { axisAt, mostSeries } from '../chart/panels.ts'
import { ResultChart, type Mark, type Stretched } from '../chart/chart.tsx'
import { boundsOf, rangesOf, rangeText, shapeOf, type Shape } from '../chart/shape.ts'
import { amountsIn, seesSQL } from '../catalog.ts'
import { list, spelled, type Filter } from '../filters.ts'
import { useAnswer, useSignal } from '../hooks.ts'
import { m } from '../messages/index.ts'
import { bareLabel, nameField, nameGroup, nameMetric } from '../labels.ts'
import { datasetOf, fieldOf } from '../names.ts'
import { Busy, Cancelled, Problem, Tabs } from '../parts.tsx'
import { addPeriods, isPeriod } from '../periods.ts'
import { fragmentOf, groupsIn, kinds, type Group, type Kind, type State, type Tab } from '../state.ts'
import { acrossOf, levelsOf, totalsOf } from '../table/levels.ts'
import { Pivot } from '../table/pivot.tsx'
import { ResultTable } from '../table/table.tsx'
import { defaultsText, storedText } from './asked.ts'
import { Plan, Requests, SQL } from './code.tsx'
import { clockOf, wallClock } from './clock.ts'
import { placesOf } from './drill.ts'
import type { Props, useRows } from './explore.tsx'
import { DrillMenu, type Picked } from './menu.tsx'
import { Keep } from './keep.tsx'
import { NoRows } from './norows.tsx'
import { endOfData, keysOf } from './range.ts'
import { topOf } from './top.ts'

export interface Shown extends Props {
  asked: ReturnType<typeof useRows>
  query: Query
  kind: RowKind
  groups: Group[]
  /** The query has an order, which a chart keeps. */
  ordered: boolean
  onFragment: (f: Record<string, unknown>) => void
  onCandidate: (error: ErrorBody) => ((name: string) => void) | undefined
  onLimit?: (limit: number) => void
  onLargest?: (column: string) => void
  /** Asks for the rows in another order. */
  onOrder?: (order: State['order']) => void
  /** The content below the rows. */
  below?: (result: Result) => ComponentChildren
  /** Marks and cells open the menu of what to do with them. */
  drillable?: boolean
}

/** Rows shows the state of a query: that it runs, its error, or its result. */
export function Rows(p: Shown) {
  const { running, shown, refusal, stopped, stop, resume } = p.asked
  return (
    <>
      <Busy running={running} onCancel={stop} />
      {stopped && <Cancelled onAgain={resume} />}
      {refusal && <Problem error={refusal} connection={p.state.connection} onAgain={p.asked.again} onElsewhere={() => p.set({ connection: '' })} onFragment={p.onFragment} onCandidate={p.onCandidate(refusal)} />}
      <Answer {...p} />
      {shown && p.below?.(shown.result)}
    </>
  )
}

/** outputsOf names the metric of each column that holds one. */
export const outputsOf = (compiled?: Compiled) => new Map((compiled?.outputs ?? []).map((o) => [o.column, o.metric]))

const tabs: [Tab, string][] = (['chart', 'table', 'sql', 'plan', 'request'] as const).map((tab) => [tab, m.tabs[tab]])

function Answer(p: Shown) {
  const { state, set, catalog, query, kind, groups } = p
  const { shown, running, took, compiled, compileOnly } = p.asked
  const result = shown?.result
  const shape = useMemo(() => shown && shapeOf(shown.result, shown.compiled?.outputs, groups, catalog.metrics), [shown, JSON.stringify(groups), catalog])
  const charted = kind !== 'select' && (!shape || shape.columns.length > 0)
  const hidden = compiled.data ? compiled.data.sql === '' : !seesSQL(catalog) // the right to see SQL is not given
  const names = tabs.slice(compileOnly ? 2 : charted ? 0 : 1).filter(([name]) => !hidden || (name !== 'sql' && name !== 'plan'))
  const tab = names.some(([name]) => name === state.tab) ? state.tab : names[0][0]
  const limited = result?.limited === true
  // A table of some rows is put in order by the service, which has them all.
  const onOrder = p.onOrder ? p.onOrder : limited || state.order.length > 0 ? (order: State['order']) => set({ order }) : undefined
  const [picked, setPicked] = useState<Picked>()
  const [anchor, setAnchor] = useState<string>()
  const keys = shape?.drawn.columns.slice(0, shape.groups.length) ?? []
  const grains = useMemo(() => new Map(shape?.groups.flatMap((g, i): [string, string][] => (g.grain ? [[shape.drawn.columns[i], g.grain]] : [])) ?? []), [shape])
  const titles = useMemo(() => titlesOf(catalog, shown?.query, shape), [shape, catalog])
  const metricAt = (column: string) => shape?.columns.find((c) => c.name === column)?.metric?.name ?? state.metrics[0]
  const pick = (mark: Mark, at: { x: number; y: number }) => shape && setPicked({ places: placesOf(shape.groups, keys, mark.values), metric: metricAt(mark.column), before: mark.before, at })
  /** The period before a cell's is the one before in the calendar. */
  const pickCell = (row: Row, column: string, at: { x: number; y: number }) => {
    const places = shape ? placesOf(shape.groups, keys, row) : []
    const time = places.find((p) => p.group.grain)
    const before = time && typeof time.value === 'string' && isPeriod(time.group.grain!) ? addPeriods(time.value, -1, time.group.grain!) : undefined
    setPicked({ places, metric: metricAt(column), before, at })
  }
  return (
    <section class={running ? 'answer stale' : 'answer'}>
      <div class="bar">
        <Tabs names={names} current={tab} onPick={(tab) => set({ tab })} label={m.tabs.label} />
        {tab === 'chart' && shape && shape.groups.length > 0 && <ChartTools state={state} set={set} />}
        {took !== undefined && !running && <span class="quiet took">{took < 10 ? took.toFixed(1) : Math.round(took)} ms</span>}
      </div>
      {compileOnly && <p class="note">{m.compileOnly}</p>}
      <div role="tabpanel" aria-labelledby={`tab-${tab}`} class={tab === 'chart' || tab === 'table' ? 'rows' : undefined}>
        {tab === 'chart' && shown && shape && <Drawing {...p} query={shown.query} result={shown.result} shape={shape} onCell={pickCell} onMark={p.drillable ? pick : undefined} />}
        {tab === 'table' && result && (
          <ResultTable
            result={result}
            name={state.saved || state.from || state.metrics.join('_') || 'rows'}
            values={kind === 'select' ? undefined : shape?.columns}
            amounts={amountsIn(catalog, result.columns)}
            level={shape?.level}
            grains={grains}
            titles={titles}
            sort={state.sort}
            onSort={(sort) => set({ sort })}
            order={state.order}
            onOrder={onOrder}
            onCell={p.drillable && shape ? pickCell : undefined}
          />
        )}
        {tab === 'sql' && <SQL {...{ catalog, state, set, query, kind }} />}
        {tab === 'plan' && <Plan query={query} kind={kind} />}
        {tab === 'request' && <Requests {...{ catalog, state, set, query, kind }} />}
      </div>
      {p.drillable && (tab === 'chart' || tab === 'table') && result && <NoRows catalog={catalog} state={state} set={set} result={result} />}
      {(tab === 'chart' || tab === 'table') && result && <Remarks {...p} result={result} limit={result.limit ?? state.limit} first={shape?.columns[0]?.name} />}
      {p.drillable && (tab === 'chart' || tab === 'table') && result && <Keep {...{ catalog, state, query }} drawn={tab === 'chart' && charted && groups.length > 0 && state.kind !== 'pivot'} />}
      {picked && <DrillMenu key={JSON.stringify(picked)} {...{ catalog, state, set, query, picked, anchor }} range={boundsOfRange(state, result)} onAnchor={setAnchor} onClose={() => setPicked(undefined)} />}
    </section>
  )
}

/** titlesOf names the columns of group-bys, and those of records, by the labels of their fields. */
function titlesOf(catalog: Shown['catalog'], query: (Query & { fields?: string[] }) | undefined, shape: Shape | undefined): Map<string, string> {
  if (!query || !shape) return new Map()
  const { columns } = shape.drawn
  const fields = query.fields?.length === columns.length ? query.fields.map((f) => (datasetOf(f) === query.from ? bareLabel(catalog.dimensions, f) : nameField(catalog, f))) : shape.groups.map((g) => nameGroup(catalog, g))
  return new Map(fields.map((name, i) => [columns[i], name]))
}

/** boundsOfRange are the bounds of the range of a result: a relative one was resolved by the service. */
function boundsOfRange(state: State, result?: Result): { start: string; end: string } {
  return (state.last || state.saved ? boundsOf(result) : undefined) ?? { start: state.start, end: state.end }
}

function ChartTools({ state, set }: Pick<Shown, 'state' | 'set'>) {
  return (
    <span class="tools">
      <label>
        {m.form.kind}{' '}
        <select value={state.kind} onChange={(e) => set(e.currentTarget.value === 'table' ? { tab: 'table' } : { kind: e.currentTarget.value as Kind })}>
          {kinds.map((k) => (
            <option key={k} value={k}>
              {m.form.kinds[k]}
            </option>
          ))}
          <option value="table">{m.form.asTable}</option>
        </select>
      </label>
    </span>
  )
}

interface DrawingProps extends Shown {
  result: Result
  shape: Shape
  onCell: (row: Row, column: string, at: { x: number; y: number }) => void
  onMark?: (mark: Mark, at: { x: number; y: number }) => void
}

/** Drawing is the chart; of many values it draws those that the service finds largest. */
function Drawing(p: DrawingProps) {
  const { state, set, catalog, query, result, shape, ordered } = p
  const signal = useSignal()
  const pivoted = state.kind === 'pivot' && shape.groups.length > 0
  const top = p.kind === 'query' && !pivoted ? topOf(query, result, shape) : undefined
  const asked = useAnswer<Drawable>(top && JSON.stringify(top.query), (signal) => drawable(top!.query, signal))
  const largest = useMemo(
    () => (top && asked.data ? shapeOf(asked.data.result, asked.data.compiled.outputs, groupsIn(JSON.parse(asked.of!)), catalog.metrics) : undefined),
    [top === undefined, asked.data, asked.of, catalog],
  )
  const drawn = largest ?? shape
  const groups = useMemo(() => withOrders(drawn.groups, catalog), [drawn.groups, catalog])
  const cuts = useCuts(p)
  const isColoured = useColours(p, groups)
  if (pivoted) return <Pivoted {...p} />
  if (!isColoured || (top && asked.running && !asked.data)) {
    return (
      <div class="stale">
        <Busy running={true} onCancel={p.asked.stop} />
      </div>
    )
  }
  const onStretch = async ({ field, grain, first, last, next }: Stretched) => {
    const asked = signal.current
    const range = [first, isPeriod(grain) ? addPeriods(last, 1, grain) : (next ?? state.end)]
    // The times of instants are those of UTC, and the bounds of a range those of the zone.
    const zone = first.endsWith('Z') ? (await clockOf(query, asked).catch(() => undefined))?.zone : undefined
    const [start, end] = zone === undefined ? range : range.map((at) => wallClock(at, zone))
    if (!asked.aborted) set({ start, end, last: '', asOf: '', timeDimension: field === 'metric_time' ? '' : field })
  }
  return (
    <div class={asked.running ? 'stale' : undefined}>
      <ResultChart
        result={drawn.drawn}
        groups={groups}
        columns={drawn.columns.filter((c) => c.kind === undefined || c.kind === 'previous')}
        ordered={ordered}
        kind={state.kind}
        cutsOf={cuts}
        onWhole={p.drillable ? ({ start, end }) => set({ start, end, last: '', asOf: '' }) : undefined}
        notes={largest ? [m.chart.top(top!.n, groups[drawn.drawn.columns.indexOf(top!.dimension)]?.label ?? top!.dimension, nameMetric(catalog, top!.by))] : undefined}
        onStretch={p.drillable ? onStretch : undefined}
        onMark={p.onMark}
      />
    </div>
  )
}

/** useCuts finds the periods that the range of a query, or the end of the data, cuts. Only the axis of the metrics has the range. */
function useCuts({ catalog, state, kind, result, shape }: DrawingProps) {
  const time = shape.groups.find((g) => g.grain && g.grain !== 'day')
  // The address of a saved query has its name alone: its metrics are those of the result.
  const metrics = state.saved ? [...new Set(shape.columns.flatMap((c) => c.metric?.name ?? []))] : state.metrics
  const isAxis = time !== undefined && (time.field === 'metric_time' || metrics.every((x) => catalog.metrics.get(x)?.time_dimension === time.field))
  const cut = kind === 'query' && isAxis && (state.timeDimension === '' || state.timeDimension === time.field)
  const asked = { ...state, metrics }
  const key = JSON.stringify([catalog.model.revision, metrics, keysOf(catalog, asked)])
  const newest = useAnswer<string | undefined>(cut ? key : undefined, (signal) => endOfData(catalog, asked, signal))
  const end = newest.of === key ? (newest.data ?? '') : ''
  const bounds = boundsOfRange(state, result)
  return useMemo(() => {
    if (!cut) return undefined
    const ends = [bounds.end, end].filter(Boolean).sort()
    return (stops: Row[string][], grain: string) => cutsOf(stops, grain, { start: bounds.start, end: ends[0] ?? '' })
  }, [cut, bounds.start, bounds.end, end])
}

/** useColours is whether the values of the series have their colours. Where a filter takes some away, all of them get theirs first. */
function useColours({ catalog, state, shape }: DrawingProps, groups: Group[]): boolean {
  const at = axisAt(groups)
  const others = groups.map((g, i) => ({ ...g, key: shape.drawn.columns[i] })).filter((_, i) => i !== at)
  const only = others.length === 1 && !others[0].grain && !others[0].part ? others[0] : undefined
  const filtered = only !== undefined && (state.filters.some((f) => f.field === only.field) || state.where.includes(fieldOf(only.field)))
  const wanted = filtered && !hasColours(only.key)
  const key = wanted ? JSON.stringify([catalog.model.revision, only.field, state.connection]) : undefined
  const values = useAnswer<void>(key, async (signal) => {
    const known = await api.values(only!.field, '', state.connection, mostSeries, signal)
    if (known.complete) colourValues(only!.key, known.values.map((v) => v.value), mostSeries)
  })
  return !wanted || !values.running
}

interface Drawable {
  result: Result
  compiled: Compiled
}

/** drawable asks for the rows of a query of the page's own, with what they are. */
async function drawable(query: Query, signal: AbortSignal): Promise<Drawable> {
  const [result, compiled] = await Promise.all([api.execute(query, signal), api.compile(query, signal)])
  return { result, compiled }
}

/** Pivoted is the pivot. Where a query has totals, the pivot asks for those of its lines and columns: only the service computes them. */
function Pivoted(p: DrawingProps) {
  const { state, set, catalog, query, shape } = p
  const keys = shape.drawn.columns.slice(0, shape.groups.length)
  const across = acrossOf(keys, shape.groups, state.across)
  const levels = levelsOf(keys, across)
  const asksAgain = shape.level !== undefined && JSON.stringify(query.totals) !== JSON.stringify(levels)
  const wanted = asksAgain ? JSON.stringify({ ...query, totals: levels }) : undefined
  const [cancelled, setCancelled] = useState<string>()
  const key = wanted === cancelled ? undefined : wanted
  const asked = useAnswer<Drawable>(key, (signal) => drawable({ ...query, totals: levels }, signal))
  const answered = asked.data && key !== undefined && asked.of === key ? shapeOf(asked.data.result, asked.data.compiled.outputs, shape.groups, catalog.metrics) : undefined
  const known = asksAgain ? answered : shape
  const totals = known?.level ? totalsOf(known.totals, known.level, levels, keys, across) : undefined
  const partial = totals && p.result.limited
  const notes = [...(asked.error ? [m.chart.withoutTotals(asked.error.message)] : []), ...(partial ? [m.chart.totalsOfAll] : [])]
  return (
    <>
      <Busy running={asked.running} onCancel={() => setCancelled(wanted)} />
      {wanted !== undefined && wanted === cancelled && <Cancelled onAgain={() => setCancelled(undefined)} />}
      <div class={asked.running ? 'stale' : undefined}>
        <Pivot
          result={(known ?? shape).drawn}
          groups={withOrders(shape.groups, catalog)}
          columns={(known ?? shape).columns}
          across={across}
          totals={totals}
          notes={notes}
          onAcross={(column) => set({ across: column })}
          onCell={p.drillable ? p.onCell : undefined}
        />
      </div>
    </>
  )
}

/** useTotal is how many rows a limited result has without its limit. */
export function useTotal(wanted: boolean, catalog: Shown['catalog'], { offset: _, ...query }: Query, kind: RowKind): number | undefined {
  const counted = useAnswer<number | undefined>(wanted ? JSON.stringify([catalog.model.revision, query]) : undefined, async (signal) => (await api.execute({ ...query, limit: 1, count: true }, signal, kind)).total_rows)
  return counted.data
}

/** Remarks describes in words what a result does not show: that it is limited, the bounds of its ranges, and its warnings. */
function Remarks({ catalog, state, set, query, kind, below, result, limit, onLimit, onLargest, onFragment, first }: Shown & { result: Result; limit: number; first?: string }) {
  const warnings = (result.warnings ?? []).filter((w) => w.code !== 'limit_clamped')
  const more = limit * 10
  const isCut = result.limited === true && below === undefined // a page names its place itself
  const total = useTotal(isCut, catalog, query, kind)
  return (
    <>
      {isCut && (
        <p class="note limited">
          {m.table.limited(limit, total)}{' '}
          {onLimit && (
            <button type="button" class="small" onClick={() => onLimit(more)}>
              {m.table.ask(more)}
            </button>
          )}{' '}
          {first && onLargest && (
            <button type="button" class="small" onClick={() => onLargest(first)}>
              {m.table.largest(nameMetric(catalog, first))}
            </button>
          )}
        </p>
      )}
      {rangesOf(result.resolved_time_range).map(([tag, range]) => (
        <p class="quiet range" key={tag}>
          {m.table.range(tag, rangeText(range))}
        </p>
      ))}
      {result.view && (result.view.filters || result.view.time_range) && (
        <p class="quiet view">{m.table.view(defaultsText(catalog, result.view))}</p>
      )}
      {[storedText(result), result.age ? m.table.kept(result.age) : ''].filter(Boolean).map((text) => (
        <p class="quiet stored" key={text}>
          {text}
        </p>
      ))}
      {warnings.map((w) => (
        <Remark key={w.code + w.message} warning={w} onFragment={onFragment} onNear={(value) => set({ filters: withNear(state.filters, w, value) })} filters={state.filters} />
      ))}
    </>
  )
}

/** Remark is a warning with the way out that it offers. */
function Remark({ warning, filters, onFragment, onNear }: { warning: Warning; filters: Filter[]; onFragment: Shown['onFragment']; onNear: (value: string) => void }) {
  // Values that are near take the place of the one that a filter of the form has.
  const near = warning.code === 'filter_matched_nothing' && isFiltered(filters, warning) ? (warning.near ?? []) : []
  const fragment = near.length > 0 ? undefined : fragmentOf(warning.suggested_retry) ?? (warning.code === 'time_range_matched_nothing' && warning.min && warning.max ? rangeAround(warning) : undefined)
  return (
    <p class="note">
      {warning.message} <span class="tag">{warning.code}</span>{' '}
      {fragment && (
        <button type="button" class="small" onClick={() => onFragment(fragment)}>
          {warning.code === 'time_range_matched_nothing' ? m.chart.showRange : m.apply}
        </button>
      )}
      {near.map((value) => (
        <button type="button" class="small" key={value} onClick={() => onNear(value)}>
          {value}
        </button>
      ))}
    </p>
  )
}

/** isFiltered is whether a filter has the value that no row has. */
const isFiltered = (filters: Filter[], w: Warning) => filters.some((f) => f.field === w.field && list(f.value).includes(w.value ?? ''))

/** withNear puts a value in the place of the one that no row has. */
const withNear = (filters: Filter[], w: Warning, value: string): Filter[] =>
  filters.map((f) => (f.field !== w.field ? f : f.op === 'in' || f.op === 'not in' ? { ...f, value: list(f.value).map((v) => spelled(v === w.value ? value : v)).join(', ') } : f.value === w.value ? { ...f, value } : f))

/** rangeAround is the time that the data covers. */
const rangeAround = (w: Warning) => ({ time_range: { start: w.min!.slice(0, 10), end: addPeriods(w.max!, 1, 'day'), ...(w.field && { dimension: w.field }) }, as_of: null, compare: null })
