// The change of a metric as the steps of its segments, from the first value to the second.

import { useMemo, useRef } from 'preact/hooks'
import type { Attribution, Metric, Segment } from '../api.ts'
import { useBrush } from '../chart/brush.ts'
import { Canvas, type Drawn, type Theme } from '../chart/canvas.tsx'
import { titleWith } from '../chart/panels.ts'
import { tick } from '../chart/plot.ts'
import { difference, number, shorten, wrapped } from '../format.ts'
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

/** stepsOf leads from the first value to the second by the changes of the segments, in their order; the hidden ones are one step before the last. */
export function stepsOf(segments: Segment[], total: Attribution['total_change'], name: (s: Segment) => string): Step[] {
  const shown = segments.filter((s) => s.delta !== null && s.delta !== 0).slice(0, most)
  const start = total.baseline_value ?? 0
  const end = start + (total.delta ?? 0)
  let at = start
  const steps: Step[] = shown.map((segment) => {
    const from = at
    at += segment.delta!
    return { label: name(segment), from, to: at, segment }
  })
  if (Math.abs(end - at) > 1e-9 * Math.max(1, Math.abs(total.delta ?? 0))) steps.push({ label: m.why.rest, from: at, to: end })
  return [{ label: m.why.from, from: start, to: start }, ...steps, { label: m.why.to, from: end, to: end }]
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
                backgroundColor: steps.map((s) => (s.from === s.to ? theme.ink : colour(s, theme))),
                borderSkipped: false,
                // The first and the last value are marks at their heights, not bars: the axis has room for the steps.
                minBarLength: 3,
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
              // The first and the last value are whole within the plot, also where they are its ends.
              y: { beginAtZero: false, grace: '4%', title: { display: true, text: shorten(titleWith(name, metric), 32), color: theme.ink }, grid: { color: (c) => (c.tick?.value === 0 ? theme.ink : theme.line) }, border: { display: false }, ticks: { color: theme.ink, callback: (v, _, all) => tick(v, metric, all) } },
            },
            plugins: {
              legend: { display: false },
              tooltip: { callbacks: { title: (items) => wrapped(steps[items[0]?.dataIndex ?? 0]?.label ?? ''), label: (item) => ((s: Step) => (s.from === s.to ? number(s.to, metric) : difference(s.to - s.from, metric)))(steps[item.dataIndex]) } },
            },
          },
        })}
      />
    </div>
  )
}
