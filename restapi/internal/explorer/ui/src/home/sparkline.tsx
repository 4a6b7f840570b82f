// The line of a card, without axes.

import { useMemo } from 'preact/hooks'
import { Canvas } from '../chart/canvas.tsx'
import type { Point } from './cards.ts'

export function Sparkline({ points, label }: { points: Point[]; label: string }) {
  const key = useMemo(() => JSON.stringify(points), [points])
  const below = points.some((p) => (p.value ?? 0) < 0)
  const isolated = (i: number) => points[i]?.value !== null && (points[i - 1]?.value ?? null) === null && (points[i + 1]?.value ?? null) === null
  return (
    <Canvas
      name={key}
      class="spark"
      label={label}
      config={(theme) => ({
        type: 'line',
        data: {
          labels: points.map((p) => p.bucket),
          datasets: [
            {
              data: points.map((p) => p.value),
              borderColor: theme.accent,
              backgroundColor: theme.accent,
              borderWidth: 1.6,
              pointRadius: points.map((_, i) => (i === points.length - 1 || isolated(i) ? 2.5 : 0)),
              pointHoverRadius: 0,
              spanGaps: false,
            },
          ],
        },
        options: {
          responsive: true,
          maintainAspectRatio: false,
          animation: false,
          events: [],
          layout: { padding: 4 },
          scales: { x: { display: false }, y: { display: false, beginAtZero: below } },
          plugins: { legend: { display: false }, tooltip: { enabled: false } },
        },
      })}
    />
  )
}
