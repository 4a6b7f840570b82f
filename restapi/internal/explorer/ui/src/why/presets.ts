// Two windows to compare, made from the end of the data.

import { addPeriods, periodStart } from '../periods.ts'

export interface Windows {
  baseline: { start: string; end: string }
  current: { start: string; end: string }
}

export type Preset = 'previous' | 'year'

/** windowsOf are the last complete period before a day and the one that it is compared with. */
export function windowsOf(preset: Preset, grain: string, asOf: string): Windows {
  const end = periodStart(asOf, grain)
  const start = addPeriods(end, -1, grain)
  const current = { start, end }
  if (preset === 'previous') return { current, baseline: { start: addPeriods(start, -1, grain), end: start } }
  const before = grain === 'week' ? addPeriods(start, -52, 'week') : addPeriods(start, -1, 'year')
  return { current, baseline: { start: before, end: addPeriods(before, 1, grain) } }
}
