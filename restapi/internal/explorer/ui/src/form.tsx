// The query as a form: group-bys with their grain, filters, time, parameters,
// order and limit.

import { useState } from 'preact/hooks'
import { api, type Dimension, type ParamSchema } from './api.ts'
import type { Catalog } from './catalog.ts'
import { ops, takesValue, type Filter, type Op } from './filters.ts'
import { Chip } from './parts.tsx'
import { defaultLimit, type State } from './state.ts'

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
  /** What the chosen metrics take, by name. */
  takes: Map<string, Dimension>
  /** The output columns of the last answer. */
  columns: string[]
}

export function QueryForm(p: Props) {
  return (
    <form class="form" onSubmit={(e) => e.preventDefault()}>
      <Chosen {...p} />
      <Filters {...p} />
      <Time {...p} />
      <Params {...p} />
      <Order {...p} />
      <More {...p} />
    </form>
  )
}

function Chosen({ catalog, state, set, takes }: Props) {
  const regrain = (i: number, grain: string) => set({ groups: state.groups.map((g, j) => (j === i ? { field: g.field, grain: grain || undefined } : g)) })
  if (state.metrics.length === 0) return null
  return (
    <fieldset>
      <legend>Show</legend>
      {state.metrics.map((m) => (
        <Chip key={m} name={m} title={catalog.metrics.get(m)?.description} onRemove={() => set({ metrics: state.metrics.filter((x) => x !== m) })}>
          {m}
        </Chip>
      ))}
      {state.groups.length > 0 && <span class="by">by</span>}
      {state.groups.map((g, i) => (
        <Chip key={g.field} name={g.field} onRemove={() => set({ groups: state.groups.filter((_, j) => j !== i) })}>
          {g.field}
          {takes.get(g.field)?.grains?.length ? (
            <select aria-label={`Grain of ${g.field}`} value={g.grain ?? ''} onChange={(e) => regrain(i, e.currentTarget.value)}>
              {takes.get(g.field)!.grains!.map((grain) => (
                <option key={grain}>{grain}</option>
              ))}
              <option value="">as stored</option>
            </select>
          ) : null}
        </Chip>
      ))}
    </fieldset>
  )
}

function Filters({ catalog, state, set, takes }: Props) {
  const change = (i: number, p: Partial<Filter>) => set({ filters: state.filters.map((f, j) => (j === i ? { ...f, ...p } : f)) })
  const first = [...takes.keys()].find((n) => n !== 'metric_time' && !takes.get(n)?.is_time) ?? [...takes.keys()][0]
  return (
    <fieldset>
      <legend>Filter</legend>
      {state.filters.map((f, i) => (
        <div class="filter" key={i}>
          <select aria-label="Field" value={f.field} onChange={(e) => change(i, { field: e.currentTarget.value })}>
            {!takes.has(f.field) && !state.metrics.includes(f.field) && <option>{f.field}</option>}
            {state.metrics.length > 0 && (
              <optgroup label="Metrics">
                {state.metrics.map((m) => (
                  <option key={m}>{m}</option>
                ))}
              </optgroup>
            )}
            <optgroup label="Dimensions">
              {[...takes.keys()]
                .filter((n) => n !== 'metric_time')
                .map((n) => (
                  <option key={n}>{n}</option>
                ))}
            </optgroup>
          </select>
          <select aria-label="Comparison" value={f.op} onChange={(e) => change(i, { op: e.currentTarget.value as Op })}>
            {ops.map((o) => (
              <option key={o}>{o}</option>
            ))}
          </select>
          {takesValue(f.op) && <ValueBox catalog={catalog} state={state} filter={f} datatype={takes.get(f.field)?.datatype} onValue={(value) => change(i, { value })} />}
          <button type="button" class="bare" aria-label="Remove filter" onClick={() => set({ filters: state.filters.filter((_, j) => j !== i) })}>
            ×
          </button>
        </div>
      ))}
      {state.where && (
        <Chip name="condition" onRemove={() => set({ where: '' })}>
          <code>{state.where}</code>
        </Chip>
      )}
      {state.context && (
        <Chip name="context filter" title="applied before anything is aggregated" onRemove={() => set({ context: '' })}>
          before all: <code>{state.context}</code>
        </Chip>
      )}
      {first && (
        <button type="button" class="small" onClick={() => set({ filters: [...state.filters, { field: first, op: '=', value: '' }] })}>
          Add filter
        </button>
      )}
    </fieldset>
  )
}

/** ValueBox offers the values that the field has, asked when it gets the focus. */
function ValueBox({ catalog, state, filter, datatype, onValue }: { catalog: Catalog; state: State; filter: Filter; datatype?: string; onValue: (v: string) => void }) {
  const [values, setValues] = useState<{ field: string; list: string[] }>()
  const ask = async () => {
    if (values?.field === filter.field || state.metrics.includes(filter.field) || state.metrics.length === 0) return
    const metric = state.metrics.find((m) => !catalog.metrics.get(m)?.window_family) ?? state.metrics[0]
    try {
      const r = await api.execute({ metrics: [metric], group_by: [{ field: filter.field }], limit: 200, ...(state.connection && { connection: state.connection }) })
      const column = r.columns[0]
      setValues({ field: filter.field, list: r.rows.filter((x) => x[column] !== null).map((x) => String(x[column])) })
    } catch {
      setValues({ field: filter.field, list: [] }) // offering values is a favour, not a need
    }
  }
  const id = `values-${filter.field}`
  const hint = filter.op === 'in' || filter.op === 'not in' ? 'a, b, c' : datatype === 'Date' ? 'YYYY-MM-DD' : 'value'
  return (
    <>
      <input aria-label="Value" value={filter.value} placeholder={hint} list={id} onFocus={ask} onInput={(e) => onValue(e.currentTarget.value)} />
      <datalist id={id}>{values?.field === filter.field && values.list.map((v) => <option key={v} value={v} />)}</datalist>
    </>
  )
}

const day = (d: Date) => d.toISOString().slice(0, 10)

/** Presets are whole periods, half-open as every range is. */
function presets(now: Date): [string, string, string][] {
  const y = now.getUTCFullYear()
  const m = now.getUTCMonth()
  const at = (year: number, month: number, date = 1) => day(new Date(Date.UTC(year, month, date)))
  const today = now.getUTCDate()
  const quarter = m - (m % 3)
  return [
    ['last 7 days', at(y, m, today - 6), at(y, m, today + 1)],
    ['last 30 days', at(y, m, today - 29), at(y, m, today + 1)],
    ['last 90 days', at(y, m, today - 89), at(y, m, today + 1)],
    ['this month', at(y, m), at(y, m + 1)],
    ['last month', at(y, m - 1), at(y, m)],
    ['last 12 months', at(y, m - 11), at(y, m + 1)],
    ['this quarter', at(y, quarter), at(y, quarter + 3)],
    ['this year', at(y, 0), at(y + 1, 0)],
    ['last year', at(y - 1, 0), at(y, 0)],
    ['two years ago', at(y - 2, 0), at(y - 1, 0)],
  ]
}

function Time({ state, set, takes }: Props) {
  const all = presets(new Date())
  const current = all.find(([, s, e]) => s === state.start && e === state.end)?.[0] ?? (state.start || state.end ? 'custom' : '')
  const times = [...takes.values()].filter((d) => d.is_time && d.grains?.length)
  const pick = (name: string) => {
    const found = all.find(([n]) => n === name)
    if (found) set({ start: found[1], end: found[2] })
    else if (name === '') set({ start: '', end: '', timeDimension: '' })
  }
  return (
    <fieldset>
      <legend>Time</legend>
      <select aria-label="Time range" value={current} onChange={(e) => pick(e.currentTarget.value)}>
        <option value="">all time</option>
        {all.map(([n]) => (
          <option key={n}>{n}</option>
        ))}
        {current === 'custom' && <option value="custom">custom</option>}
      </select>
      <label>
        from <input type="date" aria-label="From" value={state.start.slice(0, 10)} onChange={(e) => set({ start: e.currentTarget.value })} />
      </label>
      <label>
        until <input type="date" aria-label="Until, not included" title="this day is not included" value={state.end.slice(0, 10)} onChange={(e) => set({ end: e.currentTarget.value })} />
      </label>
      {(state.start || state.end) && (
        <label>
          of{' '}
          <select aria-label="Time dimension" value={state.timeDimension} onChange={(e) => set({ timeDimension: e.currentTarget.value })}>
            <option value="">the natural one</option>
            {state.timeDimension && !times.some((d) => d.name === state.timeDimension) && <option>{state.timeDimension}</option>}
            {times.map((d) => (
              <option key={d.name}>{d.name}</option>
            ))}
          </select>
        </label>
      )}
    </fieldset>
  )
}

function Params({ catalog, state, set }: Props) {
  const all = new Map<string, ParamSchema>()
  for (const m of state.metrics) for (const [name, schema] of Object.entries(catalog.metrics.get(m)?.param_schema ?? {})) all.set(name, schema)
  for (const name of Object.keys(state.params)) if (!all.has(name)) all.set(name, { type: 'string', required: false })
  if (all.size === 0) return null
  const change = (name: string, v: string) => set({ params: { ...state.params, [name]: v } })
  return (
    <fieldset>
      <legend>Parameters</legend>
      {[...all].map(([name, s]) => (
        <label key={name} title={s.description}>
          {name} <ParamControl name={name} schema={s} value={state.params[name] ?? ''} onValue={(v) => change(name, v)} />
        </label>
      ))}
    </fieldset>
  )
}

export function ParamControl({ name, schema, value, onValue, lists = true }: { name: string; schema: ParamSchema; value: string; onValue: (v: string) => void; lists?: boolean }) {
  const empty = schema.required ? 'choose…' : `default (${String(schema.default)})`
  const choices = schema.allowed ?? (schema.type === 'bool' ? [true, false] : undefined)
  if (choices) {
    return (
      <select aria-label={`Parameter ${name}`} value={value} onChange={(e) => onValue(e.currentTarget.value)}>
        <option value="">{empty}</option>
        {value && !choices.some((c) => String(c) === value) && <option>{value}</option>}
        {choices.map((c) => (
          <option key={String(c)}>{String(c)}</option>
        ))}
        {lists && schema.type !== 'string' && choices.length > 1 && <option value={choices.map(String).join(',')}>each of them</option>}
      </select>
    )
  }
  const bounds = [schema.min !== undefined && `from ${schema.min}`, schema.max !== undefined && `to ${schema.max}`].filter(Boolean).join(' ')
  const common = { 'aria-label': `Parameter ${name}`, value, title: bounds, onChange: (e: { currentTarget: HTMLInputElement }) => onValue(e.currentTarget.value) }
  return schema.type === 'date' ? <input type="date" {...common} value={value || String(schema.default ?? '')} /> : <input type="text" placeholder={empty} {...common} />
}

function Order({ state, set, columns }: Props) {
  const first = state.order[0]
  const keys = columns.length > 0 ? columns : state.metrics
  return (
    <fieldset>
      <legend>Order</legend>
      <select
        aria-label="Order by"
        value={first ? (first.desc ? '-' : '') + first.key : ''}
        onChange={(e) => {
          const v = e.currentTarget.value
          set({ order: v ? [{ key: v.replace(/^-/, ''), desc: v.startsWith('-') }, ...state.order.slice(1)] : [] })
        }}
      >
        <option value="">by group</option>
        {first && !keys.includes(first.key) && <option value={(first.desc ? '-' : '') + first.key}>{first.key}</option>}
        {keys.map((k) => [
          <option key={'-' + k} value={'-' + k}>
            {k}, largest first
          </option>,
          <option key={k} value={k}>
            {k}, smallest first
          </option>,
        ])}
      </select>
      <label>
        at most{' '}
        <input
          class="limit"
          type="number"
          min={0}
          step={1}
          aria-label="Limit"
          value={state.limit}
          onChange={(e) => set({ limit: /^\d+$/.test(e.currentTarget.value) ? Number(e.currentTarget.value) : defaultLimit })}
        />{' '}
        rows
      </label>
    </fieldset>
  )
}

export function More({ catalog, state, set }: Pick<Props, 'catalog' | 'state' | 'set'>) {
  if (catalog.connections.length === 0 && Object.keys(state.rest).length === 0) return null
  return (
    <fieldset>
      <legend>Where</legend>
      {catalog.connections.length > 0 && (
        <select aria-label="Connection" value={state.connection} onChange={(e) => set({ connection: e.currentTarget.value })}>
          <option value="">embedded database</option>
          {catalog.connections.map((c) => (
            <option key={c.name} value={c.name} disabled={!c.available}>
              {c.name} ({c.dialect})
            </option>
          ))}
        </select>
      )}
      {Object.entries(state.rest).map(([k, v]) => (
        <Chip key={k} name={k} onRemove={() => set({ rest: Object.fromEntries(Object.entries(state.rest).filter(([x]) => x !== k)) })}>
          {k}: <code>{JSON.stringify(v)}</code>
        </Chip>
      ))}
    </fieldset>
  )
}

