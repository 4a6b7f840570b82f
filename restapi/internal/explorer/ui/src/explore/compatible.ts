// The metrics and dimensions that fit the open query, as the service lists them, and why the others do not.

import { useState } from 'preact/hooks'
import { api, errorOf, type Compatible, type Groupable, type Query } from '../api.ts'
import { useAnswer } from '../hooks.ts'
import type { Group } from '../state.ts'

export interface Fits {
  metrics: Set<string>
  dimensions: Map<string, Groupable>
}

const page = 1000
const mostPages = 30

async function load(query: Query, signal: AbortSignal): Promise<Fits> {
  const fits: Fits = { metrics: new Set(), dimensions: new Map() }
  let offset: number | undefined = 0
  for (let i = 0; i < mostPages && offset !== undefined; i++) {
    const answer: Compatible = await api.compatible({ ...query, limit: page, offset }, signal)
    for (const m of answer.metrics) fits.metrics.add(m)
    for (const d of answer.dimensions) fits.dimensions.set(d.name, d)
    offset = answer.next_offset
  }
  return fits
}

/** core is what decides whether something fits: not its order, its limit or what is added to its rows. */
export function core({ metrics, group_by, where_sql, context_filter, time_range, as_of, params, view }: Query): Query {
  return { metrics: metrics ?? [], ...(group_by && { group_by }), ...(where_sql && { where_sql }), ...(context_filter && { context_filter }), ...(time_range && { time_range, ...(as_of && { as_of }) }), ...(params && { params }), ...(view && { view }) }
}

/** withAxis is the axis that comes with a metric of windows: without it the query would be refused. */
const withAxis = (query: Query, grain: string): Query => ({ ...query, group_by: [...(query.group_by ?? []), { field: 'metric_time', grain }] })

/** useFits returns what fits a query, and whether the request still runs; undefined before the first response, and if the query itself is rejected. Metrics that need a time axis are tried with the grain that they begin with. */
export function useFits(query: Query, needAxis?: Map<string, string>): { fits?: Fits; running: boolean } {
  const asked = core(query)
  const lacksAxis = needAxis !== undefined && needAxis.size > 0 && !asked.group_by?.some((g) => g.grain)
  const answer = useAnswer<Fits>(JSON.stringify(asked), async (signal) => {
    const grains = lacksAxis ? [...new Set(needAxis.values())] : []
    const [fits, ...over] = await Promise.all([load(asked, signal), ...grains.map((grain) => load(withAxis(asked, grain), signal).catch(() => undefined))])
    grains.forEach((grain, i) => over[i]?.metrics.forEach((m) => needAxis!.get(m) === grain && fits.metrics.add(m)))
    return fits
  })
  return { fits: answer.data, running: answer.running }
}

export type Addition = { metric: string } | Group

/** useReason is why an addition does not fit: the error of compiling the query with it, asked for when a person looks. */
export function useReason(query: Query) {
  const [wanted, setWanted] = useState<Addition>()
  const asked = core(query)
  const tried: Query | undefined = wanted && ('metric' in wanted ? { ...asked, metrics: [...(asked.metrics ?? []), wanted.metric] } : { ...asked, group_by: [...(asked.group_by ?? []), wanted] })
  const answer = useAnswer<string>(
    tried && JSON.stringify(tried),
    async (signal) => {
      try {
        await api.compile(tried!, signal)
        return ''
      } catch (e) {
        if (signal.aborted) throw e
        return errorOf(e).message
      }
    },
    150,
  )
  return { wanted, look: setWanted, reason: wanted && !answer.running ? (answer.data ?? '') : '' }
}
