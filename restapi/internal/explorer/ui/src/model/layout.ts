// Where boxes and arrows are placed. dagre places what is joined; in a large model each
// subject is placed alone, and the subjects are put into shelves.

import { Graph, layout } from '@dagrejs/dagre'
import { shorten } from '../format.ts'

export interface Box {
  id: string
  title: string
  lines?: string[]
  kind?: string
  about?: string
  /** The subject that it belongs to. */
  cluster?: string
  broken?: boolean
  /** It leads nowhere. */
  still?: boolean
}

export interface Arrow {
  from: string
  to: string
  start?: string
  end?: string
  /** The name at its middle. */
  label?: string
  about?: string
}

export interface Point {
  x: number
  y: number
}

export interface Placed {
  width: number
  height: number
  boxes: { box: Box; x: number; y: number; w: number; h: number }[]
  arrows: { arrow: Arrow; points: Point[]; between: boolean }[]
  clusters: { title: string; x: number; y: number; w: number; h: number }[]
}

const lineHeight = 17
const gap = 40
const titleHeight = 26

/** The longest title of a box; longer ones are cut. */
export const mostChars = 36

/** More boxes than this in a cluster stand in a grid: in ranks they would be one long column. */
const mostRanked = 12

/** place lays out boxes, each cluster apart where there are clusters. */
export function place(boxes: Box[], arrows: Arrow[], direction: 'LR' | 'TB'): Placed {
  const names = [...new Set(boxes.map((b) => b.cluster))]
  if (names.length < 2) return placeTogether(boxes, arrows, direction)
  const parts = names.map((name) => {
    const own = boxes.filter((b) => b.cluster === name)
    const ids = new Set(own.map((b) => b.id))
    const inner = arrows.filter((a) => ids.has(a.from) && ids.has(a.to))
    return { name: name ?? '', placed: own.length > mostRanked ? placeInGrid(own, inner) : placeTogether(own, inner, direction) }
  })
  return shelve(parts, arrows)
}

function placeTogether(boxes: Box[], arrows: Arrow[], direction: 'LR' | 'TB'): Placed {
  const g = new Graph({ multigraph: true })
  g.setGraph({ rankdir: direction, nodesep: 22, ranksep: direction === 'LR' ? Math.max(70, ...arrows.map((a) => 50 + 6.5 * Math.min(18, a.label?.length ?? 0))) : 54, marginx: 12, marginy: 12 })
  g.setDefaultEdgeLabel(() => ({}))
  const known = new Set(boxes.map((b) => b.id))
  for (const b of boxes) g.setNode(b.id, { width: widthOf(b), height: heightOf(b) })
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
    arrows: g.edges().map((e: { v: string; w: string; name?: string }) => ({ arrow: arrows[Number(e.name)], points: (g.edge(e) as { points: Point[] }).points, between: false })),
    clusters: [],
  }
}

/** placeInGrid puts boxes in rows, those with the most arrows first. */
function placeInGrid(boxes: Box[], arrows: Arrow[]): Placed {
  const degree = new Map<string, number>()
  for (const a of arrows) for (const id of [a.from, a.to]) degree.set(id, (degree.get(id) ?? 0) + 1)
  const sorted = [...boxes].sort((a, b) => (degree.get(b.id) ?? 0) - (degree.get(a.id) ?? 0) || (a.title < b.title ? -1 : 1))
  const [w, h, between] = [Math.max(...boxes.map(widthOf)), Math.max(...boxes.map(heightOf)), 14]
  const columns = Math.max(1, Math.round(Math.sqrt((boxes.length * (h + between) * 1.5) / (w + between))))
  const placed = sorted.map((box, i) => ({ box, x: 12 + w / 2 + (i % columns) * (w + between), y: 12 + h / 2 + Math.floor(i / columns) * (h + between), w, h }))
  const at = new Map(placed.map((b) => [b.box.id, b]))
  return {
    width: 24 + columns * (w + between) - between,
    height: 24 + Math.ceil(boxes.length / columns) * (h + between) - between,
    boxes: placed,
    arrows: arrows.map((arrow) => ({ arrow, points: [arrow.from, arrow.to].map((id) => ({ x: at.get(id)!.x, y: at.get(id)!.y })), between: true })),
    clusters: [],
  }
}

/** The sizes of the texts of a box, as the style sheet has them. */
const titleFont = '600 13px'
const lineFont = '12px'

/** widthOf is as wide as the longest text of a box, in the font of the page, with the room beside it. */
const widthOf = (b: Box) => Math.ceil(Math.max(textWidth(b.title, titleFont), ...(b.lines ?? []).map((l) => textWidth(l, lineFont)))) + 20

let pen: CanvasRenderingContext2D | null | undefined
function textWidth(text: string, font: string): number {
  pen ??= globalThis.document?.createElement('canvas').getContext('2d')
  if (!pen) return Math.min(text.length, mostChars) * 9
  pen.font = `${font} ${getComputedStyle(document.body).fontFamily}`
  return pen.measureText(shorten(text, mostChars)).width
}

const heightOf = (b: Box) => 30 + lineHeight * (b.lines?.length ?? 0)

/** shelve puts the clusters beside and below each other, the highest first, about as wide as a screen is. */
function shelve(parts: { name: string; placed: Placed }[], arrows: Arrow[]): Placed {
  const area = parts.reduce((sum, p) => sum + (p.placed.width + gap) * (p.placed.height + gap + titleHeight), 0)
  const most = Math.max(Math.sqrt(area) * 2, ...parts.map((p) => p.placed.width))
  const out: Placed = { width: 0, height: 0, boxes: [], arrows: [], clusters: [] }
  let [x, y, shelf] = [gap, gap, 0]
  for (const { name, placed } of [...parts].sort((a, b) => b.placed.height - a.placed.height)) {
    if (x > gap && x + placed.width > most) {
      x = gap
      y += shelf + gap
      shelf = 0
    }
    out.clusters.push({ title: name, x, y, w: placed.width, h: placed.height + titleHeight })
    const move = (p: Point) => ({ x: p.x + x, y: p.y + y + titleHeight })
    out.boxes.push(...placed.boxes.map((b) => ({ ...b, ...move(b) })))
    out.arrows.push(...placed.arrows.map((a) => ({ ...a, points: a.points.map(move) })))
    shelf = Math.max(shelf, placed.height + titleHeight)
    x += placed.width + gap
    out.width = Math.max(out.width, x)
  }
  out.height = y + shelf + gap
  const at = new Map(out.boxes.map((b) => [b.box.id, b]))
  const cluster = new Map(out.boxes.map((b) => [b.box.id, b.box.cluster]))
  for (const arrow of arrows) {
    const [from, to] = [at.get(arrow.from), at.get(arrow.to)]
    if (from && to && cluster.get(arrow.from) !== cluster.get(arrow.to)) out.arrows.push({ arrow, points: [from, to].map(({ x, y }) => ({ x, y })), between: true })
  }
  return out
}

/** subjectsOf names the subject of each dataset: that of its metrics, else the first word of its name where others share it, else what it is joined to. */
export function subjectsOf(names: string[], joins: { from: string; to: string }[], paths: Map<string, string>): Map<string, string> {
  const word = (n: string) => n.split(/[_.\-]/)[0]
  const shared = new Map<string, number>()
  for (const n of names) shared.set(word(n), (shared.get(word(n)) ?? 0) + 1)
  const out = new Map<string, string>()
  for (const n of names) {
    const own = paths.get(n) ?? ((shared.get(word(n)) ?? 0) > 1 ? word(n) : undefined)
    if (own) out.set(n, own)
  }
  for (const n of names.filter((x) => !out.has(x))) {
    const beside = joins.map((j) => (j.from === n ? out.get(j.to) : j.to === n ? out.get(j.from) : undefined)).find(Boolean)
    out.set(n, beside ?? '')
  }
  return out
}
