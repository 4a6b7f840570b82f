// The left side: metrics and dimensions side by side, with one search.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Dimension, Metric, Query } from '../api.ts'
import type { Catalog } from '../catalog.ts'
import { humanised, nameDataset } from '../labels.ts'
import { m } from '../messages/index.ts'
import { px } from '../px.ts'
import { withoutGroup, type Group, type State } from '../state.ts'
import { useVirtual } from '../virtual.ts'
import { useFits, useReason, type Addition } from './compatible.ts'
import { dimensionEntries, foldersOf, groupOrder, linesOf, metricEntries, type Entry, type Line } from './entries.ts'

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
  query: Query
}

export function Picker({ catalog, state, set, query }: Props) {
  const [text, setText] = useState('')
  const needAxis = useMemo(() => new Map(catalog.metricList.filter((x) => x.requires_time_axis).map((x) => [x.name, grainOfMetric(x)])), [catalog])
  const { fits, running } = useFits(query, needAxis)
  const { wanted, look, reason } = useReason(query)
  const grouped = state.groups.map((g) => (g.part ? `${g.field}:${g.part}` : g.field))
  const metrics = useMemo(() => metricEntries(catalog, fits, state.metrics, text), [catalog, fits, state.metrics, text])
  const dimensions = useMemo(() => dimensionEntries(catalog, fits, state.groups, text), [catalog, fits, JSON.stringify(state.groups), text])
  const pickMetric = (e: Entry) => set(toggleMetric(catalog, state, e.name))
  const pickDimension = (e: Entry) => set(toggleDimension(state, e.dimension!, e.part))
  const folders = useMemo(() => foldersOf(catalog), [catalog])
  const nameGroup = (title: string) => (folders.includes(title) ? title : catalog.datasets.some((d) => d.name === title) ? nameDataset(catalog, title) : title === m.picker.time || title === m.picker.several ? title : humanised(title))
  const order = useMemo(() => groupOrder(catalog), [catalog])
  // Enter takes the metric that fits the words best, which is not always the first in sight.
  const best = text === '' ? undefined : metrics.find((x) => !x.grey && !x.broken)
  const firstDimension = text === '' ? undefined : dimensions.find((x) => !x.grey)
  // Enter takes the first of both lists: a dimension where its name begins with the words, and that of the metric does not.
  const begins = (e: Entry | undefined) => e !== undefined && e.label.toLowerCase().startsWith(text.trim().toLowerCase())
  const taken = firstDimension && (!best || (begins(firstDimension) && !begins(best))) ? firstDimension : (best ?? (text === '' ? metrics.find((x) => !x.grey && !x.broken) : undefined))
  const about = (e: Entry, addition: Addition) => (e.grey && JSON.stringify(wanted) === JSON.stringify(addition) ? reason : '')
  return (
    <div class="picker">
      <label>
        <span class="hidden">{m.picker.search}</span>
        <input
          type="search"
          placeholder={m.picker.hint}
          value={text}
          onInput={(e) => setText(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key === 'Enter' && taken) taken.dimension ? pickDimension(taken) : pickMetric(taken)
          }}
        />
      </label>
      <div class="lists">
        <List title={m.picker.metrics} nameGroup={nameGroup} busy={running} order={order} best={taken === best ? best?.name : undefined} entries={metrics} empty={text === '' ? m.home.noMetrics : m.picker.none} chosen={state.metrics} onPick={pickMetric} reason={(e) => about(e, { metric: e.name })} onLook={(e) => look({ metric: e.name })} />
        <List title={m.picker.dimensions} nameGroup={nameGroup} busy={running} order={order} best={taken === firstDimension ? firstDimension?.name : undefined} entries={dimensions} empty={text === '' ? m.picker.noDimensions : m.picker.none} chosen={grouped} onPick={pickDimension} reason={(e) => about(e, additionOf(e))} onLook={(e) => look(additionOf(e))} />
      </div>
      <p class="reason quiet" role="status">
        {reason}
      </p>
    </div>
  )
}

const additionOf = (e: Entry): Addition => groupOf(e.dimension!, e.part)

interface ListProps {
  title: string
  /** What fits is not known yet. */
  busy: boolean
  /** The order of the groups, and how people name one. */
  order: string[]
  nameGroup: (title: string) => string
  /** The entry that Enter takes. */
  best?: string
  entries: Entry[]
  /** The words of a list without entries. */
  empty: string
  chosen: string[]
  onPick: (e: Entry) => void
  reason: (e: Entry) => string
  onLook: (e: Entry) => void
}

const lineHeight = 27

function List({ title, busy, order, nameGroup, best, entries, empty, chosen, onPick, reason, onLook }: ListProps) {
  const [closed, setClosed] = useState<Set<string>>(new Set())
  const scroller = useRef<HTMLDivElement>(null)
  const lines = useMemo(() => linesOf(entries, closed, order), [entries, closed, order])
  const virtual = useVirtual({ count: lines.length, size: lineHeight, scroller })
  // The groups keep their places: where nothing in sight fits but time, which is always the first, the list goes to the first entry that does.
  useEffect(() => {
    const box = scroller.current
    if (busy || !box) return
    const isFitting = (l: Line) => !('title' in l) && !l.grey && l.broken === undefined && l.group !== m.picker.time
    const inSight = (i: number) => i * lineHeight >= box.scrollTop && (i + 1) * lineHeight <= box.scrollTop + box.clientHeight
    const wanted = best !== undefined ? lines.findIndex((l) => !('title' in l) && l.name === best) : lines.some((l, i) => isFitting(l) && inSight(i)) ? -1 : lines.findIndex(isFitting)
    if (wanted >= 0 && !inSight(wanted)) box.scrollTop = Math.max(0, wanted - 1) * lineHeight
  }, [entries, best, busy])
  // The list is one stop of the Tab key: the arrows move within it.
  const [at, setAt] = useState(0)
  const wantsFocus = useRef(false)
  const here = Math.min(at, Math.max(0, lines.length - 1))
  const go = (to: number) => {
    const next = Math.max(0, Math.min(to, lines.length - 1))
    const box = scroller.current!
    wantsFocus.current = true
    if (next * lineHeight < box.scrollTop) box.scrollTop = next * lineHeight
    if ((next + 1) * lineHeight > box.scrollTop + box.clientHeight) box.scrollTop = (next + 1) * lineHeight - box.clientHeight
    setAt(next)
  }
  const key = (e: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / lineHeight) - 1)
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, PageDown: here + page, PageUp: here - page, Home: 0, End: lines.length - 1 }[e.key]
    if (to === undefined) return
    e.preventDefault()
    go(to)
  }
  useLayoutEffect(() => {
    const button = wantsFocus.current && scroller.current?.querySelector<HTMLElement>(`[data-line="${here}"]`)
    if (!button) return
    wantsFocus.current = false
    button.focus({ preventScroll: true })
  })
  // The entry that Tab reaches is always there: where it is out of sight, that is the first in sight.
  const drawn = virtual.getVirtualItems()
  const stop = drawn.some((v) => v.index === here) ? here : (drawn[0]?.index ?? 0)
  const fold = (group: string) => setClosed(closed.has(group) ? new Set([...closed].filter((g) => g !== group)) : new Set([...closed, group]))
  return (
    <section class="pick" aria-label={title} aria-busy={busy}>
      <h2>
        {title} <span class="quiet">{entries.length}</span>
      </h2>
      <div class="scrolled" ref={scroller}>
        {entries.length === 0 && <p class="quiet">{empty}</p>}
        <ul style={{ height: px(virtual.getTotalSize()) }} onKeyDown={key}>
          {drawn.map((v) => {
            const line = lines[v.index]
            return (
              <li key={v.key} style={{ transform: `translateY(${v.start}px)`, height: px(lineHeight) }}>
                {line && ('title' in line ? (
                  <button type="button" class="grouptitle" data-line={v.index} tabIndex={v.index === stop ? 0 : -1} onFocus={() => setAt(v.index)} aria-expanded={!closed.has(line.title)} title={line.title} onClick={() => fold(line.title)}>
                    <span aria-hidden="true">{closed.has(line.title) ? '▸' : '▾'}</span> {nameGroup(line.title)} <span class="count">{line.count}</span>
                  </button>
                ) : (
                  <Item entry={line} line={v.index} stop={v.index === stop} onStop={() => setAt(v.index)} on={chosen.includes(line.name)} best={line.name === best} reason={reason(line)} onPick={onPick} onLook={onLook} />
                ))}
              </li>
            )
          })}
        </ul>
      </div>
    </section>
  )
}

interface ItemProps {
  entry: Entry
  /** Its place in the list, and whether Tab stops at it. */
  line: number
  stop: boolean
  on: boolean
  best: boolean
  reason: string
  onStop: () => void
  onPick: (e: Entry) => void
  onLook: (e: Entry) => void
}

function Item({ entry, line, stop, on, best, reason, onStop, onPick, onLook }: ItemProps) {
  const off = !on && (entry.grey || entry.broken !== undefined)
  const look = () => entry.grey && onLook(entry)
  return (
    <button
      type="button"
      class={['item', best && 'best', entry.nested && 'nested'].filter(Boolean).join(' ')}
      data-name={entry.name}
      data-line={line}
      tabIndex={stop ? 0 : -1}
      aria-pressed={on}
      aria-disabled={off}
      title={entry.grey ? reason || m.picker.doesNotFit : entry.about}
      onMouseEnter={look}
      onFocus={() => {
        onStop()
        look()
      }}
      onClick={() => !off && onPick(entry)}
    >
      <span class="name">{entry.label}</span>
      {entry.broken && <span class="mark bad">{entry.broken}</span>}
      {entry.mark && <span class="mark">{entry.mark}</span>}
    </button>
  )
}

/** grainOfMetric is the grain to begin with for the time axis of a metric: months, or the first of its grains. */
const grainOfMetric = (metric?: Metric) => (!metric?.grains || metric.grains.includes('month') ? 'month' : metric.grains[0])

/** toggleMetric adds a metric or takes it away. A window runs along time: without a time axis its query is refused. */
export function toggleMetric(catalog: Catalog, state: State, name: string): Partial<State> {
  const metrics = state.metrics.includes(name) ? state.metrics.filter((x) => x !== name) : [...state.metrics, name]
  const wantsTime = metrics.includes(name) && catalog.metrics.get(name)?.requires_time_axis && !state.groups.some((g) => g.grain)
  const groups = wantsTime ? [...state.groups, { field: 'metric_time', grain: grainOfMetric(catalog.metrics.get(name)) }] : state.groups
  return { metrics, groups, order: state.order.filter((o) => o.key !== name || metrics.includes(name)) }
}

/** toggleDimension adds a dimension, or a part of it, or takes it away. */
export function toggleDimension(state: State, d: Dimension, part?: string): Partial<State> {
  const group = state.groups.find((g) => g.field === d.name && g.part === part)
  return { ...(group ? withoutGroup(state, group) : { groups: [...state.groups, groupOf(d, part)] }), across: '' }
}

/** groupOf is the group-by to begin with. */
const groupOf = (d: Dimension, part?: string): Group => (part ? { field: d.name, part } : { field: d.name, grain: grainFor(d) })

/** grainFor is the grain to begin with: months, or the finest that is coarser. */
export function grainFor(d: Dimension | undefined): string | undefined {
  if (!d?.grains?.length) return undefined
  return d.grains.includes('month') ? 'month' : d.grains[0]
}
