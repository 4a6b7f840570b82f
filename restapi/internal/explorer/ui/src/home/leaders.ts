// The values of a dimension with what they have of a metric: the largest, and which of them moved in an unexpected way.

import type { Metric, Query, Result, Row } from '../api.ts'
import { otherValue } from '../format.ts'

export const mostLeaders = 7

/** The name of the column of the values, which is that of no metric. */
const column = 'leader__value'

export interface Leader {
  value: Row[string]
  now: number | null
  before: number | null
  change: number | null
  /** Its part of the whole, of a metric that adds up. */
  share?: number
  /** How much it changed beyond its share of the whole change. */
  surprise: number
}

export interface Window {
  start: string
  end: string
  grain: string
}

/** leadersQuery asks for the largest values of a dimension in a period and the one before, with the total. */
export function leadersQuery(metric: Metric, dimension: string, window: Window | undefined, keys: Query): Query {
  return {
    ...keys,
    metrics: [metric.name],
    group_by: [{ field: dimension, name: column }],
    top: { dimension: column, n: mostLeaders, by: metric.name },
    totals: [[]],
    ...(metric.additivity === 'additive' && { shares: [{ metric: metric.name }] }),
    ...(window && { time_range: { start: window.start, end: window.end, dimension: 'metric_time' }, compare: { offset: { count: 1, unit: window.grain } } }),
  }
}

/** readLeaders reads the result, the most surprising value first, and the rest last. */
export function readLeaders(result: Result, metric: Metric): Leader[] {
  const key = result.columns[0]
  const other = key + '__other'
  const total = result.rows.find((r) => r.level === 1)
  const number = (r: Row | undefined, suffix: string) => (r?.[metric.name + suffix] === undefined || r[metric.name + suffix] === null ? null : Number(r[metric.name + suffix]))
  const [whole, moved] = [number(total, '__previous'), number(total, '__change')]
  const leaders = result.rows
    .filter((r) => r.level === 0)
    .map((r): Leader => {
      const [now, before] = [number(r, ''), number(r, '__previous')]
      const change = now === null && before === null ? null : metric.additivity === 'additive' ? (now ?? 0) - (before ?? 0) : number(r, '__change')
      const share = number(r, '__share')
      return { value: r[other] === true ? otherValue : r[key], now, before, change, ...(share !== null && { share }), surprise: metric.additivity === 'additive' ? surpriseOf(change, before, whole, moved) : (change ?? 0) }
    })
  const rank = (l: Leader) => (l.value === otherValue ? -1 : Math.abs(l.surprise))
  // The rest is left out where it has nothing in either period.
  return leaders.filter((l) => l.value !== otherValue || l.now !== null || l.before !== null).sort((a, b) => rank(b) - rank(a) || (b.now ?? -Infinity) - (a.now ?? -Infinity))
}

/** surpriseOf is what a part changed beyond what it would have, had it kept its share of the whole. */
export const surpriseOf = (change: number | null, before: number | null, whole: number | null, moved: number | null): number => (change ?? 0) - (whole ? ((before ?? 0) / whole) * (moved ?? 0) : 0)
