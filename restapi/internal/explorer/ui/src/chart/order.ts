// The order of the values of a group-by.

import type { Row } from '../api.ts'
import { grainOfTexts, otherValue } from '../format.ts'
import { nameGroup, type Named } from '../labels.ts'
import { fieldOf } from '../names.ts'
import type { Group } from '../state.ts'
import type { OrderedGroup } from './panels.ts'

type Value = Row[string]

/** withOrders gives group-bys their labels, and the order that the model has for their values. A path of relationships ends in the name of its field. */
export function withOrders(groups: Group[], named: Pick<Named, 'dimensions' | 'datasets'>): OrderedGroup[] {
  const { dimensions } = named
  const orderOf = (field: string) => (dimensions.get(field) ?? [...dimensions.values()].find((d) => d.order && fieldOf(d.name) === fieldOf(field)))?.order
  return groups.map((g) => ({ ...g, label: nameGroup(named, g), ...(!g.grain && !g.part && { order: orderOf(g.field) }) }))
}

/** byOrder compares values: those of the list in its order, then the others, numbers by size. Without a value, and put together by the service, come last. */
export function byOrder(order: string[] = []): (a: Value, b: Value) => number {
  const places = new Map<unknown, number>(order.map((value, i) => [value, i]))
  const last = (v: Value) => (v === otherValue ? 2 : v === null ? 1 : 0)
  const place = (v: Value) => places.get(v) ?? order.length
  return (a, b) => last(a) - last(b) || place(a) - place(b) || (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true }))
}

/** hasOrder is whether people expect values in a certain order, and not by size. */
export const hasOrder = (values: Value[], order?: string[]) => Boolean(order) || grainOfTexts(values) !== undefined || (values.some((v) => typeof v === 'number') && values.every((v) => typeof v === 'number' || v === null || v === otherValue))
