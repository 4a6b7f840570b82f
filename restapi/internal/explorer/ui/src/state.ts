// The state of the page is one value, and that value is the part of the address
// behind '#': a link is the whole state, and no server log ever sees it.

import type { Dimension, InlineMetric, Metric, ParamSchema, Query, SavedQuery, TimeRange } from './api.ts'
import { condition, ops, type Filter, type Op } from './filters.ts'
import { previousRange } from './periods.ts'
import { isPartColumn, partNames } from './timeparts.ts'

export type Page = 'home' | 'explore' | 'records' | 'saved' | 'attribution' | 'sql' | 'model'
export type Tab = 'chart' | 'table' | 'sql' | 'plan' | 'request'
/** How a result is drawn; auto chooses by its columns. */
export type Kind = 'auto' | 'line' | 'area' | 'bar' | 'stacked' | 'pivot' | 'number'
export const kinds: Kind[] = ['auto', 'line', 'area', 'bar', 'stacked', 'pivot', 'number']
/** What the values are compared with. */
export type Comparison = '' | 'previous' | 'year'

export interface Group {
  field: string
  grain?: string
  /** A part of a time, in place of a grain. */
  part?: string
}

/** isSameGroup is whether two group-bys have the same values. */
export const isSameGroup = (a: Group, b: Group) => a.field === b.field && a.grain === b.grain && a.part === b.part

/** isOnPart is whether a filter is on the column of a part, which only the result of the open query has. */
export const isOnPart = (s: Pick<State, 'groups'>, f: Filter) => s.groups.some((g) => isPartColumn(f.field, g))

/** withoutGroup leaves a group-by out, with the filters on the column of its part. */
export const withoutGroup = (s: State, g: Group): Pick<State, 'groups' | 'filters'> => ({ groups: s.groups.filter((x) => !isSameGroup(x, g)), filters: s.filters.filter((f) => !isPartColumn(f.field, g)) })

export interface State {
  page: Page
  /** The saved query that is open; its parameters are in params, what replaces its parts in order and rest. */
  saved: string
  /** The view of the model that names are of; '' is the whole model. */
  view: string
  metrics: string[]
  /** Metrics of this query alone. */
  calculations: InlineMetric[]
  groups: Group[]
  filters: Filter[]
  /** The statement of the page of SQL. */
  statement: string
  /** A condition in SQL, beside the filters of the form. */
  where: string
  context: string
  start: string
  end: string
  timeDimension: string
  /** A relative range in place of start and end, as '12 month', and the day that it ends at; '' is today. */
  last: string
  asOf: string
  compare: Comparison
  totals: boolean
  shares: boolean
  kind: Kind
  /** The column whose values a pivot has across. */
  across: string
  /** The column that a complete table is sorted by, with '-' before it where the largest come first. */
  sort: string
  /** The client that the request is written for; '' is the first of them. */
  client: string
  /** The dataset of the page of records, and how many rows it skips. */
  from: string
  offset: number
  order: { key: string; desc: boolean }[]
  limit: number
  params: Record<string, string>
  /** Parts of a query that the form has no control for, kept as they came. */
  rest: Record<string, unknown>
  connection: string
  dialect: string
  tab: Tab
  /** The grain of the cards of the first page, and how many periods they show. */
  grain: string
  periods: number
  /** The model page's metric; the attribution page's dimensions, which are the columns of the page of records, and its windows. */
  focus: string
  dimensions: string[]
  baseline: { start: string; end: string }
  current: { start: string; end: string }
}

export const defaultLimit = 1000

export const initial: State = {
  page: 'home',
  saved: '',
  view: '',
  metrics: [],
  calculations: [],
  groups: [],
  filters: [],
  statement: '',
  where: '',
  context: '',
  start: '',
  end: '',
  timeDimension: '',
  last: '',
  asOf: '',
  compare: '',
  totals: false,
  shares: false,
  kind: 'auto',
  across: '',
  sort: '',
  client: '',
  from: '',
  offset: 0,
  order: [],
  limit: defaultLimit,
  params: {},
  rest: {},
  connection: '',
  dialect: '',
  tab: 'chart',
  grain: 'month',
  periods: 24,
  focus: '',
  dimensions: [],
  baseline: { start: '', end: '' },
  current: { start: '', end: '' },
}

/** fresh is a page without a question, on the same connection and in the same view. */
export const fresh = ({ connection, view }: Pick<State, 'connection' | 'view'>, page: Page): State => ({ ...initial, page, connection, view })

const pages: Page[] = ['home', 'explore', 'records', 'saved', 'attribution', 'sql', 'model']
const tabs: Tab[] = ['chart', 'table', 'sql', 'plan', 'request']

/** toHash writes a state as the address shows it. */
export function toHash(s: State): string {
  const p = new URLSearchParams()
  const put = (key: string, value: string) => value !== '' && p.append(key, value)
  put('saved', s.saved)
  put('view', s.view)
  for (const m of s.metrics) put('metric', m)
  for (const c of s.calculations) put('calc', `${c.name}~${c.expression}`)
  for (const g of s.groups) put('by', g.part ? `${g.field}${ofPart}:${g.part}` : g.grain ? `${g.field}:${g.grain}` : g.field)
  for (const f of s.filters) put('filter', [f.field, f.op, f.value].join('~'))
  put('statement', s.statement)
  put('where', s.where)
  put('context', s.context)
  put('start', s.start)
  put('end', s.end)
  put('time', s.timeDimension)
  put('last', s.last.replace(' ', '-'))
  put('as_of', s.asOf)
  put('compare', s.compare)
  if (s.totals) put('totals', '1')
  if (s.shares) put('shares', '1')
  if (s.kind !== 'auto') put('kind', s.kind)
  put('across', s.across)
  put('sort', s.sort)
  put('client', s.client)
  put('from', s.from)
  if (s.offset > 0) put('offset', String(s.offset))
  for (const o of s.order) put('order', (o.desc ? '-' : '') + o.key)
  if (s.limit !== defaultLimit) put('limit', String(s.limit))
  for (const [k, v] of Object.entries(s.params)) put('param', `${k}=${v}`)
  if (Object.keys(s.rest).length > 0) put('more', JSON.stringify(s.rest))
  put('connection', s.connection)
  put('dialect', s.dialect)
  if (s.tab !== 'chart') put('tab', s.tab)
  if (s.grain !== initial.grain) put('grain', s.grain)
  if (s.periods !== initial.periods) put('periods', String(s.periods))
  put('focus', s.focus)
  for (const d of s.dimensions) put('dimension', d)
  if (s.baseline.start || s.baseline.end) put('baseline', `${s.baseline.start}..${s.baseline.end}`)
  if (s.current.start || s.current.end) put('current', `${s.current.start}..${s.current.end}`)
  const text = p.toString()
  return `#/${s.page}${text ? '?' + text : ''}`
}

/** fromHash reads an address, and ignores unknown parts. */
export function fromHash(hash: string): State {
  const [path, text] = split(hash.replace(/^#\/?/, ''), '?')
  const p = new URLSearchParams(text)
  const one = (key: string) => p.get(key) ?? ''
  const window = (key: string) => {
    const [start, end] = split(one(key), '..')
    return { start, end }
  }
  const s: State = {
    ...initial,
    page: pages.includes(path as Page) ? (path as Page) : 'home',
    saved: one('saved'),
    view: one('view'),
    metrics: p.getAll('metric'),
    calculations: p.getAll('calc').map((c) => {
      const [name, expression] = split(c, '~')
      return { name, expression }
    }),
    groups: p.getAll('by').map(group),
    filters: p.getAll('filter').flatMap((f) => {
      const [field, rest] = split(f, '~')
      const [op, value] = split(rest, '~')
      return ops.includes(op as Op) ? [{ field, op: op as Op, value }] : []
    }),
    statement: one('statement'),
    where: one('where'),
    context: one('context'),
    start: one('start'),
    end: one('end'),
    timeDimension: one('time'),
    last: /^[1-9]\d{0,4}-(minute|hour|day|week|month|quarter|year)$/.test(one('last')) ? one('last').replace('-', ' ') : '',
    asOf: /^\d{4}-\d{2}-\d{2}$/.test(one('as_of')) ? one('as_of') : '',
    compare: one('compare') === 'previous' || one('compare') === 'year' ? (one('compare') as Comparison) : '',
    totals: one('totals') === '1',
    shares: one('shares') === '1',
    kind: kinds.includes(one('kind') as Kind) ? (one('kind') as Kind) : 'auto',
    across: one('across'),
    sort: one('sort'),
    client: one('client'),
    from: one('from'),
    offset: /^\d{1,9}$/.test(one('offset')) ? Number(one('offset')) : 0,
    order: p.getAll('order').map((o) => ({ key: o.replace(/^-/, ''), desc: o.startsWith('-') })),
    limit: /^\d+$/.test(one('limit')) ? Number(one('limit')) : defaultLimit,
    params: Object.fromEntries(p.getAll('param').map((kv) => split(kv, '='))),
    connection: one('connection'),
    dialect: one('dialect'),
    tab: tabs.includes(one('tab') as Tab) ? (one('tab') as Tab) : 'chart',
    grain: grains.includes(one('grain')) ? one('grain') : initial.grain,
    periods: /^[1-9]\d{0,2}$/.test(one('periods')) ? Number(one('periods')) : initial.periods,
    focus: one('focus'),
    dimensions: p.getAll('dimension'),
    baseline: window('baseline'),
    current: window('current'),
  }
  try {
    const rest = JSON.parse(one('more') || '{}')
    if (rest && typeof rest === 'object' && !Array.isArray(rest)) s.rest = rest
  } catch {
    // an address that was cut short
  }
  return s
}

const grains = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']

/** The mark of a part in an address: a period of a calendar can have the name of a part. */
const ofPart = ':part'

function group(text: string): Group {
  const at = text.lastIndexOf(':')
  const [field, unit] = [text.slice(0, at), text.slice(at + 1)]
  // A calendar names its own periods; a colon within a quoted name is followed by the quote that ends it.
  if (at <= 0 || !/^[A-Za-z_]\w*$/.test(unit)) return { field: text }
  return field.endsWith(ofPart) ? { field: field.slice(0, -ofPart.length), part: unit } : { field, grain: unit }
}

function split(text: string, at: string): [string, string] {
  const i = text.indexOf(at)
  return i < 0 ? [text, ''] : [text.slice(0, i), text.slice(i + at.length)]
}

/** Types are what the form has to know of the model to write a query. */
export interface Types {
  dimensions: Map<string, Dimension>
  metrics: Map<string, Metric>
}

/** toQuery is the request of a state. */
export function toQuery(s: State, types: Types): Query {
  const q: Query = { metrics: [...s.metrics, ...s.calculations] }
  if (s.groups.length > 0) q.group_by = s.groups.map(({ field, grain, part }) => ({ field, ...(grain && { grain }), ...(part && { part }) }))
  const where = wholeCondition(s, types)
  if (where) q.where_sql = where
  if (s.context) q.context_filter = s.context
  Object.assign(q, rangeOf(s), additions(s, types))
  if (s.order.length > 0) q.order_by = orderOf(s)
  q.limit = s.limit
  const params = bindings(s, types)
  if (Object.keys(params).length > 0) q.params = params
  if (s.connection) q.connection = s.connection
  if (s.view) q.view = s.view
  return { ...q, ...s.rest }
}

/** rangeOf is the time range of a state, absolute or relative. */
export function rangeOf(s: State): Pick<Query, 'time_range' | 'as_of'> {
  const range: TimeRange = {}
  if (s.last) {
    const [n, unit] = s.last.split(' ')
    range.last = { n: Number(n), unit }
  } else {
    if (s.start) range.start = s.start
    if (s.end) range.end = s.end
  }
  if (Object.keys(range).length === 0) return {}
  if (s.timeDimension) range.dimension = s.timeDimension
  return s.last && s.asOf ? { time_range: range, as_of: s.asOf } : { time_range: range }
}

/** hasRange is whether a comparison has both its bounds. */
export const hasRange = (s: State) => s.last !== '' || (s.start !== '' && s.end !== '')

/** additions are the totals, shares and comparison of a state. */
function additions(s: State, types: Types): Partial<Query> {
  const out: Partial<Query> = {}
  if (s.totals && s.groups.length > 0) out.totals = [[]]
  const shared = s.shares ? s.metrics.filter((m) => !types.metrics.get(m)?.window_family) : []
  if (shared.length > 0) out.shares = shared.map((metric) => ({ metric }))
  if (s.compare && hasRange(s)) out.compare = comparisonOf(s)
  return out
}

function comparisonOf(s: State): Query['compare'] {
  const weekly = s.groups.some((g) => g.grain === 'week')
  if (s.last) {
    const [n, unit] = s.last.split(' ')
    if (s.compare === 'previous') return { offset: { count: Number(n), unit } }
  }
  if (s.compare === 'year') return { offset: weekly ? { count: 52, unit: 'week' } : { count: 1, unit: 'year' } }
  return { range: previousRange(s.start, s.end) }
}

/** toSavedQuery is the request of the saved query that is open. */
export function toSavedQuery(s: State, params: Record<string, ParamSchema> = {}): Query {
  const q: Query = { saved: s.saved }
  const bound = Object.entries(s.params).filter(([, typed]) => typed !== '')
  if (bound.length > 0) q.params = Object.fromEntries(bound.map(([name, typed]) => [name, value(typed.trim(), params[name]?.type)]))
  if (s.order.length > 0) q.order_by = orderOf(s)
  if (s.connection) q.connection = s.connection
  return { ...q, ...s.rest }
}

/** applyToSaved changes the saved query that is open as a suggestion asks: what is not a parameter replaces a part of its body. */
export function applyToSaved(s: State, fragment: Record<string, unknown>): Partial<State> {
  const { saved = s.saved, params, ...parts } = fragment
  return { saved: String(saved), params: { ...s.params, ...typedOf(params as Query['params']) }, rest: { ...s.rest, ...parts } }
}

/** openSaved opens a saved query with its chart, or the list of them for ''. */
export const openSaved = (saved: string, connection = '', chart: SavedQuery['chart'] = undefined): State => ({ ...initial, page: 'saved', saved, connection, ...(chart === 'table' ? { tab: 'table' } : chart && { kind: chart }) })

/** groupsIn are the group-bys of a query. */
export const groupsIn = (q: Query): Group[] => (q.group_by ?? []).map((g) => ({ field: g.field ?? g.name ?? '', ...(g.grain && { grain: g.grain }), ...(g.part && { part: g.part }) }))

/** groupsOf finds the group-bys of a result: its first columns, which are not those of metrics. Fields are those that the query names, in the same order. */
export function groupsOf(columns: string[], outputs: Map<string, string>, fields?: string[]): Group[] {
  const first = columns.findIndex((c) => outputs.has(c))
  const keys = columns.slice(0, first < 0 ? columns.length : first).filter((c, i, all) => fields === undefined || i === 0 || c !== all[i - 1] + '__other')
  return keys.map((c, i) => {
    const at = c.lastIndexOf('__')
    const [field, unit] = [c.slice(0, at), c.slice(at + 2)]
    const named = fields?.length === keys.length ? fields[i] : undefined
    return at > 0 && grains.includes(unit) ? { field: named ?? field, grain: unit } : at > 0 && partNames.includes(unit) ? { field: named ?? field, part: unit } : { field: named ?? c }
  })
}

/** leaveRecords goes to another page: the order of the records is of their columns, which a query of metrics does not have. */
export const leaveRecords = (s: State, page: Page): Partial<State> => (s.page === 'records' && page !== 'records' ? { page, offset: 0, order: [], dimensions: [] } : { page })

const orderOf = (s: State) => s.order.map((o) => (o.desc ? { key: o.key, desc: true } : { key: o.key }))

const typedOf = (params: Query['params']) => Object.fromEntries(Object.entries(params ?? {}).map(([k, v]) => [k, Array.isArray(v) ? v.join(',') : String(v)]))

/** fieldType is the type that literals beside a name are written for. */
export function fieldType(name: string, types: Types): string | undefined {
  const known = types.dimensions.get(name)
  return known ? (known.datatype ?? 'String') : undefined
}

function wholeCondition(s: State, types: Types): string {
  const parts = s.filters.map((f) => condition(f, fieldType(f.field, types))).filter((c) => c !== '')
  if (s.where) parts.push(parts.length > 0 ? `(${s.where})` : s.where)
  return parts.join(' AND ')
}

/** bindings turns what was typed into values; a comma makes a list. */
export function bindings(s: State, types: Pick<Types, 'metrics'>): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const [name, typed] of Object.entries(s.params)) {
    if (typed === '') continue
    const schema = s.metrics.map((m) => paramOf(m, name, types)).find((p) => p)
    const one = (v: string) => value(v.trim(), schema?.type)
    const several = schema?.type === 'string' ? [typed] : typed.split(',')
    out[name] = several.length > 1 ? several.map(one) : one(typed)
  }
  return out
}

function paramOf(metric: string, name: string, types: Pick<Types, 'metrics'>) {
  return types.metrics.get(metric)?.param_schema?.[name]
}

function value(v: string, type: string | undefined): unknown {
  if (type === 'int' || type === 'float') return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(v) ? Number(v) : v
  if (type === 'bool') return v === 'true' ? true : v === 'false' ? false : v
  return v
}

/** fromQuery changes a state so that it makes this query. */
export function fromQuery(s: State, q: Query, types: Types): State {
  const { metrics, group_by, where_sql, context_filter, time_range, order_by, limit, params, connection, view, dialect: _d, pretty: _p, ...rest } = q
  const sameWhere = (where_sql ?? '') === wholeCondition(s, types)
  // Keys without a control in the form stay unchanged.
  const inline = metrics?.filter((m) => typeof m !== 'string') ?? []
  // A calculation follows the metrics of the model, and has no keys beside its expression.
  const isPlain = metrics?.every((m, i) => typeof m === 'string' ? !metrics.slice(0, i).some((x) => typeof x !== 'string') : Object.keys(m).length === 2) ?? true
  if (!isPlain) rest.metrics = metrics
  if (group_by?.some((g) => g.name || g.expression)) rest.group_by = group_by
  if (time_range?.last && !isPlainLast(time_range.last)) rest.time_range = time_range
  const own = additions(s, types)
  const kept = (key: 'totals' | 'shares' | 'compare') => {
    const same = rest[key] !== undefined && JSON.stringify(rest[key]) === JSON.stringify(own[key])
    if (same) delete rest[key]
    return same
  }
  const { as_of } = rest
  return {
    ...s,
    metrics: (metrics ?? []).flatMap((m) => (typeof m === 'string' ? [m] : isPlain ? [] : [m.name])),
    calculations: isPlain ? inline : [],
    groups: groupsIn(q),
    filters: sameWhere ? s.filters : [],
    where: sameWhere ? s.where : (where_sql ?? ''),
    context: context_filter ?? '',
    last: time_range?.last && isPlainLast(time_range.last) ? `${time_range.last.n} ${time_range.last.unit}` : '',
    asOf: typeof as_of === 'string' ? as_of : '',
    totals: kept('totals'),
    shares: kept('shares'),
    compare: kept('compare') ? s.compare : '',
    start: time_range?.start ?? '',
    end: time_range?.end ?? '',
    timeDimension: time_range?.dimension ?? '',
    order: (order_by ?? []).map((o) => ({ key: o.key, desc: o.desc ?? false })),
    limit: limit ?? defaultLimit,
    params: typedOf(params),
    connection: connection ?? '',
    view: view ?? '',
    rest: without(rest, 'as_of'),
  }
}

const isPlainLast = (last: NonNullable<TimeRange['last']>) => last.complete === undefined && typeof last.n === 'number'
const without = (o: Record<string, unknown>, key: string) => Object.fromEntries(Object.entries(o).filter(([k]) => k !== key))

/** merge puts a suggested fragment over a query: whole keys, null removes one. */
export function merge(q: Query, fragment: Record<string, unknown>): Query {
  const out: Record<string, unknown> = { ...q, ...fragment }
  for (const [k, v] of Object.entries(fragment)) if (v === null) delete out[k]
  return out as Query
}

/** fragmentOf reads a suggested_retry that is JSON; words are undefined. */
export function fragmentOf(retry: string | undefined): Record<string, unknown> | undefined {
  if (!retry?.trim().startsWith('{')) return undefined
  try {
    return JSON.parse(retry)
  } catch {
    return undefined
  }
}
