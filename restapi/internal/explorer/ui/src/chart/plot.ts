// The configuration of Chart.js for one plot.

import { Chart, type ChartDataset, type Scale } from 'chart.js'
import type { Metric } from '../api.ts'
import { apart, bucket, number, shorten, wrapped, type Cell } from '../format.ts'
import type { Config, Theme } from './canvas.tsx'
import { coloursOf } from './colours.ts'
import { aroundZero, type Drawing, type Panel } from './panels.ts'

/** All plots of a figure have their values begin at the same place, below each other. */
const scaleWidth = 74

/** The space at the right of a plot. */
const besidePlot = 32

const many = 60

/** The radius of the largest mark, with its line. */
const longestRadius = 6

/** The characters of a name in a legend. */
const longestName = 32

export function plotConfig(drawing: Drawing, panel: Panel, theme: Theme, lowest: boolean): Config {
  const places = coloursOf(panel.series, theme.colours.length)
  const line = drawing.kind === 'line' || drawing.kind === 'area'
  const stacked = drawing.kind === 'area' || drawing.kind === 'stacked'
  const title = (text: string) => ({ display: true, text, color: theme.ink })
  return {
    type: line ? 'line' : 'bar',
    data: { labels: drawing.labels, datasets: panel.series.map((_, i) => dataset(panel, i, drawing, theme, theme.colours[places[i]] ?? theme.rest)) as Config['data']['datasets'] },
    options: {
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      layout: { padding: { right: besidePlot } },
      interaction: { mode: 'index', intersect: false },
      scales: {
        x: {
          stacked: drawing.kind === 'stacked',
          title: lowest ? title(shorten(drawing.title, 60)) : { display: false },
          grid: { display: false },
          border: { display: false },
          // All plots of a figure have their stops at the same places: the space for its labels is not a part of the scale.
          afterFit: (scale) => {
            scale.paddingLeft = scale.paddingRight = 0
          },
          ticks: {
            display: lowest,
            color: theme.ink,
            maxRotation: 40,
            autoSkip: true,
            callback(_, i) {
              const part = line ? i / Math.max(1, drawing.stops.length - 1) : (i + 0.5) / drawing.stops.length
              return i in drawing.stops ? fitting(bucket(drawing.stops[i], drawing.written, true), this, part) : ''
            },
          },
        },
        y: {
          ...aroundZero(panel),
          stacked,
          afterFit: (scale) => {
            scale.width = scaleWidth
          },
          title: title(shorten(panel.title, 32)),
          // The line of zero is drawn as an axis, wherever it is.
          grid: { color: (c) => (c.tick?.value === 0 ? theme.ink : theme.line) },
          border: { display: false },
          ticks: { color: theme.ink, callback: (v: string | number, _: number, all: { value: number }[]) => tick(v, panel.metric, all) },
        },
      },
      plugins: {
        legend: { display: panel.series.length > 1, position: 'bottom', labels: { color: theme.ink, boxWidth: 22, boxHeight: line ? 1 : 12, generateLabels: legendLabels, ...(line && { usePointStyle: true, pointStyle: 'line' as const, pointStyleWidth: 26 }) } },
        tooltip: {
          callbacks: {
            title: (items) => wrapped(drawing.labels[items[0]?.dataIndex ?? 0] ?? ''),
            label: (item) => wrapped(`${apart(item.dataset.label ?? '')}: ${number(panel.series[item.datasetIndex].values[item.dataIndex], panel.metric)}`, panel.series.length > 1 ? 3 : undefined),
          },
        },
      },
    },
  }
}

/** tick is a label of an axis of values, all in the notation that the largest of them needs, and with the decimals that tell them apart. */
export function tick(v: Cell, metric: Metric | undefined, all: { value: number }[], write = number): string {
  const steps = all.slice(1).map((t, i) => Math.abs(t.value - all[i].value))
  return write(v, metric, true, Math.max(...all.map((t) => Math.abs(t.value))), steps.length > 0 ? Math.min(...steps) : 0)
}

/** The characters of a label of an axis, and the least that a short one keeps. */
const longestLabel = 24
const leastLabel = 6

/** fitting shortens a label so that it begins within the picture: a turned one ends at its stop, which is at a part of the width of the plot. */
function fitting(text: string, scale: Scale, part: number): string {
  const room = scaleWidth + part * (scale.chart.width - scaleWidth - besidePlot)
  scale.ctx.font = `${Chart.defaults.font.size}px ${Chart.defaults.font.family}`
  for (let most = longestLabel; ; most--) {
    const label = shorten(text, most)
    if (most === leastLabel || scale.ctx.measureText(label).width <= room) return label
  }
}

/** legendLabels are short, and dashed where the line is; a mark has its name whole. */
const legendLabels: typeof Chart.defaults.plugins.legend.labels.generateLabels = (chart) =>
  Chart.defaults.plugins.legend.labels.generateLabels(chart).map((label) => {
    const { borderDash } = chart.data.datasets[label.datasetIndex!] as { borderDash?: number[] }
    return { ...label, text: shorten(label.text, longestName), lineDash: borderDash }
  })

function dataset(panel: Panel, at: number, drawing: Drawing, theme: Theme, colour: string): ChartDataset<'line' | 'bar', (number | null)[]> {
  const s = panel.series[at]
  const { kind } = drawing
  const isCut = (i: number) => drawing.cuts.has(drawing.stops[i])
  const base = { label: s.label, data: s.values, borderColor: colour }
  // Bars that share the name of a stack share their place, too: those beside each other have none.
  const stack = s.before ? 'before' : 'now'
  if (kind === 'bar' || kind === 'stacked') {
    const fill = s.values.map((_, i) => (s.before ? colour + '66' : isCut(i) ? colour + '33' : colour))
    return { ...base, ...(kind === 'stacked' && { stack }), backgroundColor: fill, borderWidth: s.values.map((_, i) => (isCut(i) && !s.before ? 1.5 : 0)), borderRadius: 2, maxBarThickness: 46 }
  }
  const area = kind === 'area'
  const data = area ? stackedValues(panel, at) : s.values
  return {
    ...base,
    ...(area && { stack }),
    data,
    backgroundColor: area ? colour + '44' : colour,
    fill: area && !s.before ? lowerEdge(panel, at) : false,
    borderWidth: 2,
    borderDash: s.before ? [6, 4] : [],
    // The value of a cut period is not that of the whole one: its point is hollow, and the line that leads to it is dotted.
    segment: { borderDash: ({ p0DataIndex, p1DataIndex }: { p0DataIndex: number; p1DataIndex: number }) => (isCut(p0DataIndex) || isCut(p1DataIndex) ? [2, 4] : undefined) },
    pointRadius: s.values.map((v, i) => (v === null || s.before ? 0 : isCut(i) ? 4 : drawing.labels.length <= many || isolated(data, i) ? 2.5 : 0)),
    pointBackgroundColor: s.values.map((_, i) => (isCut(i) ? theme.back : colour)),
    pointHitRadius: 6,
    tension: 0,
    spanGaps: false,
    clip: longestRadius, // a mark at the edge of the plot is drawn whole
  }
}

/** stackedValues are those of a series of areas: it adds nothing at a stop where only others of its stack have a value. */
function stackedValues(panel: Panel, at: number): (number | null)[] {
  const { before, values } = panel.series[at]
  return values.map((v, i) => v ?? (panel.series.some((o) => o.before === before && o.values[i] !== null) ? 0 : null))
}

/** lowerEdge is where an area begins: at the series below it, the lowest one at zero. */
function lowerEdge(panel: Panel, at: number): number | 'origin' {
  const below = panel.series.findLastIndex((s, i) => i < at && !s.before)
  return below < 0 ? 'origin' : below
}

/** A value between two gaps has no line: without its mark it would not be seen. */
const isolated = (values: (number | null)[], i: number) => values[i] !== null && (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null
