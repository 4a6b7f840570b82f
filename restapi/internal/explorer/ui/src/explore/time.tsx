// The range of a query: the last periods, or two days.

import type { Dimension } from '../api.ts'
import type { Catalog } from '../catalog.ts'
import { useSignal } from '../hooks.ts'
import { nameField } from '../labels.ts'
import { m } from '../messages/index.ts'
import { addPeriods, dayOf, lastDay } from '../periods.ts'
import type { State } from '../state.ts'
import { lastText } from './asked.ts'
import { endOfData } from './range.ts'

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
  takes: Map<string, Dimension>
}

/** The relative ranges that the service resolves: whole periods before today, or before the end of the data. */
const lasts = ['7 day', '30 day', '90 day', '4 week', '13 week', '1 month', '3 month', '6 month', '12 month', '24 month', '4 quarter', '1 year', '2 year']

export function Time({ catalog, state, set, takes }: Props) {
  const signal = useSignal()
  const current = state.last || (state.start || state.end ? 'custom' : '')
  const times = [...takes.values()].filter((d) => d.is_time && d.grains?.length)
  const pick = async (last: string) => {
    if (last === '') return set({ start: '', end: '', last: '', asOf: '', timeDimension: '', compare: '' })
    if (last === 'custom') return
    const asked = signal.current
    const range = await lastRange(catalog, state, last, asked)
    if (!asked.aborted) set(range)
  }
  const bound = (p: Partial<State>) => set({ ...p, last: '', asOf: '' })
  return (
    <>
      <fieldset>
        <legend class="hidden">{m.form.timeRange}</legend>
        <select aria-label={m.form.timeRange} value={current} onChange={(e) => pick(e.currentTarget.value)}>
          <option value="">{m.form.allTime}</option>
          {(state.last && !lasts.includes(state.last) ? [state.last, ...lasts] : lasts).map((l) => (
            <option key={l} value={l}>
              {lastText(l)}
            </option>
          ))}
          {current === 'custom' && <option value="custom">{m.form.custom}</option>}
        </select>
        {state.last && state.asOf && (
          <button type="button" class="small" onClick={() => set({ asOf: '' })}>
            {m.form.toToday}
          </button>
        )}
      </fieldset>
      <fieldset>
        <label>
          {m.form.from} <input type="date" aria-label={m.form.from} value={state.start.slice(0, 10)} onChange={(e) => bound({ start: e.currentTarget.value })} />
        </label>
        <label>
          {m.form.to} <input type="date" aria-label={m.form.to} value={state.end ? lastDay(state.end) : ''} onChange={(e) => bound({ end: e.currentTarget.value && addPeriods(e.currentTarget.value, 1, 'day') })} />
        </label>
      </fieldset>
      {current !== '' && times.length > 1 && (
        <fieldset>
          <label>
            {m.form.of}{' '}
            <select aria-label={m.form.timeDimension} value={state.timeDimension} onChange={(e) => set({ timeDimension: e.currentTarget.value })}>
              <option value="">{m.form.natural}</option>
              {state.timeDimension && !times.some((d) => d.name === state.timeDimension) && <option>{state.timeDimension}</option>}
              {times.map((d) => (
                <option key={d.name} value={d.name}>
                  {nameField(catalog, d.name)}
                </option>
              ))}
            </select>
          </label>
        </fieldset>
      )}
    </>
  )
}

/** lastRange is a relative range: that of the clock, or that of the data where the clock's has none. */
export async function lastRange(catalog: Catalog, state: State, last: string, signal: AbortSignal): Promise<Pick<State, 'last' | 'asOf' | 'start' | 'end'>> {
  const end = await endOfData(catalog, state, signal).catch(() => undefined) // the range of the clock serves then
  return { last, asOf: end !== undefined && isBefore(end, last) ? end : '', start: '', end: '' }
}

/** isBefore is whether the data ends before a range of the clock begins: then the range is that of the data. */
function isBefore(end: string, last: string): boolean {
  const [n, unit] = last.split(' ')
  return end <= addPeriods(dayOf(new Date()), -Number(n), unit)
}
