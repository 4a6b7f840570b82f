// Numbers and dates as a person reads them. Tables keep every digit; charts and
// cards round.

import type { Metric } from './api.ts'

export type Cell = string | number | boolean | null | undefined

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** isPercent: the metric is a fraction that its author wants to see as percent. */
export const isPercent = (m?: Metric) => /%|percent/i.test(m?.format ?? '') || m?.unit === '%' || m?.unit === 'percent'

/** decimalsOf reads a pattern such as "0.00" or "#,##0.0%". */
function decimalsOf(format: string | undefined): number | undefined {
  if (!format || !/0/.test(format)) return undefined
  return /\.(0+)/.exec(format)?.[1].length ?? 0
}

/** Percent of a unit "%" is already multiplied; of a format it is a fraction. */
const scaled = (v: number, m?: Metric) => (isPercent(m) && m?.unit !== '%' && m?.unit !== 'percent' ? v * 100 : v)

export function number(v: Cell, m?: Metric, short = false): string {
  if (v === null || v === undefined || v === '') return '–'
  const n = Number(v)
  if (!Number.isFinite(n)) return String(v)
  const shown = scaled(n, m)
  const digits = decimalsOf(m?.format)
  const options: Intl.NumberFormatOptions = {}
  if (digits !== undefined) options.minimumFractionDigits = options.maximumFractionDigits = digits
  else options.maximumFractionDigits = Math.abs(shown) >= 1000 ? 0 : Math.abs(shown) >= 10 ? 2 : 4
  if (short) {
    options.minimumFractionDigits = 0
    if (Math.abs(shown) >= 10_000) {
      options.notation = 'compact'
      options.maximumFractionDigits = 1
    }
  }
  if (m?.unit && currencies.has(m.unit.toUpperCase())) {
    options.style = 'currency'
    options.currency = m.unit.toUpperCase()
    options.currencyDisplay = 'narrowSymbol'
  }
  const text = new Intl.NumberFormat('en', options).format(shown)
  if (isPercent(m)) return text + ' %'
  return m?.unit && options.style !== 'currency' ? `${text} ${m.unit}` : text
}

/** plain is a number of a table: all its digits, grouped, the points in line. */
export function plain(v: Cell, places = 0): string {
  if (v === null || v === undefined) return ''
  if (typeof v !== 'number') return String(v)
  const text = String(v)
  if (/e/.test(text)) return text
  const [whole, fraction = ''] = text.split('.')
  const digits = fraction.padEnd(places, '0')
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (digits ? '.' + digits : '')
}

/** placesOf is how many decimals a column needs; more than four stay ragged. */
export function placesOf(values: Cell[]): number {
  let most = 0
  for (const v of values) {
    if (typeof v === 'number') most = Math.max(most, (String(v).split('.')[1] ?? '').length)
  }
  return most > 4 ? 0 : most
}

/** bucket names a period: 2024-03-01 by month is "Mar 2024". */
export function bucket(v: Cell, grain: string | undefined): string {
  if (v === null || v === undefined) return '(null)'
  const text = String(v)
  const m = /^(\d{4})-(\d{2})-(\d{2})/.exec(text)
  if (!m || !grain) return text
  const date = new Date(Date.UTC(Number(m[1]), Number(m[2]) - 1, Number(m[3])))
  const say = (o: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en', { ...o, timeZone: 'UTC' }).format(date)
  switch (grain) {
    case 'year':
      return m[1]
    case 'quarter':
      return `Q${Math.floor((Number(m[2]) - 1) / 3) + 1} ${m[1]}`
    case 'month':
      return say({ month: 'short', year: 'numeric' })
    case 'week':
      return say({ day: 'numeric', month: 'short', year: 'numeric' })
  }
  return say({ day: 'numeric', month: 'short', year: 'numeric' })
}

/** calendar lists the buckets from first to last, so that a gap shows as one. */
export function calendar(first: string, last: string, grain: string): string[] {
  const out: string[] = []
  const d = new Date(first + 'T00:00:00Z')
  const end = new Date(last + 'T00:00:00Z')
  while (d <= end && out.length < 5000) {
    out.push(d.toISOString().slice(0, 10))
    if (grain === 'day') d.setUTCDate(d.getUTCDate() + 1)
    else if (grain === 'week') d.setUTCDate(d.getUTCDate() + 7)
    else d.setUTCMonth(d.getUTCMonth() + (grain === 'month' ? 1 : grain === 'quarter' ? 3 : 12))
  }
  return out
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
