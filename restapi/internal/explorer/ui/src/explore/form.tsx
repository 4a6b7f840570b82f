// The query as a form: group-bys with their grain, filters, time, parameters,
// order and limit.

import type { Dimension, ParamSchema } from '../api.ts'
import type { Catalog } from '../catalog.ts'
import { m } from '../messages/index.ts'
import { Chip } from '../parts.tsx'
import { groupText, lastText } from './asked.tsx'
import { Filters } from './filters.tsx'
import { endOfData } from './range.ts'
import { useSignal } from '../hooks.ts'
import { defaultLimit, hasRange, withoutGroup, type Comparison, type Group, type State } from '../state.ts'
import { partLabel } from '../timeparts.ts'

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
      <Added {...p} />
      <More {...p} />
    </form>
  )
}

function Chosen({ catalog, state, set, takes }: Props) {
  const regroup = (g: Group, unit: string) => {
    const next: Group = { field: g.field, ...(isPart(unit) ? { part: unit.slice(1) } : unit && { grain: unit }) }
    set({ ...withoutGroup(state, g), groups: state.groups.map((x) => (x === g ? next : x)) })
  }
  if (state.metrics.length === 0) return null
  return (
    <fieldset>
      <legend>{m.form.show}</legend>
      {state.metrics.map((name) => (
        <Chip key={name} name={name} title={catalog.metrics.get(name)?.description} onRemove={() => set({ metrics: state.metrics.filter((x) => x !== name) })}>
          {catalog.metrics.get(name)?.label || name}
        </Chip>
      ))}
      {state.groups.length > 0 && <span class="by">{m.form.by}</span>}
      {state.groups.map((g, i) => (
        <Chip key={`${g.field} ${i}`} name={groupText(g)} onRemove={() => set(withoutGroup(state, g))}>
          {g.field}
          {takes.get(g.field)?.grains?.length ? <Unit group={g} field={takes.get(g.field)!} onUnit={(unit) => regroup(g, unit)} /> : null}
        </Chip>
      ))}
    </fieldset>
  )
}

/** isPart is whether a choice is that of a part: no period has a name with a colon. */
const isPart = (unit: string) => unit.startsWith(':')

/** Unit chooses the periods or the part that a time is grouped by. */
function Unit({ group, field, onUnit }: { group: Group; field: Dimension; onUnit: (unit: string) => void }) {
  const { grains = [], parts = [] } = field
  const periods = group.grain && !grains.includes(group.grain) ? [group.grain, ...grains] : grains
  return (
    <select aria-label={m.form.grainOf(group.field)} value={group.part ? `:${group.part}` : (group.grain ?? '')} onChange={(e) => onUnit(e.currentTarget.value)}>
      <optgroup label={m.form.periods}>
        {periods.map((grain) => (
          <option key={grain} value={grain}>
            {m.grains[grain] ?? grain}
          </option>
        ))}
        <option value="">{m.form.stored}</option>
      </optgroup>
      {parts.length > 0 && (
        <optgroup label={m.form.parts}>
          {parts.map((part) => (
            <option key={part} value={`:${part}`}>
              {partLabel(part)}
            </option>
          ))}
        </optgroup>
      )}
    </select>
  )
}

/** The relative ranges that the service resolves: whole periods before today, or before the end of the data. */
const lasts = ['7 day', '30 day', '90 day', '4 week', '13 week', '1 month', '3 month', '6 month', '12 month', '24 month', '4 quarter', '1 year', '2 year']

function Time({ catalog, state, set, takes }: Props) {
  const signal = useSignal()
  const current = state.last || (state.start || state.end ? 'custom' : '')
  const times = [...takes.values()].filter((d) => d.is_time && d.grains?.length)
  const pick = (name: string) => {
    if (name === '') set({ start: '', end: '', last: '', asOf: '', timeDimension: '', compare: '' })
    else if (name !== 'custom') set({ last: name, start: '', end: '' })
  }
  const bound = (p: Partial<State>) => set({ ...p, last: '', asOf: '' })
  return (
    <fieldset>
      <legend>{m.form.time}</legend>
      <select aria-label={m.form.timeRange} value={current} onChange={(e) => pick(e.currentTarget.value)}>
        <option value="">{m.form.allTime}</option>
        {(state.last && !lasts.includes(state.last) ? [state.last, ...lasts] : lasts).map((l) => (
          <option key={l} value={l}>
            {lastText(l)}
          </option>
        ))}
        {current === 'custom' && <option value="custom">{m.form.custom}</option>}
      </select>
      {state.last && state.asOf && <Chip name={m.form.ofTheData} onRemove={() => set({ asOf: '' })}>{`→ ${state.asOf}`}</Chip>}
      {!state.last && (
        <>
          <label>
            {m.form.from} <input type="date" aria-label={m.form.from} value={state.start.slice(0, 10)} onChange={(e) => bound({ start: e.currentTarget.value })} />
          </label>
          <label>
            {m.form.until} <input type="date" aria-label={m.form.untilLabel} title={m.form.untilHint} value={state.end.slice(0, 10)} onChange={(e) => bound({ end: e.currentTarget.value })} />
          </label>
        </>
      )}
      {current !== '' && times.length > 1 && (
        <label>
          {m.form.of}{' '}
          <select aria-label={m.form.timeDimension} value={state.timeDimension} onChange={(e) => set({ timeDimension: e.currentTarget.value })}>
            <option value="">{m.form.natural}</option>
            {state.timeDimension && !times.some((d) => d.name === state.timeDimension) && <option>{state.timeDimension}</option>}
            {times.map((d) => (
              <option key={d.name}>{d.name}</option>
            ))}
          </select>
        </label>
      )}
      <label>
        {m.form.compare}{' '}
        <select value={state.compare} onChange={(e) => compareWith(e.currentTarget.value as Comparison)}>
          {(Object.entries(m.form.comparisons) as [Comparison, string][]).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
    </fieldset>
  )

  /** A comparison needs both bounds: without them it begins with the last twelve months of the data. */
  async function compareWith(compare: Comparison) {
    if (!compare || hasRange(state)) return set({ compare })
    const asked = signal.current
    const end = await endOfData(catalog, state, asked).catch(() => undefined) // the range of the clock serves then
    if (asked.aborted) return
    set(end ? { compare, last: '12 month', asOf: end, start: '', end: '' } : { compare, last: '12 month', start: '', end: '' })
  }
}

/** Added are the totals and the shares. */
function Added({ state, set }: Props) {
  if (state.groups.length === 0) return null
  return (
    <fieldset>
      <legend>{m.form.add}</legend>
      <label>
        <input type="checkbox" checked={state.totals} onChange={(e) => set({ totals: e.currentTarget.checked })} /> {m.form.totals}
      </label>
      <label>
        <input type="checkbox" checked={state.shares} onChange={(e) => set({ shares: e.currentTarget.checked })} /> {m.form.shares}
      </label>
    </fieldset>
  )
}

export function Params({ catalog, state, set }: Pick<Props, 'catalog' | 'state' | 'set'>) {
  const all = new Map<string, ParamSchema>()
  for (const metric of state.metrics) for (const [name, schema] of Object.entries(catalog.metrics.get(metric)?.param_schema ?? {})) all.set(name, schema)
  for (const name of Object.keys(state.params)) if (!all.has(name)) all.set(name, { type: 'string', required: false })
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

function Order({ state, set, columns }: Props) {
  const first = state.order[0]
  const keys = columns.length > 0 ? columns : state.metrics
  return (
    <fieldset>
      <legend>{m.form.order}</legend>
      <select
        aria-label={m.form.orderBy}
        value={first ? (first.desc ? '-' : '') + first.key : ''}
        onChange={(e) => {
          const v = e.currentTarget.value
          set({ order: v ? [{ key: v.replace(/^-/, ''), desc: v.startsWith('-') }, ...state.order.slice(1)] : [] })
        }}
      >
        <option value="">{m.form.byGroup}</option>
        {first && !keys.includes(first.key) && <option value={(first.desc ? '-' : '') + first.key}>{first.key}</option>}
        {keys.map((k) => [
          <option key={'-' + k} value={'-' + k}>
            {m.form.largest(k)}
          </option>,
          <option key={k} value={k}>
            {m.form.smallest(k)}
          </option>,
        ])}
      </select>
      <label>
        {m.form.atMost}{' '}
        <input
          class="limit"
          type="number"
          min={0}
          step={1}
          aria-label={m.form.limit}
          value={state.limit}
          onChange={(e) => set({ limit: /^\d+$/.test(e.currentTarget.value) ? Number(e.currentTarget.value) : defaultLimit })}
        />{' '}
        {m.form.rows}
      </label>
    </fieldset>
  )
}

/** ConnectionChoice chooses the connection of the page, where there is a choice. */
export function ConnectionChoice({ catalog, state, set }: Pick<Props, 'catalog' | 'state' | 'set'>) {
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

export function More({ catalog, state, set }: Pick<Props, 'catalog' | 'state' | 'set'>) {
  if (catalog.connections.length === 0 && Object.keys(state.rest).length === 0) return null
  return (
    <fieldset>
      <legend>{m.form.where}</legend>
      <ConnectionChoice {...{ catalog, state, set }} />
      {Object.entries(state.rest).map(([k, v]) => (
        <Chip key={k} name={k} onRemove={() => set({ rest: Object.fromEntries(Object.entries(state.rest).filter(([x]) => x !== k)) })}>
          {k}: <code>{JSON.stringify(v)}</code>
        </Chip>
      ))}
    </fieldset>
  )
}

