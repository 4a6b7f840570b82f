// The figures of the cards: two requests for a time axis, one for metrics without a time axis.

import { api, errorOf, type ErrorBody, type Metric, type Query, type ResolvedRange, type Result, type Row } from '../api.ts'
import { fragmentOf, merge } from '../state.ts'
import { grainOf, type Axis } from './axes.ts'
import { endOf } from './newest.ts'

export interface Point {
  bucket: string
  value: number | null
}

export interface Card {
  error?: ErrorBody
  /** The value of a metric without a time axis. */
  value?: number | null
  /** The periods, oldest first; the last is the last complete one of the data. */
  points?: Point[]
  /** The value of the period before the last; undefined where the service cannot compare it. */
  before?: number | null
  grain?: string
  start?: string
  end?: string
}

export type Cards = Record<string, Card>

export interface Wish {
  grain: string
  periods: number
  connection: string
  /** The condition of the filters of the page. */
  where: string
}

/** loadAxis asks for the cards of one axis. Where the metrics do not answer together, each is asked alone, so that one that fails leaves the others. */
export async function loadAxis(axis: Axis, wish: Wish, signal: AbortSignal): Promise<Cards> {
  try {
    return axis.grains.length > 0 ? await periodsOf(axis, wish, signal) : await totalsOf(axis.metrics, wish, signal)
  } catch (e) {
    if (signal.aborted) throw e
    const error = errorOf(e)
    if (axis.metrics.length === 1 || ofNoMetric.has(error.code)) return Object.fromEntries(axis.metrics.map((x) => [x.name, { error }]))
    const alone = await Promise.all(axis.metrics.map((metric) => loadAxis({ ...axis, metrics: [metric] }, wish, signal)))
    return Object.assign({}, ...alone)
  }
}

/** The codes of failures that no metric causes: asked alone, each would fail in the same way. */
const ofNoMetric = new Set(['forbidden', 'unauthorized', 'busy', 'timeout', 'connection', 'auth', 'config', 'unreachable'])

async function totalsOf(metrics: Metric[], wish: Wish, signal: AbortSignal): Promise<Cards> {
  const result = await api.execute(filtered(wish, { metrics: metrics.map((m) => m.name) }), signal)
  return Object.fromEntries(metrics.map((m) => [m.name, { value: numberOf(result.rows[0]?.[m.name]) }]))
}

async function periodsOf(axis: Axis, wish: Wish, signal: AbortSignal): Promise<Cards> {
  const grain = grainOf(axis, wish.grain)
  const newest = await endOf(axis, on(wish, {}), signal)
  if (newest === undefined) return Object.fromEntries(axis.metrics.map((m) => [m.name, { points: [], grain }]))
  const query: Query = {
    metrics: axis.metrics.map((m) => m.name),
    group_by: [{ field: 'metric_time', grain }],
    time_range: { last: { n: wish.periods, unit: grain } },
    as_of: newest,
    fill: {},
    compare: { offset: { count: 1, unit: grain } },
    order_by: [{ key: `metric_time__${grain}` }],
  }
  const result = await comparing(filtered(wish, query), signal)
  const range = result.resolved_time_range as ResolvedRange
  const column = result.columns[0]
  const rows = result.rows.filter((r) => r[column] !== null)
  const before = (m: Metric) => (result.columns.includes(`${m.name}__previous`) ? numberOf(rows.at(-1)?.[`${m.name}__previous`]) : undefined)
  return Object.fromEntries(
    axis.metrics.map((m) => [m.name, { grain, start: range.start, end: range.end, before: before(m), points: rows.map((r) => ({ bucket: String(r[column]), value: numberOf(r[m.name]) })) }]),
  )
}

/** comparing executes a query that compares. If metrics of it cannot be compared, such as ranks, it compares those that the service suggests; one alone, nothing. */
export async function comparing(query: Query, signal: AbortSignal): Promise<Result> {
  try {
    return await api.execute(query, signal)
  } catch (e) {
    const { code, suggested_retry } = errorOf(e)
    const { compare } = fragmentOf(suggested_retry) ?? { compare: null }
    if (code !== 'not_implemented' || compare === undefined) throw e
    return api.execute(merge(query, { compare }), signal)
  }
}

const filtered = (wish: Wish, q: Query): Query => on(wish, wish.where ? { ...q, where_sql: wish.where } : q)
const on = (wish: Wish, q: Query): Query => (wish.connection ? { ...q, connection: wish.connection } : q)
const numberOf = (v: Row[string] | undefined) => (v === null || v === undefined || v === '' ? null : Number(v))
