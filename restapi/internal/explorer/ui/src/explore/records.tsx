// The rows that a value is made of, page by page.

import type { Query, Result } from '../api.ts'
import { useTypes } from '../accepted.ts'
import type { Filter } from '../filters.ts'
import { nameDataset, nameField } from '../labels.ts'
import { m } from '../messages/index.ts'
import { datasetOf, qualified } from '../names.ts'
import { isOnPart, leaveRecords, rangeOf, toQuery, type State } from '../state.ts'
import { Rows, useTotal } from './answer.tsx'
import { filterText, rangeText } from './asked.ts'
import { Printed } from './keep.tsx'
import { Popover } from './popover.tsx'
import { useRows, type Props } from './explore.tsx'

const page = 100
const mostFields = 40

/** recordsQuery asks for the rows of a dataset with the conditions of a state; those on metrics and on columns of parts are conditions on results and have no meaning for a row. */
export function recordsQuery(p: Props, types: ReturnType<typeof useTypes>): { query: Query & { fields: string[] }; dropped: string[] } {
  const { catalog, state } = p
  const isOfResult = (f: Filter) => catalog.metrics.has(f.field) || isOnPart(state, f)
  const dropped = state.filters.filter(isOfResult).map((f) => f.field)
  const conditions = toQuery({ ...state, filters: state.filters.filter((f) => !isOfResult(f)) }, { metrics: catalog.metrics, dimensions: types })
  const own = catalog.dimensionList.filter((d) => datasetOf(d.name) === state.from).map((d) => d.name)
  const others = state.groups.map((g) => g.field).filter((f) => f !== 'metric_time' && !own.includes(f))
  const axis = catalog.metrics.get(state.metrics[0])?.time_dimension ?? catalog.datasets.find((d) => d.name === state.from)?.primary_time_dimension
  const range = rangeOf(state)
  const dimension = state.timeDimension || (axis && (axis.includes('.') ? axis : qualified(state.from, axis)))
  return {
    dropped,
    query: {
      from: state.from,
      fields: state.dimensions.length > 0 ? state.dimensions : [...own, ...others].slice(0, mostFields),
      ...(conditions.where_sql && { where_sql: conditions.where_sql }),
      ...(conditions.context_filter && { context_filter: conditions.context_filter }),
      ...(range.time_range && { ...range, time_range: { ...range.time_range, ...(dimension && { dimension }) } }),
      ...(state.order.length > 0 && { order_by: state.order.map((o) => ({ key: o.key, desc: o.desc })) }),
      limit: page,
      ...(state.offset > 0 && { offset: state.offset }),
      ...(state.rest.time_zone !== undefined && { time_zone: state.rest.time_zone }),
      ...(state.connection && { connection: state.connection }),
    },
  }
}

export function Records(p: Props) {
  const { catalog, state, set } = p
  const types = useTypes(catalog, state.metrics)
  const { query, dropped } = recordsQuery(p, types)
  const asked = useRows(catalog, state.from === '' ? undefined : JSON.stringify(query), query, 'select')
  const conditions = [...state.filters.filter((f) => !dropped.includes(f.field)).map((f) => filterText(catalog, f)), state.where, state.context]
  const datasets = catalog.metrics.get(state.metrics[0])?.datasets ?? [state.from]
  return (
    <main class="listpage">
      <p>
        <button type="button" class="link" onClick={() => set(leaveRecords(state, 'explore'))}>
          {m.records.back}
        </button>
      </p>
      <h1>{m.records.title(nameDataset(catalog, state.from))}</h1>
      {datasets.length > 1 && (
        <label>
          {m.records.of}{' '}
          <select value={state.from} onChange={(e) => set({ from: e.currentTarget.value, offset: 0 })}>
            {datasets.map((d) => (
              <option key={d} value={d}>
                {nameDataset(catalog, d)}
              </option>
            ))}
          </select>
        </label>
      )}
      <p>{[...conditions, rangeText(catalog, state)].filter(Boolean).join(' · ')}</p>
      <Printed lines={[catalog.model.name]} />
      <p class="quiet">{m.records.whole}</p>
      {dropped.length > 0 && <p class="note">{m.records.noConditions(dropped.join(', '))}</p>}
      <div class="querybar">
        <Popover text={m.records.columnsOf(query.fields.length)} label={m.records.columns} on={state.dimensions.length > 0}>
          <fieldset class="lines">
            <legend class="hidden">{m.records.columns}</legend>
            {columnsOf(catalog, state, types, query.fields).map((name) => (
              <label key={name} title={name}>
                <input type="checkbox" checked={query.fields.includes(name)} disabled={query.fields.length === 1 && query.fields[0] === name} onChange={(e) => set({ dimensions: e.currentTarget.checked ? [...query.fields, name] : query.fields.filter((f) => f !== name), offset: 0 })} />{' '}
                {nameField(catalog, name)}
              </label>
            ))}
          </fieldset>
        </Popover>
      </div>
      <Rows
        {...p}
        asked={asked}
        query={query}
        kind="select"
        groups={[]}
        ordered={true}
        onFragment={() => undefined}
        onCandidate={() => undefined}
        onOrder={(order) => set({ order, offset: 0 })}
        below={(result) => <Pages {...p} query={query} result={result} />}
      />
    </main>
  )
}

/** columnsOf are the fields that a record can show: those of its dataset, those that are shown, and the dimensions that its metrics take. */
function columnsOf(catalog: Props['catalog'], state: State, types: ReturnType<typeof useTypes>, shown: string[]): string[] {
  const own = catalog.dimensionList.filter((d) => datasetOf(d.name) === state.from).map((d) => d.name)
  const others = state.metrics.length > 0 ? [...types.keys()].filter((n) => n !== 'metric_time') : []
  return [...new Set([...own, ...shown, ...others])]
}

function Pages({ catalog, result, query, state, set }: Props & { query: Query; result: Result }) {
  const total = useTotal(result.limited === true || state.offset > 0, catalog, query, 'select')
  return (
      <div class="bar pages">
        <button type="button" disabled={state.offset === 0} onClick={() => set({ offset: Math.max(0, state.offset - page) })}>
          {m.records.previous}
        </button>
        <span class="quiet">{result.rows.length > 0 ? m.records.range(state.offset + 1, state.offset + result.rows.length, total) : m.chart.noRows}</span>
        <button type="button" disabled={!result.limited} onClick={() => set({ offset: state.offset + page })}>
          {m.records.next}
        </button>
      </div>
  )
}
