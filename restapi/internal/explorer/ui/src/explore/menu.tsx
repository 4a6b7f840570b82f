// The menu of a mark or a cell.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Groupable, Query } from '../api.ts'
import { useTypes } from '../accepted.ts'
import type { Catalog } from '../catalog.ts'
import { apart, bucket, grainOfTexts, placeName } from '../format.ts'
import { useAnswer } from '../hooks.ts'
import { nameField } from '../labels.ts'
import { m } from '../messages/index.ts'
import type { State } from '../state.ts'
import { useFits } from './compatible.ts'
import { clockOf, type Clock } from './clock.ts'
import { askWhy, breakDown, canExclude, exclude, isDrillable, keepOnly, keepsRange, needsZone, showRecords, type Frame, type Place } from './drill.ts'
import { grainFor } from './picker.tsx'

export interface Picked {
  places: Place[]
  metric: string
  /** The period before, on a time axis. */
  before?: string
  at: { x: number; y: number }
}

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
  query: Query
  picked: Picked
  /** The bounds of the range of the result. */
  range: { start: string; end: string }
  /** A mark that another one is compared with. */
  anchor?: string
  onAnchor: (bucket: string) => void
  onClose: () => void
}

/** useFrame is what the places that were picked are read with. */
function useFrame({ catalog, state, query, picked, range }: Props): Frame {
  const types = useTypes(catalog, state.metrics)
  const frame: Frame = { ...range, typeOf: (field) => types.get(field)?.datatype, axis: catalog.metrics.get(picked.metric)?.time_dimension }
  const clock = useAnswer<Clock | undefined>(needsZone(state, picked.places, frame) ? JSON.stringify(query) : undefined, (signal) => clockOf(query, signal))
  return { ...frame, ...clock.data }
}

export function DrillMenu(p: Props) {
  const { picked, onClose } = p
  const [breaking, setBreaking] = useState(false)
  const frame = useFrame(p)
  const box = useRef<HTMLDivElement>(null)
  const opener = useRef(document.activeElement)
  useEffect(() => {
    const outside = (e: Event) => box.current?.contains(e.target as Node) || onClose()
    addEventListener('pointerdown', outside)
    addEventListener('resize', settle)
    return () => {
      removeEventListener('pointerdown', outside)
      removeEventListener('resize', settle)
    }
  }, [])
  /** settle puts the menu where it was opened, and wholly in sight. */
  const settle = () => {
    const menu = box.current!
    const { width, height } = menu.getBoundingClientRect()
    menu.style.left = Math.max(4, Math.min(picked.at.x, innerWidth - width - 8)) + 'px'
    menu.style.top = Math.max(4, Math.min(picked.at.y, innerHeight - height - 8)) + 'px'
  }
  useLayoutEffect(() => {
    const menu = box.current!
    // Until its entries are there the menu itself has the focus: its keys work from the start.
    const enter = () => {
      settle()
      if (document.activeElement === menu || !menu.contains(document.activeElement)) (menu.querySelector<HTMLElement>('button') ?? menu).focus({ preventScroll: true })
    }
    enter()
    const watch = new MutationObserver(enter)
    watch.observe(menu, { childList: true, subtree: true })
    return () => watch.disconnect()
  }, [breaking])
  const move = (e: KeyboardEvent) => {
    if (e.key === 'Tab') return onClose()
    if (e.key === 'Escape') {
      if (opener.current instanceof HTMLElement) opener.current.focus()
      return onClose()
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key]
    if (!step) return
    e.preventDefault()
    const items = [...box.current!.querySelectorAll<HTMLElement>('button')]
    items[(items.indexOf(document.activeElement as HTMLElement) + step + items.length) % items.length]?.focus()
  }
  return (
    <div class="menu" role="menu" tabIndex={-1} aria-label={m.drill.menu} ref={box} onKeyDown={move}>
      {breaking ? <Dimensions {...p} frame={frame} /> : <Actions {...p} frame={frame} onBreak={() => setBreaking(true)} />}
    </div>
  )
}

const nameOf = (p: Place) => apart(placeName(p.value, { ...p.group, grain: p.group.grain ?? grainOfTexts([p.value]) }))

function Actions({ catalog, state, set, picked, anchor, frame, onAnchor, onClose, onBreak }: Props & { frame: Frame; onBreak: () => void }) {
  const { places, metric, before } = picked
  const drillable = places.every((p) => isDrillable(p, frame)) && keepsRange(state, places, frame)
  const time = places.find((p) => p.group.grain)
  const grain = time?.group.grain
  const go = (change: Partial<State>) => {
    onClose()
    set(change)
  }
  const since = anchor && anchor !== time?.value ? anchor : before
  const about = catalog.metrics.get(metric)
  const records = drillable && about ? showRecords(state, places, metric, catalog, frame) : undefined
  const why = drillable && about && grain && typeof time?.value === 'string' && since ? askWhy(state, metric, grain, since, time.value, places, frame) : undefined
  return (
    <>
      <p class="quiet">{places.map(nameOf).join(' · ')}</p>
      {drillable && places.length > 0 && <Action text={`${m.drill.keep} ${places.map(nameOf).join(' · ')}`} onPick={() => go(keepOnly(state, places, frame))} />}
      {drillable && places.filter(canExclude).map((p) => <Action key={p.group.field} text={`${m.drill.exclude} ${nameOf(p)}`} onPick={() => go(exclude(state, p))} />)}
      {drillable && <Action text={m.drill.breakDown} onPick={onBreak} />}
      {records && <Action text={m.drill.records} onPick={() => go(records)} />}
      {why && <Action text={m.drill.why(bucket(since, grain))} onPick={() => go(why)} />}
      {grain && typeof time?.value === 'string' && (
        <Action
          text={m.drill.anchor}
          onPick={() => {
            onAnchor(String(time.value))
            onClose()
          }}
        />
      )}
    </>
  )
}

function Dimensions({ catalog, state, set, query, picked, frame, onClose }: Props & { frame: Frame }) {
  const { fits } = useFits(query)
  const next = nextLevels(catalog, state)
  const names = [...(fits?.dimensions ?? new Map<string, Groupable>()).values()].filter(({ name }) => name !== 'metric_time').sort((a, b) => Number(next.has(b.name)) - Number(next.has(a.name)))
  return (
    <>
      <p class="quiet">{fits && names.length === 0 ? m.drill.noDimension : m.drill.breakDown}</p>
      {names.map(({ name, grains }) => (
        <Action
          key={name}
          text={nameField(catalog, name)}
          mark={next.has(name) ? m.drill.nextLevel : undefined}
          onPick={() => {
            onClose()
            set(breakDown(state, picked.places, { field: name, grain: grainFor({ name, grains, is_time: true, is_dimension: true, source: '' }) }, frame))
          }}
        />
      ))}
    </>
  )
}

/** nextLevels are the fields that follow those of a state in the hierarchies of the view. */
const nextLevels = (catalog: Catalog, state: State) => {
  const grouped = new Set(state.groups.map((g) => g.field))
  return new Set((catalog.view?.hierarchies ?? []).flatMap(({ levels }) => levels.slice(levels.findLastIndex((l) => grouped.has(l)) + 1).slice(0, 1)))
}

const Action = ({ text, mark, onPick }: { text: string; mark?: string; onPick: () => void }) => (
  <button type="button" role="menuitem" onClick={onPick}>
    {text} {mark && <span class="mark">{mark}</span>}
  </button>
)
