// The model as the page knows it, and search over it.

import { api, ApiError, type AIContext, type Capabilities, type Connection, type Dataset, type Dimension, type Metric, type Model, type SavedQuery } from './api.ts'
import type { Types } from './state.ts'

export interface Catalog extends Types {
  model: Model
  capabilities: Capabilities
  datasets: Dataset[]
  metricList: Metric[]
  dimensionList: Dimension[]
  connections: Connection[]
  saved: SavedQuery[]
  index: Entry[]
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
  const [model, capabilities, datasets, metricList, dimensionList, connections, saved] = await Promise.all([
    api.model(),
    api.capabilities(),
    api.datasets(),
    api.metrics(),
    api.dimensions(),
    api.connections(),
    api.saved(),
  ])
  return {
    model,
    capabilities,
    datasets,
    metricList,
    dimensionList,
    connections,
    saved,
    metrics: new Map(metricList.map((m) => [m.name, m])),
    dimensions: new Map(dimensionList.map((d) => [d.name, d])),
    index: [
      ...metricList.map((m) => entry('metric', m.name, m.name, m.description, m.ai_context)),
      ...dimensionList.map((d) => entry('dimension', d.name, d.name, d.description, d.ai_context)),
      ...datasets.map((d) => entry('dataset', d.name, d.name, d.description, d.ai_context)),
    ],
  }
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

export const isUnauthorized = (e: unknown) => e instanceof ApiError && e.status === 401
