// The drawing of a result: a number for one value, lines over time, bars over
// anything else.

import { useMemo, useRef } from 'preact/hooks'
import type { Result } from '../api.ts'
import { number } from '../format.ts'
import { m } from '../messages/index.ts'
import { px } from '../px.ts'
import type { Kind } from '../state.ts'
import { useBrush } from './brush.ts'
import { Canvas, type Drawn } from './canvas.tsx'
import { wholeOf, type Bounds } from './cuts.ts'
import { draw, labelOf, type Column, type Drawing, type OrderedGroup, type Panel, type Wish } from './panels.ts'
import { plotConfig } from './plot.ts'

/** A mark of a chart: the values of its group-bys, by their columns. */
export interface Mark {
  column: string
  values: Record<string, Result['rows'][number][string]>
  /** The stop before it on a time axis. */
  before?: string
}

/** A stretch of an axis of time. */
export interface Stretched {
  field: string
  grain: string
  first: string
  last: string
  /** The stop behind it, if there is one. */
  next?: string
}

interface Props {
  result: Result
  groups: OrderedGroup[]
  columns: Column[]
  ordered: boolean
  kind: Kind
  cutsOf?: Wish['cutsOf']
  /** Asks for the periods that are not cut. */
  onWhole?: (range: Bounds) => void
  /** What a chart leaves out because the service put it together. */
  notes?: string[]
  /** A stretch of the axis of a field was drawn over: its first and last stop, and the stop after it. */
  onStretch?: (stretch: Stretched) => void
  onMark?: (mark: Mark, at: { x: number; y: number }) => void
}

/** headlineCards puts the columns of headline metrics first. */
const headlineCards = (columns: Column[]) => [...columns.filter((c) => c.metric?.headline), ...columns.filter((c) => !c.metric?.headline)]

export function ResultChart(p: Props) {
  const { result, groups, columns, kind, ordered, cutsOf } = p
  const drawing = useMemo(() => (groups.length > 0 && result.rows.length > 0 ? draw(result, groups, columns, { kind, ordered, cutsOf }) : undefined), [result, groups, columns, kind, ordered, cutsOf])
  if (result.rows.length === 0) return <p class="empty">{m.chart.noRows}</p>
  if (!drawing || (kind === 'number' && result.rows.length === 1)) return <Numbers result={result} columns={columns} />
  const notes = [...(p.notes ?? []), ...drawing.notes, ...(kind === 'number' ? [m.chart.severalRows(result.rows.length)] : []), ...(isEmpty(drawing) ? [m.chart.noValues] : [])]
  const whole = drawing.grain && drawing.cuts.size > 0 ? wholeOf(drawing.stops, drawing.grain, drawing.cuts) : undefined
  return (
    <figure class="plot">
      {drawing.panels.map((panel, i) => (
        <Plot key={panel.title} drawing={drawing} panel={panel} alone={drawing.panels.length === 1} lowest={i === drawing.panels.length - 1} onStretch={p.onStretch} onMark={p.onMark} />
      ))}
      {notes.length > 0 && (
        <figcaption class="quiet">
          {m.chart.drawn(notes.join('; '))}{' '}
          {whole && p.onWhole && (
            <button type="button" class="small" onClick={() => p.onWhole!(whole)}>
              {m.chart.whole}
            </button>
          )}
        </figcaption>
      )}
    </figure>
  )
}

/** isEmpty is whether no row has a value to draw. */
const isEmpty = (drawing: Drawing) => drawing.panels.every((panel) => panel.beside.length === 0 && panel.series.every((s) => s.values.every((v) => v === null || v === undefined)))

function Numbers({ result, columns }: { result: Result; columns: Column[] }) {
  return (
    <div class="cards">
      {headlineCards(columns).map((c) => (
        <div class="card" key={c.name}>
          <div class="quiet">{labelOf(c)}</div>
          <div class="figure" title={String(result.rows[0][c.name] ?? m.none)}>
            {number(result.rows[0][c.name], c.metric)}
          </div>
          {c.metric?.description && !c.kind && <div class="quiet">{c.metric.description}</div>}
        </div>
      ))}
    </div>
  )
}

interface PlotProps extends Pick<Props, 'onStretch' | 'onMark'> {
  drawing: Drawing
  panel: Panel
  alone: boolean
  lowest: boolean
}

function Plot({ drawing, panel, alone, lowest, onStretch, onMark }: PlotProps) {
  const chart = useRef<Drawn | undefined>(undefined)
  const key = useMemo(() => JSON.stringify([drawing.kind, drawing.title, drawing.labels, [...drawing.cuts], panel, lowest]), [drawing, panel, lowest])
  const { grain, stops, field } = drawing
  const { stretch, handlers } = useBrush({
    chart,
    onStretch: grain && onStretch && typeof stops[0] === 'string' ? (from, to) => onStretch({ field, grain, first: String(stops[from]), last: String(stops[to]), next: stops[to + 1] as string | undefined }) : undefined,
    onMark: onMark && ((series, stop, at) => onMark(markOf(drawing, panel, series, stop), at)),
  })
  return (
    <div class="plotbox" {...handlers}>
      <Canvas chart={chart} name={key} class={alone ? 'canvas' : lowest ? 'canvas part lowest' : 'canvas part'} label={m.chart.name(m.chart.kinds[drawing.kind], panel.title, drawing.title)} config={(theme) => plotConfig(drawing, panel, theme, lowest)} />
      {stretch && <div class="stretch" style={{ left: px(stretch.left), width: px(stretch.width) }} />}
      {panel.beside.map((b) => (
        <p class="beside" key={b.label}>
          <span class="quiet">{b.label}</span> <strong>{b.least === b.most ? number(b.most, panel.metric) : m.chart.between(number(b.least, panel.metric), number(b.most, panel.metric))}</strong> <span class="quiet">{m.chart.beside}</span>
        </p>
      ))}
      <Figures drawing={drawing} panel={panel} />
    </div>
  )
}

function markOf(drawing: Drawing, panel: Panel, series: number, stop: number): Mark {
  const s = panel.series[series]
  const before = drawing.grain ? drawing.stops[stop - 1] : undefined
  return {
    column: s.column,
    values: { [drawing.axis]: drawing.stops[stop], ...Object.fromEntries(s.of.map((o) => [o.key, o.value])) },
    ...(typeof before === 'string' && { before }),
  }
}

/** Readers that see no picture get at most this many lines of it; the page of the table has all. */
const mostLines = 200

/** Figures is the table behind a plot, for those who do not see it. */
function Figures({ drawing, panel }: { drawing: Drawing; panel: Panel }) {
  return (
    <div class="hidden">
      <table>
        <caption>{m.chart.figures(panel.title)}</caption>
        <thead>
          <tr>
            <th scope="col">{drawing.title}</th>
            {panel.series.map((s, i) => (
              <th scope="col" key={i}>
                {s.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drawing.labels.slice(0, mostLines).map((label, i) => (
            <tr key={i}>
              <th scope="row">{label}</th>
              {panel.series.map((s, j) => (
                <td key={j}>{number(s.values[i], panel.metric)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
