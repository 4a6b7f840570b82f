// The query in one line: each part is a chip that opens its controls.

import type { Dimension } from '../api.ts'
import type { Catalog } from '../catalog.ts'
import { useSignal } from '../hooks.ts'
import { nameField, nameGroup, nameMetric } from '../labels.ts'
import { m } from '../messages/index.ts'
import { Chip } from '../parts.tsx'
import { defaultLimit, hasRange, withoutGroup, type Comparison, type Group, type State } from '../state.ts'
import { partLabel } from '../timeparts.ts'
import { filterText, rangeText } from './asked.ts'
import { Calculation } from './calculation.tsx'
import { ConditionBox } from './condition.tsx'
import { Filters } from './filters.tsx'
import { hasParams, More, Params } from './form.tsx'
import { Popover } from './popover.tsx'
import { endOfData } from './range.ts'
import { Time } from './time.tsx'

export interface BarProps {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
  /** What the chosen metrics take, by name. */
  takes: Map<string, Dimension>
  /** The output columns of the last answer. */
  columns: string[]
}

export function QueryBar(p: BarProps) {
  const { catalog, state, set, takes } = p
  const metrics = [...state.metrics.map((name) => nameMetric(catalog, name)), ...state.calculations.map((c) => c.name)]
  const groups = state.groups.map((g) => nameGroup(catalog, g))
  const filters = [...state.filters.map((f) => filterText(catalog, f)), ...(state.where ? [state.where] : [])]
  const compared = state.compare && hasRange(state) ? m.form.comparisons[state.compare] : ''
  const more = moreParts(state)
  return (
    <form class="querybar" aria-label={m.form.query} onSubmit={(e) => e.preventDefault()}>
      <Popover text={few(metrics)} label={m.picker.metrics} on title={[...state.metrics, ...state.calculations.map((c) => c.expression)].join('\n')}>
        <ChosenMetrics {...p} />
      </Popover>
      <Popover text={groups.length > 0 ? m.form.groupedBy(few(groups)) : m.form.notGrouped} label={m.picker.dimensions} on={groups.length > 0} title={state.groups.map((g) => g.field).join('\n')}>
        <ChosenGroups {...p} />
      </Popover>
      <Popover text={filters.length > 0 ? few(filters) : m.form.filter} label={m.form.filter} on={filters.length > 0} title={filters.join('\n')}>
        <Filters {...{ catalog, state, set, takes }} />
      </Popover>
      <Popover text={rangeText(catalog, state) || m.form.allTime} label={m.form.time} on={state.last !== '' || state.start !== '' || state.end !== ''}>
        <Time {...{ catalog, state, set, takes }} />
      </Popover>
      <Popover text={compared || m.form.compare} label={m.form.compare} on={compared !== ''}>
        <Compared {...p} />
      </Popover>
      {hasParams(catalog, state) && (
        <Popover text={paramsText(state) || m.form.parameters} label={m.form.parameters} on={paramsText(state) !== ''}>
          <Params {...{ catalog, state, set }} />
        </Popover>
      )}
      <Popover text={more > 0 ? m.form.moreOf(more) : m.form.more} label={m.form.more} on={more > 0}>
        <Order {...p} />
        <Added {...p} />
        <Clock {...{ state, set }} />
        <details open={state.where !== ''}>
          <summary>{m.form.sqlFilter}</summary>
          <ConditionBox state={state} names={[...takes.keys(), ...state.metrics]} onCondition={(where) => set({ where })} />
        </details>
        {state.context && (
          <Chip name={m.form.contextFilter} title={m.form.contextHint} onRemove={() => set({ context: '' })}>
            {m.form.beforeAll} <code>{state.context}</code>
          </Chip>
        )}
        <More {...{ catalog, state, set }} />
      </Popover>
    </form>
  )
}

/** A chip names this many of its entries. */
const mostNamed = 3

/** few joins the first of some names. */
export const few = (names: string[]) => (names.length > mostNamed ? m.form.andMore(names.slice(0, mostNamed).join(', '), names.length - mostNamed) : names.join(', '))

const paramsText = (state: State) => Object.entries(state.params).flatMap(([name, value]) => (value ? [`${name} = ${value}`] : [])).join(', ')

/** moreParts counts what a person has changed behind the last chip. */
const moreParts = (state: State) =>
  [state.order.length > 0, state.limit !== defaultLimit, state.totals && state.groups.length > 0, state.shares && state.groups.length > 0, state.context !== ''].filter(Boolean).length + Object.keys(state.rest).length

function ChosenMetrics({ catalog, state, set }: BarProps) {
  return (
    <>
      <ul class="chosen">
        {state.metrics.map((name) => (
          <li key={name}>
            <Chip name={nameMetric(catalog, name)} title={[name, catalog.metrics.get(name)?.description].filter(Boolean).join('\n')} onRemove={() => set({ metrics: state.metrics.filter((x) => x !== name) })}>
              {nameMetric(catalog, name)}
            </Chip>
          </li>
        ))}
        {state.calculations.map((c) => (
          <li key={c.name}>
            <Chip name={c.name} title={c.expression} onRemove={() => set({ calculations: state.calculations.filter((x) => x !== c) })}>
              {c.name} <code>{c.expression}</code>
            </Chip>
          </li>
        ))}
      </ul>
      <Calculation {...{ catalog, state, set }} />
    </>
  )
}

function ChosenGroups({ catalog, state, set, takes }: BarProps) {
  const regroup = (g: Group, unit: string) => {
    const next: Group = { field: g.field, ...(isPart(unit) ? { part: unit.slice(1) } : unit && { grain: unit }) }
    set({ ...withoutGroup(state, g), groups: state.groups.map((x) => (x === g ? next : x)) })
  }
  if (state.groups.length === 0) return <p class="quiet">{m.form.groupHint}</p>
  return (
    <ul class="chosen">
      {state.groups.map((g, i) => (
        <li key={`${g.field} ${i}`}>
          <Chip name={nameGroup(catalog, g)} title={g.field} onRemove={() => set(withoutGroup(state, g))}>
            {nameField(catalog, g.field)}
          </Chip>
          {takes.get(g.field)?.grains?.length ? <Unit name={nameField(catalog, g.field)} group={g} field={takes.get(g.field)!} onUnit={(unit) => regroup(g, unit)} /> : null}
        </li>
      ))}
    </ul>
  )
}

/** isPart is whether a choice is that of a part: no period has a name with a colon. */
const isPart = (unit: string) => unit.startsWith(':')

/** Unit chooses the periods or the part that a time is grouped by. */
function Unit({ name, group, field, onUnit }: { name: string; group: Group; field: Dimension; onUnit: (unit: string) => void }) {
  const { grains = [], parts = [] } = field
  const periods = group.grain && !grains.includes(group.grain) ? [group.grain, ...grains] : grains
  return (
    <select aria-label={m.form.grainOf(name)} value={group.part ? `:${group.part}` : (group.grain ?? '')} onChange={(e) => onUnit(e.currentTarget.value)}>
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

function Compared({ catalog, state, set }: BarProps) {
  const signal = useSignal()
  /** A comparison needs both bounds: without them it begins with the last twelve months of the data. */
  const compareWith = async (compare: Comparison) => {
    if (!compare || hasRange(state)) return set({ compare })
    const asked = signal.current
    const end = await endOfData(catalog, state, asked).catch(() => undefined) // the range of the clock serves then
    if (asked.aborted) return
    set(end ? { compare, last: '12 month', asOf: end, start: '', end: '' } : { compare, last: '12 month', start: '', end: '' })
  }
  return (
    <fieldset class="lines">
      <legend class="hidden">{m.form.compare}</legend>
      {(Object.entries(m.form.comparisons) as [Comparison, string][]).map(([value, text]) => (
        <label key={value}>
          <input type="radio" name="compare" value={value} checked={state.compare === value} onChange={() => compareWith(value)} /> {text}
        </label>
      ))}
    </fieldset>
  )
}

/** Added are the totals and the shares. */
function Added({ state, set }: BarProps) {
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

function Order({ catalog, state, set, columns }: BarProps) {
  const first = state.order[0]
  const keys = columns.length > 0 ? columns : state.metrics
  const name = (key: string) => {
    const at = columns.indexOf(key)
    return at >= 0 && at < state.groups.length ? nameGroup(catalog, state.groups[at]) : nameMetric(catalog, key)
  }
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
            {m.form.largest(name(k))}
          </option>,
          <option key={k} value={k}>
            {m.form.smallest(name(k))}
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

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** Clock chooses the time zone of the periods and the first day of weeks, which the query keeps among its other parts. */
function Clock({ state, set }: Pick<BarProps, 'state' | 'set'>) {
  const change = (key: string, value: string) => {
    const { [key]: _, ...rest } = state.rest
    set({ rest: value ? { ...rest, [key]: value } : rest })
  }
  const zone = String(state.rest.time_zone ?? '')
  const first = String(state.rest.week_start ?? '')
  return (
    <fieldset>
      <legend>{m.form.clock}</legend>
      <select aria-label={m.form.timeZone} value={zone} onChange={(e) => change('time_zone', e.currentTarget.value)}>
        <option value="">{m.form.zoneOfModel}</option>
        {(zone && !zones.includes(zone) ? [zone, ...zones] : zones).map((z) => (
          <option key={z}>{z}</option>
        ))}
      </select>
      <select aria-label={m.form.weekStart} value={first} onChange={(e) => change('week_start', e.currentTarget.value)}>
        <option value="">{m.form.weekOfModel}</option>
        {days.map((d) => (
          <option key={d} value={d}>
            {m.form.weekFrom(m.weekdays[d])}
          </option>
        ))}
      </select>
    </fieldset>
  )
}

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((z) => z !== 'UTC')]
