// The query of a chart over many values: the largest by the metric, and the rest as one.

import type { Query, Result } from '../api.ts'
import { otherValue } from '../format.ts'
import type { Shape } from '../chart/shape.ts'

/** A chart with more values than this of one group-by shows the largest of them. */
const most = 20

export interface Top {
  query: Query
  dimension: string
  by: string
  n: number
}

/** topOf is the query of a chart whose group-by has many values; undefined where they are few or the query chooses itself. */
export function topOf(query: Query, result: Result, shape: Shape): Top | undefined {
  if (query.top || query.distinct || query.saved) return undefined
  const keys = shape.drawn.columns.slice(0, shape.groups.length)
  const counts = keys.map((k, i) => ({ key: k, n: shape.groups[i].grain || shape.groups[i].part ? 0 : new Set(shape.drawn.rows.map((r) => r[k]).filter((v) => v !== null && v !== otherValue)).size }))
  const widest = counts.reduce((a, b) => (b.n > a.n ? b : a), { key: '', n: 0 })
  const ranks = shape.columns.filter((c) => c.kind === undefined && !c.metric?.window_family).map((c) => c.name)
  const by = ranks.find((c) => c === query.order_by?.[0]?.key) ?? ranks[0]
  if (widest.n <= most || by === undefined || result.rows.length === 0) return undefined
  const { order_by, limit: _, totals: __, shares: ___, ...rest } = query
  // The order stays, but for the columns of shares, which are not asked for.
  const kept = order_by?.filter((o) => !shape.columns.some((c) => c.name === o.key && c.kind === 'share'))
  return { query: { ...rest, ...(kept?.length && { order_by: kept }), top: { dimension: widest.key, n: most, by } }, dimension: widest.key, by, n: most }
}
