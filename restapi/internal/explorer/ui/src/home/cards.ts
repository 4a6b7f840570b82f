// The figures of the cards: two requests for a time axis, one for metrics without a time axis.

import { api, errorOf, type ErrorBody, type Metric, type Query, type ResolvedRange, type Row } from '../api.ts'
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
  grain?: string
  start?: string
  end?: string
}

export type Cards = Record<string, Card>

export interface Wish {
  grain: string
  periods: number
  connection: string
}

/** isClosed is whether the service compiles and does not execute. */
export const isClosed = (card: Card | undefined) => card?.error?.code === 'forbidden'

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
  const result = await api.execute(on(wish, { metrics: metrics.map((m) => m.name) }), signal)
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
    order_by: [{ key: `metric_time__${grain}` }],
  }
  const result = await api.execute(on(wish, query), signal)
  const range = result.resolved_time_range as ResolvedRange
  const column = result.columns[0]
  const rows = result.rows.filter((r) => r[column] !== null)
  return Object.fromEntries(
    axis.metrics.map((m) => [m.name, { grain, start: range.start, end: range.end, points: rows.map((r) => ({ bucket: String(r[column]), value: numberOf(r[m.name]) })) }]),
  )
}

const on = (wish: Wish, q: Query): Query => (wish.connection ? { ...q, connection: wish.connection } : q)
const numberOf = (v: Row[string] | undefined) => (v === null || v === undefined || v === '' ? null : Number(v))
