// The fields that all of some metrics take.

import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Dimension } from './api.ts'
import { accepted, type Catalog } from './catalog.ts'

/** useAccepted returns the dimensions that all of these metrics accept; undefined while the request runs. */
export function useAccepted(metrics: string[]): Dimension[][] | undefined {
  const key = JSON.stringify(metrics)
  const [answer, setAnswer] = useState<{ key: string; lists: Dimension[][] }>()
  useEffect(() => {
    let live = true
    Promise.all(metrics.map((m) => accepted(m).catch(() => undefined))).then((lists) => {
      if (live) setAnswer({ key, lists: lists.filter((l): l is Dimension[] => l !== undefined) })
    })
    return () => {
      live = false
    }
  }, [key])
  return answer?.key === key ? answer.lists : undefined
}

/** useTypes returns every name that a filter or a group-by may hold. */
export function useTypes(catalog: Catalog, metrics: string[]): Map<string, Dimension> {
  const lists = useAccepted(metrics)
  return useMemo(() => {
    if (!lists || lists.length === 0) return new Map(catalog.dimensionList.filter((d) => metrics.length === 0 || d.is_dimension).map((d) => [d.name, d]))
    const [first, ...others] = lists
    const taken = others.map((l) => new Map(l.map((d) => [d.name, d])))
    const shared = (key: 'grains' | 'parts', d: Dimension) => d[key]?.filter((x) => taken.every((t) => t.get(d.name)![key]?.includes(x)))
    return new Map(first.filter((d) => taken.every((t) => t.has(d.name))).map((d) => [d.name, { ...d, grains: shared('grains', d), parts: shared('parts', d) }]))
  }, [catalog, lists])
}
