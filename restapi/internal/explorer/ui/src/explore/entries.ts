// The entries of the two lists of the picker, grouped by dataset.

import type { Dimension, Metric } from '../api.ts'
import { search, type Catalog } from '../catalog.ts'
import { m } from '../messages/index.ts'
import { datasetOf, fieldOf } from '../names.ts'
import type { Fits } from './compatible.ts'

export interface Entry {
  name: string
  label: string
  about: string
  group: string
  mark?: string
  /** It does not fit what is chosen. */
  grey: boolean
  /** The code of the error with which it does not compile. */
  broken?: string
  dimension?: Dimension
}

/** A line of a list is an entry or the title of a group of entries. */
export type Line = { title: string; count: number } | Entry

/** metricEntries lists the metrics that the words find, those that are chosen included. */
export function metricEntries(catalog: Catalog, fits: Fits | undefined, chosen: string[], text: string): Entry[] {
  return search(catalog.index, text, 'metric').map((e) => {
    const metric = catalog.metrics.get(e.name) as Metric
    const broken = catalog.broken.get(e.name)
    return {
      name: e.name,
      label: metric.label || e.name,
      about: [metric.label && e.name, metric.description, broken && `${broken.code}: ${broken.message}`].filter(Boolean).join('\n'),
      group: metric.datasets.length === 1 ? metric.datasets[0] : m.picker.several,
      broken: broken?.code,
      grey: fits !== undefined && !broken && !chosen.includes(e.name) && !fits.metrics.has(e.name),
    }
  })
}

/**
 * dimensionEntries lists metric_time, the dimensions of the model, and the other roles that fit. The time is listed before
 * the response names what fits: nothing moves when it comes.
 */
export function dimensionEntries(catalog: Catalog, fits: Fits | undefined, chosen: string[], text: string): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fitting = fits?.dimensions ?? new Map<string, string[] | undefined>()
  const axis = catalog.metricList.find((x) => x.time_dimension !== undefined)?.time_dimension
  const known = axis === undefined || fitting.has('metric_time') ? fitting : new Map([['metric_time', catalog.dimensions.get(axis)?.grains ?? []], ...fitting])
  const extra = [...known]
    .filter(([name]) => !catalog.dimensions.has(name) && words.every((w) => name.toLowerCase().includes(w)))
    .map(([name, grains]): Dimension => ({ name, grains, is_time: grains !== undefined, is_dimension: true, source: 'role' }))
  const shown = search(catalog.index, text, 'dimension')
    .map((e) => catalog.dimensions.get(e.name)!)
    .filter((d) => d.is_dimension || chosen.includes(d.name))
  const unlisted = chosen.filter((name) => !catalog.dimensions.has(name) && !extra.some((d) => d.name === name)).map((name): Dimension => ({ name, grains: name === 'metric_time' ? [] : undefined, is_time: name === 'metric_time', is_dimension: true, source: 'role' }))
  const time = [...extra, ...unlisted].filter((d) => d.name === 'metric_time')
  const roles = [...extra, ...unlisted].filter((d) => d.name !== 'metric_time')
  return [...time, ...shown, ...roles].map((d) => {
    return {
      name: d.name,
      label: fieldOf(d.name),
      about: [d.name, d.description].filter(Boolean).join('\n'),
      group: datasetOf(d.name) || m.picker.time,
      mark: d.is_time ? m.model.time : undefined,
      grey: fits !== undefined && !chosen.includes(d.name) && !fits.dimensions.has(d.name),
      dimension: { ...d, grains: fits?.dimensions.get(d.name) ?? d.grains },
    }
  })
}

/** groupOrder is the order of the groups of both lists: time, the datasets of the model, and the metrics of several. */
export const groupOrder = (catalog: Catalog): string[] => [m.picker.time, ...catalog.datasets.map((d) => d.name), m.picker.several]

/**
 * linesOf puts the entries below the titles of their groups; of a closed group only the title is there. Typing and
 * choosing do not change the order of the groups. Groups that are not in it are roles, which come last by name.
 */
export function linesOf(entries: Entry[], closed: Set<string>, order: string[]): Line[] {
  const groups = new Map<string, Entry[]>()
  for (const e of entries) {
    const list = groups.get(e.group)
    if (list) list.push(e)
    else groups.set(e.group, [e])
  }
  const places = new Map(order.map((title, i) => [title, i]))
  const place = (title: string) => places.get(title) ?? order.length
  const ordered = [...groups].sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1))
  return ordered.flatMap(([title, list]): Line[] => [{ title, count: list.length }, ...(closed.has(title) ? [] : list)])
}
