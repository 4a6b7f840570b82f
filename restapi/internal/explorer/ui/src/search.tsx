// One list of metrics, dimensions, values and saved queries for the words that are typed.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { api, type Found, type Hit } from './api.ts'
import { askedText } from './explore/asked.ts'
import { sentenceOf, type Sentence } from './sentence.ts'
import { headlinesFirst, type Catalog } from './catalog.ts'
import { useAnswer } from './hooks.ts'
import { humanised, nameDataset, nameField, nameMetric } from './labels.ts'
import { m } from './messages/index.ts'
import { fresh, openSaved, type Group, type State } from './state.ts'

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
}

/** Typing is not a question yet. */
const pause = 120

export function SearchBox({ catalog, state, set }: Props) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  useSlash(box)
  const words = text.trim()
  const found = useAnswer<Found>(words ? catalog.model.revision + words : undefined, (signal) => api.find(words, signal), pause)
  const hits = words ? (found.data?.hits ?? []) : []
  const read = useAnswer<Sentence | undefined>(words.includes(' ') ? catalog.model.revision + words : undefined, (signal) => sentenceOf(words, catalog, state, signal), 2 * pause)
  const sentence = words && !read.running ? read.data : undefined
  const first = sentence ? 1 : 0
  useLayoutEffect(() => setAt(0), [found.data])
  // Enter before the response searches the typed words, not the hits of the former ones.
  const [entered, setEntered] = useState(false)
  useLayoutEffect(() => {
    if (!entered || found.running || read.running) return
    setEntered(false)
    sentence ? follow(sentence) : pick(hits[0])
  }, [entered, found.running, read.running])
  const newest = useRef(state)
  newest.current = state
  const pick = async (hit: Hit | undefined) => {
    if (!hit) return
    setText('')
    setOpen(false)
    const next = await followHit(hit, catalog, state)
    if (newest.current === state) set(next) // else the person has gone on
  }
  const follow = (s: Sentence) => {
    setText('')
    setOpen(false)
    set(s.state)
  }
  const key = (e: KeyboardEvent) => {
    if (e.key === 'ArrowDown') setAt(Math.min(at + 1, hits.length + first - 1))
    else if (e.key === 'ArrowUp') setAt(Math.max(at - 1, 0))
    else if (e.key === 'Enter') found.running || read.running ? setEntered(true) : sentence && at === 0 ? follow(sentence) : pick(hits[at - first])
    else if (e.key === 'Escape') setOpen(false)
    else return
    e.preventDefault()
  }
  const shown = open && words !== ''
  return (
    <div class="searchbox" role="search" onFocusOut={(e) => !e.currentTarget.contains(e.relatedTarget as Node) && setOpen(false)}>
      <input
        ref={box}
        type="text"
        enterKeyHint="search"
        autocomplete="off"
        role="combobox"
        aria-expanded={shown}
        aria-controls="hits"
        aria-activedescendant={shown && at < hits.length + first ? `hit-${at}` : undefined}
        aria-label={m.search.label}
        placeholder={m.search.hint}
        value={text}
        maxLength={500}
        onFocus={() => setOpen(true)}
        onInput={(e) => {
          setText(e.currentTarget.value)
          setOpen(true)
          setEntered(false)
        }}
        onKeyDown={key}
      />
      {shown && (
        <div class="hits">
          {found.error && <p class="quiet">{found.error.message}</p>}
          {found.data?.match === 'near' && <p class="quiet">{m.search.near}</p>}
          {found.data && hits.length === 0 && <p class="quiet">{m.search.nothing}</p>}
          <ul id="hits" role="listbox" aria-label={m.search.results}>
            {sentence && (
              <li key="sentence" id="hit-0" role="option" aria-selected={at === 0} onMouseDown={(e) => (e.preventDefault(), follow(sentence))} onMouseEnter={() => setAt(0)}>
                <span class="mark">{m.search.query}</span>
                <span class="name">{askedText(sentence.state, catalog)}</span>
                {sentence.unknown.length > 0 && <span class="quiet about">{m.search.unknown(sentence.unknown.join(', '))}</span>}
              </li>
            )}
            {hits.map((h, i) => (
              <li key={i} id={`hit-${i + first}`} role="option" aria-selected={i + first === at} title={`${h.name}\n${h.why}`} onMouseDown={(e) => (e.preventDefault(), pick(h))} onMouseEnter={() => setAt(i + first)}>
                <span class="mark">{m.search.kinds[h.kind] ?? h.kind}</span>
                <span class="name">{nameOf(h, catalog)}</span>
                {h.description && <span class="quiet about">{h.description}</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

const nameOf = (h: Hit, catalog: Catalog) => {
  if (h.kind === 'value') return `${nameField(catalog, h.name)} = ${h.value === '' ? m.empty : h.value}`
  if (h.kind === 'metric') return nameMetric(catalog, h.name)
  return h.kind === 'dimension' ? nameField(catalog, h.name) : h.kind === 'dataset' ? nameDataset(catalog, h.name) : humanised(h.name)
}

/** useSlash gives the box the focus when a person types a slash anywhere else. */
function useSlash(box: { current: HTMLInputElement | null }) {
  useLayoutEffect(() => {
    const focus = (e: KeyboardEvent) => {
      const target = e.target as HTMLElement
      if (e.key !== '/' || e.ctrlKey || e.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return
      e.preventDefault()
      box.current?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])
}

/** followHit is the state that a hit leads to: it joins the question that is open in Explore, and begins one elsewhere. */
export async function followHit(hit: Hit, catalog: Catalog, state: State): Promise<Partial<State>> {
  const open: State = state.page === 'explore' ? state : fresh(state, 'explore')
  const groups = (hit.use.group_by ?? []).map((g): Group => ({ field: g.field ?? '', ...(g.grain && { grain: g.grain }), ...(g.part && { part: g.part }) }))
  switch (hit.kind) {
    case 'saved':
      return openSaved(hit.name, state.connection, catalog.saved.find((q) => q.name === hit.name)?.chart)
    case 'dataset':
      return { ...fresh(state, 'model'), focus: 'dataset:' + hit.name }
    case 'view':
      return fresh({ connection: state.connection, view: hit.name }, 'explore')
    case 'metric':
      return { ...open, metrics: [...open.metrics.filter((n) => n !== hit.name), hit.name], groups: open.groups.some((g) => g.grain) ? open.groups : [...open.groups, ...groups] }
    case 'dimension':
      return { ...open, metrics: await metricsFor(open, groups, catalog), groups: [...open.groups.filter((g) => g.field !== hit.name), ...groups] }
    case 'value':
      return { ...open, metrics: await metricsFor(open, [{ field: hit.name }], catalog), filters: [...open.filters, hit.value ? { field: hit.name, op: '=', value: hit.value } : { field: hit.name, op: 'is empty', value: '' }] }
  }
}

/** metricsFor is the open question's metrics, or the first one that takes a group-by. */
async function metricsFor(open: State, groups: Group[], catalog: Catalog): Promise<string[]> {
  if (open.metrics.length > 0) return open.metrics
  try {
    const fits = new Set((await api.compatible({ metrics: [], group_by: groups })).metrics)
    return headlinesFirst(catalog.metricList.filter((x) => fits.has(x.name))).slice(0, 1).map((x) => x.name)
  } catch {
    return catalog.metricList.slice(0, 1).map((x) => x.name)
  }
}
