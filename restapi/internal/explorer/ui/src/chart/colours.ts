// The colours of series. A value of a field keeps its colour while the page is open, also where others are filtered away.

import { byOrder } from './order.ts'
import { isRest, nameOf, type Series } from './panels.ts'

/** Okabe and Ito's colours, told apart by most eyes, and some more; lighter ones in the dark. None is near the grey of what the service put together. */
export const onLight = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8a6fdf', '#7a8a00', '#b0413e', '#262c33']
export const onDark = ['#5fb3ee', '#f0b84a', '#3fc79b', '#e39cc3', '#9fd8f7', '#f08a4b', '#b3a0f5', '#b5c24a', '#e07f7a', '#f4f6f8']

/** The places of the palette that the values of fields have. */
const known = new Map<string, Map<string, number>>()

const fieldsOf = (s: Series) => JSON.stringify(s.of.map((o) => o.key))

/** hasColours is whether the values of a field have colours. */
export const hasColours = (column: string) => known.has(JSON.stringify([column]))

/** colourValues gives the values of a field their colours before some of them are drawn. */
export function colourValues(column: string, values: Series['of'][number]['value'][], colours: number) {
  coloursOf(values.map((value) => ({ label: '', column: '', of: [{ key: column, value }], before: false, values: [] })), colours)
}

/** coloursOf is the place in the palette of each series of a plot; -1 for what the service put together. */
export function coloursOf(series: Series[], colours: number): number[] {
  const several = new Set(series.map((s) => nameOf({ ...s, of: [] }))).size > 1
  const name = (s: Series) => (several || s.of.length === 0 ? nameOf(s) : JSON.stringify(s.of.map((o) => o.value)))
  const names = [...new Map(series.filter((s) => !isRest(s)).map((s) => [name(s), s])).values()]
  const compare = byOrder()
  if (names[0]?.of.length > 0) names.sort((a, b) => a.of.map((o, i) => compare(o.value, b.of[i].value)).find((c) => c !== 0) ?? 0)
  // Metrics have no filter that takes some away: each plot begins with the first colour.
  const places = names[0]?.of.length > 0 ? (known.get(fieldsOf(names[0])) ?? new Map<string, number>()) : new Map<string, number>()
  if (names[0]?.of.length > 0) known.set(fieldsOf(names[0]), places)
  const here = new Map<string, number>()
  const taken = new Set<number>()
  const take = (s: Series, place: number) => {
    taken.add(place)
    here.set(name(s), place)
    if (!places.has(name(s))) places.set(name(s), place)
  }
  for (const s of names) if (places.has(name(s)) && !taken.has(places.get(name(s))!)) take(s, places.get(name(s))!)
  const used = new Set(places.values())
  const all = Array.from({ length: colours }, (_, i) => i)
  for (const s of names) if (!here.has(name(s))) take(s, all.find((i) => !taken.has(i) && !used.has(i)) ?? all.find((i) => !taken.has(i)) ?? here.size % colours)
  return series.map((s) => here.get(name(s)) ?? -1)
}
