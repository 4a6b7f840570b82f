// A result with the values of one group-by across.

import { useMemo, useRef } from 'preact/hooks'
import type { Result, Row } from '../api.ts'
import { labelOf, type Column } from '../chart/panels.ts'
import { bucket, number } from '../format.ts'
import { m } from '../messages/index.ts'
import { px } from '../px.ts'
import type { Group } from '../state.ts'
import { useVirtual } from '../virtual.ts'
import { placeOf, Space } from './table.tsx'

interface Props {
  result: Result
  groups: Group[]
  columns: Column[]
  /** The column whose values are the columns of the pivot. */
  across: string
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
  onCell: Props['onCell']
}

function Line({ index, line, pivoted, values, grain, onCell }: LineProps) {
  const headers = values.length > 1 ? 2 : 1
  return (
    <tr aria-rowindex={index + headers + 1} style={{ height: px(rowHeight) }}>
      {line.key.map((v, i) => (
        <th scope="row" key={i} title={bucket(v, grain(pivoted.down[i]))}>
          {bucket(v, grain(pivoted.down[i]))}
        </th>
      ))}
      {pivoted.across.map((a, i) => {
        const row = line.cells.get(a)
        return values.map((c) => {
          const text = row ? number(row[c.name], c.metric) : ''
          return (
            <td key={i + c.name} class="number" title={String(row?.[c.name] ?? '')}>
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
    </tr>
  )
}

/** pivot puts the rows of a result that differ in one column only into one line. */
export function pivot(result: Result, keys: string[], across: string): Pivoted {
  const down = keys.filter((k) => k !== across)
  const stops = [...new Set(result.rows.map((r) => r[across]))].sort(byText)
  const lines = new Map<string, { key: Row[string][]; cells: Map<Row[string], Row> }>()
  for (const r of result.rows) {
    const key = down.map((k) => r[k])
    const id = JSON.stringify(key)
    if (!lines.has(id)) lines.set(id, { key, cells: new Map() })
    lines.get(id)!.cells.set(r[across], r)
  }
  return { down, across: stops.slice(0, mostAcross), lines: [...lines.values()], all: stops.length }
}

/** Values without a name come last. */
const byText = (a: Row[string], b: Row[string]) => (a === null || b === null ? Number(a === null) - Number(b === null) : typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1)

export function Pivot({ result, groups, columns, across, onAcross, onCell }: Props) {
  const keys = result.columns.slice(0, groups.length)
  const chosen = keys.includes(across) ? across : (keys.find((_, i) => i > 0 && !groups[i].grain) ?? keys[keys.length - 1])
  const p = useMemo(() => pivot(result, keys, chosen), [result, chosen])
  const grain = (key: string) => groups[keys.indexOf(key)]?.grain
  const values = columns.filter((c) => c.kind === undefined)
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtual({ count: p.lines.length, size: rowHeight, scroller })
  const items = virtual.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <div class="pivot">
      <div class="bar">
        <label>
          {m.form.across}{' '}
          <select value={chosen} onChange={(e) => onAcross(e.currentTarget.value)}>
            {keys.map((k) => (
              <option key={k}>{k}</option>
            ))}
          </select>
        </label>
        {p.all > p.across.length && <span class="quiet">{m.chart.columns(p.across.length, p.all)}</span>}
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label={m.table.label} ref={scroller}>
        <table aria-rowcount={p.lines.length + (values.length > 1 ? 2 : 1)}>
          <thead>
            <tr>
              {p.down.map((k) => (
                <th scope="col" key={k} rowSpan={values.length > 1 ? 2 : 1}>
                  {k}
                </th>
              ))}
              {p.across.map((a, i) => (
                <th scope="colgroup" key={i} class="number" colSpan={values.length} title={bucket(a, grain(chosen))}>
                  {bucket(a, grain(chosen))}
                </th>
              ))}
            </tr>
            {values.length > 1 && (
              <tr class="second">
                {p.across.map((_, i) =>
                  values.map((c) => (
                    <th scope="col" key={i + c.name} class="number">
                      {labelOf(c)}
                    </th>
                  )),
                )}
              </tr>
            )}
          </thead>
          <tbody>
            {before > 0 && <Space height={before} />}
            {items.map(({ index }) => p.lines[index] && <Line key={index} index={index} line={p.lines[index]} pivoted={p} values={values} grain={grain} onCell={onCell} />)}
            {after > 0 && <Space height={after} />}
          </tbody>
        </table>
      </div>
    </div>
  )
}
