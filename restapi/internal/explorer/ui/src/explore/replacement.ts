// What picking a candidate of an error changes.

import type { ErrorBody } from '../api.ts'
import type { State } from '../state.ts'

/** replacement returns the change of picking a candidate; undefined when nothing would. */
export function replacement(error: ErrorBody, state: State, set: (p: Partial<State>) => void): ((name: string) => void) | undefined {
  switch (error.code) {
    case 'time_range_needs_dimension':
    case 'no_primary_time_dimension':
      return (name) => set({ timeDimension: name })
    case 'unknown_metric': {
      const wrong = error.metrics?.find((m) => state.metrics.includes(m))
      return wrong === undefined ? undefined : (name) => set({ metrics: state.metrics.map((m) => (m === wrong ? name : m)) })
    }
    case 'unknown_dimension':
    case 'ambiguous_dimension':
    case 'ambiguous_join_path': {
      // The message holds the name that is wrong, as the query wrote it or without its dataset.
      const named = (field: string) => field !== '' && (error.message.includes(field) || error.message.endsWith(' ' + field.slice(field.lastIndexOf('.') + 1)))
      if (named(state.timeDimension)) return (name) => set({ timeDimension: name })
      const group = state.groups.find((g) => named(g.field))
      if (group) return (name) => set({ groups: state.groups.map((g) => (g === group ? { ...g, field: name } : g)) })
      const filter = state.filters.find((f) => named(f.field))
      return filter && ((name) => set({ filters: state.filters.map((f) => (f === filter ? { ...f, field: name } : f)) }))
    }
    case 'unknown_order_key':
      return (name) => set({ order: [{ key: name, desc: state.order[0]?.desc ?? false }] })
  }
  return undefined
}
