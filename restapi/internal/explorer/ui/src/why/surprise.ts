// Which segments moved in an unexpected way: by more, or by less, than their part of the whole.

import type { Attribution, Segment } from '../api.ts'
import { surpriseOf } from '../home/leaders.ts'

export interface Finding {
  segment: Segment
  /** Its change less its share of the whole change. */
  surprise: number
}

/** findingsOf ranks the segments of a dimension, or of all, by their surprise. Without a whole that the segments add up to, by their change. */
export function findingsOf(a: Attribution, dimension?: string): Finding[] {
  const { baseline_value: whole, delta } = a.total_change
  const parts = Object.entries(a.per_dimension).filter(([name, part]) => (dimension === undefined ? !part.non_additive : name === dimension))
  const surprise = (s: Segment, nonAdditive: boolean) => {
    if (a.strategy === 'unsupported' || delta === null || nonAdditive) return s.delta ?? 0
    return s.baseline_share === undefined ? surpriseOf(s.delta, s.baseline_value, whole, delta) : (s.delta ?? 0) - s.baseline_share * delta
  }
  const all = parts.flatMap(([, part]) => part.values.map((segment) => ({ segment, surprise: surprise(segment, part.non_additive) })))
  return all.sort((x, y) => Math.abs(y.surprise) - Math.abs(x.surprise))
}

/** dimensionsOf are the dimensions of an attribution, that of the most surprising segment first. */
export function dimensionsOf(a: Attribution): string[] {
  const size = (name: string) => Math.abs(findingsOf(a, name)[0]?.surprise ?? 0)
  const adds = (name: string) => Number(!a.per_dimension[name]?.non_additive)
  return a.dimension_ranking.map((d) => d.dimension).sort((x, y) => adds(y) - adds(x) || size(y) - size(x))
}
