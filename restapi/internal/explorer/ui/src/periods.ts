// Calendar arithmetic over the first days of periods, on the clock of UTC.

const dayMs = 86_400_000

export const dayOf = (d: Date) => d.toISOString().slice(0, 10)
const dateOf = (day: string) => new Date(day.slice(0, 10) + 'T00:00:00Z')

const shortMs: Record<string, number> = { hour: 3_600_000, minute: 60_000, second: 1000 }

/** isPeriod is whether the end of a period follows from its start. The periods of a calendar have their ends in the calendar alone. */
export const isPeriod = (grain: string) => grain in shortMs || ['day', 'week', 'month', 'quarter', 'year'].includes(grain)

/** addPeriods moves a day, or a time for periods within it, by whole periods; a day that the month lacks becomes its last one. */
export function addPeriods(day: string, n: number, grain: string): string {
  if (shortMs[grain]) return new Date(Date.parse(day.slice(0, 19) + (day.length < 11 ? 'T00:00:00Z' : 'Z')) + n * shortMs[grain]).toISOString().slice(0, 19) + day.slice(19)
  const d = dateOf(day)
  if (grain === 'day' || grain === 'week') return dayOf(new Date(d.getTime() + n * (grain === 'week' ? 7 : 1) * dayMs))
  const months = n * (grain === 'year' ? 12 : grain === 'quarter' ? 3 : 1)
  const first = new Date(Date.UTC(d.getUTCFullYear(), d.getUTCMonth() + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(d.getUTCDate(), last))
  return dayOf(first)
}

/** lastDay is the last day before the end of a range. */
export const lastDay = (end: string) => (/T(?!00:00)/.test(end) ? end.slice(0, 10) : addPeriods(end.slice(0, 10), -1, 'day'))

/** daysBetween counts the days from one day to another. */
export const daysBetween = (start: string, end: string) => Math.round((dateOf(end).getTime() - dateOf(start).getTime()) / dayMs)

/** isFirstOfMonth is whether a bound lies between two months. */
const isFirstOfMonth = (day: string) => day.slice(8, 10) === '01'

/** previousRange is the range of the same length just before another: whole months before whole months, else days. */
export function previousRange(start: string, end: string): { start: string; end: string } {
  if (isFirstOfMonth(start) && isFirstOfMonth(end)) {
    const [a, b] = [dateOf(start), dateOf(end)]
    const months = (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth()
    return { start: addPeriods(start, -months, 'month'), end: start }
  }
  return { start: addPeriods(start, -daysBetween(start, end), 'day'), end: start }
}

/** yearBefore is the range a year earlier. */
export const yearBefore = (start: string, end: string) => ({ start: addPeriods(start, -1, 'year'), end: addPeriods(end, -1, 'year') })
