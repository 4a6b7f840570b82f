// The totals of a pivot: which levels of a query it shows, and the place of their rows.

import type { Row } from '../api.ts'
import type { Group } from '../state.ts'

/** acrossOf is the column whose values are the columns of a pivot: the one asked for, else the first behind the lines that is not a time. */
export const acrossOf = (keys: string[], groups: Group[], asked: string): string => (keys.includes(asked) ? asked : (keys.find((_, i) => i > 0 && !groups[i].grain) ?? keys[keys.length - 1]))

/** Totals are the rows of totals of a pivot, by their places. */
export interface Totals {
  /** The totals of the lines, by the key of their line. */
  lines: Map<string, Row>
  /** The totals of the columns, by their value. */
  columns: Map<Row[string], Row>
  /** The total of all rows. */
  whole?: Row
}

export const lineKey = (down: string[], r: Row) => JSON.stringify(down.map((k) => r[k]))

/** levelsOf are the levels of totals of a pivot: that of its lines, that of its columns and that of all rows. */
export function levelsOf(keys: string[], across: string): string[][] {
  const down = keys.filter((k) => k !== across)
  return down.length === 0 ? [[]] : [down, [across], []]
}

/** totalsOf puts the rows of totals at their places. The items are the totals of the query: the first is level 1. */
export function totalsOf(rows: Row[], level: string, items: string[][], keys: string[], across: string): Totals {
  const down = keys.filter((k) => k !== across)
  const same = (a: string[], b: string[]) => a.length === b.length && a.every((x) => b.includes(x))
  const out: Totals = { lines: new Map(), columns: new Map() }
  for (const r of rows) {
    const item = items[Number(r[level]) - 1]
    if (item === undefined) continue
    if (same(item, down)) out.lines.set(lineKey(down, r), r)
    else if (same(item, [across])) out.columns.set(r[across], r)
    else if (item.length === 0) out.whole = r
  }
  return out
}
