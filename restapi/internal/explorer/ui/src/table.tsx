// The rows themselves, with every digit, sortable by each column.

import { useMemo, useState } from 'preact/hooks'
import type { Result, Row } from './api.ts'
import { csv, placesOf, plain, type Cell } from './format.ts'
import { Copy } from './parts.tsx'

const page = 200

interface Sort {
  column: string
  desc: boolean
}

interface Props {
  result: Result
  /** The order that the service was asked for. */
  order: { key: string; desc: boolean }[]
  /** Asks the service for an order: where rows are missing, only it knows which come first. */
  onOrder?: (order: { key: string; desc: boolean }[]) => void
}

export function ResultTable({ result, order, onOrder }: Props) {
  const [own, setOwn] = useState<Sort>()
  const asked = order.length > 0 ? { column: order[0].key, desc: order[0].desc } : undefined
  const sort = onOrder ? asked : (own ?? asked)
  const [shown, setShown] = useState(page)
  const rows = useMemo(() => (!onOrder && own && result.columns.includes(own.column) ? sorted(result.rows, own.column, own.desc) : result.rows), [result, own, onOrder === undefined])
  const numeric = new Set(result.columns.filter((c) => result.rows.some((r) => typeof r[c] === 'number')))
  const places = useMemo(() => new Map(result.columns.map((c) => [c, placesOf(result.rows.map((r) => r[c]))])), [result])
  const turn = (column: string) => {
    const next = sort?.column !== column ? { column, desc: false } : sort.desc ? undefined : { column, desc: true }
    if (onOrder) onOrder(next ? [{ key: next.column, desc: next.desc }] : [])
    else setOwn(next)
  }
  return (
    <div class="tablebox">
      <div class="bar">
        <span class="quiet">
          {result.row_count.toLocaleString('en')} {result.row_count === 1 ? 'row' : 'rows'}
        </span>
        <Copy text={() => csv(result.columns, rows)} label="Copy as CSV" />
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label="Result rows">
        <table>
          <thead>
            <tr>
              {result.columns.map((c) => (
                <th key={c} class={numeric.has(c) ? 'number' : ''} aria-sort={sort?.column === c ? (sort.desc ? 'descending' : 'ascending') : 'none'}>
                  <button type="button" class="bare" onClick={() => turn(c)}>
                    {c}
                    <span aria-hidden="true">{sort?.column === c ? (sort.desc ? ' ↓' : ' ↑') : ''}</span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((r, i) => (
              <tr key={i}>
                {result.columns.map((c) => (
                  <td key={c} class={numeric.has(c) ? 'number' : ''}>
                    {r[c] === null ? <span class="null">null</span> : plain(r[c], places.get(c))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length > shown && (
          <p class="more">
            <button type="button" onClick={() => setShown(shown + 1000)}>
              Show {Math.min(1000, rows.length - shown)} more of {(rows.length - shown).toLocaleString('en')}
            </button>
          </p>
        )}
      </div>
    </div>
  )
}

/** Nulls stay last, whichever way. */
function sorted(rows: Row[], column: string, desc: boolean): Row[] {
  const numbers = rows.some((r) => typeof r[column] === 'number')
  const order = (a: Cell, b: Cell) => (numbers ? Number(a) - Number(b) : String(a).localeCompare(String(b), 'en'))
  return [...rows].sort((x, y) => {
    const [a, b] = [x[column], y[column]]
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    return desc ? order(b, a) : order(a, b)
  })
}
