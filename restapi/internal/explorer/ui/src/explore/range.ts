// The range of the data of the metrics of a state.

import type { Query } from '../api.ts'
import type { Catalog } from '../catalog.ts'
import { axesOf, type Axis } from '../home/axes.ts'
import { endOf } from '../home/newest.ts'
import { bindings, type State } from '../state.ts'

/** timeAxes are the axes of the metrics of a state that have one. */
export function timeAxes(catalog: Catalog, state: State): Axis[] {
  const metrics = state.metrics.flatMap((name) => catalog.metrics.get(name) ?? [])
  return axesOf(metrics, catalog.datasets, catalog.dimensions).filter((axis) => axis.grains.length > 0)
}

/** keysOf are the keys of a state that every query of its metrics has. */
export function keysOf(catalog: Catalog, state: State): Query {
  const params = bindings(state, catalog)
  const { time_zone } = state.rest
  return { ...(Object.keys(params).length > 0 && { params }), ...(time_zone !== undefined && { time_zone }), ...(state.connection && { connection: state.connection }) }
}

/** endOfData is the day after the newest period with rows; undefined where no metric has an axis or a row with a date. */
export async function endOfData(catalog: Catalog, state: State, signal?: AbortSignal): Promise<string | undefined> {
  const ends = await Promise.all(timeAxes(catalog, state).map((axis) => endOf(axis, keysOf(catalog, state), signal)))
  return ends.filter((end) => end !== undefined).sort().at(-1)
}
