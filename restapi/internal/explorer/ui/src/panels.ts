// What a chart draws: which column of the result is the axis, which values are series,
// and which columns share a plot.

import type { Metric, Result, Row } from './api.ts'
import { bucket, calendar } from './format.ts'
import type { Group } from './state.ts'

const mostSeries = 10
const mostBars = 60

/** Columns whose largest values differ by more than this do not share an axis. */
const magnitude = 20

export interface Column {
  name: string
  metric?: Metric
}

export interface Series {
  label: string
  values: (number | null)[]
}

/** A panel is one plot: columns of one unit and magnitude. */
export interface Panel {
  title: string
  metric?: Metric
  series: Series[]
}

export interface Drawing {
  kind: 'line' | 'bar'
  axis: string
  labels: string[]
  panels: Panel[]
  notes: string[]
}

interface Axis {
  key: string
  grain?: string
  stops: unknown[]
  notes: string[]
}

/**
 * draw decides what is an axis, what is a series, and what is left out. Bars are in
 * the order of the first metric's values, unless the query has an order of its own.
 */
export function draw(result: Result, groups: Group[], columns: Column[], ordered: boolean): Drawing {
  const keys = result.columns.slice(0, groups.length)
  const at = Math.max(0, groups.findIndex((g) => g.grain))
  const axis = groups[at].grain ? timeAxis(result, keys[at], groups[at].grain) : barAxis(result, keys[at], columns[0], ordered)
  const others = groups.map((g, i) => ({ key: keys[i], grain: g.grain })).filter((_, i) => i !== at)
  const place = new Map(axis.stops.map((s, i) => [s, i]))
  const notes = [...axis.notes]
  const panels = together(result, columns).map((shared) => {
    const all = shared.flatMap((c) => seriesOf(result.rows, c, others, axis, place, shared.length > 1))
    const series = largest(all, mostSeries)
    if (series.length < all.length) notes.push(`the ${mostSeries} largest of ${all.length} series of ${titleOf(shared)}`)
    return { title: titleOf(shared), metric: shared[0].metric, series }
  })
  return { kind: axis.grain ? 'line' : 'bar', axis: axis.key, labels: axis.stops.map((s) => bucket(s as string, axis.grain)), panels, notes }
}

function timeAxis(result: Result, key: string, grain: string): Axis {
  const stops = unique(result.rows.map((r) => r[key]))
  const dated = stops.filter((s): s is string => typeof s === 'string').sort()
  const notes = dated.length < stops.length ? ['rows without a date are in the table only'] : []
  return { key, grain, stops: dated.length > 0 ? calendar(dated[0], dated[dated.length - 1], grain) : stops, notes }
}

function barAxis(result: Result, key: string, first: Column | undefined, ordered: boolean): Axis {
  let stops = unique(result.rows.map((r) => r[key]))
  const notes: string[] = []
  if (first && !ordered) {
    const total = new Map<unknown, number>()
    for (const r of result.rows) {
      const v = value(r, first)
      if (v !== null) total.set(r[key], (total.get(r[key]) ?? 0) + v)
    }
    stops = [...stops].sort((a, b) => (total.get(b) ?? -Infinity) - (total.get(a) ?? -Infinity) || 0)
  }
  if (stops.length > mostBars) {
    // Of a limited answer these are the largest of the rows that came, not of all.
    const among = result.limited ? ' in these rows, which are limited' : ''
    notes.push(`the ${ordered ? 'first' : 'largest'} ${mostBars} of ${stops.length} bars${among}`)
    stops = stops.slice(0, mostBars)
  }
  return { key, stops, notes }
}

/** together parts the columns into those that may share an axis, in their order. */
function together(result: Result, columns: Column[]): Column[][] {
  const panels: { unit: string; least: number; most: number; columns: Column[] }[] = []
  for (const c of columns) {
    const size = Math.max(0, ...result.rows.map((r) => Math.abs(value(r, c) ?? 0)))
    const unit = unitOf(c.metric)
    const fits = panels.find((p) => p.unit === unit && (size === 0 || p.most === 0 || (size <= p.least * magnitude && p.most <= size * magnitude)))
    if (!fits) {
      panels.push({ unit, least: size, most: size, columns: [c] })
      continue
    }
    fits.columns.push(c)
    fits.most = Math.max(fits.most, size)
    fits.least = fits.least === 0 ? size : size === 0 ? fits.least : Math.min(fits.least, size)
  }
  return panels.map((p) => p.columns)
}

function seriesOf(rows: Row[], c: Column, others: { key: string; grain?: string }[], axis: Axis, place: Map<unknown, number>, named: boolean): Series[] {
  const found = new Map<string, (number | null)[]>()
  for (const r of rows) {
    const at = place.get(r[axis.key])
    if (at === undefined) continue
    const name = others.map((o) => bucket(r[o.key], o.grain)).join(' · ')
    let values = found.get(name)
    if (!values) found.set(name, (values = axis.stops.map(() => null)))
    values[at] = value(r, c)
  }
  return [...found].map(([name, values]) => ({ label: [others.length > 0 && name, (named || others.length === 0) && c.name].filter(Boolean).join(' · '), values }))
}

function largest(series: Series[], most: number): Series[] {
  if (series.length <= most) return series
  const weight = (s: Series) => s.values.reduce<number>((a, v) => a + Math.abs(v ?? 0), 0)
  return [...series].sort((a, b) => weight(b) - weight(a)).slice(0, most)
}

/** titleOf names the metrics of a plot and their unit. */
function titleOf(columns: Column[]): string {
  const names = columns.map((c) => c.name)
  const shown = names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
  const unit = columns[0].metric?.unit
  return unit ? `${shown} (${unit})` : shown
}

function value(r: Row, c: Column): number | null {
  const v = r[c.name]
  return v === null || v === '' ? null : Number(v)
}

const unitOf = (m?: Metric) => m?.unit ?? m?.format ?? ''
const unique = <T,>(list: T[]): T[] => [...new Set(list)]

/** How far beyond zero an axis goes when all values are below it. */
const beyondZero = 0.08

/** aroundZero keeps zero within the plot, with room above it where all is negative. */
export function aroundZero(panel: Panel): { beginAtZero: true; suggestedMax?: number } {
  const values = panel.series.flatMap((s) => s.values).filter((v) => v !== null)
  const least = Math.min(0, ...values)
  return least < 0 && Math.max(...values) <= 0 ? { beginAtZero: true, suggestedMax: -least * beyondZero } : { beginAtZero: true }
}
