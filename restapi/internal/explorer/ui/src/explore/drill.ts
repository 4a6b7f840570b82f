// What a mark of a chart or a cell of a table leads to, as changes of the state.

import type { Row } from '../api.ts'
import { otherValue } from '../format.ts'
import type { Catalog } from '../catalog.ts'
import type { Filter } from '../filters.ts'
import { addPeriods, isPeriod } from '../periods.ts'
import { initial, type Group, type State } from '../state.ts'

/** A place of a result: the value of each group-by. */
export interface Place {
  group: Group
  value: Row[string]
}

/** placesOf pairs the group-bys with their values. */
export const placesOf = (groups: Group[], keys: string[], values: Record<string, Row[string]>): Place[] =>
  groups.map((group, i) => ({ group, value: values[keys[i]] })).filter((p) => p.value !== undefined)

/** isDrillable is whether a condition can name a place. "other" is not a value of the data, and a period of a calendar has only its start. */
export const isDrillable = (p: Place) => p.value !== otherValue && (p.value === null || !p.group.grain || isPeriod(p.group.grain)) && !(p.group.field === 'metric_time' && (p.value === null || !p.group.grain))

const bounds = (p: Place): [string, string] => [String(p.value), addPeriods(String(p.value), 1, p.group.grain!)]

function keptFilters(p: Place): Filter[] {
  const { field, grain } = p.group
  if (p.value === null) return [{ field, op: 'is null', value: '' }]
  if (grain) {
    const [start, end] = bounds(p)
    return [{ field, op: '>=', value: start }, { field, op: '<', value: end }]
  }
  if (p.value === '') return [{ field, op: 'is empty', value: '' }]
  return [{ field, op: '=', value: String(p.value) }]
}

/** rangeFilters is the range of a state as conditions, where it is of another field than the axis: the axis gets a range in its place. */
const rangeFilters = (s: State): Filter[] =>
  s.timeDimension ? [...(s.start ? [{ field: s.timeDimension, op: '>=' as const, value: s.start }] : []), ...(s.end ? [{ field: s.timeDimension, op: '<' as const, value: s.end }] : [])] : []

/** keepsRange is whether a period of the axis can be kept beside the range of a state: a relative one of another field is not a condition. */
export const keepsRange = (s: State, places: Place[]) => !(s.last && s.timeDimension && places.some((p) => p.group.field === 'metric_time'))

/** keepOnly adds the conditions that only the rows of these places meet. */
export function keepOnly(state: State, places: Place[]): Partial<State> {
  const time = places.find((p) => p.group.field === 'metric_time')
  const filters = [...state.filters, ...places.filter((p) => p !== time).flatMap(keptFilters)]
  if (!time) return { filters }
  const [start, end] = bounds(time)
  return { filters: [...filters, ...rangeFilters(state)], start, end, last: '', asOf: '', timeDimension: '', compare: '' }
}

/** exclude leaves out the rows of one place; those without a value stay. */
export function exclude(state: State, p: Place): Partial<State> {
  const { field, grain } = p.group
  if (p.value === null) return { filters: [...state.filters, { field, op: 'is not null', value: '' }] }
  if (grain) return {}
  if (p.value === '') return { filters: [...state.filters, { field, op: 'is not empty', value: '' }] }
  return { filters: [...state.filters, { field, op: 'is not', value: String(p.value) }] }
}

/** canExclude is whether one condition leaves a place out. */
export const canExclude = (p: Place) => p.value === null || !p.group.grain

/** breakDown keeps the places and groups by another field. */
export function breakDown(state: State, places: Place[], group: Group): Partial<State> {
  const rest = state.groups.filter((g) => g.grain || !places.some((p) => p.group.field === g.field && !p.group.grain))
  return { ...keepOnly(state, places.filter((p) => !p.group.grain)), groups: [...rest.filter((g) => g.field !== group.field), group], across: '' }
}

/** showRecords opens the rows that a place is made of. */
export function showRecords(state: State, places: Place[], metric: string, catalog: Catalog): Partial<State> {
  const about = catalog.metrics.get(metric)
  return { ...keepOnly(state, places), page: 'records', metrics: [metric, ...state.metrics.filter((m) => m !== metric)], from: about?.datasets[0] ?? '', offset: 0, order: [] }
}

/** askWhy compares two periods of a metric. */
export function askWhy(state: State, metric: string, grain: string, before: string, after: string, places: Place[]): Partial<State> {
  const [first, second] = before < after ? [before, after] : [after, before]
  return {
    ...initial,
    page: 'attribution',
    metrics: [metric],
    filters: [...state.filters, ...rangeFilters(state), ...places.filter((p) => !p.group.grain).flatMap(keptFilters)],
    where: state.where,
    context: state.context,
    connection: state.connection,
    baseline: { start: first, end: addPeriods(first, 1, grain) },
    current: { start: second, end: addPeriods(second, 1, grain) },
  }
}
