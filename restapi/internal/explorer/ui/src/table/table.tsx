// The rows themselves, sorted, resized and scrolled without limits. Cells are rounded; the pointer, copies and downloads have every digit.

import { useMemo, useRef, useState } from 'preact/hooks'
import type { Metric, Result, Row } from '../api.ts'
import { isIndex, labelOf, type Column } from '../chart/panels.ts'
import { bucket, grainOfTexts, number, otherValue, placesOf, plain, showsFormat, type Cell } from '../format.ts'
import { humanised } from '../labels.ts'
import { useMedia } from '../hooks.ts'
import { m } from '../messages/index.ts'
import { Copy } from '../parts.tsx'
import { px } from '../px.ts'
import { useVirtual } from '../virtual.ts'
import { csvOf, jsonOf, save, tsv } from './download.ts'
import { parquetOf } from './parquet.ts'
import { leastWidth, widthsOf } from './widths.ts'
import { xlsxOf } from './xlsx.ts'

interface Sort {
  column: string
  desc: boolean
}

export interface TableProps {
  result: Result
  /** The columns that hold values, with their metrics. */
  values?: Column[]
  /** The columns beside them whose numbers are amounts; others are keys, which have no separators. */
  amounts?: Set<string>
  /** The column that is 0 on rows that are not totals. */
  level?: string
  /** The columns that hold periods, and their grains. */
  grains?: Map<string, string>
  /** How people name the columns that hold group-bys. */
  titles?: Map<string, string>
  /** The order that the service was asked for. */
  order: { key: string; desc: boolean }[]
  /** Asks the service for an order: if rows are missing, only the service has the first ones. */
  onOrder?: (order: { key: string; desc: boolean }[]) => void
  /** The order that a person has given to complete rows: a column, with '-' before it where the largest come first. */
  sort?: string
  onSort?: (sort: string) => void
  /** A cell was picked. */
  onCell?: (row: Row, column: string, at: { x: number; y: number }) => void
  name: string
}

const rowHeight = 30

export function ResultTable(p: TableProps) {
  const { result, level, order, onOrder } = p
  const own: Sort | undefined = p.sort ? { column: p.sort.replace(/^-/, ''), desc: p.sort.startsWith('-') } : undefined
  const asked = order.length > 0 ? { column: order[0].key, desc: order[0].desc } : undefined
  const sort = onOrder ? asked : (own ?? asked)
  const columns = useMemo(() => result.columns.filter((c) => c !== level), [result, level])
  const [rows, totals] = useMemo(() => {
    const plain = level ? result.rows.filter((r) => r[level] === 0) : result.rows
    return [!onOrder && own && columns.includes(own.column) ? sorted(plain, own.column, own.desc) : plain, level ? result.rows.filter((r) => r[level] !== 0) : []]
  }, [result, p.sort, onOrder === undefined, level])
  const turn = (column: string) => {
    const next = sort?.column !== column ? { column, desc: false } : sort.desc ? undefined : { column, desc: true }
    if (onOrder) onOrder(next ? [{ key: next.column, desc: next.desc }] : [])
    else p.onSort?.(next ? (next.desc ? '-' : '') + next.column : '')
  }
  return (
    <div class="tablebox">
      <div class="bar">
        <span class="quiet">{m.table.rows(rows.length)}</span>
        <span class="tools">
          <Copy text={() => tsv(result.columns, result.rows)} label={m.table.copy} />
          <button type="button" class="small" aria-label={m.table.download('CSV')} onClick={() => save(p.name + '.csv', csvOf(result.columns, result.rows), 'text/csv')}>
            {m.table.csv}
          </button>
          <button type="button" class="small" aria-label={m.table.download('XLSX')} onClick={() => save(p.name + '.xlsx', xlsxOf(result.columns, result.rows), 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')}>
            {m.table.xlsx}
          </button>
          <button type="button" class="small" aria-label={m.table.download('JSON')} onClick={() => save(p.name + '.json', jsonOf(result.columns, result.rows), 'application/json')}>
            {m.table.json}
          </button>
          <button type="button" class="small" aria-label={m.table.download('Parquet')} onClick={() => save(p.name + '.parquet', parquetOf(result.columns, result.rows), 'application/vnd.apache.parquet')}>
            {m.table.parquet}
          </button>
        </span>
      </div>
      <Grid {...p} columns={columns} rows={rows} totals={totals} sort={sort} onTurn={turn} />
    </div>
  )
}

interface GridProps extends Omit<TableProps, 'sort'> {
  columns: string[]
  rows: Row[]
  totals: Row[]
  sort?: Sort
  onTurn: (column: string) => void
}

function Grid({ columns, rows, totals, sort, onTurn, values = [], amounts, grains, titles, onCell, result }: GridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtual({ count: rows.length, size: rowHeight, scroller })
  const format = useMemo(() => formats(result, rows, columns, values, amounts, grains, titles), [result, columns, values, amounts, grains, titles])
  const screen = useMedia('(max-width: 900px)') ? 'narrow' : 'wide'
  const measured = useMemo(() => widthsOf(columns, (c) => format.get(c)!.title, (c) => [...rows.slice(0, 100), ...extremes(rows, c), ...totals].map((r) => format.get(c)!.text(r[c])), (c) => format.get(c)!.numeric, screen), [result, columns, format, screen])
  const [dragged, setDragged] = useState<Record<string, number>>({})
  const width = (c: string) => dragged[c] ?? measured.get(c) ?? leastWidth
  // The columns share what the page has to spare, until a person makes one wider: then each is as wide as it was.
  const sized = columns.some((c) => c in dragged)
  const resize = (column: string, to: number) => {
    const now = [...scroller.current!.querySelectorAll('thead th')].map((th, i): [string, number] => [columns[i], th.getBoundingClientRect().width])
    setDragged({ ...Object.fromEntries(now), [column]: to })
  }
  const items = virtual.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <div class="scroll grid" tabIndex={0} role="region" aria-label={m.table.label} ref={scroller}>
      <table class={sized ? 'sized' : undefined} aria-rowcount={rows.length + totals.length + 1} style={{ width: px(columns.reduce((sum, c) => sum + width(c), 0)) }}>
        <colgroup>
          {columns.map((c) => (
            <col key={c} style={{ width: px(width(c)) }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((c) => (
              <th key={c} scope="col" class={format.get(c)!.numeric ? 'number' : ''} aria-sort={sort?.column === c ? (sort.desc ? 'descending' : 'ascending') : 'none'}>
                <button type="button" class="bare" title={format.get(c)!.about} onClick={() => onTurn(c)}>
                  {format.get(c)!.title}
                  <span aria-hidden="true">{sort?.column === c ? (sort.desc ? ' ↓' : ' ↑') : ''}</span>
                </button>
                <Handle column={c} width={width(c)} onWidth={(w) => resize(c, w)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Space height={before} />}
          {items.map((v) => rows[v.index] && <Line key={v.index} index={v.index} row={rows[v.index]} columns={columns} format={format} onCell={onCell} />)}
          {after > 0 && <Space height={after} />}
        </tbody>
        {totals.length > 0 && (
          <tfoot>
            {totals.map((r, i) => (
              <tr key={i} class="total">
                {columns.map((c, j) => (
                  <td key={c} class={format.get(c)!.numeric ? 'number' : ''}>
                    {j === 0 && !format.get(c)!.numeric ? m.total : r[c] === null && !format.get(c)!.value ? '' : format.get(c)!.text(r[c])}
                  </td>
                ))}
              </tr>
            ))}
          </tfoot>
        )}
      </table>
    </div>
  )
}

interface LineProps {
  index: number
  row: Row
  columns: string[]
  format: Map<string, Format>
  onCell?: TableProps['onCell']
}

function Line({ index, row, columns, format, onCell }: LineProps) {
  const open = (c: string) => (e: MouseEvent) => onCell?.(row, c, placeOf(e))
  return (
    <tr aria-rowindex={index + 2}>
      {columns.map((c) => {
        const f = format.get(c)!
        const text = f.text(row[c])
        const shown = row[c] === null ? <span class="null">{text}</span> : text
        return (
          <td key={c} class={f.numeric ? 'number' : ''} style={f.heat(row[c])} title={String(row[c] ?? '')} onClick={f.value && onCell ? open(c) : undefined}>
            {!f.value && onCell ? (
              <button type="button" class="cell" aria-label={m.table.open(text)} onClick={open(c)}>
                {shown}
              </button>
            ) : (
              shown
            )}
          </td>
        )
      })}
    </tr>
  )
}

interface Format {
  title: string
  /** What the pointer on the title shows: the exact name, and what the values are. */
  about: string
  numeric: boolean
  value: boolean
  text: (v: Cell) => string
  heat: (v: Cell) => Record<string, string> | undefined
}

/** formats is how each column is written: values rounded and with a bar, or as their format asks. */
function formats(result: Result, rows: Row[], columns: string[], values: Column[], amounts?: Set<string>, grains?: Map<string, string>, titles?: Map<string, string>): Map<string, Format> {
  const known = new Map(values.map((c) => [c.name, c]))
  return new Map(
    columns.map((name): [string, Format] => {
      const column = known.get(name)
      // A column of values is aligned like numbers, also if it has none.
      const numeric = result.rows.some((r) => typeof r[name] === 'number') || (column !== undefined && result.rows.every((r) => r[name] === null))
      const places = placesOf(result.rows.map((r) => r[name]))
      const grain = grains?.get(name) ?? grainOfTexts(result.rows.map((r) => r[name]))
      const text = (v: Cell) => (v === null || v === undefined ? m.none : v === '' ? m.empty : v === otherValue ? m.other : numeric && (column || amounts?.has(name)) ? figure(v, column?.metric, places) : grain ? bucket(v, grain) : String(v))
      return [name, { title: column ? titleOf(column) : (titles?.get(name) ?? humanised(name)), about: column && isIndex(column) ? `${name}: ${m.table.indexHint}` : name, numeric, value: column !== undefined, text, heat: column && numeric ? heat(rows, name) : () => undefined }]
    }),
  )
}

/** titleOf names a column with its unit. */
const titleOf = (c: Column) => (c.metric?.unit && !showsFormat(c.metric) ? `${labelOf(c)} (${c.metric.unit})` : labelOf(c))

/** figure shows percents and formats as their author asks, and every other number with the decimals of its column. */
const figure = (v: Cell, metric: Metric | undefined, places: number) => (metric && showsFormat(metric) ? number(v, metric) : plain(v, places))

/** heat is the bar behind a value, from zero to it; totals would make the bars of the rows too short. */
function heat(rows: Row[], name: string): Format['heat'] {
  let [low, high] = [0, 0]
  for (const r of rows) {
    const v = Number(r[name])
    if (r[name] === null || !Number.isFinite(v)) continue
    low = Math.min(low, v)
    high = Math.max(high, v)
  }
  if (high === low) return () => undefined
  const at = (v: number) => ((v - low) / (high - low)) * 100
  return (v) => {
    if (typeof v !== 'number') return undefined
    const [a, b] = v < 0 ? [at(v), at(0)] : [at(0), at(v)]
    return { background: `linear-gradient(to right, transparent ${a}%, var(--heat) ${a}%, var(--heat) ${b}%, transparent ${b}%)` }
  }
}

/** Handle changes the width of a column, by dragging or by the arrow keys. */
function Handle({ column, width, onWidth }: { column: string; width: number; onWidth: (w: number) => void }) {
  const from = useRef<{ x: number; width: number } | undefined>(undefined)
  const least = 40
  return (
    <span
      class="handle"
      role="separator"
      aria-orientation="vertical"
      aria-label={m.table.width(column)}
      aria-valuenow={Math.round(width)}
      aria-valuemin={least}
      aria-valuemax={1000}
      tabIndex={0}
      onPointerDown={(e) => {
        from.current = { x: e.clientX, width: widthOf(e.currentTarget) }
        e.currentTarget.setPointerCapture(e.pointerId)
      }}
      onPointerMove={(e) => from.current && onWidth(Math.max(least, from.current.width + e.clientX - from.current.x))}
      onPointerUp={() => (from.current = undefined)}
      onKeyDown={(e) => {
        const step = { ArrowLeft: -16, ArrowRight: 16 }[e.key]
        if (step) onWidth(Math.max(least, widthOf(e.currentTarget) + step))
      }}
    />
  )
}

/** placeOf is where a press was: a key presses at no place, and stands for the element. */
export function placeOf(e: MouseEvent): { x: number; y: number } {
  if (e.detail > 0) return { x: e.clientX, y: e.clientY }
  const box = (e.currentTarget as Element).getBoundingClientRect()
  return { x: box.left, y: box.bottom }
}

/** extremes are the rows with the least and the greatest number of a column. */
function extremes(rows: Row[], column: string): Row[] {
  const numbers = rows.filter((r) => typeof r[column] === 'number')
  if (numbers.length === 0) return []
  const pick = (better: (a: number, b: number) => boolean) => numbers.reduce((a, b) => (better(Number(b[column]), Number(a[column])) ? b : a))
  return [pick((a, b) => a < b), pick((a, b) => a > b)]
}

/** widthOf is how wide the column of a handle is drawn. */
const widthOf = (handle: Element) => handle.parentElement!.getBoundingClientRect().width

/** Nulls stay last in both directions. */
function sorted(rows: Row[], column: string, desc: boolean): Row[] {
  const numbers = rows.some((r) => typeof r[column] === 'number')
  const collator = new Intl.Collator('en')
  const order = (a: Cell, b: Cell) => (numbers ? Number(a) - Number(b) : collator.compare(String(a), String(b)))
  return [...rows].sort((x, y) => {
    const [a, b] = [x[column], y[column]]
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    return desc ? order(b, a) : order(a, b)
  })
}

/** Space takes the place of the rows that are out of sight. */
export const Space = ({ height }: { height: number }) => (
  <tr class="space" aria-hidden="true">
    <td style={{ height: px(height) }} />
  </tr>
)
