// The left side: find a metric, break it down.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Dimension } from './api.ts'
import { accepted, search, type Catalog } from './catalog.ts'
import type { State } from './state.ts'

const most = 60

export function Picker({ catalog, state, set }: { catalog: Catalog; state: State; set: (p: Partial<State>) => void }) {
  const [text, setText] = useState('')
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const focus = (e: KeyboardEvent) => {
      const at = e.target as HTMLElement
      if (e.key !== '/' || e.ctrlKey || e.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName)) return
      e.preventDefault()
      box.current?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])

  const metrics = useMemo(() => search(catalog.index, text, 'metric'), [catalog, text])
  const datasets = useMemo(() => (text ? search(catalog.index, text, 'dataset') : []), [catalog, text])
  const allowed = useAccepted(state.metrics)
  const dimensions = useMemo(() => offered(catalog, allowed, text), [catalog, allowed, text])

  const toggleMetric = (name: string) => {
    const metrics = state.metrics.includes(name) ? state.metrics.filter((m) => m !== name) : [...state.metrics, name]
    // A window runs along time: without a time axis its query is refused.
    const wantsTime = metrics.includes(name) && catalog.metrics.get(name)?.requires_time_axis && !state.groups.some((g) => g.grain)
    const groups = wantsTime ? [...state.groups, { field: 'metric_time', grain: 'month' }] : state.groups
    set({ metrics, groups, order: state.order.filter((o) => o.key !== name || metrics.includes(name)) })
  }
  const toggleDimension = (d: Dimension) => {
    const has = state.groups.some((g) => g.field === d.name)
    const groups = has ? state.groups.filter((g) => g.field !== d.name) : [...state.groups, { field: d.name, grain: grainFor(d) }]
    set({ groups })
  }
  return (
    <div class="picker">
      <label class="search">
        <span class="hidden">Search metrics, dimensions and datasets</span>
        <input
          ref={box}
          type="search"
          placeholder="Search the model ( / )"
          value={text}
          onInput={(e) => setText(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key === 'Enter' && metrics.length > 0) toggleMetric(metrics[0].name)
          }}
        />
      </label>
      <Section title="Metrics" count={metrics.length}>
        {top(metrics, (m) => state.metrics.includes(m.name)).map((m) => (
          <Item key={m.name} on={state.metrics.includes(m.name)} label={m.name} about={m.about} onPick={() => toggleMetric(m.name)} />
        ))}
      </Section>
      <Section title="Break down by" count={dimensions.length}>
        {top(dimensions, (d) => state.groups.some((g) => g.field === d.dimension.name)).map(({ dimension: d, reason }) => (
          <Item
            key={d.name}
            on={state.groups.some((g) => g.field === d.name)}
            label={d.name}
            about={reason || d.description || ''}
            mark={d.is_time ? 'time' : ''}
            disabled={reason !== '' && !state.groups.some((g) => g.field === d.name)}
            onPick={() => toggleDimension(d)}
          />
        ))}
      </Section>
      {datasets.length > 0 && (
        <Section title="Datasets" count={datasets.length}>
          {datasets.slice(0, most).map((d) => (
            <li key={d.name}>
              <a class="item" href={`#/model?focus=${encodeURIComponent(d.name)}`} title={d.about}>
                {d.name}
              </a>
            </li>
          ))}
        </Section>
      )}
    </div>
  )
}

function Section({ title, count, children }: { title: string; count: number; children: preact.ComponentChildren }) {
  return (
    <section>
      <h2>
        {title} <span class="quiet">{count}</span>
      </h2>
      <ul>{children}</ul>
      {count > most && <p class="quiet">{count - most} more: type to find them</p>}
      {count === 0 && <p class="quiet">Nothing by that name.</p>}
    </section>
  )
}

function Item({ on, label, about, mark, disabled, onPick }: { on: boolean; label: string; about: string; mark?: string; disabled?: boolean; onPick: () => void }) {
  const dot = label.lastIndexOf('.')
  return (
    <li>
      <button type="button" class="item" aria-pressed={on} disabled={disabled} title={about} onClick={onPick}>
        <span class="name">
          {dot > 0 && <span class="quiet">{label.slice(0, dot + 1)}</span>}
          {label.slice(dot + 1)}
        </span>
        {mark && <span class="mark">{mark}</span>}
      </button>
    </li>
  )
}

/** top keeps what is chosen in sight and cuts the rest. */
function top<T>(list: T[], chosen: (t: T) => boolean): T[] {
  if (list.length <= most) return list
  const picked = list.filter(chosen)
  return [...picked, ...list.filter((t) => !chosen(t)).slice(0, most - picked.length)]
}

/** grainFor is the grain to begin with: months, or the finest that is coarser. */
export function grainFor(d: Dimension | undefined): string | undefined {
  if (!d?.grains?.length) return undefined
  return d.grains.includes('month') ? 'month' : d.grains[0]
}

/** useAccepted knows what every chosen metric takes; undefined while it asks. */
export function useAccepted(metrics: string[]): Dimension[][] | undefined {
  const key = JSON.stringify(metrics)
  const [answer, setAnswer] = useState<{ key: string; lists: Dimension[][] }>()
  useEffect(() => {
    let live = true
    Promise.all(metrics.map((m) => accepted(m).catch(() => undefined))).then((lists) => {
      if (live) setAnswer({ key, lists: lists.filter((l): l is Dimension[] => l !== undefined) })
    })
    return () => {
      live = false
    }
  }, [key])
  return answer?.key === key ? answer.lists : undefined
}

/**
 * offered lists the dimensions with the reason that greys one out: metric_time,
 * the dimensions of the model, other roles of them, then keys and measured fields,
 * and last what the chosen metrics do not take.
 */
export function offered(catalog: Catalog, allowed: Dimension[][] | undefined, text: string): { dimension: Dimension; reason: string }[] {
  const extra = new Map<string, Dimension>()
  for (const list of allowed ?? []) for (const d of list) if (!catalog.dimensions.has(d.name)) extra.set(d.name, d)
  const names = (allowed ?? []).map((list) => new Set(list.map((d) => d.name)))
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = [...extra.values()].filter((d) => words.every((w) => d.name.toLowerCase().includes(w)))
  const fields = search(catalog.index, text, 'dimension').map((e) => catalog.dimensions.get(e.name)!)
  const rank = (d: Dimension) => (d.name === 'metric_time' ? 0 : !d.is_dimension ? 3 : extra.has(d.name) ? 2 : 1)
  return [...found, ...fields]
    .filter((d) => d.is_dimension || d.source !== 'declared')
    .map((d) => ({ dimension: d, reason: names.every((n) => n.has(d.name)) ? '' : 'The chosen metrics do not all take this dimension.' }))
    .sort((a, b) => Number(a.reason !== '') - Number(b.reason !== '') || rank(a.dimension) - rank(b.dimension))
}
