// Metrics of one time axis, which one request asks for together.

import type { Dataset, Dimension, Metric } from '../api.ts'
import { withinDay } from '../format.ts'
import { qualified as qualifiedName } from '../names.ts'

export interface Axis {
  key: string
  metrics: Metric[]
  /** The grains of a day and more, finest first; none where the metrics have no time axis. */
  grains: string[]
}

/** axesOf puts metrics together that share a time axis and its grains, in the order of their first metric. */
export function axesOf(metrics: Metric[], datasets: Dataset[], dimensions: Map<string, Dimension>): Axis[] {
  const primary = new Map(datasets.map((d) => [d.name, d.primary_time_dimension]))
  const found = new Map<string, Axis>()
  for (const metric of metrics) {
    const fields = metric.time_dimension ? [metric.time_dimension] : timesOf(metric, primary)
    const key = [...fields, ...(metric.grains ?? [])].join(' ')
    const axis = found.get(key)
    if (axis) axis.metrics.push(metric)
    else found.set(key, { key, metrics: [metric], grains: fields.length > 0 ? commonGrains(fields, dimensions).filter((g) => metric.grains?.includes(g) ?? true) : [] })
  }
  return [...found.values()]
}

/** timesOf lists the primary time fields of a metric's datasets; none when one of them lacks it. */
function timesOf(metric: Metric, primary: Map<string, string | undefined>): string[] {
  const fields = metric.datasets.map((d) => qualified(d, primary.get(d)))
  return fields.every((f) => f !== undefined) ? [...new Set(fields as string[])].sort() : []
}

const qualified = (dataset: string, field: string | undefined) => (field === undefined || field.includes('.') ? field : qualifiedName(dataset, field))

const all = ['day', 'week', 'month', 'quarter', 'year']

function commonGrains(fields: string[], dimensions: Map<string, Dimension>): string[] {
  const lists = fields.map((f) => dimensions.get(f)?.grains ?? all)
  return lists[0].filter((g) => !withinDay(g) && lists.every((l) => l.includes(g)))
}

/** grainOf is the grain of an axis that is nearest to a wanted one, and not finer. */
export function grainOf(axis: Axis, wanted: string): string {
  if (axis.grains.includes(wanted)) return wanted
  const from = all.indexOf(wanted)
  return axis.grains.find((g) => all.indexOf(g) > from) ?? axis.grains[axis.grains.length - 1] ?? wanted
}
