// The parts of a query in words.

import type { Result } from '../api.ts'
import { isAsked, takesValue, list, type Filter } from '../filters.ts'
import { bucket } from '../format.ts'
import { nameField, nameGroup, nameMetric, type Named } from '../labels.ts'
import { locale, m } from '../messages/index.ts'
import { lastDay } from '../periods.ts'
import { hasRange, initial, type State } from '../state.ts'

/** askedText names the query of a page in one line. */
export function askedText(state: State, named: Named): string {
  const names = [...state.metrics.map((name) => nameMetric(named, name)), ...state.calculations.map((c) => c.name)]
  const groups = state.groups.map((g) => nameGroup(named, g))
  return [
    [names.join(', '), groups.length > 0 && m.form.groupedBy(groups.join(', '))].filter(Boolean).join(' '),
    rangeText(named, state),
    ...state.filters.filter(isAsked).map((f) => filterText(named, f)),
    state.where,
    state.context && `${m.form.beforeAll} ${state.context}`,
    ...Object.entries(state.params).map(([name, value]) => value && `${name} = ${value}`),
    state.compare && hasRange(state) && m.form.comparisons[state.compare],
  ]
    .filter(Boolean)
    .join(' · ')
}

/** filterText is a filter in words. */
export function filterText(named: Named, f: Filter): string {
  const name = named.metrics.has(f.field) ? nameMetric(named, f.field) : nameField(named, f.field)
  const values = f.op === 'in' || f.op === 'not in' ? list(f.value) : [f.value]
  const op = values.length === 1 ? (f.op === 'in' ? '=' : f.op === 'not in' ? '<>' : f.op) : f.op
  return [name, m.ops[op] ?? op, takesValue(f.op) && (values.join(', ') || '…')].filter(Boolean).join(' ')
}

/** lastText names a relative range. */
export const lastText = (last: string) => m.form.last(Number(last.split(' ')[0]), m.grains[last.split(' ')[1]] ?? last.split(' ')[1])

/** rangeText names the range of a query, with its last day as people do; '' where it has none. */
export function rangeText(named: Named, s: State): string {
  const day = (text: string) => bucket(text, 'day')
  const text = s.last ? (s.asOf ? m.form.lastOfData(lastText(s.last), day(lastDay(s.asOf))) : lastText(s.last)) : daysText(s.start, s.end)
  return text && s.timeDimension ? `${text} ${m.form.of} ${nameField(named, s.timeDimension)}` : text
}

/** daysText names the days between two bounds, of which the second is the day after the last. */
export function daysText(start: string, end: string): string {
  if (!start && !end) return ''
  if (!end) return m.form.since(bucket(start, 'day'))
  const to = lastDay(end)
  if (!start) return m.form.upTo(bucket(to, 'day'))
  const wholeMonths = start.slice(8) === '01' && end.slice(8) === '01'
  if (!wholeMonths) return start.slice(0, 10) === to ? bucket(to, 'day') : m.form.days(bucket(start, 'day'), bucket(to, 'day'))
  if (start.slice(4) === '-01-01' && end.slice(4) === '-01-01') return start.slice(0, 4) === to.slice(0, 4) ? to.slice(0, 4) : m.form.days(start.slice(0, 4), to.slice(0, 4))
  return start.slice(0, 7) === to.slice(0, 7) ? bucket(start, 'month') : m.form.days(bucket(start, 'month'), bucket(to, 'month'))
}

/** storedText names the stored aggregations that a result was read from, with the time of the oldest rows; '' where there are none. */
export function storedText({ rollups = [] }: Pick<Result, 'rollups'>): string {
  const names = [...new Set(rollups.flatMap((r) => r.rollup ?? []))]
  const oldest = rollups.flatMap((r) => (r.rollup && r.as_of) || []).sort()[0]
  return names.length === 0 ? '' : m.table.stored(names.join(', '), oldest && new Date(oldest).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' }))
}

/** defaultsText names what a view adds to a query that leaves it. */
export function defaultsText(named: Named, { filters = [], time_range }: NonNullable<Result['view']>): string {
  const { start = '', end = '', dimension = '', last } = time_range ?? {}
  return [...filters, rangeText(named, { ...initial, start, end, timeDimension: dimension, last: last ? `${last.n} ${last.unit}` : '' })].filter(Boolean).join(' · ')
}
