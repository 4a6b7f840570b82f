// What the page shows is one value, and that value is the part of the address
// behind '#': a link is the whole state, and no server log ever sees it.

import type { Dimension, Metric, ParamSchema, Query } from './api.ts'
import { condition, ops, type Filter, type Op } from './filters.ts'

export type Page = 'explore' | 'saved' | 'attribution' | 'model'
export type Tab = 'chart' | 'table' | 'sql' | 'plan' | 'request'

export interface Group {
  field: string
  grain?: string
}

export interface State {
  page: Page
  /** The saved query that is open; its parameters are in params, what replaces its parts in order and rest. */
  saved: string
  metrics: string[]
  groups: Group[]
  filters: Filter[]
  /** A condition in SQL, beside the filters of the form. */
  where: string
  context: string
  start: string
  end: string
  timeDimension: string
  order: { key: string; desc: boolean }[]
  limit: number
  params: Record<string, string>
  /** Parts of a query that the form has no control for, kept as they came. */
  rest: Record<string, unknown>
  connection: string
  dialect: string
  tab: Tab
  /** The model page's metric; the attribution page's dimensions and windows. */
  focus: string
  dimensions: string[]
  baseline: { start: string; end: string }
  current: { start: string; end: string }
}

export const defaultLimit = 1000

export const initial: State = {
  page: 'explore',
  saved: '',
  metrics: [],
  groups: [],
  filters: [],
  where: '',
  context: '',
  start: '',
  end: '',
  timeDimension: '',
  order: [],
  limit: defaultLimit,
  params: {},
  rest: {},
  connection: '',
  dialect: '',
  tab: 'chart',
  focus: '',
  dimensions: [],
  baseline: { start: '', end: '' },
  current: { start: '', end: '' },
}

const pages: Page[] = ['explore', 'saved', 'attribution', 'model']
const tabs: Tab[] = ['chart', 'table', 'sql', 'plan', 'request']

/** toHash writes a state as the address shows it. */
export function toHash(s: State): string {
  const p = new URLSearchParams()
  const put = (key: string, value: string) => value !== '' && p.append(key, value)
  put('saved', s.saved)
  for (const m of s.metrics) put('metric', m)
  for (const g of s.groups) put('by', g.grain ? `${g.field}:${g.grain}` : g.field)
  for (const f of s.filters) put('filter', [f.field, f.op, f.value].join('~'))
  put('where', s.where)
  put('context', s.context)
  put('start', s.start)
  put('end', s.end)
  put('time', s.timeDimension)
  for (const o of s.order) put('order', (o.desc ? '-' : '') + o.key)
  if (s.limit !== defaultLimit) put('limit', String(s.limit))
  for (const [k, v] of Object.entries(s.params)) put('param', `${k}=${v}`)
  if (Object.keys(s.rest).length > 0) put('more', JSON.stringify(s.rest))
  put('connection', s.connection)
  put('dialect', s.dialect)
  if (s.tab !== 'chart') put('tab', s.tab)
  put('focus', s.focus)
  for (const d of s.dimensions) put('dimension', d)
  if (s.baseline.start || s.baseline.end) put('baseline', `${s.baseline.start}..${s.baseline.end}`)
  if (s.current.start || s.current.end) put('current', `${s.current.start}..${s.current.end}`)
  const text = p.toString()
  return `#/${s.page}${text ? '?' + text : ''}`
}

/** fromHash reads an address; what it does not understand it leaves out. */
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
    page: pages.includes(path as Page) ? (path as Page) : 'explore',
    saved: one('saved'),
    metrics: p.getAll('metric'),
    groups: p.getAll('by').map(group),
    filters: p.getAll('filter').flatMap((f) => {
      const [field, rest] = split(f, '~')
      const [op, value] = split(rest, '~')
      return ops.includes(op as Op) ? [{ field, op: op as Op, value }] : []
    }),
    where: one('where'),
    context: one('context'),
    start: one('start'),
    end: one('end'),
    timeDimension: one('time'),
    order: p.getAll('order').map((o) => ({ key: o.replace(/^-/, ''), desc: o.startsWith('-') })),
    limit: /^\d+$/.test(one('limit')) ? Number(one('limit')) : defaultLimit,
    params: Object.fromEntries(p.getAll('param').map((kv) => split(kv, '='))),
    connection: one('connection'),
    dialect: one('dialect'),
    tab: tabs.includes(one('tab') as Tab) ? (one('tab') as Tab) : 'chart',
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

const grains = ['day', 'week', 'month', 'quarter', 'year']

function group(text: string): Group {
  const at = text.lastIndexOf(':')
  const grain = text.slice(at + 1)
  return at > 0 && grains.includes(grain) ? { field: text.slice(0, at), grain } : { field: text }
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
  const q: Query = { metrics: s.metrics }
  if (s.groups.length > 0) q.group_by = s.groups.map((g) => (g.grain ? { field: g.field, grain: g.grain } : { field: g.field }))
  const where = wholeCondition(s, types)
  if (where) q.where_sql = where
  if (s.context) q.context_filter = s.context
  if (s.start || s.end) {
    q.time_range = {}
    if (s.start) q.time_range.start = s.start
    if (s.end) q.time_range.end = s.end
    if (s.timeDimension) q.time_range.dimension = s.timeDimension
  }
  if (s.order.length > 0) q.order_by = orderOf(s)
  q.limit = s.limit
  const params = bindings(s, types)
  if (Object.keys(params).length > 0) q.params = params
  if (s.connection) q.connection = s.connection
  return { ...q, ...s.rest }
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

/** openSaved opens a saved query, or the list of them for ''. */
export const openSaved = (saved: string, connection = ''): State => ({ ...initial, page: 'saved', saved, connection })

/** groupsOf finds the group-bys of a result: its first columns, those that are no metric's. */
export function groupsOf(columns: string[], outputs: Map<string, string>): Group[] {
  const first = columns.findIndex((c) => outputs.has(c))
  return columns.slice(0, first < 0 ? columns.length : first).map((c) => {
    const at = c.lastIndexOf('__')
    const grain = c.slice(at + 2)
    return at > 0 && grains.includes(grain) ? { field: c.slice(0, at), grain } : { field: c }
  })
}

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
function bindings(s: State, types: Types): Record<string, unknown> {
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

function paramOf(metric: string, name: string, types: Types) {
  return types.metrics.get(metric)?.param_schema?.[name]
}

function value(v: string, type: string | undefined): unknown {
  if (type === 'int' || type === 'float') return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(v) ? Number(v) : v
  if (type === 'bool') return v === 'true' ? true : v === 'false' ? false : v
  return v
}

/** fromQuery changes a state so that it makes this query. */
export function fromQuery(s: State, q: Query, types: Types): State {
  const { metrics, group_by, where_sql, context_filter, time_range, order_by, limit, params, connection, dialect: _d, pretty: _p, ...rest } = q
  const sameWhere = (where_sql ?? '') === wholeCondition(s, types)
  return {
    ...s,
    metrics: metrics ?? [],
    groups: (group_by ?? []).map((g) => ({ ...g })),
    filters: sameWhere ? s.filters : [],
    where: sameWhere ? s.where : (where_sql ?? ''),
    context: context_filter ?? '',
    start: time_range?.start ?? '',
    end: time_range?.end ?? '',
    timeDimension: time_range?.dimension ?? '',
    order: (order_by ?? []).map((o) => ({ key: o.key, desc: o.desc ?? false })),
    limit: limit ?? defaultLimit,
    params: typedOf(params),
    connection: connection ?? '',
    rest,
  }
}

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
