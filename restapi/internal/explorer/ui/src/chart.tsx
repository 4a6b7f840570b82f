// The drawing of a result: a number for one value, lines over time, bars over
// anything else.

import { BarController, BarElement, CategoryScale, Chart, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip, type ChartDataset } from 'chart.js'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Result } from './api.ts'
import { number, type Cell } from './format.ts'
import { useDark } from './hooks.ts'
import { aroundZero, draw, type Column, type Drawing, type Panel } from './panels.ts'
import type { Group } from './state.ts'

Chart.register(BarController, BarElement, CategoryScale, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip)

/** Okabe and Ito's colours, told apart by most eyes, and some more; lighter ones in the dark. */
const onLight = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8a6fdf', '#7a8a00', '#b0413e', '#5b6b7a']
const onDark = ['#5fb3ee', '#f0b84a', '#3fc79b', '#e39cc3', '#9fd8f7', '#f08a4b', '#b3a0f5', '#b5c24a', '#e07f7a', '#9aa7b6']

export function ResultChart({ result, groups, columns, ordered }: { result: Result; groups: Group[]; columns: Column[]; ordered: boolean }) {
  if (result.rows.length === 0) return <p class="empty">No rows.</p>
  if (groups.length === 0) {
    return (
      <div class="cards">
        {columns.map((c) => (
          <div class="card" key={c.name}>
            <div class="quiet">{c.name}</div>
            <div class="figure" title={String(result.rows[0][c.name] ?? 'null')}>
              {number(result.rows[0][c.name], c.metric)}
            </div>
            {c.metric?.description && <div class="quiet">{c.metric.description}</div>}
          </div>
        ))}
      </div>
    )
  }
  const drawing = draw(result, groups, columns, ordered)
  return (
    <figure class="plot">
      {drawing.panels.map((p) => (
        <Plot key={p.title} drawing={drawing} panel={p} alone={drawing.panels.length === 1} />
      ))}
      {drawing.notes.length > 0 && <figcaption class="quiet">Drawn: {drawing.notes.join('; ')}.</figcaption>}
    </figure>
  )
}

function Plot({ drawing, panel, alone }: { drawing: Drawing; panel: Panel; alone: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const dark = useDark()
  const key = useMemo(() => JSON.stringify([drawing.kind, drawing.axis, drawing.labels, panel]), [drawing, panel])
  useEffect(() => {
    const chart = plot(canvas.current!, drawing, panel, dark)
    return () => chart.destroy()
  }, [key, dark])
  const kind = drawing.kind === 'line' ? 'Line' : 'Bar'
  return (
    <div class={alone ? 'canvas' : 'canvas part'}>
      <canvas ref={canvas} role="img" aria-label={`${kind} chart of ${panel.title} by ${drawing.axis}; the table holds the same figures`} />
    </div>
  )
}

function plot(canvas: HTMLCanvasElement, drawing: Drawing, panel: Panel, dark: boolean): { destroy(): void } {
  const style = getComputedStyle(document.documentElement)
  const ink = style.getPropertyValue('--quiet').trim()
  const line = style.getPropertyValue('--line').trim()
  const colours = dark ? onDark : onLight
  const datasets = panel.series.map((s, i) => ({
    label: s.label,
    data: s.values,
    borderColor: colours[i % colours.length],
    backgroundColor: colours[i % colours.length],
    borderWidth: drawing.kind === 'line' ? 2 : 0,
    pointRadius: drawing.labels.length > 60 ? 0 : 2.5,
    borderRadius: 2,
    maxBarThickness: 46,
    tension: 0,
    spanGaps: false,
  })) as ChartDataset<'line' | 'bar', (number | null)[]>[]
  const title = (text: string) => ({ display: true, text, color: ink })
  return new Chart(canvas, {
    type: drawing.kind,
    data: { labels: drawing.labels, datasets },
    options: {
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      interaction: { mode: 'index', intersect: false },
      scales: {
        x: { title: title(drawing.axis), grid: { display: false }, border: { color: line }, ticks: { color: ink, maxRotation: 40, autoSkip: true } },
        y: {
          ...aroundZero(panel),
          title: title(panel.title),
          // The line of zero is drawn as an axis, wherever it is.
          grid: { color: (c) => (c.tick?.value === 0 ? ink : line) },
          border: { display: false },
          ticks: { color: ink, callback: (v: string | number) => number(v, panel.metric, true) },
        },
      },
      plugins: {
        legend: { display: panel.series.length > 1, position: 'bottom', labels: { color: ink, boxWidth: 12, boxHeight: 12 } },
        tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${number(item.raw as Cell, panel.metric)}` } },
      },
    },
  })
}
