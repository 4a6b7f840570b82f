// The periods of an axis that its range or the end of the data cuts.

import type { Row } from '../api.ts'
import { addPeriods, daysBetween } from '../periods.ts'

/** Cut is how many of its days a period has. */
export interface Cut {
  days: number
  of: number
}

export type Cuts = Map<Row[string], Cut>

/** Bounds are the first day of a range and the day after its last; '' where it has none. */
export interface Bounds {
  start: string
  end: string
}

/** The grains whose periods have days. */
const ofDays = new Set(['week', 'month', 'quarter', 'year'])

/** cutsOf finds the stops that begin before a range or end after it. */
export function cutsOf(stops: Row[string][], grain: string, { start, end }: Bounds): Cuts {
  const cuts: Cuts = new Map()
  if (!ofDays.has(grain)) return cuts
  for (const stop of [stops[0], stops.at(-1)]) {
    if (typeof stop !== 'string' || stop.length !== 10) continue
    const next = addPeriods(stop, 1, grain)
    const from = start > stop ? start.slice(0, 10) : stop
    const until = end !== '' && end < next ? end.slice(0, 10) : next
    const [days, of] = [Math.max(0, daysBetween(from, until)), daysBetween(stop, next)]
    if (days < of) cuts.set(stop, { days, of })
  }
  return cuts
}

/** wholeOf is the range of the stops that are not cut; undefined where all of them are. */
export function wholeOf(stops: Row[string][], grain: string, cuts: Cuts): Bounds | undefined {
  const whole = stops.filter((s) => typeof s === 'string' && !cuts.has(s)) as string[]
  return whole.length > 0 ? { start: whole[0], end: addPeriods(whole[whole.length - 1], 1, grain) } : undefined
}
