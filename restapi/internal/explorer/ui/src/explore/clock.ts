// The clock of a time zone: ranges are written in its times, and conditions in instants.

import { api, type Query } from '../api.ts'

const minute = 60_000
const day = 86_400_000

/** wallClock is the time that the clock of a zone shows at an instant. */
export function wallClock(instant: string, zone: string): string {
  return textOf(shownAt(Date.parse(instant), zone))
}

/** instantOf is the instant at which the clock of a zone first shows a time; of a time that it leaves out, the first instant after the gap. */
export function instantOf(time: string, zone: string): string {
  const shown = Date.parse((time.length === 10 ? time + 'T00:00:00' : time) + 'Z')
  const offsets = [shown - day, shown + day].map((at) => shownAt(at, zone) - at)
  const found = offsets.map((offset) => shown - offset).sort((a, b) => a - b)
  const instant = found.find((at) => shownAt(at, zone) === shown) ?? firstAfterGap(shown, found[0], zone)
  return textOf(instant) + 'Z'
}

/** firstAfterGap finds the first instant, to the minute, at which the clock shows more than a time that it leaves out. */
function firstAfterGap(shown: number, from: number, zone: string): number {
  let at = from
  while (shownAt(at - minute, zone) > shown) at -= minute
  while (shownAt(at, zone) < shown) at += minute
  return at
}

const textOf = (at: number) => new Date(at).toISOString().slice(0, 19)

/** shownAt is what the clock of a zone shows at an instant, as milliseconds of the clock of UTC. */
function shownAt(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' }).formatToParts(at)
  const of = (type: string) => Number(parts.find((p) => p.type === type)?.value)
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
}

/** Clock is what the service reads the times of a query on: its time zone and the first day of its weeks, 1 for Monday to 7. */
export interface Clock {
  zone: string
  firstDay: number
}

/** clockOf is the clock of a query, as the service resolves a range of it. */
export async function clockOf(query: Query, signal?: AbortSignal): Promise<Clock | undefined> {
  const { metrics, group_by, params, time_zone, week_start, connection } = query
  const asked: Query = { metrics, group_by, params, time_zone, week_start, connection, time_range: { last: { n: 1, unit: 'week' }, dimension: query.time_range?.dimension } }
  const range = (await api.compile(asked, signal)).resolved_time_range
  return range && { zone: range.time_zone, firstDay: new Date(range.start.slice(0, 10) + 'T00:00:00Z').getUTCDay() || 7 }
}
