// The end of the data: what is the last complete period depends on it, and not on the clock.

import { api, type Metric, type Query } from '../api.ts'
import { addPeriods } from '../periods.ts'
import type { Axis } from './axes.ts'

/** endOf is the day after the newest period of an axis with rows; undefined where none has a date. The keys are those of its query beside the metrics. */
export async function endOf(axis: Axis, keys: Query, signal?: AbortSignal): Promise<string | undefined> {
  const grain = axis.grains[0]
  const metrics = axis.metrics.map((m) => m.name)
  const key = `metric_time__${grain}`
  const result = await api.execute({ ...keys, metrics, group_by: [{ field: 'metric_time', grain }], order_by: [{ key, desc: true }], limit: 1 }, signal)
  const bucket = result.rows[0]?.[key]
  return typeof bucket === 'string' ? addPeriods(bucket, 1, grain) : undefined
}

/** lastPeriod is the last complete period before a day. The service resolves it, because the model sets the first day of weeks. */
export async function lastPeriod(metric: Metric, grain: string, asOf: string, keys: Query, signal?: AbortSignal): Promise<{ start: string; end: string } | undefined> {
  const axis = metric.requires_time_axis ? { group_by: [{ field: 'metric_time', grain }] } : {}
  const query: Query = { ...keys, ...axis, metrics: [metric.name], time_range: { last: { n: 1, unit: grain }, dimension: 'metric_time' }, as_of: asOf }
  return (await api.compile(query, signal)).resolved_time_range
}
