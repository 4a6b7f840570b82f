// What a mark of a chart or a cell of a table leads to, as changes of the state.

import type { Row } from '../api.ts'
import { otherValue } from '../format.ts'
import type { Catalog } from '../catalog.ts'
import { conditionOn, isAsked, type Filter } from '../filters.ts'
import { addPeriods, isPeriod } from '../periods.ts'
import { partOfWeeksFrom } from '../timeparts.ts'
import { instantOf, wallClock } from './clock.ts'
import { fresh, type Group, type State } from '../state.ts'

/** A place of a result: the value of each group-by. */
export interface Place {
  group: Group
  value: Row[string]
  /** The column of the result. */
  column?: string
}

/** placesOf pairs the group-bys with their values. */
export const placesOf = (groups: Group[], keys: string[], values: Record<string, Row[string]>): Place[] =>
  groups.map((group, i) => ({ group, value: values[keys[i]], column: keys[i] })).filter((p) => p.value !== undefined)

/** Frame is what the places of a result are read with. */
export interface Frame {
  /** The bounds of the range of the result, also of a relative one. */
  start: string
  end: string
  /** The time zone of its periods; undefined while it is not known. */
  zone?: string
  /** The first day of its weeks, 1 for Monday to 7. */
  firstDay?: number
  /** The time axis of the metric. */
  axis?: string
  /** The type of a field. */
  typeOf: (field: string) => string | undefined
}

/** frameOf is the frame of a result without instants. */
export const frameOf = (s: Pick<State, 'start' | 'end'>): Frame => ({ start: s.start, end: s.end, typeOf: () => undefined })

const isInstant = (value: Row[string]) => typeof value === 'string' && value.endsWith('Z')

/** isOfZone is whether conditions on a field need the time zone of the periods. */
const isOfZone = (field: string, frame: Frame) => frame.typeOf(field) === 'DateTimeTz'

/** needsZone is whether places can be read only with the time zone of their periods. */
export const needsZone = (state: State, places: Place[], frame: Frame) =>
  places.some((p) => p.group.grain && (isInstant(p.value) || (p.group.field !== 'metric_time' && isOfZone(p.group.field, frame)))) || (state.timeDimension !== '' && isOfZone(state.timeDimension, frame)) || places.some((p) => p.group.part)

/** isDrillable is whether a condition can name a place. "other" is not a value of the data, and a period of a calendar has only its start. */
export function isDrillable(p: Place, frame: Frame): boolean {
  const { field, grain } = p.group
  if (p.value === otherValue) return false
  if (p.group.part) return p.column !== undefined
  if (field === 'metric_time' && (p.value === null || !grain)) return false
  if (p.value === null || !grain) return true
  if (!isPeriod(grain)) return false
  return field === 'metric_time' ? boundsOf(String(p.value), grain, frame) !== undefined : isInstant(p.value) || !isOfZone(field, frame) || frame.zone !== undefined
}

/** boundsOf are the bounds of a period as a range is written; undefined for an hour that the clock of the zone shows twice. */
export function boundsOf(value: string, grain: string, frame: Pick<Frame, 'zone'>): [string, string] | undefined {
  const [start, end] = [value, addPeriods(value, 1, grain)]
  if (!isInstant(value)) return [start, end]
  const { zone } = frame
  if (zone === undefined) return undefined
  const [from, to] = [wallClock(start, zone), wallClock(end, zone)]
  return instantOf(from, zone) === start && instantOf(to, zone) === end ? [from, to] : undefined
}

/** conditionAt writes a bound of a range for a condition, which is read on the clock of UTC. */
const conditionAt = (field: string, bound: string, frame: Frame) => (isInstant(bound) || !isOfZone(field, frame) || (frame.zone ?? 'UTC') === 'UTC' ? bound : instantOf(bound, frame.zone!))

/** conditionName is what a condition names: the field of a group-by, and of a part its column. */
const conditionName = ({ group, column }: Place) => (group.part ? column! : group.field)

function keptFilters(p: Place, frame: Frame): Filter[] {
  const { grain } = p.group
  const field = conditionName(p)
  if (p.value === null) return [{ field, op: 'is null', value: '' }]
  if (grain) {
    const start = String(p.value)
    return [{ field, op: '>=', value: conditionAt(field, start, frame) }, { field, op: '<', value: conditionAt(field, addPeriods(start, 1, grain), frame) }]
  }
  if (p.value === '') return [{ field, op: 'is empty', value: '' }]
  return [{ field, op: '=', value: String(p.value) }]
}

/** isOfAxis is whether the range of a state is of the axis of its metrics. */
const isOfAxis = (s: State) => s.timeDimension === '' || s.timeDimension === 'metric_time'

/** rangeFilters is the range of a state as conditions, where it is of another field than the axis: the axis gets a range in its place. */
function rangeFilters(s: State, frame: Frame): Filter[] {
  if (isOfAxis(s)) return []
  const at = (bound: string) => conditionAt(s.timeDimension, bound, frame)
  return [...(s.start ? [{ field: s.timeDimension, op: '>=' as const, value: at(s.start) }] : []), ...(s.end ? [{ field: s.timeDimension, op: '<' as const, value: at(s.end) }] : [])]
}

/** isOfPeriod is whether a place is a period of the axis, which a range keeps. */
const isOfPeriod = (p: Place) => p.group.field === 'metric_time' && p.group.part === undefined

/** keepsRange is whether a period of the axis can be kept beside the range of a state: a relative one of another field is not a condition. */
export const keepsRange = (s: State, places: Place[], frame: Frame) =>
  isOfAxis(s) || !places.some(isOfPeriod) || (s.last === '' && (frame.zone !== undefined || !isOfZone(s.timeDimension, frame)))

/** within is the part of a period that the range of the result has: a period at its edge has only those rows. */
function within([start, end]: [string, string], s: State, frame: Frame): { start: string; end: string } {
  if (!isOfAxis(s)) return { start, end }
  const from = frame.start > start ? frame.start : start
  const to = frame.end !== '' && frame.end < end ? frame.end : end
  return from < to ? { start: from, end: to } : { start, end }
}

/** keepOnly adds the conditions that only the rows of these places meet. */
export function keepOnly(state: State, places: Place[], frame: Frame): Partial<State> {
  const time = places.find(isOfPeriod)
  const filters = [...state.filters, ...places.filter((p) => p !== time).flatMap((p) => keptFilters(p, frame))]
  const bounds = time && boundsOf(String(time.value), time.group.grain!, frame)
  if (!bounds) return { filters }
  return { filters: [...filters, ...rangeFilters(state, frame)], ...within(bounds, state, frame), last: '', asOf: '', timeDimension: '', compare: '' }
}

/** exclude leaves out the rows of one place; those without a value stay. */
export function exclude(state: State, p: Place): Partial<State> {
  const { grain } = p.group
  const field = conditionName(p)
  if (p.value === null) return { filters: [...state.filters, { field, op: 'is not null', value: '' }] }
  if (grain) return {}
  if (p.value === '') return { filters: [...state.filters, { field, op: 'is not empty', value: '' }] }
  return { filters: [...state.filters, { field, op: 'is not', value: String(p.value) }] }
}

/** canExclude is whether one condition leaves a place out. */
export const canExclude = (p: Place) => p.value === null || !p.group.grain

/** breakDown keeps the places and groups by another field. */
export function breakDown(state: State, places: Place[], group: Group, frame: Frame): Partial<State> {
  const rest = state.groups.filter((g) => g.grain || g.part || !places.some((p) => p.group.field === g.field && !p.group.grain))
  return { ...keepOnly(state, places.filter((p) => !p.group.grain), frame), groups: [...rest.filter((g) => g.part || g.field !== group.field), group], across: '' }
}

/** partInput is the number of a part of an input row; undefined where a condition cannot compute it: its clock is that of UTC. */
function partInput({ field, part }: Group, frame: Frame): string | undefined {
  const read = field === 'metric_time' ? frame.axis : field
  const type = read && frame.typeOf(read)
  if (!read || frame.firstDay === undefined || !(type === 'Date' || type === 'DateTime' || (type === 'DateTimeTz' && frame.zone === 'UTC'))) return undefined
  return partOfWeeksFrom(frame.firstDay, read, part!)
}

/** onInput writes the filters on columns of parts as conditions on the input rows; undefined where one has no such condition. */
function onInput(state: State, filters: Filter[], places: Place[], frame: Frame): Pick<State, 'filters' | 'where'> | undefined {
  const partOf = (f: Filter) => places.find((p) => p.group.part && p.column === f.field)?.group
  const parts = filters.filter(isAsked).flatMap((f) => {
    const group = partOf(f)
    return group ? [{ f, number: partInput(group, frame) }] : []
  })
  if (parts.some((p) => p.number === undefined)) return undefined
  const where = [...(state.where ? [parts.length > 0 ? `(${state.where})` : state.where] : []), ...parts.map(({ f, number }) => conditionOn(number!, f, 'Integer'))]
  return { filters: filters.filter((f) => !partOf(f)), where: where.join(' AND ') }
}

/** showRecords opens the rows that a place is made of; undefined where no condition on them names it. */
export function showRecords(state: State, places: Place[], metric: string, catalog: Catalog, frame: Frame): Partial<State> | undefined {
  const about = catalog.metrics.get(metric)
  const kept = keepOnly(state, places, frame)
  const input = onInput(state, kept.filters ?? [], places, frame)
  return input && { ...kept, ...input, page: 'records', metrics: [metric, ...state.metrics.filter((m) => m !== metric)], from: about?.datasets[0] ?? '', offset: 0, order: [] }
}

/** askWhy compares two periods of a metric, each with the rows that it has in the result; undefined where a range cannot have one of them. */
export function askWhy(state: State, metric: string, grain: string, before: string, after: string, places: Place[], frame: Frame): Partial<State> | undefined {
  const [first, second] = [before, after].sort().map((value) => boundsOf(value, grain, frame))
  if (!first || !second) return undefined
  const { time_zone } = state.rest
  const filters = [...state.filters, ...rangeFilters(state, frame), ...places.filter((p) => !p.group.grain).flatMap((p) => keptFilters(p, frame))]
  const input = onInput(state, filters, places, frame)
  return input && {
    ...fresh(state, 'attribution'),
    metrics: [metric],
    ...input,
    context: state.context,
    params: state.params,
    rest: time_zone === undefined ? {} : { time_zone },
    baseline: within(first, state, frame),
    current: within(second, state, frame),
  }
}
