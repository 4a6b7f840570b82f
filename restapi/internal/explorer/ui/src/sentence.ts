// A question in words as one query: names that the search finds, and the ranges and grains of the page.

import { api, type Hit } from './api.ts'
import type { Catalog } from './catalog.ts'
import { lastRange } from './explore/time.tsx'
import { m } from './messages/index.ts'
import { fresh, type Group, type State } from './state.ts'

export interface Sentence {
  state: State
  /** The words that are neither a name nor a range. */
  unknown: string[]
}

/** A run of words between two others, and the kinds of names that are likely in its place. */
interface Run {
  words: string[]
  kinds: Hit['kind'][]
}

/** So many runs are looked up: a question has no more. */
const mostRuns = 5

/** sentenceOf reads a question; undefined where it is a single name, or has none. */
export async function sentenceOf(text: string, catalog: Catalog, state: State, signal: AbortSignal): Promise<Sentence | undefined> {
  const { words, last, grain } = rangesIn(text.toLowerCase().split(/[\s,?]+/).filter(Boolean))
  const runs = runsIn(words).slice(0, mostRuns)
  if (runs.length + Number(last !== '') + Number(grain !== '') < 2) return undefined
  const unknown: string[] = []
  const hits: Hit[] = []
  for (const run of runs) {
    const whole = await look(run.words.join(' '), run.kinds, signal)
    if (whole) {
      hits.push(whole)
      continue
    }
    const each = run.words.length > 1 ? await Promise.all(run.words.map((w) => look(w, run.kinds, signal))) : [undefined]
    each.forEach((hit, i) => (hit ? hits.push(hit) : unknown.push(run.words[i])))
  }
  const metrics = [...new Set(hits.filter((h) => h.kind === 'metric').map((h) => h.name))]
  if (metrics.length === 0 || hits.length + Number(last !== '') + Number(grain !== '') < 2) return undefined
  const groups: Group[] = hits.filter((h) => h.kind === 'dimension').map((h) => ({ field: h.name, ...(h.use.group_by?.[0]?.grain && { grain: grain || h.use.group_by[0].grain }) }))
  if (grain && !groups.some((g) => g.grain)) groups.unshift({ field: 'metric_time', grain })
  const filters = hits.filter((h) => h.kind === 'value').map((h) => (h.value ? { field: h.name, op: '=' as const, value: h.value } : { field: h.name, op: 'is empty' as const, value: '' }))
  const next: State = { ...fresh(state, 'explore'), metrics, groups: [...new Map(groups.map((g) => [g.field, g])).values()], filters }
  return { state: last ? { ...next, ...(await lastRange(catalog, next, last, signal)) } : next, unknown }
}

/** look finds the name that words mean best: one of a likely kind, else any that has all of the words. */
async function look(words: string, kinds: Hit['kind'][], signal: AbortSignal): Promise<Hit | undefined> {
  const found = await api.find(words, signal)
  if (found.match === 'near') return undefined
  const usable = found.hits.filter((h) => h.kind === 'metric' || h.kind === 'dimension' || h.kind === 'value')
  const all = usable.filter((h) => words.split(' ').every((word) => holds(h, word)))
  return all.find((h) => kinds.includes(h.kind)) ?? all[0]
}

/** holds is whether a hit was found by a word, or by its singular. */
function holds(hit: Hit, word: string): boolean {
  const text = [hit.name.replaceAll('_', ' '), hit.name, hit.value, hit.why, hit.description].join(' ').toLowerCase()
  return text.includes(word) || (word.length > 3 && text.includes(word.replace(/e?s$/, '')))
}

const units = Object.entries(m.grains).filter(([grain]) => ['day', 'week', 'month', 'quarter', 'year'].includes(grain))
const unitOf = (word: string) => units.find(([grain, name]) => word === name.toLowerCase() || word === grain || word === grain + 's' || m.sentence.plurals[grain] === word)?.[0]

/** rangesIn takes the range and the grain out of some words. */
export function rangesIn(words: string[]): { words: string[]; last: string; grain: string } {
  let [last, grain] = ['', '']
  const left: string[] = []
  for (let i = 0; i < words.length; i++) {
    const [word, second, third] = words.slice(i, i + 3)
    if (m.sentence.last.includes(word) && second !== undefined) {
      const counted = /^\d{1,4}$/.test(second) && Number(second) > 0 && third !== undefined ? unitOf(third) : undefined
      const unit = counted ?? unitOf(second)
      if (unit) {
        last = `${counted ? Number(second) : 1} ${unit}`
        i += counted ? 2 : 1
        continue
      }
    }
    const single = m.sentence.by.includes(word) && second !== undefined ? unitOf(second) : undefined
    const adverb = Object.entries(m.sentence.adverbs).find(([, name]) => name === word)?.[0]
    if (single ?? adverb) {
      grain = (single ?? adverb)!
      i += single ? 1 : 0
      continue
    }
    left.push(word)
  }
  return { words: left, last, grain }
}

/** runsIn parts the words of a question where a small word is. */
export function runsIn(words: string[]): Run[] {
  const runs: Run[] = []
  let run: Run = { words: [], kinds: ['metric'] }
  const close = (kinds: Hit['kind'][]) => {
    if (run.words.length > 0) runs.push(run)
    run = { words: [], kinds }
  }
  for (const word of words) {
    if (m.sentence.by.includes(word)) close(['dimension'])
    else if (m.sentence.within.includes(word)) close(['value'])
    else if (m.sentence.and.includes(word)) close(run.kinds)
    else if (!m.sentence.small.includes(word)) run.words.push(word)
  }
  close([])
  return runs
}
