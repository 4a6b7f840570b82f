// The filters of the form: a field, a comparison and a value, which is offered as it is typed.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Dimension } from '../api.ts'
import type { Catalog } from '../catalog.ts'
import { list, opsFor, takesValue, type Filter, type Op } from '../filters.ts'
import { useAnswer } from '../hooks.ts'
import { m } from '../messages/index.ts'
import { loadValues, type KnownValue } from '../model/dataset.tsx'
import { Chip } from '../parts.tsx'
import type { State } from '../state.ts'
import { ConditionBox } from './condition.tsx'

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
  takes: Map<string, Dimension>
}

export function Filters({ catalog, state, set, takes }: Props) {
  const [sql, setSQL] = useState(false)
  const change = (i: number, p: Partial<Filter>) => set({ filters: state.filters.map((f, j) => (j === i ? { ...f, ...p } : f)) })
  const names = [...takes.keys()].filter((n) => n !== 'metric_time')
  const first = names.find((n) => !takes.get(n)?.is_time) ?? names[0]
  return (
    <fieldset class="filters">
      <legend>{m.form.filter}</legend>
      {state.filters.map((f, i) => (
        <div class="filter" key={i}>
          <select aria-label={m.form.field} value={f.field} onChange={(e) => change(i, { field: e.currentTarget.value, value: '' })}>
            {!takes.has(f.field) && !state.metrics.includes(f.field) && <option>{f.field}</option>}
            {state.metrics.length > 0 && (
              <optgroup label={m.picker.metrics}>
                {state.metrics.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </optgroup>
            )}
            <optgroup label={m.form.dimensions}>
              {names.map((n) => (
                <option key={n}>{n}</option>
              ))}
            </optgroup>
          </select>
          <select aria-label={m.form.comparison} value={f.op} onChange={(e) => change(i, { op: e.currentTarget.value as Op })}>
            {opsFor(takes.get(f.field)?.datatype, f.op).map((o) => (
              <option key={o} value={o}>
                {m.ops[o] ?? o}
              </option>
            ))}
          </select>
          {takesValue(f.op) && <ValueBox catalog={catalog} state={state} filter={f} field={takes.get(f.field)} onValue={(value) => change(i, { value })} />}
          <button type="button" class="bare" aria-label={m.form.removeFilter} onClick={() => set({ filters: state.filters.filter((_, j) => j !== i) })}>
            ×
          </button>
        </div>
      ))}
      {state.where && !sql && (
        <Chip name={m.form.condition} onRemove={() => set({ where: '' })}>
          <code>{state.where}</code>
        </Chip>
      )}
      {state.context && (
        <Chip name={m.form.contextFilter} title={m.form.contextHint} onRemove={() => set({ context: '' })}>
          {m.form.beforeAll} <code>{state.context}</code>
        </Chip>
      )}
      {first && (
        <button type="button" class="small" onClick={() => set({ filters: [...state.filters, { field: first, op: '=', value: '' }] })}>
          {m.form.addFilter}
        </button>
      )}
      <button type="button" class="small" aria-expanded={sql} onClick={() => setSQL(!sql)}>
        {m.form.sqlFilter}
      </button>
      {sql && <ConditionBox state={state} names={[...names, ...state.metrics]} onCondition={(where) => set({ where })} />}
    </fieldset>
  )
}

interface ValueProps {
  catalog: Catalog
  state: State
  filter: Filter
  field?: Dimension
  onValue: (v: string) => void
}

const most = 20

/** ValueBox offers the values that the field has, with how often each occurs. */
function ValueBox({ catalog, state, filter, field, onValue }: ValueProps) {
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const box = useRef<HTMLInputElement>(null)
  const several = filter.op === 'in' || filter.op === 'not in'
  const typed = several ? filter.value.slice(filter.value.lastIndexOf(',') + 1).trim() : filter.value.trim()
  const wanted = open && field !== undefined && !field.is_time && field.source !== 'part'
  const known = useAnswer<KnownValue[]>(wanted ? JSON.stringify([catalog.model.revision, filter.field, typed, state.connection]) : undefined, (signal) => loadValues(catalog, filter.field, typed, state.connection, signal, most), 150)
  const values = (known.data ?? []).filter((v) => v.value !== null && v.value !== '')
  useLayoutEffect(() => setAt(-1), [JSON.stringify(values.map((v) => v.value))]) // the marked value may have moved
  const pick = (v: KnownValue) => {
    const text = String(v.value)
    onValue(several ? [...list(filter.value).slice(0, typed === '' ? undefined : -1), text].map(spelled).join(', ') + ', ' : text)
    if (!several) setOpen(false)
    box.current?.focus()
  }
  const key = (e: KeyboardEvent) => {
    if (e.key === 'ArrowDown') setAt(Math.min(at + 1, values.length - 1))
    else if (e.key === 'ArrowUp') setAt(Math.max(at - 1, -1))
    else if (e.key === 'Enter' && at >= 0 && values[at]) pick(values[at])
    else if (e.key === 'Escape') setOpen(false)
    else return
    e.preventDefault()
  }
  if (field?.datatype === 'Date' && !several) return <input type="date" aria-label={m.form.value} value={filter.value.slice(0, 10)} onChange={(e) => onValue(e.currentTarget.value)} />
  const shown = wanted && values.length > 0
  const id = 'values-' + filter.field.replace(/[^A-Za-z0-9]/g, '-')
  return (
    <span class="valuebox" onFocusOut={(e) => !e.currentTarget.contains(e.relatedTarget as Node) && setOpen(false)}>
      <input
        ref={box}
        type="text"
        role="combobox"
        aria-expanded={shown}
        aria-controls={shown ? id : undefined}
        aria-activedescendant={shown && at >= 0 ? `${id}-${at}` : undefined}
        aria-label={m.form.value}
        autocomplete="off"
        value={filter.value}
        placeholder={several ? m.form.severalHint : m.form.value}
        onFocus={() => setOpen(true)}
        onInput={(e) => {
          onValue(e.currentTarget.value)
          setOpen(true)
          setAt(-1)
        }}
        onKeyDown={key}
      />
      {shown && (
        <ul id={id} class="values" role="listbox" aria-label={m.form.valuesOf(filter.field)}>
          {values.map((v, i) => (
            <li key={i} id={`${id}-${i}`} role="option" title={String(v.value)} aria-selected={i === at} onMouseDown={(e) => (e.preventDefault(), pick(v))}>
              <span class="name">{String(v.value)}</span>
              {v.count !== undefined && <span class="quiet">{v.count.toLocaleString()}</span>}
            </li>
          ))}
        </ul>
      )}
    </span>
  )
}

/** spelled puts a value of a list into quotes where it holds a comma or a quote. */
const spelled = (v: string) => (/[,']/.test(v) ? `'${v.replaceAll("'", "''")}'` : v)
