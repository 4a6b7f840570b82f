// Whether a change is good.

import type { Metric } from '../api.ts'

/** moodOf is the colour of a change: none where the model does not say which way is good. */
export const moodOf = (v: number | null | undefined, metric?: Metric): 'up' | 'down' | '' => {
  if (!metric?.better || !v) return ''
  return v > 0 === (metric.better === 'up') ? 'up' : 'down'
}
