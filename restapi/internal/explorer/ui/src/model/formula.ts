// The definition of a metric in parts: what is text, and what names another metric or a field.

import type { Metric } from '../api.ts'
import { partsOf } from '../names.ts'

export interface Piece {
  text: string
  /** The metric that the text names. */
  metric?: string
  /** The dataset of the field that the text names. */
  dataset?: string
}

/** Names finds what a definition names, in any case. */
export interface Names {
  metricOf: (name: string) => string | undefined
  /** The dataset of a field. A name of one part is that of a field in the condition of a filtered metric, whose base is given. */
  datasetOf?: (parts: string[], base?: string) => string | undefined
}

/** A text in quotes, a name, or one other character. Names of fields are paths: dataset.field. */
const token = /'(?:[^']|'')*'|(?:"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*)(?:\.(?:"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*))*|[^]/gu

/** The word before the condition of a filtered metric, whose names are fields. */
const condition = 'where'

/**
 * linesOf parts a definition at its semicolons: the first line is the metric itself, each other one a metric that it names.
 * A name without a dataset is that of a metric, and in a condition that of a field. Texts, calls and parameters do not name anything.
 */
export function linesOf(definition: string, { metricOf, datasetOf }: Names): Piece[][] {
  const lines: Piece[][] = [[]]
  let filtered = false
  let base: string | undefined
  for (const match of definition.matchAll(token)) {
    const text = match[0]
    if (text === ';') {
      lines.push([])
      filtered = false
      base = undefined
      continue
    }
    if (text === condition) filtered = true
    const line = lines[lines.length - 1]
    if (line.length === 0 && /^\s$/.test(text)) continue
    const last = line[line.length - 1]
    const isName = /^["\p{L}_]/u.test(text) && definition[match.index - 1] !== ':' && !/^(\(|\s*')/.test(definition.slice(match.index + text.length, match.index + text.length + 40))
    const parts = isName ? partsOf(text) : []
    const metric = !filtered && parts.length === 1 ? metricOf(parts[0]) : undefined
    const dataset = parts.length > 1 || (filtered && parts.length === 1) ? datasetOf?.(parts, base) : undefined
    if (metric !== undefined) line.push({ text, metric })
    else if (dataset !== undefined) line.push({ text, dataset })
    else if (last && last.metric === undefined && last.dataset === undefined) last.text += text
    else line.push({ text })
    if (metric !== undefined) base = metric
  }
  return lines
}

/** among finds the one of some names that an expression writes, in any case. */
export function among(names: string[]): (written: string) => string | undefined {
  const known = new Map(names.map((n) => [n.toLowerCase(), n]))
  return (written) => known.get(written.toLowerCase())
}

/**
 * fieldsAmong finds the dataset of a field: of the one that is named before it, of the one that the relationship before it
 * leads to, or of the only one with such a field of those that the base of a filtered metric reads.
 */
export function fieldsAmong(fields: string[], relationships: { name: string; to: string }[], metrics: Map<string, Metric>): NonNullable<Names['datasetOf']> {
  const known = new Map<string, Map<string, string>>()
  for (const f of fields) {
    const [dataset, name] = partsOf(f)
    if (name === undefined) continue
    const of = known.get(dataset.toLowerCase()) ?? new Map<string, string>()
    known.set(dataset.toLowerCase(), of.set(name.toLowerCase(), dataset))
  }
  const targets = new Map(relationships.map((r) => [r.name.toLowerCase(), r.to.toLowerCase()]))
  return (parts, base) => {
    const [owner, name] = parts.slice(-2).map((p) => p.toLowerCase())
    if (name !== undefined) return known.get(owner)?.get(name) ?? known.get(targets.get(owner) ?? '')?.get(name)
    let root = base === undefined ? undefined : metrics.get(base)
    for (let steps = 0; root?.derive_base !== undefined && steps < metrics.size; steps++) root = metrics.get(root.derive_base)
    const found = (root?.datasets ?? []).flatMap((d) => known.get(d.toLowerCase())?.get(owner) ?? [])
    return found.length === 1 ? found[0] : undefined
  }
}
