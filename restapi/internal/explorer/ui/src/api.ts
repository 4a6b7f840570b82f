// The wire: every call that the page makes, and the one shape of its failures.

import { m } from './messages/index.ts'

export interface Metric {
  name: string
  kind: string
  datasets: string[]
  measures: string[]
  additivity: 'additive' | 'semi_additive' | 'non_additive'
  time_dimension?: string
  /** What it computes, on one line. */
  definition?: string
  description?: string
  ai_context?: AIContext
  datatype?: string
  unit?: string
  format?: string
  label?: string
  headline?: boolean
  subject_path?: string | string[]
  better?: 'up' | 'down'
  /** The only grains at which it has its meaning; absent where it has its meaning at all. */
  grains?: string[]
  window_family?: string
  window_function?: string
  requires_time_axis?: boolean
  derive_family?: string
  derive_base?: string
  derive_expr?: string
  derive_members?: { metric: string; coefficient?: number }[]
  params?: Record<string, unknown>
  param_schema?: Record<string, ParamSchema>
  attribution: 'exact' | 'unsupported'
  /** The folder of the view that it is listed for. */
  folder?: string
}

export interface ParamSchema {
  type: 'int' | 'float' | 'string' | 'bool' | 'date'
  required: boolean
  default?: unknown
  allowed?: unknown[]
  min?: unknown
  max?: unknown
  description?: string
}

export type AIContext = string | { instructions?: string; synonyms?: string[]; examples?: string[] }

export interface Dimension {
  name: string
  is_time: boolean
  is_dimension: boolean
  source: string
  time_granularity?: string
  grains?: string[]
  /** The parts of a time that it can be grouped by, such as hour_of_day. */
  parts?: string[]
  datatype?: string
  label?: string
  /** Values of a text in the order for people. */
  order?: string[]
  description?: string
  ai_context?: AIContext
  folder?: string
}

export interface Dataset {
  name: string
  source: string
  primary_key: string[]
  fields: number
  time_dimensions: string[]
  primary_time_dimension?: string
  label?: string
  description?: string
  ai_context?: AIContext
}

export interface Relationship {
  name: string
  from: string
  to: string
  from_columns: string[]
  to_columns: string[]
  cardinality: string
  join_type: string
}

export interface Model {
  name: string
  description?: string
  path: string
  mode: string
  spec_version: string
  extension_version: string
  datasets: number
  fields: number
  metrics: number
  relationships: number
  warnings: number
  revision: string
  loaded_at?: string
}

/** A model of a server of several; the path of a server of one is ''. */
export interface ModelEntry {
  name: string
  path: string
  revision: string
  description?: string
  datasets: number
  metrics: number
  default: boolean
}

/** A query that the model holds under a name. */
export interface SavedQuery {
  name: string
  kind: 'query' | 'select' | 'attribute'
  description?: string
  questions?: string[]
  params?: Record<string, ParamSchema>
  metrics?: string[]
  /** The fields that it groups by. */
  dimensions?: string[]
  verified?: { by: string; on: string }
  /** The first page shows the result, as the chart. */
  home?: boolean
  chart?: 'line' | 'bar' | 'area' | 'table' | 'number'
}

/** Rows are asked for by metrics or by records. */
export type RowKind = Exclude<SavedQuery['kind'], 'attribute'>

/** A named part of the model. */
export interface View {
  name: string
  label?: string
  description?: string
  /** Fields in the order in which people drill down. */
  hierarchies?: { name: string; levels: string[] }[]
  folders?: ViewFolder[]
}

export interface ViewFolder {
  name: string
  folders?: ViewFolder[]
}

export interface Capabilities {
  engine_version: string
  dialects: { name: string; aliases: string[]; executes: boolean }[]
  features: string[]
}

/** Who asks; without a name where the service distinguishes no callers. */
export interface Identity {
  name?: string
  issuer?: string
}

export interface Connection {
  name: string
  dialect: string
  available: boolean
  default?: boolean
}

export interface Finding {
  code: string
  location: string
  message: string
  severity?: string
  candidates?: string[]
  hint?: string
  line?: number
}

export interface Findings {
  warnings: Finding[]
  compile_errors: Finding[]
}

export interface LineageNode {
  id: string
  kind: string
  name: string
  [more: string]: unknown
}

export interface Lineage {
  nodes: LineageNode[]
  edges: { from: string; to: string; [more: string]: unknown }[]
}

export interface TimeRange {
  start?: string
  end?: string
  dimension?: string
  last?: { n: number; unit: string; complete?: boolean }
}

/** A relative range with the bounds that it had, on the clock of its time zone. */
export interface ResolvedRange {
  start: string
  end: string
  dimension?: string
  as_of: string
  time_zone: string
}

export interface InlineMetric {
  name: string
  expression: string
}

export interface Query {
  metrics?: (string | InlineMetric)[]
  group_by?: { field?: string; grain?: string; part?: string; name?: string; expression?: string }[]
  where_sql?: string
  context_filter?: string
  time_range?: TimeRange
  order_by?: { key: string; desc?: boolean }[]
  limit?: number
  as_of?: string
  totals?: string[][]
  shares?: { metric: string; of?: string[] }[]
  compare?: { offset?: { count: number; unit: string }; range?: { start: string; end: string } }
  top?: { dimension: string; n: number; by?: string }
  hints?: boolean
  params?: Record<string, unknown>
  dialect?: string
  pretty?: boolean
  connection?: string
  view?: string
  saved?: string
  [other: string]: unknown
}

export type Row = Record<string, string | number | boolean | null>

export interface Result {
  dialect: string
  sql: string
  columns: string[]
  rows: Row[]
  row_count: number
  /** The limit that applied, and whether it may have cut rows off. */
  limit?: number
  limited?: boolean
  /** The rows without a limit, where the query asks for their number. */
  total_rows?: number
  /** The bounds of a relative range, or of several by tag. */
  resolved_time_range?: ResolvedRange | Record<string, ResolvedRange>
  /** The view, with what of it acts because the query leaves it. */
  view?: { name: string; filters?: string[]; time_range?: TimeRange }
  warnings?: Warning[]
  /** The stored aggregations that it was read from, each with the time of its rows; null is a base table. */
  rollups?: { rollup: string | null; as_of?: string }[]
  /** The seconds since the service computed it, of a result that was kept. */
  age?: number
}

/** What a result does not show; a hint names the field, the value and what is near. */
export interface Warning {
  code: string
  message: string
  field?: string
  value?: string
  near?: string[]
  min?: string
  max?: string
  suggested_retry?: string
}

export interface Compiled {
  dialect: string
  sql: string
  /** The bounds of a relative range. */
  resolved_time_range?: ResolvedRange
  outputs?: { column: string; metric: string; params?: Record<string, unknown>; time_range?: string; kind?: string; approximate?: boolean }[]
}

export interface Segment {
  dimension: string
  value: unknown
  baseline_value: number | null
  current_value: number | null
  delta: number | null
  contribution_pct?: number
  segment_kind: string
  mix_effect?: number
  rate_effect?: number
  /** Of a ratio: its own value, and its share of the denominator, in both windows. */
  baseline_rate?: number
  current_rate?: number
  baseline_share?: number
  current_share?: number
  drill_down: { where_sql: string }
}

export interface Attribution {
  metric: string
  strategy: string
  unsupported_reason?: { code: string; message: string }
  total_change: { baseline_value: number | null; current_value: number | null; delta: number | null; pct_change?: number }
  factor_totals?: Record<string, number>
  factors?: { factor: string; baseline_value: number; current_value: number; delta: number; effect: number }[]
  dimension_ranking: { dimension: string; score?: number; non_additive: boolean; truncated: boolean }[]
  per_dimension: Record<string, { values: Segment[]; score?: number; non_additive: boolean; truncated: boolean }>
  warnings?: { code: string; message: string; dimension?: string }[]
}

/** A hit of the search: its name is what a query takes, its use a part of a query. */
export interface Hit {
  kind: 'metric' | 'dimension' | 'saved' | 'value' | 'dataset' | 'view'
  name: string
  value?: string
  score: number
  why: string
  description?: string
  use: Query
}

export interface Found {
  query: string
  hits: Hit[]
  total: number
  next_offset?: number
  match?: 'near'
}

/** Values are the values of a field, the most frequent first; near are values like the one asked for, where none has its text. */
export interface Values {
  field: string
  values: { value: string | number | boolean | null; count: number }[]
  complete: boolean
  row_count: number
  min?: string | number
  max?: string | number
  match?: 'near'
}

/** A dimension with the grains and the parts that it can be grouped by. */
export type Groupable = Pick<Dimension, 'name' | 'grains' | 'parts'>

/** Compatible lists what can be added to a query so that it still compiles. */
export interface Compatible {
  metrics: string[]
  dimensions: Groupable[]
  counts: { metrics: number; dimensions: number }
  next_offset?: number
}

export interface ErrorBody {
  code: string
  message: string
  metrics?: string[]
  candidates?: string[]
  suggested_retry?: string
  hint?: string
  location?: string
  /** Where a statement is wrong: the place of a character, from 1. */
  position?: number
}

/** An error of the service, or of the network. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
  ) {
    super(body.message)
  }
}

/** errorOf returns the body of an error. */
export const errorOf = (e: unknown): ErrorBody => (e instanceof ApiError ? e.body : { code: 'internal', message: e instanceof Error ? e.message : String(e) })

/** What the page needs of a model before its first query. */
export interface Lists {
  model: Model
  datasets: Dataset[]
  metrics: Metric[]
  dimensions: Dimension[]
  views: View[]
  saved: SavedQuery[]
  findings: Findings
  connections: Connection[]
  /** The connection that queries most likely mean, where they must name one. */
  connection?: string
}

/** The token lives in this variable and nowhere else: a reload forgets it. */
let token = ''
export const setToken = (t: string) => {
  token = t.trim()
}
export const hasToken = () => token !== ''

/** The view that questions are in, unless they name one or are saved ones. */
let scope = ''
export const scopeTo = (view: string) => {
  scope = view
}

/** The tag of the catalog that the page has. */
let catalogTag = ''

/** Receives the status of each response, and the revision of the model that it is of. */
let receive = (_status: number, _revision: string | null) => {}
export const onResponse = (receiver: typeof receive) => {
  receive = receiver
}

/**
 * A number that a double cannot hold stays the text that the service sent, where
 * the browser has it: an identifier of 19 digits is shown as it is stored.
 */
function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || !context?.source) return value
  const digits = context.source.replace(/[eE].*$|^-|\./g, '').replace(/^0+/, '')
  return digits.length > 15 && String(value) !== context.source ? context.source : value
}

async function call<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const headers: Record<string, string> = {}
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (token) headers['Authorization'] = `Bearer ${token}`
  let response: Response
  try {
    response = await fetch(path, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body), credentials: 'omit' })
  } catch (e) {
    if (signal?.aborted) throw e
    throw new ApiError(0, { code: 'unreachable', message: m.problem.silent, hint: m.problem.silentHint })
  }
  if (path === 'v1/catalog') catalogTag = response.headers.get('ETag') ?? ''
  receive(response.status, response.headers.get('X-Model-Revision'))
  let text: string
  try {
    text = await response.text()
  } catch (e) {
    if (signal?.aborted) throw e
    throw new ApiError(0, { code: 'unreachable', message: m.problem.cutOff, hint: m.problem.silentHint })
  }
  let json: any
  try {
    json = text ? JSON.parse(text, exact) : undefined
  } catch {
    json = undefined
  }
  // A proxy, or a page where a person signs in, can answer in place of the service, in another form.
  if (json === undefined || (!response.ok && !json?.error?.code)) throw new ApiError(response.status, { code: 'unreachable', message: m.problem.foreign(response.status), hint: m.problem.foreignHint })
  if (!response.ok) throw new ApiError(response.status, json.error)
  const age = Number(response.headers.get('Age'))
  if (age > 0) json.age = age
  return json as T
}

const get = <T>(path: string, signal?: AbortSignal) => call<T>('GET', path, undefined, signal)
/** ask sends a question, in the view of the page. */
const ask = <T>(path: string, body: Query, signal?: AbortSignal) => post<T>(path, scope && !body.saved && !body.view ? { ...body, view: scope } : body, signal)
const inScope = () => (scope ? { view: scope } : undefined)
const post = <T>(path: string, body: unknown, signal?: AbortSignal) => call<T>('POST', path, body, signal)

export const api = {
  models: (root: string) => get<ModelEntry[]>(root + 'v1/models'),
  catalog: () => get<Lists>('v1/catalog'),
  /** What the page needs of a model, if that differs from what it was sent. */
  newCatalog: async (): Promise<Lists | undefined> => {
    const response = await fetch('v1/catalog', { headers: { ...(token && { Authorization: `Bearer ${token}` }), 'If-None-Match': catalogTag }, credentials: 'omit', cache: 'no-store' })
    if (response.status !== 200 || response.headers.get('ETag') === catalogTag) return undefined
    catalogTag = response.headers.get('ETag') ?? ''
    return JSON.parse(await response.text(), exact)
  },
  /** The metrics and the dimensions of a view. */
  viewLists: (view: string): Promise<[Metric[], Dimension[]]> => Promise.all([get<Metric[]>('v1/metrics?' + new URLSearchParams({ view })), get<Dimension[]>('v1/dimensions?' + new URLSearchParams({ view }))]),
  capabilities: () => get<Capabilities>('v1/capabilities'),
  identity: () => get<Identity>('v1/identity'),
  dimensions: (metric: string, signal?: AbortSignal) => get<Dimension[]>('v1/dimensions?' + new URLSearchParams({ metric, ...inScope() }), signal),
  find: (q: string, signal?: AbortSignal) => get<Found>('v1/find?' + new URLSearchParams({ limit: '12', q, ...inScope() }), signal),
  compatible: (q: Query, signal?: AbortSignal) => ask<Compatible>('v1/query/compatible', q, signal),
  relationships: () => get<Relationship[]>('v1/relationships'),
  lineage: (metric: string, signal?: AbortSignal) => get<Lineage>('v1/lineage?metric=' + encodeURIComponent(metric), signal),
  wholeLineage: (signal?: AbortSignal) => get<Lineage>('v1/lineage', signal),
  values: (field: string, like: string, connection: string, limit: number, signal?: AbortSignal) =>
    get<Values>('v1/values?' + new URLSearchParams({ field, limit: String(limit), ...(like && { like }), ...(connection && { connection }), ...inScope() }), signal),
  statement: (sql: string, connection: string, signal?: AbortSignal) => post<Result>('v1/sql/execute', { sql, ...(connection && { connection }) }, signal),
  compileStatement: (sql: string, connection?: string, signal?: AbortSignal) => post<{ kind: string; query?: Query }>('v1/sql/compile', { sql, ...(connection && { connection }) }, signal),
  compile: (q: Query, signal?: AbortSignal, kind: RowKind = 'query') => ask<Compiled>(`v1/${kind}/compile`, q, signal),
  explain: (q: Query, signal?: AbortSignal, kind: RowKind = 'query') => ask<{ plan: string }>(`v1/${kind}/explain`, q, signal),
  execute: (q: Query, signal?: AbortSignal, kind: RowKind = 'query') => ask<Result>(`v1/${kind}/execute`, q, signal),
  attribute: (q: Query, signal?: AbortSignal) => ask<Attribution>('v1/query/attribute', q, signal),
}
