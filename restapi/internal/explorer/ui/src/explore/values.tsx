// The values of a filter: picked from those that the field has, or typed.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Dimension } from '../api.ts'
import type { Catalog } from '../catalog.ts'
import { list, spelled, type Filter } from '../filters.ts'
import { useAnswer } from '../hooks.ts'
import { nameField } from '../labels.ts'
import { m } from '../messages/index.ts'
import { loadValues, type KnownValue } from '../model/dataset.tsx'
import type { State } from '../state.ts'

interface Props {
  catalog: Catalog
  state: State
  filter: Filter
}

const most = 20

/** useValues are the values of a field that hold a text, the most frequent first. */
function useValues({ catalog, state, filter }: Props, typed: string, wanted: boolean): KnownValue[] {
  const key = wanted ? JSON.stringify([catalog.model.revision, filter.field, typed, state.connection]) : undefined
  const known = useAnswer<KnownValue[]>(key, (signal) => loadValues(catalog, filter.field, typed, state.connection, signal, most), 150)
  return (known.data ?? []).filter((v) => v.value !== null && v.value !== '')
}

/** Values are check boxes: several values of a filter make it one of a list. Enter takes what is typed, also if the field lacks it. */
export function Values(p: Props & { onFilter: (f: Partial<Filter>) => void }) {
  const { filter, onFilter } = p
  const [typed, setTyped] = useState('')
  const values = useValues(p, typed.trim(), true)
  const several = filter.op === 'in' || filter.op === 'not in'
  const chosen = several ? list(filter.value) : filter.value === '' ? [] : [filter.value]
  const without = filter.op === '<>' || filter.op === 'not in'
  const choose = (next: string[]) =>
    onFilter(next.length > 1 ? { op: without ? 'not in' : 'in', value: next.map(spelled).join(', ') } : several && next.length === 1 ? { op: without ? '<>' : '=', value: next[0] } : { value: next[0] ?? '' })
  const toggle = (value: string) => choose(chosen.includes(value) ? chosen.filter((v) => v !== value) : [...chosen, value])
  // The chosen values stay in sight while a person types.
  const shown: KnownValue[] = [...chosen.filter((c) => !values.some((v) => String(v.value) === c)).map((value) => ({ value })), ...values]
  return (
    <div class="checks">
      <input
        type="search"
        aria-label={m.form.value}
        placeholder={m.form.findValue}
        autocomplete="off"
        value={typed}
        onInput={(e) => setTyped(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key !== 'Enter' || typed.trim() === '') return
          const exact = values.find((v) => String(v.value).toLowerCase() === typed.trim().toLowerCase())
          const value = String((exact ?? (values.length === 1 ? values[0] : undefined))?.value ?? typed.trim())
          if (!chosen.includes(value)) choose([...chosen, value])
          setTyped('')
        }}
      />
      <ul class="values" aria-label={m.form.valuesOf(nameField(p.catalog, filter.field))}>
        {shown.map((v) => (
          <li key={String(v.value)}>
            <label title={String(v.value)}>
              <input type="checkbox" checked={chosen.includes(String(v.value))} onChange={() => toggle(String(v.value))} />
              <span class="name">{String(v.value)}</span>
              {v.count !== undefined && <span class="quiet">{v.count.toLocaleString()}</span>}
            </label>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** ValueBox is a text that is typed, with the values that the field has. */
export function ValueBox(p: Props & { field?: Dimension; onValue: (v: string) => void }) {
  const { filter, field, onValue } = p
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const box = useRef<HTMLInputElement>(null)
  const wanted = open && field !== undefined && !field.is_time && field.source !== 'part'
  const values = useValues(p, filter.value.trim(), wanted)
  useLayoutEffect(() => setAt(-1), [JSON.stringify(values.map((v) => v.value))]) // the marked value may have moved
  const pick = (v: KnownValue) => {
    onValue(String(v.value))
    setOpen(false)
    box.current?.focus()
  }
  const key = (e: KeyboardEvent) => {
    if (e.key === 'ArrowDown') setAt(Math.min(at + 1, values.length - 1))
    else if (e.key === 'ArrowUp') setAt(Math.max(at - 1, -1))
    else if (e.key === 'Enter' && at >= 0 && values[at]) pick(values[at])
    else return
    e.preventDefault()
  }
  const several = filter.op === 'in' || filter.op === 'not in'
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
        <ul id={id} class="values" role="listbox" aria-label={m.form.valuesOf(nameField(p.catalog, filter.field))}>
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
