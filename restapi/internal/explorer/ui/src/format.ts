// Numbers and dates as a person reads them: rounded. Copies and downloads keep every digit.

import type { Metric } from './api.ts'
import { addPeriods, isPeriod } from './periods.ts'
import { locale, m } from './messages/index.ts'
import { partLabel } from './timeparts.ts'

export type Cell = string | number | boolean | null | undefined

const currencies = new Set(Intl.supportedValuesOf('currency'))

interface NamedFormat {
  name: 'number' | 'percent' | 'currency' | 'compact'
  digits?: number
  code?: string
}

/** namedFormat reads number:2, percent, percent:1, currency:EUR and compact; undefined for every other format. */
export function namedFormat(format: string | undefined): NamedFormat | undefined {
  const found = /^(?:(number):(\d{1,2})|(percent)(?::(\d{1,2}))?|currency:([A-Z]{3})|(compact))$/.exec(format ?? '')
  if (!found) return undefined
  const digits = found[2] ?? found[4]
  if (Number(digits ?? 0) > 20) return undefined
  const name = found[1] ?? found[3] ?? found[6] ?? 'currency'
  return { name: name as NamedFormat['name'], digits: digits === undefined ? undefined : Number(digits), code: found[5] }
}

/** isPercent: the metric is a fraction that its author wants to see as percent. */
export const isPercent = (m?: Metric) => /%|percent/i.test(m?.format ?? '') || m?.unit === '%' || m?.unit === 'percent'

/** decimalsOf reads a pattern such as "0.00" or "#,##0.0%". */
function decimalsOf(format: string | undefined): number | undefined {
  if (!format || !/0/.test(format)) return undefined
  return /\.(0+)/.exec(format)?.[1].length ?? 0
}

/** Percent of a unit "%" is already multiplied; of a format it is a fraction. */
const scaled = (v: number, m?: Metric) => (namedFormat(m?.format)?.name === 'percent' ? v * 100 : isPercent(m) && !namedFormat(m?.format) && m?.unit !== '%' && m?.unit !== 'percent' ? v * 100 : v)

/** DifferenceMetric is what a column of differences shows: two percents are apart by points, which are not percents of the first. */
export type DifferenceMetric = Metric & { difference?: boolean }

/** differenceOf describes the differences of the values of a metric. */
export const differenceOf = (metric?: Metric): DifferenceMetric | undefined => metric && { ...metric, difference: true }

/** thousands is what a compact number counts: 1, thousands, millions and so on. */
const thousands = (v: number) => (v < 1000 ? 1 : 1000 ** Math.min(4, Math.floor(Math.log10(v) / 3)))

/** decimalsOfStep is how many decimals tell labels apart that are a step from each other. */
function decimalsOfStep(step: number): number {
  const most = 12
  for (let digits = 0; digits < most; digits++) {
    const shifted = step * 10 ** digits
    if (shifted > 0.5 && Math.abs(shifted - Math.round(shifted)) < 1e-6 * shifted) return digits
  }
  return 0
}

/** Below this, four decimals would leave a number without its digits. */
const tiny = 0.001

/** From here on a number of JavaScript has no digits for all its places, and with them no room on a card or beside an axis. */
const vast = 1e15

/** number writes a value for people, rounded; short is a label of an axis whose largest value is most, and whose labels are a step apart. */
export function number(v: Cell, metric?: DifferenceMetric, short = false, most = Number(v), step = 0): string {
  if (v === null || v === undefined || v === '') return m.none
  const n = Number(v)
  if (!Number.isFinite(n)) return String(v)
  const shown = scaled(n, metric)
  const named = namedFormat(metric?.format)
  const digits = named ? named.digits : decimalsOf(metric?.format)
  const options: Intl.NumberFormatOptions = { signDisplay: 'negative' } // none of a zero
  if (digits !== undefined) options.minimumFractionDigits = options.maximumFractionDigits = digits
  else if (shown !== 0 && Math.abs(shown) < tiny) options.maximumSignificantDigits = 3
  else options.maximumFractionDigits = Math.abs(shown) >= 1000 ? 0 : Math.abs(shown) >= 10 ? 2 : 4
  if (Math.abs(short ? scaled(most, metric) : shown) >= vast) {
    if (shown !== 0) options.notation = 'scientific'
    options.minimumFractionDigits = 0
    options.maximumFractionDigits = 3
  } else if (short) {
    if (options.maximumSignificantDigits === undefined) options.minimumFractionDigits = 0
    if (shown !== 0 && most !== 0 && Math.abs(scaled(most, metric)) < tiny) {
      options.notation = 'scientific' // many zeros are wider than an axis
    } else if (Math.abs(scaled(most, metric)) >= 10_000) {
      options.notation = 'compact'
      options.maximumFractionDigits = 1
    }
    if (step > 0 && options.maximumFractionDigits !== undefined) {
      const unit = options.notation === 'compact' ? thousands(Math.abs(shown)) : 1
      options.maximumFractionDigits = Math.max(options.maximumFractionDigits, decimalsOfStep(scaled(step, metric) / unit))
    }
  }
  if (named?.name === 'compact') {
    options.notation = 'compact'
    options.maximumFractionDigits = 1
  }
  const currency = named?.code ?? metric?.unit?.toUpperCase()
  if (currency && currencies.has(currency)) {
    options.style = 'currency'
    options.currency = currency
    options.currencyDisplay = 'narrowSymbol'
    if (named?.code && !short) delete options.maximumFractionDigits
  }
  if (isPercent(metric) && !metric?.difference) return new Intl.NumberFormat(locale, { ...options, style: 'unit', unit: 'percent' }).format(shown)
  const text = new Intl.NumberFormat(locale, options).format(shown)
  if (isPercent(metric)) return `${text} ${m.points}`
  // A short number is one of many, beside a title with the unit.
  return metric?.unit && !short && metric.unit.toUpperCase() !== options.currency ? `${text} ${metric.unit}` : text
}

/** difference writes how far two values are apart. */
export const difference = (v: Cell, metric?: Metric, short = false, most?: number, step?: number): string => number(v, differenceOf(metric), short, most, step)

/** showsFormat is whether a table writes the numbers of a metric as its format asks: percents, currencies and counted digits. */
export const showsFormat = (metric: Metric) => namedFormat(metric.format) !== undefined || isPercent(metric)

/** plain is a number of a table: grouped, with the decimals of its column. One that has none of them keeps two digits. */
export function plain(v: Cell, places = 0): string {
  if (v === null || v === undefined) return ''
  if (typeof v !== 'number') return String(v)
  const lost = v !== 0 && Math.abs(v) < 0.5 * 10 ** -places
  if (Math.abs(v) >= 1e21 || (lost && Math.abs(v) < tiny)) return String(Number(v.toPrecision(3)))
  return new Intl.NumberFormat(locale, lost ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: places, maximumFractionDigits: places }).format(v)
}

/** placesOf is how many decimals a column shows: those that it has, and no more than a person reads beside its largest number. */
export function placesOf(values: Cell[]): number {
  let [most, size] = [0, 0]
  for (const v of values) {
    if (typeof v !== 'number') continue
    most = Math.max(most, (String(v).split('.')[1] ?? '').length)
    size = Math.max(size, Math.abs(v))
  }
  return Math.min(most, size >= 1000 ? 0 : size >= 10 ? 2 : 4)
}

/** withinDay is whether the buckets of a grain are shorter than a day. */
export function withinDay(grain: string): boolean {
  return grain === 'hour' || grain === 'minute' || grain === 'second'
}

/** otherValue takes the place of the values that the service put together: no value of the data equals it. */
export const otherValue = '\u0000other'

/** bucket names a period: 2024-03-01 by month is "Mar 2024". A short name of an hour has no year. */
export function bucket(v: Cell, grain: string | undefined, short = false): string {
  if (v === null || v === undefined) return m.none
  const text = String(v)
  if (text === '') return m.empty
  if (text === otherValue) return m.other
  const parts = /^(\d{4})-(\d{2})-(\d{2})/.exec(text)
  if (!parts || !grain) return text
  if (withinDay(grain)) return timeOf(text, grain, short)
  const date = new Date(Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])))
  const say = (o: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { ...o, timeZone: 'UTC' }).format(date)
  switch (grain) {
    case 'year':
      return parts[1]
    case 'quarter':
      return `Q${Math.floor((Number(parts[2]) - 1) / 3) + 1} ${parts[1]}`
    case 'month':
      return say({ month: 'short', year: 'numeric' })
    case 'week':
      return say({ day: 'numeric', month: 'short', year: 'numeric' })
  }
  return say({ day: 'numeric', month: 'short', year: 'numeric' })
}

/** grainOfTexts is the grain in which people read texts that are all days, or all times; undefined for other values. */
export function grainOfTexts(values: Cell[]): 'day' | 'second' | undefined {
  const texts = values.filter((v) => v !== null && v !== undefined && v !== otherValue)
  if (texts.length === 0 || !texts.every((v) => typeof v === 'string' && /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?Z?)?$/.test(v))) return undefined
  return texts.every((v) => /^.{10}(T00:00:00)?$/.test(String(v))) ? 'day' : 'second'
}

/** placeName names the value of a group-by away from its axis or column: the number of a part with the part. */
export const placeName = (v: Cell, { grain, part }: { grain?: string; part?: string }) => (part && typeof v === 'number' ? m.partValue(partLabel(part), v) : bucket(v, grain))

/** timeOf names an hour, a minute or a second, on the clock that its text is of. That of an instant is UTC, which only a short name leaves out. */
function timeOf(text: string, grain: string, short: boolean): string {
  const date = new Date(text.slice(0, 19).replace(' ', 'T') + 'Z')
  if (Number.isNaN(date.getTime())) return text
  return new Intl.DateTimeFormat(locale, { year: short ? undefined : 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', second: grain === 'second' ? '2-digit' : undefined, timeZone: 'UTC', timeZoneName: text.endsWith('Z') && !short ? 'short' : undefined }).format(date)
}

/** shorten cuts the middle out of a long text: its beginning and its end distinguish it from others. */
export function shorten(text: string, most = 24): string {
  if (text.length <= most) return text
  const chars = [...new Intl.Segmenter(locale).segment(text)].map((s) => s.segment)
  if (chars.length <= most) return text
  const end = Math.floor((most - 1) / 2)
  return chars.slice(0, most - 1 - end).join('') + '…' + chars.slice(-end).join('')
}

/** apart keeps a name that is read from right to left from changing places with the numbers and words beside it. */
export const apart = (name: string) => (/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name)

/** The characters of a line of what a mark shows while the pointer is on it. */
const lineLength = 44

/** wrapped breaks a long text into lines, between its words where it can; of a text that needs more than some lines the middle of the rest is left out. */
export function wrapped(text: string, mostLines = 12): string[] {
  const lines: string[] = []
  for (let rest = text; rest !== ''; ) {
    if (lines.length === mostLines) return [...lines.slice(0, -1), shorten(lines[mostLines - 1] + rest, lineLength)]
    const space = rest.length > lineLength ? rest.lastIndexOf(' ', lineLength) : -1
    const end = rest.length <= lineLength ? rest.length : space > 0 ? space + 1 : lineLength
    lines.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end)
  }
  return lines
}

/** The stops of an axis with gaps; more are not told apart on any screen. */
const mostStops = 10_000

/** calendar lists the buckets from the first of some to the last, so that a gap shows as one; undefined where one of them is not among these, or they are too many. */
export function calendar(buckets: string[], grain: string): string[] | undefined {
  if (buckets.length === 0 || !isPeriod(grain)) return undefined
  const last = buckets[buckets.length - 1]
  const out: string[] = []
  for (let at = buckets[0]; at <= last; at = addPeriods(at, 1, grain)) if (out.push(at) > mostStops) return undefined
  const known = new Set(out)
  return buckets.every((b) => known.has(b)) ? out : undefined
}

/** change describes how a value moved: its direction, its size in percent where that has a meaning, and whether that is good. */
export function change(before: number | null | undefined, after: number | null, metric?: Metric): { arrow: string; text: string; mood: 'good' | 'bad' | 'neutral' } | undefined {
  if (before === null || before === undefined || after === null) return undefined
  const delta = after - before
  if (delta === 0) return { arrow: '→', text: m.home.unchanged, mood: 'neutral' }
  const up = delta > 0
  const mood = metric?.better === undefined ? 'neutral' : (metric.better === 'up') === up ? 'good' : 'bad'
  const ratio = before > 0 ? delta / before : undefined // of a base below zero a percentage misleads
  const signed = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'always' })
  return { arrow: up ? '▲' : '▼', text: ratio === undefined || isPercent(metric) ? (up ? '+' : '') + difference(delta, metric) : signed.format(ratio), mood }
}

/** csv of a result; a text that a spreadsheet would run is quoted as text. */
export function csv(columns: string[], rows: Record<string, Cell>[]): string {
  const cell = (v: Cell) => {
    if (v === null || v === undefined) return ''
    const text = typeof v === 'string' && /^[=+\-@\t\r]/.test(v) && !/^-?[\d.]+$/.test(v) ? "'" + v : String(v)
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return [columns.map(cell).join(','), ...rows.map((r) => columns.map((c) => cell(r[c])).join(','))].join('\r\n') + '\r\n'
}
