// The model as the page holds it, and search over it.

import { api, ApiError, type AIContext, type Capabilities, type Connection, type Dataset, type Dimension, type Finding, type Identity, type Lists, type Metric, type Model, type SavedQuery, type View } from './api.ts'
import { fieldOf, qualified } from './names.ts'
import type { Types } from './state.ts'

export interface Catalog extends Types {
  model: Model
  capabilities: Capabilities
  datasets: Dataset[]
  metricList: Metric[]
  dimensionList: Dimension[]
  connections: Connection[]
  /** The connection that the page starts with; '' for that of queries without one. */
  connection: string
  saved: SavedQuery[]
  views: View[]
  identity: Identity
  /** The view that the lists are of. */
  view?: View
  /** The code of each metric that does not compile. */
  broken: Map<string, Finding>
  findings: { errors: Finding[]; warnings: Finding[] }
  index: Entry[]
}

/** amountsIn finds the columns of rows that hold amounts: fields that are neither dimensions nor keys. */
export function amountsIn(catalog: Catalog, columns: string[]): Set<string> {
  const fields = catalog.dimensionList.filter((d) => !d.is_dimension && d.source !== 'inferred:primary_key')
  const names = new Set(fields.flatMap((d) => [d.name, fieldOf(d.name)]))
  return new Set(columns.filter((c) => names.has(c)))
}

/** isOfCalendar is whether a field is one of a dataset of days: its values follow time, and their changes explain nothing. */
export function isOfCalendar(catalog: Pick<Catalog, 'datasets' | 'dimensions'>, field: string): boolean {
  const calendars = catalog.datasets.filter((d) => d.primary_key.length === 1 && d.time_dimensions.includes(qualified(d.name, d.primary_key[0])))
  return calendars.some((d) => catalog.dimensions.has(qualified(d.name, fieldOf(field))))
}

/** Entry is one thing that a search can find, with its words in lower case. */
export interface Entry {
  kind: 'metric' | 'dimension' | 'dataset'
  name: string
  label: string
  about: string
  words: string
}

export async function load(): Promise<Catalog> {
  const [capabilities, identity, lists] = await Promise.all([api.capabilities(), api.identity(), api.catalog()])
  return catalogOf(capabilities, identity, lists)
}

/** reload is the catalog of a model that changed since; undefined where it did not. */
export async function reload({ capabilities, identity }: Catalog): Promise<Catalog | undefined> {
  const lists = await api.newCatalog()
  return lists && catalogOf(capabilities, identity, lists)
}

/** inView is the catalog with the metrics and the dimensions of a view, as it names them. */
export async function inView(catalog: Catalog, name: string): Promise<Catalog> {
  const [metricList, dimensionList] = await api.viewLists(name)
  return { ...catalog, ...listed(metricList, dimensionList, catalog.datasets), view: catalog.views.find((v) => v.name === name) }
}

function catalogOf(capabilities: Capabilities, identity: Identity, lists: Lists): Catalog {
  const { model, datasets, metrics: metricList, dimensions: dimensionList, connections, saved, views, findings, connection = '' } = lists
  return {
    model,
    capabilities,
    identity,
    datasets,
    connections,
    connection,
    saved,
    views,
    broken: brokenMetrics(findings.compile_errors, metricList),
    findings: { errors: findings.compile_errors, warnings: findings.warnings },
    ...listed(metricList, dimensionList, datasets),
  }
}

/** listed holds two lists as the page reads them. */
function listed(metricList: Metric[], dimensionList: Dimension[], datasets: Dataset[]) {
  return {
    metricList,
    dimensionList,
    metrics: new Map(metricList.map((m) => [m.name, m])),
    dimensions: new Map(dimensionList.map((d) => [d.name, d])),
    index: [
      ...headlinesFirst(metricList).map((m) => entry('metric', m.name, m.name, [m.label, m.description].filter(Boolean).join('\n'), m.ai_context)),
      ...dimensionList.map((d) => entry('dimension', d.name, d.name, [d.label, d.description].filter(Boolean).join('\n'), d.ai_context)),
      ...datasets.map((d) => entry('dataset', d.name, d.name, [d.label, d.description].filter(Boolean).join('\n'), d.ai_context)),
    ],
  }
}

/** brokenMetrics finds the metrics that the locations of findings name, as metrics[3].expression. */
function brokenMetrics(errors: Finding[], metrics: Metric[]): Map<string, Finding> {
  const found = new Map<string, Finding>()
  for (const e of errors) {
    const metric = metrics[Number(/^metrics\[(\d+)\]/.exec(e.location)?.[1])]
    if (metric) found.set(metric.name, e)
  }
  return found
}

/** headlinesFirst puts the metrics that the model marks as headlines before the others, each in the order given. */
export function headlinesFirst<T extends { headline?: boolean }>(list: T[]): T[] {
  return [...list.filter((m) => m.headline), ...list.filter((m) => !m.headline)]
}

function entry(kind: Entry['kind'], name: string, label: string, about = '', ai?: AIContext): Entry {
  const more = typeof ai === 'string' ? [ai] : [ai?.instructions ?? '', ...(Array.isArray(ai?.synonyms) ? ai.synonyms : [])]
  return { kind, name, label, about, words: [name, name.replaceAll('_', ' '), about, ...more].join('\n').toLowerCase() }
}

/**
 * search finds the entries that hold every word of the text; a name that begins
 * with it comes first, then names that hold it, then the rest, each in the
 * model's order.
 */
export function search(index: Entry[], text: string, kind?: Entry['kind']): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const ranked: Entry[][] = [[], [], []]
  for (const e of index) {
    if (kind && e.kind !== kind) continue
    if (!words.every((w) => e.words.includes(w))) continue
    const name = e.name.toLowerCase()
    const bare = name.slice(name.lastIndexOf('.') + 1)
    const first = words[0] ?? ''
    ranked[name.startsWith(first) || bare.startsWith(first) ? 0 : name.includes(first) ? 1 : 2].push(e)
  }
  return ranked.flat()
}

/** accepted asks which dimensions each metric takes, once for each. */
const asked = new Map<string, Promise<Dimension[]>>()
export function accepted(metric: string): Promise<Dimension[]> {
  let answer = asked.get(metric)
  if (!answer) {
    answer = api.dimensions(metric)
    answer.catch(() => asked.delete(metric))
    asked.set(metric, answer)
  }
  return answer
}

/** A new token may open what was refused before. */
export const forget = () => asked.clear()

/** seesSQL is whether the reader may see SQL: the list has the source of a dataset for these readers alone. */
export const seesSQL = (catalog: Catalog): boolean => catalog.datasets.some((d) => d.source !== '')

/** compilesOnly is whether the service compiles and does not execute. */
export const compilesOnly = (catalog: Catalog): boolean => catalog.capabilities.features.includes('compile_only')

export const isUnauthorized = (e: unknown) => e instanceof ApiError && e.status === 401
