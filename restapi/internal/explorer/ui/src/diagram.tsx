// Boxes and arrows. The layout library places them, the page draws them as SVG
// so that they follow the theme and can be reached by keyboard.

import { Graph, layout } from '@dagrejs/dagre'
import { useMemo } from 'preact/hooks'

export interface Box {
  id: string
  title: string
  lines?: string[]
  kind?: string
  about?: string
}

export interface Arrow {
  from: string
  to: string
  start?: string
  end?: string
  about?: string
}

const charWidth = 7.2
const lineHeight = 17

interface Placed {
  width: number
  height: number
  boxes: { box: Box; x: number; y: number; w: number; h: number }[]
  arrows: { arrow: Arrow; points: { x: number; y: number }[] }[]
}

export function Diagram({ boxes, arrows, direction, label, chosen, onPick }: { boxes: Box[]; arrows: Arrow[]; direction: 'LR' | 'TB'; label: string; chosen?: string; onPick?: (id: string) => void }) {
  const placed = useMemo(() => place(boxes, arrows, direction), [boxes, arrows, direction])
  return (
    <div class="diagram" tabIndex={0} role="region" aria-label={label}>
      <svg width={placed.width} height={placed.height} viewBox={`0 0 ${placed.width} ${placed.height}`} role="group" aria-label={label}>
        <defs>
          <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0L8 4L0 8z" class="tip" />
          </marker>
        </defs>
        {placed.arrows.map(({ arrow, points }, i) => (
          <g key={i} class="arrow">
            <title>{arrow.about}</title>
            <path d={curve(points)} marker-end="url(#tip)" />
            {arrow.start && <EndLabel text={arrow.start} at={points[0]} toward={points[1]} />}
            {arrow.end && <EndLabel text={arrow.end} at={points[points.length - 1]} toward={points[points.length - 2]} />}
          </g>
        ))}
        {placed.boxes.map(({ box, x, y, w, h }) => (
          <g
            key={box.id}
            class={`box ${box.kind ?? ''} ${chosen === box.id ? 'chosen' : ''}`}
            transform={`translate(${x - w / 2} ${y - h / 2})`}
            tabIndex={onPick ? 0 : undefined}
            role={onPick ? 'button' : undefined}
            aria-label={box.title}
            onClick={() => onPick?.(box.id)}
            onKeyDown={(e) => (e.key === 'Enter' || e.key === ' ') && (e.preventDefault(), onPick?.(box.id))}
          >
            <title>{box.about ?? box.title}</title>
            <rect width={w} height={h} rx="6" />
            <text x="10" y="19" class="title">
              {clip(box.title)}
            </text>
            {box.lines?.map((l, i) => (
              <text key={i} x="10" y={19 + lineHeight * (i + 1)} class="line">
                {clip(l)}
              </text>
            ))}
          </g>
        ))}
      </svg>
    </div>
  )
}

function EndLabel({ text, at, toward }: { text: string; at: { x: number; y: number }; toward: { x: number; y: number } }) {
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

function place(boxes: Box[], arrows: Arrow[], direction: 'LR' | 'TB'): Placed {
  const g = new Graph({ multigraph: true })
  g.setGraph({ rankdir: direction, nodesep: 22, ranksep: direction === 'LR' ? 70 : 54, marginx: 12, marginy: 12 })
  g.setDefaultEdgeLabel(() => ({}))
  const known = new Set(boxes.map((b) => b.id))
  for (const b of boxes) {
    const longest = Math.max(b.title.length * 1.12, ...(b.lines ?? []).map((l) => l.length * 0.95))
    g.setNode(b.id, { width: Math.min(longest, most * 1.12) * charWidth + 22, height: 30 + lineHeight * (b.lines?.length ?? 0) })
  }
  arrows.forEach((a, i) => {
    if (known.has(a.from) && known.has(a.to)) g.setEdge(a.from, a.to, {}, String(i))
  })
  layout(g)
  const { width = 0, height = 0 } = g.graph() as { width?: number; height?: number }
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    boxes: boxes.map((box) => {
      const n = g.node(box.id) as { x: number; y: number; width: number; height: number }
      return { box, x: n.x, y: n.y, w: n.width, h: n.height }
    }),
    arrows: g.edges().map((e: { v: string; w: string; name?: string }) => ({ arrow: arrows[Number(e.name)], points: (g.edge(e) as { points: { x: number; y: number }[] }).points })),
  }
}

const most = 36
const clip = (text: string) => (text.length > most ? text.slice(0, most - 1) + '…' : text)

function curve(p: { x: number; y: number }[]): string {
  const at = (q: { x: number; y: number }) => `${q.x.toFixed(1)} ${q.y.toFixed(1)}`
  if (p.length < 3) return `M${p.map(at).join('L')}`
  let d = `M${at(p[0])}`
  for (let i = 1; i < p.length - 1; i++) {
    const end = i === p.length - 2 ? p[i + 1] : { x: (p[i].x + p[i + 1].x) / 2, y: (p[i].y + p[i + 1].y) / 2 }
    d += `Q${at(p[i])} ${at(end)}`
  }
  return d
}
