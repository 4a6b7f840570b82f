// Parts of a time: numbers such as the hour of the day, which a query groups by in place of periods.

import { m } from './messages/index.ts'
import { fieldOf, quoted } from './names.ts'

/** The word of EXTRACT for each part. */
const units: Record<string, string> = { hour_of_day: 'HOUR', day_of_week: 'ISODOW', day_of_month: 'DAY', day_of_year: 'DOY', week_of_year: 'WEEK', month_of_year: 'MONTH', quarter_of_year: 'QUARTER' }

export const partNames = Object.keys(units)

/** partLabel is how people name a part. */
export const partLabel = (part: string) => m.parts[part] ?? part.replaceAll('_', ' ')

/** partOf is the number of a part of a field in SQL, where weeks begin on Monday. */
export const partOf = (field: string, part: string) => `EXTRACT(${units[part]} FROM ${quoted(field)})`

/** partOfWeeksFrom is partOf where weeks begin on a day, from 1 for Monday to 7. */
export const partOfWeeksFrom = (first: number, field: string, part: string) => (part === 'day_of_week' && first > 1 ? `((${partOf(field, part)} + ${7 - first}) % 7 + 1)` : partOf(field, part))

/** isPartColumn is whether a name is that of the column of a part: behind its field, or its field and its role. */
export const isPartColumn = (name: string, g: { field: string; part?: string }) => g.part !== undefined && name.endsWith(`${fieldOf(g.field)}__${g.part}`)
