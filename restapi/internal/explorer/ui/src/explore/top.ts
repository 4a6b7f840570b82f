// The query of a chart over many values: the largest by the metric, and the rest as one.

import type { Query, Result } from '../api.ts'
import { otherValue } from '../format.ts'
import { axisAt, mostSeries } from '../chart/panels.ts'
import type { Shape } from '../chart/shape.ts'

/** A chart with more values than this along its axis shows the largest of them. */
const mostStops = 20

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
  const axis = axisAt(shape.groups)
  const counts = keys.map((key, i) => {
    const values = new Set(shape.drawn.rows.map((r) => r[key]))
    // Rows without a value have a place, too.
    const most = i === axis ? mostStops : mostSeries - Number(values.has(null))
    values.delete(null)
    values.delete(otherValue)
    return { key, most, over: shape.groups[i].grain || shape.groups[i].part ? 0 : values.size - most }
  })
  // Only one of them can be put together: series are told apart less well than stops.
  const widest = counts.find((c, i) => i !== axis && c.over > 0) ?? counts[axis]
  const ranks = shape.columns.filter((c) => c.kind === undefined && !c.metric?.window_family).map((c) => c.name)
  const by = ranks.find((c) => c === query.order_by?.[0]?.key) ?? ranks[0]
  if (widest === undefined || widest.over <= 0 || by === undefined || result.rows.length === 0) return undefined
  const { order_by, limit: _, totals: __, shares: ___, ...rest } = query
  // The order stays, but for the columns of shares, which are not asked for.
  const kept = order_by?.filter((o) => !shape.columns.some((c) => c.name === o.key && c.kind === 'share'))
  return { query: { ...rest, ...(kept?.length && { order_by: kept }), top: { dimension: widest.key, n: widest.most, by } }, dimension: widest.key, by, n: widest.most }
}
