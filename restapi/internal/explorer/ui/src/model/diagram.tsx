// Boxes and arrows as SVG, so that they follow the theme and can be reached by keyboard;
// with zoom, panning and a search.

import type { TargetedPointerEvent } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { shorten } from '../format.ts'
import { useMedia } from '../hooks.ts'
import { px } from '../px.ts'
import { m } from '../messages/index.ts'
import { mostChars, place, type Arrow, type Box, type Placed, type Point } from './layout.ts'

interface View {
  x: number
  y: number
  scale: number
}

interface Props {
  boxes: Box[]
  arrows: Arrow[]
  direction: 'LR' | 'TB'
  label: string
  chosen?: string
  onPick?: (id: string) => void
}

const lineHeight = 17
const least = 0.05
const most = 3

/** Names of arrows are read from here on; smaller they would be dust. */
const legible = 0.55

/** The scale that a diagram begins with at least, and its distance from the frame where it begins with a part. */
const smallest = { wide: 0.5, narrow: 0.8 }
const margin = 8

export function Diagram({ boxes, arrows, direction, label, chosen, onPick }: Props) {
  const narrow = useMedia('(max-width: 900px)')
  const placed = useMemo(() => place(boxes, arrows, direction), [boxes, arrows, direction])
  const frame = useRef<HTMLDivElement>(null)
  const [view, show] = useState<View>({ x: 0, y: 0, scale: 1 })
  /** A person has chosen the part in sight. */
  const chosenView = useRef(false)
  const [text, setText] = useState('')
  const grabbed = useRef<{ at: Point; from: View; moved: boolean } | undefined>(undefined)
  // A finger that moves the diagram does not scroll the page: on a narrow screen the page has room beside it.
  const tallest = narrow ? innerHeight * 0.6 : placed.clusters.length > 0 ? 720 : 560
  const height = Math.max(180, Math.min(tallest, placed.height + 24))
  const [looked, setLooked] = useState<string>()
  const setView = (next: View | ((v: View) => View)) => {
    chosenView.current = true
    show(next)
  }
  const fit = () => show(fitted(placed, frame.current!.clientWidth, height))
  useLayoutEffect(() => {
    // A large model begins with the part that can be read. Until a person chooses another, it stays in sight when the page becomes narrow or wide.
    const begin = () => show(readable(fitted(placed, frame.current!.clientWidth, height), narrow ? smallest.narrow : smallest.wide))
    chosenView.current = false
    begin()
    const watch = new ResizeObserver(() => chosenView.current || begin())
    watch.observe(frame.current!)
    return () => watch.disconnect()
  }, [placed, height])
  const zoom = (factor: number, at?: Point) => {
    const center = at ?? { x: frame.current!.clientWidth / 2, y: height / 2 }
    setView((v) => {
      const scale = Math.min(most, Math.max(least, v.scale * factor))
      const k = scale / v.scale
      return { scale, x: center.x - (center.x - v.x) * k, y: center.y - (center.y - v.y) * k }
    })
  }
  const words = text.trim().toLowerCase()
  const found = words ? placed.boxes.filter((b) => b.box.title.toLowerCase().includes(words)) : []
  /** reveal moves a box that a key has reached into sight. */
  const reveal = (id: string) => {
    const b = placed.boxes.find((x) => x.box.id === id)
    if (!b) return
    const width = frame.current!.clientWidth
    show((v) => {
      const x = v.x + inward(v.x + (b.x - b.w / 2) * v.scale, b.w * v.scale, width)
      const y = v.y + inward(v.y + (b.y - b.h / 2) * v.scale, b.h * v.scale, height)
      if (x === v.x && y === v.y) return v
      chosenView.current = true
      return { ...v, x, y }
    })
  }
  const goTo = (id: string | undefined) => {
    const b = placed.boxes.find((x) => x.box.id === id)
    if (b) setView({ scale: 1, x: frame.current!.clientWidth / 2 - b.x, y: height / 2 - b.y })
  }
  // Ctrl and the wheel zoom, as in a map; the wheel alone scrolls the page.
  useEffect(() => {
    const wheel = (e: WheelEvent) => {
      if (!e.ctrlKey && !e.metaKey) return
      e.preventDefault()
      const box = frame.current!.getBoundingClientRect()
      zoom(Math.exp(-e.deltaY / 300), { x: e.clientX - box.left, y: e.clientY - box.top })
    }
    const at = frame.current!
    at.addEventListener('wheel', wheel, { passive: false })
    return () => at.removeEventListener('wheel', wheel)
  }, [placed])
  const key = (e: KeyboardEvent) => {
    const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[e.key]
    if (step) setView((v) => ({ ...v, x: v.x + step[0], y: v.y + step[1] }))
    else if (e.key === '+') zoom(1.25)
    else if (e.key === '-') zoom(0.8)
    else return
    e.preventDefault()
  }
  return (
    <div class="diagrambox">
      <div class="bar">
        <span class="tools">
          <input type="search" aria-label={m.model.findBox} placeholder={m.model.findBox} value={text} onInput={(e) => setText(e.currentTarget.value)} onKeyDown={(e) => e.key === 'Enter' && goTo(found[0]?.box.id)} />
          {words && <span class="quiet">{m.model.found(found.length)}</span>}
        </span>
        <span class="tools">
          <button type="button" class="small" aria-label={m.model.zoomIn} onClick={() => zoom(1.25)}>
            +
          </button>
          <button type="button" class="small" aria-label={m.model.zoomOut} onClick={() => zoom(0.8)}>
            −
          </button>
          <button type="button" class="small" onClick={() => (fit(), (chosenView.current = true))}>
            {m.model.fit}
          </button>
        </span>
      </div>
      <div
        class="diagram"
        ref={frame}
        style={{ height: px(height) }}
        tabIndex={0}
        role="region"
        aria-label={label}
        onKeyDown={key}
        onPointerDown={(e: TargetedPointerEvent<HTMLDivElement>) => {
          grabbed.current = { at: { x: e.clientX, y: e.clientY }, from: view, moved: false }
        }}
        onPointerMove={(e: TargetedPointerEvent<HTMLDivElement>) => {
          const g = grabbed.current
          if (!g) return
          const [dx, dy] = [e.clientX - g.at.x, e.clientY - g.at.y]
          if (Math.hypot(dx, dy) > 4 && !g.moved) {
            g.moved = true
            e.currentTarget.setPointerCapture(e.pointerId)
          }
          if (g.moved) setView({ ...g.from, x: g.from.x + dx, y: g.from.y + dy })
        }}
        onPointerUp={() => (grabbed.current = undefined)}
        onPointerCancel={() => (grabbed.current = undefined)}
      >
        <svg width="100%" height={height} role="group" aria-label={label} data-scale={view.scale.toFixed(3)}>
          <defs>
            <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path d="M0 0L8 4L0 8z" class="tip" />
            </marker>
          </defs>
          <g transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
            <Content placed={placed} chosen={chosen} found={words ? new Set(found.map((b) => b.box.id)) : undefined} named={view.scale >= legible} near={looked ?? chosen} onLook={setLooked} onReveal={reveal} onPick={onPick} />
          </g>
        </svg>
      </div>
    </div>
  )
}

/** inward is how far a stretch has to move to lie within a length; of one that is too long the begin does. */
function inward(start: number, size: number, length: number): number {
  if (start < margin) return margin - start
  return Math.min(0, Math.max(length - margin - size, margin) - start)
}

function fitted(placed: Placed, width: number, height: number): View {
  const scale = Math.max(least, Math.min(1, width / Math.max(1, placed.width), height / Math.max(1, placed.height)))
  return { scale, x: (width - placed.width * scale) / 2, y: (height - placed.height * scale) / 2 }
}

/** readable is a view whose names can be read: of a diagram that is too large for them, its upper left part. */
const readable = (v: View, least: number): View => (v.scale < least ? { scale: least, x: margin, y: margin } : v)

interface ContentProps {
  placed: Placed
  chosen?: string
  found?: Set<string>
  named: boolean
  /** The box whose arrows are drawn strongly. */
  near?: string
  onLook: (id: string | undefined) => void
  /** A key has reached a box. */
  onReveal: (id: string) => void
  onPick?: (id: string) => void
}

function Content({ placed, chosen, found, named, near, onLook, onReveal, onPick }: ContentProps) {
  return (
    <>
      {placed.clusters.map((c) => (
        <g key={c.title} class="cluster">
          <rect x={c.x} y={c.y} width={c.w} height={c.h} rx="10" />
          <text x={c.x + 12} y={c.y + 20}>
            {c.title}
          </text>
        </g>
      ))}
      {placed.arrows.map(({ arrow, points, between }, i) => {
        const strong = arrow.from === near || arrow.to === near
        const shown = strong || (named && !between)
        return (
        <g key={i} class={['arrow', between && 'between', strong && 'near'].filter(Boolean).join(' ')}>
          <title>{arrow.about}</title>
          <path d={curve(points)} marker-end="url(#tip)" />
          {shown && arrow.start && <EndLabel text={arrow.start} at={points[0]} toward={points[1]} />}
          {shown && arrow.end && <EndLabel text={arrow.end} at={points[points.length - 1]} toward={points[points.length - 2]} />}
          {shown && arrow.label && (
            <text class="name" x={middle(points).x} y={middle(points).y - 6} text-anchor="middle">
              {shorten(arrow.label, 18)}
            </text>
          )}
        </g>
        )
      })}
      {placed.boxes.map(({ box, x, y, w, h }) => {
        const isLink = onPick !== undefined && !box.still
        return (
        <g
          key={box.id}
          class={['box', box.kind, chosen === box.id && 'chosen', box.broken && 'broken', found && (found.has(box.id) ? 'found' : 'faded')].filter(Boolean).join(' ')}
          transform={`translate(${x - w / 2} ${y - h / 2})`}
          tabIndex={isLink ? 0 : undefined}
          role={isLink ? 'button' : undefined}
          onMouseEnter={() => onLook(box.id)}
          onMouseLeave={() => onLook(undefined)}
          onFocus={(e) => {
            onLook(box.id)
            if (e.currentTarget.matches(':focus-visible')) onReveal(box.id)
          }}
          onBlur={() => onLook(undefined)}
          onClick={() => isLink && onPick(box.id)}
          onKeyDown={(e) => isLink && (e.key === 'Enter' || e.key === ' ') && (e.preventDefault(), onPick(box.id))}
        >
          <rect width={w} height={h} rx="6" />
          <text x="10" y="19" class="title">
            {shorten(box.title, mostChars)}
          </text>
          {box.lines?.map((l, i) => (
            <text key={i} x="10" y={19 + lineHeight * (i + 1)} class="line">
              {shorten(l, mostChars)}
            </text>
          ))}
          {/* A title of the box itself would be its name for a screen reader, in place of its texts. */}
          <path class="cover" d={`M0 0H${w}V${h}H0z`} aria-hidden="true">
            <title>{box.about ?? box.title}</title>
          </path>
        </g>
        )
      })}
    </>
  )
}

/** middle is a point half way: of two ends the one between them. */
const middle = (p: Point[]): Point => (p.length === 2 ? { x: (p[0].x + p[1].x) / 2, y: (p[0].y + p[1].y) / 2 } : p[Math.floor(p.length / 2)])

function EndLabel({ text, at, toward }: { text: string; at: Point; toward: Point }) {
  const length = Math.hypot(toward.x - at.x, toward.y - at.y) || 1
  const step = Math.min(16, length / 2)
  const x = at.x + ((toward.x - at.x) / length) * step
  const y = at.y + ((toward.y - at.y) / length) * step
  return (
    <text class="end" x={x} y={y - 5} text-anchor="middle">
      {text}
    </text>
  )
}

function curve(p: Point[]): string {
  const at = (q: Point) => `${q.x.toFixed(1)} ${q.y.toFixed(1)}`
  if (p.length < 3) return `M${p.map(at).join('L')}`
  let d = `M${at(p[0])}`
  for (let i = 1; i < p.length - 1; i++) {
    const end = i === p.length - 2 ? p[i + 1] : { x: (p[i].x + p[i + 1].x) / 2, y: (p[i].y + p[i + 1].y) / 2 }
    d += `Q${at(p[i])} ${at(end)}`
  }
  return d
}
