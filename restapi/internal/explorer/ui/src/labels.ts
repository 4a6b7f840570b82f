// How people name what the model names: by its label, else by its name in words. The exact name stays in tooltips and copies.

import type { Dataset, Dimension, Metric } from './api.ts'
import { m } from './messages/index.ts'
import { datasetOf, fieldOf } from './names.ts'
import type { Group } from './state.ts'
import { partLabel } from './timeparts.ts'

/** Named is what labels are read from. */
export interface Named {
  metrics: Map<string, Metric>
  dimensions: Map<string, Dimension>
  datasets: Dataset[]
}

/** humanised writes a plain name in words, and leaves any other as it is. */
export function humanised(name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) return name
  const words = name.replaceAll(/__+/g, ' · ').replaceAll('_', ' ').trim()
  return words === '' ? name : words[0].toUpperCase() + words.slice(1)
}

export const metricLabel = (metric: { name: string; label?: string }): string => metric.label || humanised(metric.name)

/** nameMetric is the label of a metric of the model, or of a name that it lacks. */
export const nameMetric = ({ metrics }: Pick<Named, 'metrics'>, name: string): string => metricLabel(metrics.get(name) ?? { name })

export const nameDataset = ({ datasets }: Pick<Named, 'datasets'>, name: string): string => datasets.find((d) => d.name === name)?.label || humanised(name)

/** bareLabel names a field within its dataset. A path of relationships, or a column, has the name of its field: that of one field only, or of fields of one label. */
export function bareLabel(dimensions: Map<string, Dimension>, path: string): string {
  if (path === 'metric_time') return m.picker.overTime
  const known = dimensions.get(path)
  if (known) return known.label || humanised(fieldOf(path))
  const labels = new Set([...dimensions.values()].filter((d) => fieldOf(d.name) === fieldOf(path)).map((d) => d.label))
  return (labels.size === 1 && [...labels][0]) || humanised(fieldOf(path))
}

/** nameField names a field so that it differs from those of other datasets. */
export function nameField(named: Pick<Named, 'dimensions' | 'datasets'>, path: string): string {
  const bare = bareLabel(named.dimensions, path)
  const dataset = datasetOf(path)
  if (dataset === '') return bare
  const isRole = !named.dimensions.has(path)
  const isShared = labelCounts(named.dimensions).get(bare) !== 1
  return isRole || isShared ? `${nameDataset(named, dataset)} · ${bare}` : bare
}

const counted = new WeakMap<Map<string, Dimension>, Map<string, number>>()

/** labelCounts is how many dimensions have each label. */
function labelCounts(dimensions: Map<string, Dimension>): Map<string, number> {
  const known = counted.get(dimensions)
  if (known) return known
  const counts = new Map<string, number>()
  for (const d of dimensions.values()) {
    const label = d.label || humanised(fieldOf(d.name))
    counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  counted.set(dimensions, counts)
  return counts
}

/** nameGroup names a group-by with its grain or its part. */
export function nameGroup(named: Pick<Named, 'dimensions' | 'datasets'>, g: Group): string {
  const unit = g.grain ? (m.grains[g.grain] ?? g.grain.replaceAll('_', ' ')) : g.part && partLabel(g.part)
  const name = unit && g.field === 'metric_time' ? m.picker.time : nameField(named, g.field)
  return unit ? m.chart.axis(name, unit) : name
}
