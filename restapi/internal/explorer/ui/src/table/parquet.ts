// Rows as a Parquet file, made in the browser. The types are those that the values have: no digit is lost.

import { parquetWriteBuffer } from 'hyparquet-writer'
import type { Row } from '../api.ts'

type Value = Row[string]

interface Column {
  /** The type in Parquet. */
  schema: Record<string, unknown>
  convert: (v: Exclude<Value, null>) => unknown
}

/** parquetOf writes the rows with their columns in order. */
export function parquetOf(columns: string[], rows: Row[]): ArrayBuffer {
  const typed = columns.map((name) => ({ name, ...columnOf(rows.map((r) => r[name] ?? null)) }))
  return parquetWriteBuffer({
    schema: [{ name: 'root', num_children: columns.length }, ...typed.map((c) => ({ name: c.name, repetition_type: 'OPTIONAL' as const, ...c.schema }))],
    columnData: typed.map((c) => ({
      name: c.name,
      data: rows.map((r) => {
        const v = r[c.name] ?? null
        return v === null ? null : c.convert(v)
      }),
    })),
    statistics: false, // of a few thousand rows no reader leaves any out
    createdBy: 'semlayer',
  })
}

const text: Column = { schema: { type: 'BYTE_ARRAY', converted_type: 'UTF8' }, convert: String }

const date = /^\d{4}-\d{2}-\d{2}$/
const time = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?(Z?)$/
const microseconds = 1000n
const msOfDay = 86_400_000

/** columnOf finds the narrowest type that holds every value as it is. */
function columnOf(values: Value[]): Column {
  const known = values.filter((v) => v !== null)
  const every = (holds: (v: Value) => boolean) => known.length > 0 && known.every(holds)
  if (every((v) => typeof v === 'boolean')) return { schema: { type: 'BOOLEAN' }, convert: (v) => v }
  // A number that the browser cannot hold has come as a text.
  if (known.some((v) => typeof v === 'number')) {
    if (every(isLong)) return { schema: { type: 'INT64' }, convert: (v) => BigInt(v as number | string) }
    return every((v) => typeof v === 'number') ? { schema: { type: 'DOUBLE' }, convert: (v) => v } : text
  }
  if (every((v) => typeof v === 'string' && date.test(v) && isDay(v))) return { schema: { type: 'INT32', converted_type: 'DATE' }, convert: (v) => Date.parse(String(v)) / msOfDay }
  const zones = new Set(known.map((v) => time.exec(String(v))?.[4]))
  if (zones.size === 1 && every((v) => time.test(String(v)) && isDay(String(v).slice(0, 10)))) {
    return { schema: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: zones.has('Z'), unit: 'MICROS' } }, convert: (v) => instant(String(v)) }
  }
  return text
}

/** isLong is whether a value is an integer of 64 bits with all its digits. */
function isLong(v: Value): boolean {
  if (typeof v === 'number') return Number.isSafeInteger(v) && !Object.is(v, -0)
  return typeof v === 'string' && /^-?\d{1,19}$/.test(v) && BigInt.asIntN(64, BigInt(v)) === BigInt(v)
}

/** isDay is whether the calendar has a day. */
const isDay = (day: string) => !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)

function instant(v: string): bigint {
  const [, day, clock, fraction = ''] = time.exec(v)!
  return BigInt(Date.parse(`${day}T${clock}Z`)) * microseconds + BigInt(fraction.padEnd(6, '0') || '0')
}
