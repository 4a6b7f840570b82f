// A result with the values of one group-by across.

import { useMemo, useRef } from 'preact/hooks'
import type { Result, Row } from '../api.ts'
import { byOrder } from '../chart/order.ts'
import { labelOf, writtenIn, type Column, type OrderedGroup } from '../chart/panels.ts'
import { bucket, number } from '../format.ts'
import { m } from '../messages/index.ts'
import { px } from '../px.ts'
import { useVirtual } from '../virtual.ts'
import { lineKey, type Totals } from './levels.ts'
import { stickyAt, useStickyColumns } from './sticky.ts'
import { placeOf, Space } from './table.tsx'

interface Props {
  result: Result
  groups: OrderedGroup[]
  columns: Column[]
  /** The column whose values are the columns of the pivot. */
  across: string
  /** The totals, where the query asks for them. */
  totals?: Totals
  /** What the pivot does not show, in words. */
  notes: string[]
  onAcross: (column: string) => void
  /** A cell was picked. */
  onCell?: (row: Row, column: string, at: { x: number; y: number }) => void
}

const mostAcross = 60
const rowHeight = 31

export interface Pivoted {
  down: string[]
  across: Row[string][]
  lines: { key: Row[string][]; cells: Map<Row[string], Row> }[]
  all: number
}

interface LineProps {
  index: number
  line: Pivoted['lines'][number]
  pivoted: Pivoted
  values: Column[]
  grain: (key: string) => string | undefined
  totals?: Totals
  /** The distance of each sticky column from the left. */
  sticky: number[]
  onCell: Props['onCell']
}

/** The first column of a group has a line at its left. */
const classOf = (values: Column[], i: number) => (values.length > 1 && i === 0 ? 'number first' : 'number')

/** cellsOf are the cells of a row of totals, one for each column of values. */
function cellsOf(row: Row | undefined, values: Column[], id: string) {
  return values.map((c, i) => (
    <td key={id + c.name} class={`${classOf(values, i)} total`} title={String(row?.[c.name] ?? '')}>
      {row ? number(row[c.name], c.metric) : ''}
    </td>
  ))
}

function Line({ index, line, pivoted, values, grain, totals, sticky, onCell }: LineProps) {
  const headers = values.length > 1 ? 2 : 1
  return (
    <tr aria-rowindex={index + headers + 1} style={{ height: px(rowHeight) }}>
      {line.key.map((v, i) => (
        <th scope="row" key={i} {...stickyAt(sticky[i])} title={bucket(v, grain(pivoted.down[i]))}>
          {bucket(v, grain(pivoted.down[i]))}
        </th>
      ))}
      {pivoted.across.map((a, i) => {
        const row = line.cells.get(a)
        return values.map((c, j) => {
          const text = row ? number(row[c.name], c.metric) : ''
          return (
            <td key={i + c.name} class={classOf(values, j)} title={String(row?.[c.name] ?? '')}>
              {row && onCell ? (
                <button type="button" class="cell" aria-label={m.table.open(text)} onClick={(e) => onCell(row, c.name, placeOf(e))}>
                  {text}
                </button>
              ) : (
                text
              )}
            </td>
          )
        })
      })}
      {totals && totals.lines.size > 0 && cellsOf(totals.lines.get(JSON.stringify(line.key)), values, 'total ')}
    </tr>
  )
}

/** pivot puts the rows of a result that differ in one column only into one line. */
export function pivot(result: Result, keys: string[], across: string, order?: string[]): Pivoted {
  const down = keys.filter((k) => k !== across)
  const stops = [...new Set(result.rows.map((r) => r[across]))].sort(byOrder(order))
  const lines = new Map<string, { key: Row[string][]; cells: Map<Row[string], Row> }>()
  for (const r of result.rows) {
    const key = down.map((k) => r[k])
    const id = lineKey(down, r)
    if (!lines.has(id)) lines.set(id, { key, cells: new Map() })
    lines.get(id)!.cells.set(r[across], r)
  }
  return { down, across: stops.slice(0, mostAcross), lines: [...lines.values()], all: stops.length }
}

export function Pivot({ result, groups, columns: values, across, totals, notes, onAcross, onCell }: Props) {
  const keys = result.columns.slice(0, groups.length)
  const p = useMemo(() => pivot(result, keys, across, groups[keys.indexOf(across)]?.order), [result, across])
  const grains = useMemo(() => new Map(keys.map((k, i) => [k, writtenIn(result.rows, k, groups[i])])), [result])
  const grain = (key: string) => grains.get(key)
  const byLine = totals !== undefined && totals.lines.size > 0
  const stops = [...p.across.map((a) => bucket(a, grain(across))), ...(byLine ? [m.total] : [])]
  const headers = values.length > 1 ? 2 : 1
  const below = totals !== undefined && totals.columns.size > 0
  const scroller = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLTableRowElement>(null)
  const sticky = useStickyColumns(head, scroller, p.down)
  const virtual = useVirtual({ count: p.lines.length, size: rowHeight, scroller })
  const items = virtual.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <div class="pivot">
      <div class="bar">
        <label>
          {m.form.across}{' '}
          <select value={across} onChange={(e) => onAcross(e.currentTarget.value)}>
            {keys.map((k, i) => (
              <option key={k} value={k}>
                {groups[i].label ?? k}
              </option>
            ))}
          </select>
        </label>
        {[...(p.all > p.across.length ? [m.chart.columns(p.across.length, p.all)] : []), ...notes].map((note) => (
          <span class="quiet" key={note}>
            {note}
          </span>
        ))}
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label={m.table.label} ref={scroller}>
        <table aria-rowcount={p.lines.length + headers + Number(below)}>
          <thead>
            <tr ref={head}>
              {p.down.map((k, i) => (
                <th scope="col" key={k} rowSpan={headers} {...stickyAt(sticky[i])} title={k}>
                  {groups[keys.indexOf(k)]?.label ?? k}
                </th>
              ))}
              {stops.map((text, i) => (
                <th scope="colgroup" key={i} class={classOf(values, 0)} colSpan={values.length} title={text}>
                  {text}
                </th>
              ))}
            </tr>
            {values.length > 1 && (
              <tr>
                {stops.map((_, i) =>
                  values.map((c, j) => (
                    <th scope="col" key={i + c.name} class={classOf(values, j)}>
                      {labelOf(c)}
                    </th>
                  )),
                )}
              </tr>
            )}
          </thead>
          <tbody>
            {before > 0 && <Space height={before} />}
            {items.map(({ index }) => p.lines[index] && <Line key={index} index={index} line={p.lines[index]} pivoted={p} values={values} grain={grain} totals={totals} sticky={sticky} onCell={onCell} />)}
            {after > 0 && <Space height={after} />}
          </tbody>
          {below && (
            <tfoot>
              <tr class="total" aria-rowindex={p.lines.length + headers + 1}>
                <th scope="row" colSpan={sticky.length || p.down.length} {...stickyAt(0)}>
                  {m.total}
                </th>
                {sticky.length > 0 && sticky.length < p.down.length && <td colSpan={p.down.length - sticky.length} />}
                {p.across.flatMap((a, i) => cellsOf(totals.columns.get(a), values, `${i} `))}
                {byLine && cellsOf(totals.whole, values, 'total ')}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
    </div>
  )
}
