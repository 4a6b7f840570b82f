// The filters of a query: their fields, comparisons and values.

import { useEffect, useState } from 'preact/hooks'
import type { Dimension } from '../api.ts'
import type { Catalog } from '../catalog.ts'
import { hasFewValues } from '../few.ts'
import { opsFor, takesValue, type Filter, type Op } from '../filters.ts'
import { useSignal } from '../hooks.ts'
import { nameField, nameMetric } from '../labels.ts'
import { m } from '../messages/index.ts'
import { isOnPart, type State } from '../state.ts'
import { ValueBox, Values } from './values.tsx'

export interface FilterProps {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
  takes: Map<string, Dimension>
}

/** The comparisons whose values are picked from those that the field has. */
const picking = new Set<Op>(['=', '<>', 'in', 'not in'])

export function Filters({ catalog, state, set, takes }: FilterProps) {
  const names = [...takes.keys()].filter((n) => n !== 'metric_time')
  const first = useFirst(catalog, state, takes)
  const fallback = first.name
  // Without a filter there is one to fill in; the query has it as soon as a person chooses a value.
  const shown: Filter[] = state.filters.length > 0 || !first.counted || !fallback ? state.filters : [{ field: fallback, op: '=', value: '' }]
  const change = (i: number, p: Partial<Filter>) => set({ filters: shown.map((f, j) => (j === i ? { ...f, ...p } : f)) })
  const named = (n: string) => (takes.get(n)?.source === 'part' ? n : nameField(catalog, n))
  return (
    <fieldset class="lines filters">
      <legend class="hidden">{m.form.filter}</legend>
      {shown.map((f, i) => {
        const field = takes.get(f.field)
        const picks = picking.has(f.op) && field !== undefined && !field.is_time && !isOnPart(state, f)
        return (
          <div class="filter" key={i}>
            <select aria-label={m.form.field} title={f.field} value={f.field} onChange={(e) => change(i, { field: e.currentTarget.value, value: '' })}>
              {!takes.has(f.field) && !state.metrics.includes(f.field) && <option>{f.field}</option>}
              <optgroup label={m.form.dimensions}>
                {names.map((n) => (
                  <option key={n} value={n}>
                    {named(n)}
                  </option>
                ))}
              </optgroup>
              {state.metrics.length > 0 && (
                <optgroup label={m.picker.metrics}>
                  {state.metrics.map((name) => (
                    <option key={name} value={name}>
                      {nameMetric(catalog, name)}
                    </option>
                  ))}
                </optgroup>
              )}
            </select>
            <select aria-label={m.form.comparison} value={f.op} onChange={(e) => change(i, { op: e.currentTarget.value as Op })}>
              {opsFor(field?.datatype, f.op).map((o) => (
                <option key={o} value={o}>
                  {(field?.is_time && m.timeOps[o]) || (m.ops[o] ?? o)}
                </option>
              ))}
            </select>
            {state.filters.length > 0 && (
              <button type="button" class="bare" aria-label={m.form.removeFilter} onClick={() => set({ filters: state.filters.filter((_, j) => j !== i) })}>
                ×
              </button>
            )}
            {takesValue(f.op) &&
              (picks ? <Values {...{ catalog, state }} filter={f} onFilter={(p) => change(i, p)} /> : <ValueBox {...{ catalog, state }} filter={f} field={field} onValue={(value) => change(i, { value })} />)}
          </div>
        )
      })}
      {state.filters.length > 0 && fallback && (
        <button type="button" class="small" onClick={() => set({ filters: [...state.filters, { field: fallback, op: '=', value: '' }] })}>
          {m.form.addFilter}
        </button>
      )}
    </fieldset>
  )
}

/** So many fields are asked for their values. */
const mostAsked = 8

/** useFirst is the field that a filter begins with: one with few values, never a key. Until the service has counted them it is the first text. */
function useFirst(catalog: Catalog, state: State, takes: Map<string, Dimension>): { name?: string; counted: boolean } {
  const names = [...takes.values()].filter((d) => d.name !== 'metric_time' && d.source !== 'part')
  const texts = names.filter((d) => d.is_dimension && !d.is_time && (d.datatype === 'String' || d.datatype === 'Boolean') && !isKey(catalog, d)).map((d) => d.name)
  const candidates = texts.filter((name) => !state.filters.some((f) => f.field === name))
  const [found, setFound] = useState<{ of: string; name?: string }>({ of: '' })
  const signal = useSignal()
  const of = JSON.stringify([catalog.model.revision, candidates, state.connection])
  useEffect(() => {
    const asked = signal.current
    const look = async () => {
      const few = await Promise.all(candidates.slice(0, mostAsked).map((name) => hasFewValues(catalog.model.revision, name, state.connection).catch(() => false)))
      if (!asked.aborted) setFound({ of, name: candidates[few.indexOf(true)] })
    }
    look()
  }, [of])
  return { name: (found.of === of ? found.name : undefined) ?? candidates[0] ?? names.find((d) => !d.is_time)?.name ?? names[0]?.name, counted: found.of === of }
}

const isKey = (catalog: Catalog, d: Dimension) => d.source === 'inferred:primary_key' || catalog.datasets.some((x) => x.primary_key.some((k) => d.name === `${x.name}.${k}`))
