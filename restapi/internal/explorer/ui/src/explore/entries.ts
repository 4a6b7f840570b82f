// The entries of the two lists of the picker, grouped by dataset.

import type { Dimension, Groupable, Metric, ViewFolder } from '../api.ts'
import { search, type Catalog } from '../catalog.ts'
import { m } from '../messages/index.ts'
import { bareLabel, metricLabel } from '../labels.ts'
import { datasetOf } from '../names.ts'
import type { Group } from '../state.ts'
import { partLabel } from '../timeparts.ts'
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
  /** The part of the dimension, which is a time. */
  part?: string
  /** It is below its dimension. */
  nested?: boolean
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
      label: metricLabel(metric),
      about: [e.name, metric.description, broken && `${broken.code}: ${broken.message}`].filter(Boolean).join('\n'),
      group: metric.folder ?? (metric.datasets.length === 1 ? metric.datasets[0] : m.picker.several),
      broken: broken?.code,
      grey: fits !== undefined && !broken && !chosen.includes(e.name) && !fits.metrics.has(e.name),
    }
  })
}

/**
 * dimensionEntries lists metric_time, the dimensions of the model, and the other roles that fit. The time is listed before
 * the response names what fits: nothing moves when it comes. The parts of a time are below it where it is chosen or the words find them.
 */
export function dimensionEntries(catalog: Catalog, fits: Fits | undefined, groups: Group[], text: string): Entry[] {
  const chosen = groups.map((g) => g.field)
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const axis = catalog.dimensions.get(catalog.metricList.find((x) => x.time_dimension !== undefined)?.time_dimension ?? '')
  const known = new Map<string, Groupable>([...(axis ? [['metric_time', { ...axis, name: 'metric_time' }] as const] : []), ...(fits?.dimensions ?? [])])
  for (const name of chosen) if (!known.has(name)) known.set(name, { name, ...(name === 'metric_time' && { grains: [] }) })
  const roles = [...known.values()]
    .filter((d) => !catalog.dimensions.has(d.name))
    .map(({ name, grains, parts }): Dimension => ({ name, grains, parts, is_time: grains !== undefined, is_dimension: true, source: 'role' }))
  const shown = search(catalog.index, text, 'dimension')
    .map((e) => catalog.dimensions.get(e.name)!)
    .filter((d) => d.is_dimension || chosen.includes(d.name))
  const found = new Set([...shown, ...roles.filter((d) => words.every((w) => d.name.toLowerCase().includes(w)) || chosen.includes(d.name))])
  const times = catalog.dimensionList.filter((d) => d.is_dimension && d.parts && !found.has(d)) // of which words may find a part
  return [...roles.filter((d) => d.name === 'metric_time'), ...shown, ...times, ...roles.filter((d) => d.name !== 'metric_time')].flatMap((d) => {
    const fitting = fits?.dimensions.get(d.name)
    const dimension = { ...d, grains: fitting?.grains ?? d.grains, parts: fitting?.parts ?? d.parts }
    const entry: Entry = {
      name: d.name,
      label: bareLabel(catalog.dimensions, d.name),
      about: [d.name, d.description].filter(Boolean).join('\n'),
      group: d.folder || datasetOf(d.name) || m.picker.time,
      mark: d.is_time ? m.model.time : undefined,
      grey: fits !== undefined && !chosen.includes(d.name) && !fitting,
      dimension,
    }
    const isPartShown = (part: string) => (text === '' ? chosen.includes(d.name) : isPartFound(d.name, part, words)) || groups.some((g) => g.field === d.name && g.part === part)
    const nested = found.has(d)
    const parts = (dimension.parts ?? []).filter(isPartShown).map((part): Entry => ({ ...entry, name: `${d.name}:${part}`, label: nested ? partLabel(part) : m.picker.part(partLabel(part), entry.label), about: `${d.name}:${part}`, mark: undefined, part, nested }))
    return nested ? [entry, ...parts] : parts
  })
}

/** isPartFound is whether words find a part of a time: each is of the part or of the field, and one of the part. */
function isPartFound(field: string, part: string, words: string[]): boolean {
  const own = partLabel(part).toLowerCase()
  return words.some((w) => own.includes(w)) && words.every((w) => own.includes(w) || part.includes(w) || field.toLowerCase().includes(w))
}

/** foldersOf are the paths of the folders of the view that the lists are of, each before those in it. */
export const foldersOf = (catalog: Catalog): string[] => pathsOf(catalog.view?.folders)
const pathsOf = (folders: ViewFolder[] = [], above = ''): string[] => folders.flatMap((f) => [above + f.name, ...pathsOf(f.folders, `${above}${f.name}/`)])

/** groupOrder is the order of the groups of both lists: time, the folders of the view, the datasets of the model, and the metrics of several. */
export const groupOrder = (catalog: Catalog): string[] => [m.picker.time, ...foldersOf(catalog), ...catalog.datasets.map((d) => d.name), m.picker.several]

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
