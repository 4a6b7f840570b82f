// Two windows to compare, of which the later is the last complete period of the data.

import { addPeriods } from '../periods.ts'

export interface Windows {
  baseline: { start: string; end: string }
  current: { start: string; end: string }
}

export type Preset = 'previous' | 'year'

/** windowsOf are a period and the one that it is compared with. */
export function windowsOf(preset: Preset, grain: string, { start, end }: { start: string; end: string }): Windows {
  const current = { start, end }
  if (preset === 'previous') return { current, baseline: { start: addPeriods(start, -1, grain), end: start } }
  const before = grain === 'week' ? addPeriods(start, -52, 'week') : addPeriods(start, -1, 'year')
  return { current, baseline: { start: before, end: addPeriods(before, 1, grain) } }
}
