// The fields that all of some metrics take.

import { useEffect, useMemo, useState } from 'preact/hooks'
import { errorOf, type Dimension, type ErrorBody } from './api.ts'
import { accepted, type Catalog } from './catalog.ts'

export interface Accepted {
  /** The lists of the metrics that have one; absent while the request runs. */
  lists?: Dimension[][]
  /** The error of a metric without a list. */
  error?: ErrorBody
  again: () => void
}

/** useAccepted returns the dimensions that all of these metrics accept. */
export function useAccepted(metrics: string[]): Accepted {
  const [turn, setTurn] = useState(0)
  const key = JSON.stringify([metrics, turn])
  const [answer, setAnswer] = useState<{ key: string; lists: Dimension[][]; error?: ErrorBody }>()
  useEffect(() => {
    let live = true
    Promise.allSettled(metrics.map((m) => accepted(m))).then((all) => {
      const failed = all.find((a) => a.status === 'rejected')
      if (live) setAnswer({ key, lists: all.flatMap((a) => (a.status === 'fulfilled' ? [a.value] : [])), error: failed && errorOf(failed.reason) })
    })
    return () => {
      live = false
    }
  }, [key])
  return { ...(answer?.key === key && { lists: answer.lists, error: answer.error }), again: () => setTurn((t) => t + 1) }
}

/** useTypes returns every name that a filter or a group-by may hold. */
export function useTypes(catalog: Catalog, metrics: string[]): Map<string, Dimension> {
  const { lists } = useAccepted(metrics)
  return useMemo(() => {
    if (!lists || lists.length === 0) return new Map(catalog.dimensionList.filter((d) => metrics.length === 0 || d.is_dimension).map((d) => [d.name, d]))
    const [first, ...others] = lists
    const taken = others.map((l) => new Map(l.map((d) => [d.name, d])))
    const shared = (key: 'grains' | 'parts', d: Dimension) => d[key]?.filter((x) => taken.every((t) => t.get(d.name)![key]?.includes(x)))
    return new Map(first.filter((d) => taken.every((t) => t.has(d.name))).map((d) => [d.name, { ...d, grains: shared('grains', d), parts: shared('parts', d) }]))
  }, [catalog, lists])
}
