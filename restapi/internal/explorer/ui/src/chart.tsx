// The drawing of a result: a number for one value, lines over time, bars over
// anything else.

import { BarController, BarElement, CategoryScale, Chart, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip, type ChartDataset } from 'chart.js'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Metric, Result, Row } from './api.ts'
import { bucket, calendar, number, type Cell } from './format.ts'
import { useDark } from './hooks.ts'
import type { Group } from './state.ts'

Chart.register(BarController, BarElement, CategoryScale, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip)

/** Okabe and Ito's colours, told apart by most eyes, and some more; lighter ones in the dark. */
const onLight = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8a6fdf', '#7a8a00', '#b0413e', '#5b6b7a']
const onDark = ['#5fb3ee', '#f0b84a', '#3fc79b', '#e39cc3', '#9fd8f7', '#f08a4b', '#b3a0f5', '#b5c24a', '#e07f7a', '#9aa7b6']
const mostSeries = 10
const mostBars = 60

interface Column {
  name: string
  metric?: Metric
}

interface Drawing {
  kind: 'line' | 'bar'
  labels: string[]
  sets: { label: string; values: (number | null)[]; metric?: Metric }[]
  note: string
}

export function ResultChart({ result, groups, columns }: { result: Result; groups: Group[]; columns: Column[] }) {
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
  return <Plot drawing={draw(result, groups, columns)} />
}

/** draw decides what is an axis, what is a series, and what is left out. */
export function draw(result: Result, groups: Group[], columns: Column[]): Drawing {
  const keys = result.columns.slice(0, groups.length)
  const axis = Math.max(0, groups.findIndex((g) => g.grain))
  const grain = groups[axis].grain
  const rest = keys.filter((_, i) => i !== axis)
  const notes: string[] = []

  let stops = unique(result.rows.map((r) => r[keys[axis]]))
  if (grain) {
    const dated = stops.filter((s): s is string => typeof s === 'string').sort()
    const missing = stops.length - dated.length
    if (dated.length > 0) stops = calendar(dated[0], dated[dated.length - 1], grain)
    if (missing > 0) notes.push('rows without a date are in the table only')
  } else if (stops.length > mostBars) {
    notes.push(`the first ${mostBars} of ${stops.length} bars`)
    stops = stops.slice(0, mostBars)
  }
  const place = new Map(stops.map((s, i) => [s, i]))

  const seriesOf = (r: Row) => rest.map((k, i) => bucket(r[k], groups.filter((_, g) => g !== axis)[i]?.grain)).join(' · ')
  const sets: Drawing['sets'] = []
  for (const c of columns) {
    const found = new Map<string, (number | null)[]>()
    for (const r of result.rows) {
      const at = place.get(r[keys[axis]])
      if (at === undefined) continue
      const name = seriesOf(r)
      let values = found.get(name)
      if (!values) found.set(name, (values = stops.map(() => null)))
      const v = r[c.name]
      values[at] = v === null || v === '' ? null : Number(v)
    }
    for (const [name, values] of found) {
      sets.push({ label: [rest.length > 0 && name, (columns.length > 1 || rest.length === 0) && c.name].filter(Boolean).join(' · '), values, metric: c.metric })
    }
  }
  const weight = (s: Drawing['sets'][number]) => s.values.reduce<number>((a, v) => a + Math.abs(v ?? 0), 0)
  let shown = sets
  if (sets.length > mostSeries) {
    shown = [...sets].sort((a, b) => weight(b) - weight(a)).slice(0, mostSeries)
    notes.push(`the ${mostSeries} largest of ${sets.length} series`)
  }
  return { kind: grain ? 'line' : 'bar', labels: stops.map((s) => bucket(s, grain)), sets: shown, note: notes.length > 0 ? `Drawn: ${notes.join('; ')}.` : '' }
}

function Plot({ drawing }: { drawing: Drawing }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const dark = useDark()
  const key = useMemo(() => JSON.stringify(drawing), [drawing])
  useEffect(() => {
    const style = getComputedStyle(document.documentElement)
    const ink = style.getPropertyValue('--quiet').trim()
    const line = style.getPropertyValue('--line').trim()
    const units = unique(drawing.sets.map((s) => unitOf(s.metric)))
    const datasets = drawing.sets.map((s, i) => {
      const colours = dark ? onDark : onLight
      const colour = colours[i % colours.length]
      return {
        label: s.label,
        data: s.values,
        borderColor: colour,
        backgroundColor: colour,
        borderWidth: drawing.kind === 'line' ? 2 : 0,
        pointRadius: drawing.labels.length > 60 ? 0 : 2.5,
        borderRadius: 2,
        maxBarThickness: 46,
        tension: 0,
        spanGaps: false,
        yAxisID: units.indexOf(unitOf(s.metric)) > 0 ? 'right' : 'y',
      }
    }) as ChartDataset<'line' | 'bar', (number | null)[]>[]
    const ticks = (unit: string) => {
      const metric = drawing.sets.find((s) => unitOf(s.metric) === unit)?.metric
      return (v: string | number) => number(v, metric, true)
    }
    const chart = new Chart(canvas.current!, {
      type: drawing.kind,
      data: { labels: drawing.labels, datasets },
      options: {
        responsive: true,
        maintainAspectRatio: false,
        animation: false,
        interaction: { mode: 'index', intersect: false },
        scales: {
          x: { grid: { display: false }, border: { color: line }, ticks: { color: ink, maxRotation: 40, autoSkip: true } },
          y: { beginAtZero: true, grid: { color: line }, border: { display: false }, ticks: { color: ink, callback: ticks(units[0]) } },
          ...(units.length > 1 && {
            right: { position: 'right' as const, beginAtZero: true, grid: { display: false }, border: { display: false }, ticks: { color: ink, callback: ticks(units[1]) } },
          }),
        },
        plugins: {
          legend: { display: drawing.sets.length > 1, position: 'bottom', labels: { color: ink, boxWidth: 12, boxHeight: 12 } },
          tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${number(item.raw as Cell, drawing.sets[item.datasetIndex].metric)}` } },
        },
      },
    })
    return () => chart.destroy()
  }, [key, dark])
  return (
    <figure class="plot">
      <div class="canvas">
        <canvas ref={canvas} role="img" aria-label={`${drawing.kind === 'line' ? 'Line' : 'Bar'} chart of ${drawing.sets.map((s) => s.label).join(', ')}; the table holds the same figures`} />
      </div>
      {drawing.note && <figcaption class="quiet">{drawing.note}</figcaption>}
    </figure>
  )
}

const unitOf = (m?: Metric) => m?.unit ?? m?.format ?? ''
const unique = <T,>(list: T[]): T[] => [...new Set(list)]
