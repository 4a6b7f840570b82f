// A query as a SELECT for the doors of SQL: the PostgreSQL port, `semlayer sql` and /v1/sql.

import type { Query } from '../api.ts'
import { fieldOf, quoted } from '../names.ts'
import { partOf } from '../timeparts.ts'

const name = (n: string) => (/^[a-z_][a-z0-9_]*$/.test(n) ? n : `"${n.replaceAll('"', '""')}"`)
const text = (v: string) => `'${v.replaceAll("'", "''")}'`
const bound = (v: string) => (v.length === 10 ? `DATE ${text(v)}` : `TIMESTAMP ${text(v.replace('T', ' '))}`)

/** The keys that a SELECT over the wide relation can say. */
const sayable = new Set(['metrics', 'group_by', 'where_sql', 'time_range', 'order_by', 'limit', 'connection'])

/**
 * selectOf writes a query of metrics, group-bys, input conditions, an absolute time range, an
 * order and a limit as a SELECT over the wide relation; undefined for any other. Whether it
 * means the same is for the service to say.
 */
export function selectOf(model: string, q: Query, isMetric: (name: string) => boolean): string | undefined {
  if (Object.entries(q).some(([k, v]) => v !== undefined && !sayable.has(k))) return undefined
  const metrics = q.metrics ?? []
  const groups = q.group_by ?? []
  if (!metrics.every((m) => typeof m === 'string') || !groups.every((g) => g.field && !g.name && !g.expression)) return undefined
  if (q.time_range?.last || (q.time_range && !q.time_range.dimension && !groups.some((g) => g.field === 'metric_time') && metrics.length === 0)) return undefined
  const columns = groups.map((g) => ({ as: columnOf(g.field!, g.grain ?? g.part), expression: g.part ? partOf(g.field!, g.part) : g.grain ? `DATE_TRUNC('${g.grain}', ${quoted(g.field!)})` : quoted(g.field!) }))
  const items = [...columns.map((c) => `${c.expression} AS ${name(c.as)}`), ...metrics.map((m) => `MEASURE(${name(m as string)}) AS ${name(m as string)}`)]
  const time = quoted(q.time_range?.dimension ?? 'metric_time')
  const where = [
    ...(q.where_sql ? [metrics.length > 1 || q.time_range ? `(${q.where_sql})` : q.where_sql] : []),
    ...(q.time_range?.start ? [`${time} >= ${bound(q.time_range.start)}`] : []),
    ...(q.time_range?.end ? [`${time} < ${bound(q.time_range.end)}`] : []),
  ]
  if (q.where_sql && metrics.some((m) => isMetric(m as string) && new RegExp(`(^|[^\\w.'"])${escaped(m as string)}([^\\w.(]|$)`).test(q.where_sql!))) return undefined
  const lines = [`SELECT ${items.join(',\n       ')}`, `FROM ${name(model)}`]
  if (where.length > 0) lines.push(`WHERE ${where.join('\n  AND ')}`)
  if (columns.length > 0) lines.push(`GROUP BY ${columns.map((_, i) => i + 1).join(', ')}`)
  if (q.order_by?.length) lines.push(`ORDER BY ${q.order_by.map((o) => name(o.key) + (o.desc ? ' DESC NULLS LAST' : '')).join(', ')}`)
  if (q.limit !== undefined) lines.push(`LIMIT ${q.limit}`)
  return lines.join('\n')
}

const escaped = (s: string) => s.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** columnOf is the name of the output column of a group-by: the bare name of its field, and its grain or its part. */
const columnOf = (field: string, unit?: string) => fieldOf(field) + (unit ? '__' + unit : '')

/** isSame is whether the query that a statement became asks for the same: names and bounds may be written out. */
export function isSame(q: Query, compiled: Query | undefined): boolean {
  if (!compiled) return false
  const list = (v: unknown) => JSON.stringify(v ?? [])
  const groups = (x: Query) => (x.group_by ?? []).map((g) => `${g.field}:${g.grain ?? ''}:${g.part ?? ''}`)
  return (
    list(q.metrics) === list(compiled.metrics) &&
    list(groups(q)) === list(groups(compiled)) &&
    (q.time_range?.start ?? '') === (compiled.time_range?.start ?? '') &&
    (q.time_range?.end ?? '') === (compiled.time_range?.end ?? '') &&
    q.limit === compiled.limit &&
    list((q.order_by ?? []).map((o) => [o.key, o.desc ?? false])) === list((compiled.order_by ?? []).map((o) => [o.key, o.desc ?? false])) &&
    (q.where_sql === undefined) === (compiled.where_sql === undefined)
  )
}
