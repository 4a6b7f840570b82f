// What the columns and rows of a result are: group-bys, values, and rows of totals.

import type { Compiled, Metric, ResolvedRange, Result, Row } from '../api.ts'
import type { Bounds } from './cuts.ts'
import type { Column } from './panels.ts'
import { daysText } from '../explore/asked.ts'
import { bucket, differenceOf, otherValue } from '../format.ts'
import { m } from '../messages/index.ts'
import type { Group } from '../state.ts'

export interface Shape {
  /** The column that is 0 on rows that are not totals. */
  level?: string
  groups: Group[]
  columns: Column[]
  /** The rows of totals. */
  totals: Row[]
  /** The result as a chart draws it: without rows of totals and without columns beside the groups and values. */
  drawn: Result
}

const other = '__other'

/** shapeOf reads the columns of a result. Without the outputs of the compiled query all that follow the groups are values. */
export function shapeOf(result: Result, outputs: Compiled['outputs'], groups: Group[], metrics: Map<string, Metric>): Shape {
  const known = new Map((outputs ?? []).map((o) => [o.column, o]))
  const first = result.columns.findIndex((c) => known.has(c))
  if (first < 0) {
    const columns = result.columns.slice(groups.length).map((name) => ({ name, metric: metrics.get(name) }))
    return { groups, columns, totals: [], drawn: result }
  }
  const keys = result.columns.slice(0, first)
  const level = result.columns.slice(first).find((c) => !known.has(c))
  const merged = keys.filter((k, i) => i > 0 && k === keys[i - 1] + other)
  const kept = keys.filter((k) => !merged.includes(k))
  const columns = result.columns
    .slice(first)
    .filter((c) => known.has(c))
    .map((name): Column => ({ name, metric: metricOf(name, known.get(name)!, metrics), kind: known.get(name)!.kind }))
  const all = result.rows.map((r) => {
    const filled = merged.filter((c) => r[c] === true)
    return filled.length === 0 ? r : { ...r, ...Object.fromEntries(filled.map((c) => [keyOf(c), r[keyOf(c)] ?? otherValue])) }
  })
  const rows = level === undefined ? all : all.filter((r) => r[level] === 0)
  return {
    level,
    groups: groups.length === keys.length ? groups.filter((_, i) => !merged.includes(keys[i])) : groups,
    columns,
    totals: level === undefined ? [] : all.filter((r) => r[level] !== 0),
    drawn: { ...result, columns: [...kept, ...columns.map((c) => c.name)], rows },
  }
}

const keyOf = (merged: string) => merged.slice(0, -other.length)

/** metricOf describes a column: a fraction is shown as percent, not in the unit of its metric, and a change as a difference. */
function metricOf(name: string, output: { metric: string; kind?: string }, metrics: Map<string, Metric>): Metric | undefined {
  const metric = metrics.get(output.metric)
  if (output.kind === 'change') return differenceOf(metric)
  if (output.kind !== 'share' && output.kind !== 'change_ratio') return metric
  const plain: Metric = { name, kind: 'expression', datasets: [], measures: [], additivity: 'non_additive', attribution: 'unsupported' }
  // Where values do not add up, the column compares each with the whole.
  if (output.kind === 'share' && metric && metric.additivity !== 'additive') return { ...metric, unit: undefined, format: 'number:2' }
  return { ...(metric ?? plain), unit: undefined, format: '0.0%' }
}

/** rangeText names the bounds of a relative range. */
export function rangeText(r: ResolvedRange): string {
  return m.table.bounds(daysText(r.start, r.end), r.dimension, bucket(r.as_of, 'day'), r.time_zone)
}

/** boundsOf are the bounds of the relative range of a result, as the service resolved it. */
export const boundsOf = (result?: Result): Bounds | undefined => rangesOf(result?.resolved_time_range)[0]?.[1]

/** rangesOf lists the ranges of a result, each with its tag. */
export function rangesOf(range: Result['resolved_time_range']): [string, ResolvedRange][] {
  if (!range) return []
  return typeof range.start === 'string' ? [['', range as ResolvedRange]] : Object.entries(range as Record<string, ResolvedRange>)
}
