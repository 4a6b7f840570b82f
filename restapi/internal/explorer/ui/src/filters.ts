// A filter as the form shows it, and as the condition that the service reads.
// Values become SQL literals here and only here.

import { quoted } from './names.ts'

export interface Filter {
  field: string
  op: Op
  value: string
}

export const ops = ['=', '<>', '<', '<=', '>', '>=', 'in', 'not in', 'contains', 'starts with', 'is null', 'is not null', 'is not', 'is empty', 'is not empty'] as const
export type Op = (typeof ops)[number]

const ordered: Op[] = ['=', '<>', '<', '<=', '>', '>=', 'in', 'not in', 'is not', 'is null', 'is not null']
const truths: Op[] = ['=', '<>', 'is not', 'is null', 'is not null']

/** opsFor lists the comparisons of a type, with the one that is in use. */
export function opsFor(datatype: string | undefined, used: Op): Op[] {
  const fits = datatype === 'Boolean' ? truths : datatype === undefined || datatype === 'String' || datatype === 'Opaque' ? [...ops] : ordered
  return fits.includes(used) ? fits : [...fits, used]
}

/** The comparisons that need no value. A text of no characters cannot be typed: it has its own. */
const alone = new Set<Op>(['is null', 'is not null', 'is empty', 'is not empty'])
export const takesValue = (op: Op) => !alone.has(op)

/** isAsked is whether a filter is complete: one whose value is not typed yet asks for nothing. */
export const isAsked = (f: Filter) => !takesValue(f.op) || f.value !== ''

const numeric = new Set(['Integer', 'Decimal', 'Float'])
const number = /^-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/

const text = (v: string) => `'${v.replaceAll("'", "''")}'`

/** literal writes a value as the type of its field asks for. */
export function literal(value: string, datatype: string | undefined): string {
  const v = value.trim()
  if (datatype === 'Boolean' && /^(true|false)$/i.test(v)) return v.toUpperCase()
  if (numeric.has(datatype ?? '') && number.test(v)) return v
  if (datatype === 'Date' && /^\d{4}-\d{2}-\d{2}$/.test(v)) return `DATE '${v}'`
  if (datatype === 'DateTimeTz' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/.test(v)) return `TIMESTAMPTZ '${v.slice(0, -1).replace('T', ' ')}+00:00'`
  if ((datatype === 'DateTime' || datatype === 'DateTimeTz') && /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$/.test(v)) {
    const spaced = v.replace('T', ' ')
    return `TIMESTAMP '${spaced.length === 10 ? spaced + ' 00:00:00' : spaced.length === 16 ? spaced + ':00' : spaced}'`
  }
  if (datatype === undefined && number.test(v)) return v // a metric, or a field without a type
  return text(value)
}

/** list splits what a person types into an IN list; quotes keep commas. */
export function list(value: string): string[] {
  const out: string[] = []
  for (const m of value.matchAll(/\s*(?:'((?:[^']|'')*)'|([^,]*))\s*(?:,|$)/g)) {
    const v = m[1] !== undefined ? m[1].replaceAll("''", "'") : (m[2] ?? '').trim()
    if (v !== '' || m[1] !== undefined) out.push(v)
  }
  return out
}

/** condition is the SQL of one filter; empty while its value is not typed yet. */
export const condition = (f: Filter, datatype: string | undefined) => conditionOn(quoted(f.field), f, datatype)

/** conditionOn is the comparison of a filter on an expression. */
export function conditionOn(field: string, f: Filter, datatype: string | undefined): string {
  if (!isAsked(f)) return ''
  switch (f.op) {
    case 'is null':
    case 'is not null':
      return `${field} ${f.op.toUpperCase()}`
    case 'is empty':
      return `${field} = ''`
    case 'is not empty': // rows without a value stay
      return `(${field} <> '' OR ${field} IS NULL)`
    case 'in':
    case 'not in': {
      const items = list(f.value)
      return items.length === 0 ? '' : `${field} ${f.op.toUpperCase()} (${items.map((v) => literal(v, datatype)).join(', ')})`
    }
    case 'contains':
      return `CONTAINS(${field}, ${text(f.value)})`
    case 'starts with':
      return `STARTSWITH(${field}, ${text(f.value)})`
    case 'is not': // rows without a value stay
      return `(${field} <> ${literal(f.value, datatype)} OR ${field} IS NULL)`
  }
  return `${field} ${f.op} ${literal(f.value, datatype)}`
}

/** spelled puts a value of a list into quotes where it holds a comma or a quote. */
export const spelled = (v: string) => (/[,']/.test(v) ? `'${v.replaceAll("'", "''")}'` : v)
