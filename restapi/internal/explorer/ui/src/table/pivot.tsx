// A result with the values of one group-by across.

import { useMemo } from 'preact/hooks'
import type { Result, Row } from '../api.ts'
import { labelOf, type Column } from '../chart/panels.ts'
import { bucket, number } from '../format.ts'
import { m } from '../messages/index.ts'
import type { Group } from '../state.ts'

interface Props {
  result: Result
  groups: Group[]
  columns: Column[]
  /** The column whose values are the columns of the pivot. */
  across: string
  onAcross: (column: string) => void
}

const mostAcross = 60

export interface Pivoted {
  down: string[]
  across: Row[string][]
  lines: { key: Row[string][]; cells: Map<Row[string], Row> }[]
  all: number
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

export function Pivot({ result, groups, columns, across, onAcross }: Props) {
  const keys = result.columns.slice(0, groups.length)
  const chosen = keys.includes(across) ? across : (keys.find((_, i) => i > 0 && !groups[i].grain) ?? keys[keys.length - 1])
  const p = useMemo(() => pivot(result, keys, chosen), [result, chosen])
  const grain = (key: string) => groups[keys.indexOf(key)]?.grain
  const values = columns.filter((c) => c.kind === undefined)
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
      <div class="scroll" tabIndex={0} role="region" aria-label={m.table.label}>
        <table>
          <thead>
            <tr>
              {p.down.map((k) => (
                <th scope="col" key={k} rowSpan={values.length > 1 ? 2 : 1}>
                  {k}
                </th>
              ))}
              {p.across.map((a, i) => (
                <th scope="colgroup" key={i} class="number" colSpan={values.length}>
                  {bucket(a, grain(chosen))}
                </th>
              ))}
            </tr>
            {values.length > 1 && (
              <tr>
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
            {p.lines.map((l, i) => (
              <tr key={i}>
                {l.key.map((v, j) => (
                  <th scope="row" key={j}>
                    {bucket(v, grain(p.down[j]))}
                  </th>
                ))}
                {p.across.map((a, j) =>
                  values.map((c) => (
                    <td key={j + c.name} class="number" title={String(l.cells.get(a)?.[c.name] ?? '')}>
                      {l.cells.has(a) ? number(l.cells.get(a)![c.name], c.metric) : ''}
                    </td>
                  )),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
