// The change of a metric as the steps of its segments, from nothing to the whole change.

import { useMemo, useRef } from 'preact/hooks'
import type { Metric, Segment } from '../api.ts'
import { useBrush } from '../chart/brush.ts'
import { Canvas, type Drawn, type Theme } from '../chart/canvas.tsx'
import { titleWith } from '../chart/panels.ts'
import { tick } from '../chart/plot.ts'
import { difference, shorten, wrapped } from '../format.ts'
import { m } from '../messages/index.ts'
import { moodOf } from './mood.ts'

const most = 8

/** The opacity of a colour, as two digits behind it. */
const pale = '73'

export interface Step {
  label: string
  from: number
  to: number
  segment?: Segment
}

/** stepsOf puts the segments below each other, the largest change first; the hidden ones are one step before the last, which is the whole change. */
export function stepsOf(segments: Segment[], delta: number, name: (s: Segment) => string): Step[] {
  const shown = segments.filter((s) => s.delta !== null && s.delta !== 0).slice(0, most)
  let at = 0
  const steps: Step[] = shown.map((segment) => {
    const from = at
    at += segment.delta!
    return { label: name(segment), from, to: at, segment }
  })
  if (Math.abs(delta - at) > 1e-9 * Math.max(1, Math.abs(delta))) steps.push({ label: m.why.rest, from: at, to: delta })
  return [...steps, { label: m.why.change, from: 0, to: delta }]
}

interface Props {
  metric?: Metric
  name: string
  dimension: string
  steps: Step[]
  onPick?: (s: Segment) => void
}

export function Waterfall({ metric, name, dimension, steps, onPick }: Props) {
  const chart = useRef<Drawn | undefined>(undefined)
  const key = useMemo(() => JSON.stringify(steps.map((s) => [s.label, s.from, s.to])), [steps])
  const { handlers } = useBrush({ chart, onMark: onPick && ((_, i) => steps[i]?.segment && onPick(steps[i].segment)) })
  // Less is better for some metrics: a fall of theirs has the colour of what is good. Without a direction a rise is full and a fall is pale.
  const colour = (s: Step, theme: Theme) => {
    const mood = moodOf(s.to - s.from, metric)
    return mood === '' ? (s.to < s.from ? theme.accent + pale : theme.accent) : theme[mood]
  }
  return (
    <div class="plotbox" {...handlers}>
      <Canvas
        chart={chart}
        name={key}
        class="canvas part"
        label={m.why.waterfall(name, dimension)}
        config={(theme) => ({
          type: 'bar',
          data: {
            labels: steps.map((s) => s.label),
            datasets: [
              {
                data: steps.map((s): [number, number] => [s.from, s.to]),
                backgroundColor: steps.map((s, i) => (i === steps.length - 1 ? theme.ink : colour(s, theme))),
                borderSkipped: false,
                maxBarThickness: 60,
              },
            ],
          },
          options: {
            responsive: true,
            maintainAspectRatio: false,
            animation: false,
            scales: {
              x: { grid: { display: false }, border: { display: false }, ticks: { color: theme.ink, maxRotation: 40, callback: (_, i) => shorten(steps[i]?.label ?? '', 18) } },
              y: { beginAtZero: true, title: { display: true, text: shorten(titleWith(name, metric), 32), color: theme.ink }, grid: { color: (c) => (c.tick?.value === 0 ? theme.ink : theme.line) }, border: { display: false }, ticks: { color: theme.ink, callback: (v, _, all) => tick(v, metric, all, difference) } },
            },
            plugins: {
              legend: { display: false },
              tooltip: { callbacks: { title: (items) => wrapped(steps[items[0]?.dataIndex ?? 0]?.label ?? ''), label: (item) => difference(steps[item.dataIndex].to - steps[item.dataIndex].from, metric) } },
            },
          },
        })}
      />
    </div>
  )
}
