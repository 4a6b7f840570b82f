// Controls that several pages have: parameters, the connection, and parts of a query without a control.

import type { ParamSchema } from '../api.ts'
import type { Catalog } from '../catalog.ts'
import { m } from '../messages/index.ts'
import { Chip } from '../parts.tsx'
import type { State } from '../state.ts'

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
}

/** paramsOf are the parameters of the metrics of a state, and those that it has a value for. */
function paramsOf(catalog: Catalog, state: State): Map<string, ParamSchema> {
  const all = new Map<string, ParamSchema>()
  for (const metric of state.metrics) for (const [name, schema] of Object.entries(catalog.metrics.get(metric)?.param_schema ?? {})) all.set(name, schema)
  for (const name of Object.keys(state.params)) if (!all.has(name)) all.set(name, { type: 'string', required: false })
  return all
}

export const hasParams = (catalog: Catalog, state: State) => paramsOf(catalog, state).size > 0

export function Params({ catalog, state, set }: Props) {
  const all = paramsOf(catalog, state)
  if (all.size === 0) return null
  const change = (name: string, v: string) => set({ params: { ...state.params, [name]: v } })
  return (
    <fieldset>
      <legend>{m.form.parameters}</legend>
      {[...all].map(([name, s]) => (
        <label key={name} title={s.description}>
          {name} <ParamControl name={name} schema={s} value={state.params[name] ?? ''} onValue={(v) => change(name, v)} />
        </label>
      ))}
    </fieldset>
  )
}

export function ParamControl({ name, schema, value, onValue, lists = true }: { name: string; schema: ParamSchema; value: string; onValue: (v: string) => void; lists?: boolean }) {
  const empty = schema.required ? m.why.choose : m.form.defaultOf(String(schema.default))
  const choices = schema.allowed ?? (schema.type === 'bool' ? [true, false] : undefined)
  if (choices) {
    return (
      <select aria-label={m.form.parameter(name)} value={value} onChange={(e) => onValue(e.currentTarget.value)}>
        <option value="">{empty}</option>
        {value && !choices.some((c) => String(c) === value) && <option>{value}</option>}
        {choices.map((c) => (
          <option key={String(c)}>{String(c)}</option>
        ))}
        {lists && schema.type !== 'string' && choices.length > 1 && <option value={choices.map(String).join(',')}>{m.form.eachOfThem}</option>}
      </select>
    )
  }
  const bounds = [schema.min !== undefined && m.form.least(String(schema.min)), schema.max !== undefined && m.form.greatest(String(schema.max))].filter(Boolean).join(' ')
  const common = { 'aria-label': m.form.parameter(name), value, title: bounds, onChange: (e: { currentTarget: HTMLInputElement }) => onValue(e.currentTarget.value) }
  return schema.type === 'date' ? <input type="date" {...common} value={value || String(schema.default ?? '')} /> : <input type="text" placeholder={empty} {...common} />
}

/** ConnectionChoice chooses the connection of the page, where there is a choice. */
export function ConnectionChoice({ catalog, state, set }: Props) {
  const { connections } = catalog
  if (connections.length === 0) return null
  return (
    <select aria-label={m.form.connection} value={state.connection} onChange={(e) => set({ connection: e.currentTarget.value })}>
      <option value="">{connections.find((c) => c.default)?.name ?? m.form.embedded}</option>
      {connections
        .filter((c) => !c.default)
        .map((c) => (
          <option key={c.name} value={c.name} disabled={!c.available}>
            {c.name} ({c.dialect})
          </option>
        ))}
    </select>
  )
}

/** Keys that have controls where the page has a form. */
const ofClock = new Set(['time_zone', 'week_start'])

/** More is the connection, and what the query has besides. */
export function More({ catalog, state, set }: Props) {
  const rest = Object.entries(state.rest).filter(([key]) => !ofClock.has(key))
  if (catalog.connections.length === 0 && rest.length === 0) return null
  return (
    <fieldset>
      <legend>{m.form.where}</legend>
      <ConnectionChoice {...{ catalog, state, set }} />
      {rest.map(([k, v]) => (
        <Chip key={k} name={k} onRemove={() => set({ rest: Object.fromEntries(Object.entries(state.rest).filter(([x]) => x !== k)) })}>
          {k}: <code>{JSON.stringify(v)}</code>
        </Chip>
      ))}
    </fieldset>
  )
}

