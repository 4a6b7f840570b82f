// What a chart draws: which column of the result is the axis, which values are series,
// and which columns share a plot.

import type { Metric, Result, Row } from '../api.ts'
import { calendar, grainOfTexts, isPercent, otherValue, placeName, type DifferenceMetric } from '../format.ts'
import { m } from '../messages/index.ts'
import { humanised, metricLabel } from '../labels.ts'
import type { Group, Kind } from '../state.ts'
import type { Cuts } from './cuts.ts'
import { byOrder, hasOrder } from './order.ts'

/** More series than these have colours that are told apart. */
export const mostSeries = 10
const mostBars = 60

/** Bars of several series, side by side: more of them are too narrow to be told apart. */
const mostGrouped = 120

/** Columns whose largest values differ by more than this do not share an axis. */
const magnitude = 20

export interface Column {
  name: string
  metric?: Metric
  /** What a column adds to its metric: a share, or a part of a comparison. */
  kind?: string
}

export interface Series {
  label: string
  column: string
  /** The values of the other group-bys, which make the series. */
  of: { key: string; value: Row[string] }[]
  /** It belongs to the range before. */
  before: boolean
  values: (number | null)[]
}

/** A panel is one plot: columns of one unit and magnitude. */
export interface Panel {
  title: string
  metric?: Metric
  series: Series[]
  /** Values that would make all others of the plot flat: they are beside it. */
  beside: Beside[]
}

/** Beside is what the service put together, where it has no place among the bars. */
export interface Beside {
  label: string
  least: number
  most: number
}

export type Drawn = Exclude<Kind, 'auto' | 'pivot' | 'number'>

export interface Drawing {
  kind: Drawn
  axis: string
  /** How people name the axis. */
  title: string
  /** The group-by that the axis has, with its grain. */
  field: string
  grain?: string
  /** The values of the axis, how they are written, and the grain in which they are. */
  stops: Row[string][]
  labels: string[]
  written?: string
  panels: Panel[]
  notes: string[]
  /** The stops that have a part of their period only. */
  cuts: Cuts
}

interface Axis {
  key: string
  grain?: string
  part?: string
  stops: Row[string][]
  notes: string[]
  /** The size of each value of an axis without time. */
  sizes?: Map<Row[string], number>
}

/** A group-by with what the model has of it for people. */
export interface OrderedGroup extends Group {
  order?: string[]
  /** How people name it. */
  label?: string
}

export interface Wish {
  kind: Kind
  /** The query has an order, which bars keep. */
  ordered: boolean
  /** Finds the periods of the axis that are cut. */
  cutsOf?: (stops: Row[string][], grain: string) => Cuts
}

/** writtenIn is the grain in which a column is written: that of its group-by, or that of its days and times as they are. */
export const writtenIn = (rows: Row[], key: string, { grain, part }: Group): string | undefined => grain ?? (part ? undefined : grainOfTexts(rows.map((r) => r[key])))

/** axisAt is the place of the group-by that becomes the axis: a time, else a part of one, else the first. */
export function axisAt(groups: Group[]): number {
  const time = groups.findIndex((g) => g.grain)
  return Math.max(0, time < 0 ? groups.findIndex((g) => g.part) : time)
}

/**
 * draw chooses the axis and the series, and leaves the other columns out. Bars of numbers, of days and of values that the model orders stand in
 * that order, others in the order of the first metric's values, unless the query has an order.
 */
export function draw(result: Result, groups: OrderedGroup[], columns: Column[], wish: Wish): Drawing {
  const keys = result.columns.slice(0, groups.length)
  const at = axisAt(groups)
  const { grain, part } = groups[at]
  const axis = grain ? timeAxis(result, keys[at], grain) : part ? partAxis(result, keys[at], part) : barAxis(result, keys[at], columns[0], wish.ordered, groups[at].order)
  const others = groups.map((g, i) => ({ ...g, key: keys[i], written: writtenIn(result.rows, keys[i], g) })).filter((_, i) => i !== at)
  const place = new Map(axis.stops.map((s, i) => [s, i]))
  const all = together(result, columns).map((shared) => ({ shared, series: paired(shared.flatMap((c) => seriesOf(result.rows, c, others, axis, place, shared.length > 1, wish.ordered))) }))
  const notes = [...axis.notes]
  const kind = drawnKind(wish.kind, axis, all.map((p) => p.series), notes)
  const stacked = kind === 'area' || kind === 'stacked'
  const panels = all.map(({ shared, series }) => {
    const title = titleOf(shared)
    const kept = largest(series)
    if (kept.length < series.length) notes.push(m.chart.series(namesOf(kept).length, namesOf(series).length, title))
    if (stacked) for (const c of shared) if (c.metric && c.metric.additivity !== 'additive' && !c.kind) notes.push(m.chart.notAdditive(labelOf(c)))
    return { title, metric: shared[0].metric, series: stacked ? [...kept, ...restOf(series, kept)] : kept, beside: [] as Beside[] }
  })
  const most = kind === 'bar' ? barsThatFit(Math.max(...panels.map((p) => p.series.length))) : Infinity
  if (axis.stops.length > most && !isOrdinal(axis)) {
    notes.push(m.chart.bars(most, axis.stops.length, wish.ordered, result.limited === true))
    const kept = new Set(largestStops(axis, most))
    for (const s of panels.flatMap((p) => p.series)) s.values = s.values.filter((_, i) => kept.has(axis.stops[i]))
    axis.stops = axis.stops.filter((s) => kept.has(s))
  }
  if (kind === 'bar' || (kind === 'stacked' && !isOrdinal(axis))) setBeside(axis, panels, kind)
  const cuts = grain ? (wish.cutsOf?.(axis.stops, grain) ?? new Map()) : new Map()
  for (const [stop, cut] of cuts) notes.push(m.chart.cut(placeName(stop, axis), cut.days, cut.of))
  const written = writtenIn(result.rows, axis.key, groups[at])
  const labels = axis.stops.map((s) => placeName(s, { grain: written, part }))
  return { kind, axis: axis.key, title: groups[at].label ?? axis.key, field: groups[at].field, grain: axis.grain, stops: axis.stops, labels, written, panels, notes, cuts }
}

/** barsThatFit is how many stops have bars that can be told apart, with as many bars each. */
const barsThatFit = (series: number) => (series > 1 ? Math.max(1, Math.floor(mostGrouped / series)) : Infinity)

/** isOrdinal is whether the stops of an axis have an order: all of them are drawn in it. */
const isOrdinal = (axis: Axis) => Boolean(axis.grain || axis.part)

/** drawnKind chooses what is drawn. A kind that cannot show the values truly gives way to another, with a note. */
function drawnKind(wish: Kind, axis: Axis, panels: Series[][], notes: string[]): Drawn {
  if (wish === 'area' && panels.some((p) => p.some((s) => s.values.some((v) => v !== null && v < 0)))) {
    notes.push(m.chart.belowZero)
    return 'stacked'
  }
  const fitting = barsThatFit(Math.max(...panels.map((p) => largest(p).length)))
  if (wish === 'bar' && isOrdinal(axis) && axis.stops.length > fitting) {
    notes.push(m.chart.tooNarrow)
    return 'line'
  }
  if (wish === 'line' || wish === 'area' || wish === 'bar' || wish === 'stacked') return wish
  return axis.grain || (axis.part && axis.stops.length > Math.min(mostBars, fitting)) ? 'line' : 'bar'
}

function timeAxis(result: Result, key: string, grain: string): Axis {
  const stops = unique(result.rows.map((r) => r[key]))
  const dated = stops.filter((s): s is string => typeof s === 'string').sort()
  const notes = dated.length < stops.length ? [m.chart.undated] : []
  if (dated.length === 0) return { key, grain, stops, notes }
  const whole = calendar(dated, grain)
  if (!whole) notes.push(m.chart.withoutGaps)
  return { key, grain, stops: whole ?? dated, notes }
}

/** partAxis has the numbers from the least to the greatest, so that a gap shows as one. */
function partAxis(result: Result, key: string, part: string): Axis {
  const stops = unique(result.rows.map((r) => r[key]))
  const numbers = stops.filter((s) => typeof s === 'number')
  const notes = stops.includes(null) ? [m.chart.undated] : []
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const whole = numbers.length === 0 ? [] : Array.from({ length: most - least + 1 }, (_, i) => least + i)
  return { key, part, stops: whole.length === 0 ? stops : [...whole, ...stops.filter((s) => s === otherValue)], notes: whole.length === 0 ? [] : notes }
}

function barAxis(result: Result, key: string, first: Column | undefined, ordered: boolean, order?: string[]): Axis {
  const axis: Axis = { key, stops: unique(result.rows.map((r) => r[key])), notes: [] }
  if (first && !ordered) {
    const sizes = new Map<Row[string], number>()
    for (const r of result.rows) {
      const v = value(r, first)
      if (v !== null) sizes.set(r[key], (sizes.get(r[key]) ?? 0) + v)
    }
    axis.sizes = sizes
    axis.stops = hasOrder(axis.stops, order) ? [...axis.stops].sort(byOrder(order)) : bySize(axis)
  }
  // The values that the service put together come last in any order.
  axis.stops = [...axis.stops.filter((s) => s !== otherValue), ...axis.stops.filter((s) => s === otherValue)]
  if (axis.stops.length > mostBars) {
    axis.notes.push(m.chart.bars(mostBars, axis.stops.length, ordered, result.limited === true))
    axis.stops = largestStops(axis, mostBars)
  }
  return axis
}

const bySize = ({ stops, sizes }: Axis) => [...stops].sort((a, b) => (sizes?.get(b) ?? -Infinity) - (sizes?.get(a) ?? -Infinity) || 0)

/** largestStops keeps so many stops of an axis, in their order: the largest, or the first of those that the query has put in order. */
function largestStops(axis: Axis, most: number): Row[string][] {
  const kept = new Set((axis.sizes ? bySize(axis) : axis.stops).slice(0, most))
  return axis.stops.filter((s) => kept.has(s))
}

/** together parts the columns into those that may share an axis, in their order. What was before shares that of its metric. */
function together(result: Result, columns: Column[]): Column[][] {
  const panels: { unit: string; least: number; most: number; columns: Column[] }[] = []
  for (const c of columns) {
    const size = Math.max(0, ...result.rows.map((r) => Math.abs(value(r, c) ?? 0)))
    const unit = unitOf(c.metric)
    const own = c.kind === 'previous' ? panels.find((p) => p.columns.some((o) => o.name + '__previous' === c.name)) : undefined
    const fits = own ?? panels.find((p) => p.unit === unit && (size === 0 || p.most === 0 || (size <= p.least * magnitude && p.most <= size * magnitude)))
    if (!fits) {
      panels.push({ unit, least: size, most: size, columns: [c] })
      continue
    }
    fits.columns.push(c)
    if (own) continue
    fits.most = Math.max(fits.most, size)
    fits.least = fits.least === 0 ? size : size === 0 ? fits.least : Math.min(fits.least, size)
  }
  return panels.map((p) => p.columns)
}

function seriesOf(rows: Row[], c: Column, others: (OrderedGroup & { key: string; written?: string })[], axis: Axis, place: Map<Row[string], number>, named: boolean, ordered: boolean): Series[] {
  const found = new Map<string, Series>()
  for (const r of rows) {
    const at = place.get(r[axis.key])
    if (at === undefined) continue
    const name = others.map((o) => placeName(r[o.key], { grain: o.written, part: o.part })).join(' · ')
    const id = JSON.stringify(others.map((o) => r[o.key]))
    let series = found.get(id)
    if (!series) {
      const label = [others.length > 0 && name, (named || others.length === 0) && labelOf(c)].filter(Boolean).join(' · ')
      series = { label, column: c.name, of: others.map((o) => ({ key: o.key, value: r[o.key] })), before: c.kind === 'previous', values: axis.stops.map(() => null) }
      found.set(id, series)
    }
    series.values[at] = value(r, c)
  }
  const compare = others.map((o) => byOrder(o.order))
  const byValues = (a: Series, b: Series) => a.of.map((o, i) => compare[i](o.value, b.of[i].value)).find((c) => c !== 0) ?? 0
  return ordered ? [...found.values()] : [...found.values()].sort(byValues)
}

/** labelOf is the name of a column for people. */
export function labelOf(c: Column): string {
  const metric = metricLabel(c.metric ?? c)
  if (c.kind) return `${metric}, ${isIndex(c) ? m.table.index : (m.table.kinds[c.kind] ?? c.kind)}`
  return c.metric?.name === c.name ? metric : humanised(c.name)
}

/** isIndex is whether a column of shares compares values that do not add up with the whole. */
export const isIndex = (c: Column) => c.kind === 'share' && c.metric !== undefined && c.metric.additivity !== 'additive'

/** nameOf is what a series shares with the one of the range before: its column and its values. */
export const nameOf = (s: Series) => JSON.stringify([s.before ? s.column.slice(0, -'__previous'.length) : s.column, s.of.map((o) => o.value)])

/** byName puts the series of one name together, in their order. */
function byName(series: Series[]): Map<string, Series[]> {
  const found = new Map<string, Series[]>()
  for (const s of series) found.set(nameOf(s), [...(found.get(nameOf(s)) ?? []), s])
  return found
}

/** namesOf lists the names of series in their order. */
export const namesOf = (series: Series[]) => [...byName(series).keys()]

/** paired puts what was before behind what it is compared with. */
const paired = (series: Series[]) => [...byName(series).values()].flat()

/** isRest is whether a series is of what the service put together. */
export const isRest = (s: Series) => s.of.some((o) => o.value === otherValue)

/** largest keeps the series of the largest names, and of what the service put together. */
function largest(series: Series[]): Series[] {
  const rest = series.filter(isRest)
  const names = [...byName(series.filter((s) => !isRest(s))).values()]
  if (names.length <= mostSeries) return series
  const weight = (list: Series[]) => list.reduce((sum, s) => s.values.reduce<number>((a, v) => a + Math.abs(v ?? 0), sum), 0)
  return names.map((list) => ({ list, weight: weight(list) })).sort((a, b) => b.weight - a.weight).slice(0, mostSeries).flatMap((n) => n.list).concat(rest)
}

/** restOf adds up the series of each column that are not kept: without them a stack would not reach its total. */
function restOf(series: Series[], kept: Series[]): Series[] {
  const left = series.filter((s) => !kept.includes(s))
  return unique(left.map((s) => s.column)).map((column) => {
    const added = left.filter((s) => s.column === column)
    const values = added[0].values.map((_, i) => {
      const found = added.map((s) => s.values[i]).filter((v) => v !== null)
      return found.length > 0 ? found.reduce((a, b) => a + b) : null
    })
    return { label: m.chart.rest(added.length), column, of: added[0].of.map(({ key }) => ({ key, value: otherValue })), before: added[0].before, values }
  })
}

/** What is put together stays among the bars up to this many times the largest of them. */
const mostTimes = 3

/** setBeside takes what the service put together out of the bars where it would make all others flat. */
function setBeside(axis: Axis, panels: Panel[], kind: Drawn) {
  const at = axis.stops.indexOf(otherValue)
  const size = (p: Panel, i: number) => Math.max(...(kind === 'stacked' ? [p.series.reduce((sum, s) => sum + Math.abs(s.values[i] ?? 0), 0)] : p.series.map((s) => Math.abs(s.values[i] ?? 0))))
  const isLarge = (p: Panel) => size(p, at) > mostTimes * Math.max(...axis.stops.map((_, i) => (i === at ? 0 : size(p, i))))
  if (at >= 0 && axis.stops.length > 1 && panels.some(isLarge)) {
    for (const p of panels) {
      for (const s of p.series) {
        const [value] = s.values.splice(at, 1)
        if (value !== null && !s.before) p.beside.push({ label: p.series.length > 1 ? `${m.other} · ${s.label}` : m.other, least: value, most: value })
      }
    }
    axis.stops.splice(at, 1)
  }
  if (kind === 'stacked') return // a part of its stack
  for (const p of panels) {
    const greatest = (list: Series[]) => Math.max(0, ...list.flatMap((s) => s.values.map((v) => Math.abs(v ?? 0))))
    const rest = p.series.filter(isRest)
    if (rest.length === 0 || rest.length === p.series.length || greatest(rest) <= mostTimes * greatest(p.series.filter((s) => !isRest(s)))) continue
    for (const s of rest.filter((s) => !s.before)) {
      const values = s.values.filter((v) => v !== null)
      p.beside.push({ label: s.label, least: Math.min(...values), most: Math.max(...values) })
    }
    p.series = p.series.filter((s) => !isRest(s))
  }
}

/** titleOf names the metrics of a plot and their unit. */
function titleOf(columns: Column[]): string {
  const names = columns.filter((c) => c.kind !== 'previous').map(labelOf)
  const shown = names.length > 3 ? m.chart.more(names.slice(0, 3).join(', '), names.length - 3) : names.join(', ')
  return titleWith(shown, columns[0].metric)
}

/** titleWith is a title with the unit of what it names. */
export const titleWith = (title: string, metric?: Metric) => (metric?.unit ? `${title} (${metric.unit})` : title)

function value(r: Row, c: Column): number | null {
  const v = r[c.name]
  return v === null || v === '' ? null : Number(v)
}

const unitOf = (metric?: DifferenceMetric) => (metric?.difference && isPercent(metric) ? m.points : (metric?.unit ?? metric?.format ?? ''))
const unique = <T,>(list: T[]): T[] => [...new Set(list)]

/** How far beyond zero an axis goes when all values are below it. */
const beyondZero = 0.08

/** aroundZero keeps zero within the plot, with room above it where all is negative. */
export function aroundZero(panel: Panel): { beginAtZero: true; suggestedMax?: number } {
  const values = panel.series.flatMap((s) => s.values).filter((v) => v !== null)
  const least = Math.min(0, ...values)
  return least < 0 && Math.max(...values) <= 0 ? { beginAtZero: true, suggestedMax: -least * beyondZero } : { beginAtZero: true }
}
