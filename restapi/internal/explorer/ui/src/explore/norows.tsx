// Where the data is, when a range has no rows.

import { api, type Result, type Values } from '../api.ts'
import type { Catalog } from '../catalog.ts'
import { useAnswer } from '../hooks.ts'
import { m } from '../messages/index.ts'
import { addPeriods } from '../periods.ts'
import type { State } from '../state.ts'

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
  result: Result
}

/** NoRows names the range of the data and offers it; nothing where the result has rows, or the service itself gives the hint. */
export function NoRows({ catalog, state, set, result }: Props) {
  const field = state.timeDimension || catalog.metrics.get(state.metrics[0])?.time_dimension
  const ranged = state.start !== '' || state.end !== '' || state.last !== ''
  const hinted = result.warnings?.some((w) => w.code === 'time_range_matched_nothing')
  const asked = ranged && !hinted && field !== undefined && field !== 'metric_time' && isEmpty(result, state.groups.length)
  const values = useAnswer<Values>(asked ? JSON.stringify([catalog.model.revision, field, state.connection]) : undefined, (signal) => api.values(field!, '', state.connection, 1, signal))
  const { min, max } = values.data ?? {}
  if (!asked || typeof min !== 'string' || typeof max !== 'string') return null
  const [first, last] = [min.slice(0, 10), max.slice(0, 10)]
  return (
    <p class="note">
      {m.chart.dataRange(first, last)}{' '}
      <button type="button" class="small" onClick={() => set({ start: first, end: addPeriods(last, 1, 'day'), last: '', asOf: '', compare: '' })}>
        {m.chart.showRange}
      </button>
    </p>
  )
}

/** isEmpty is whether a result has no row, or one without groups whose values are all absent or 0. */
function isEmpty(result: Result, groups: number): boolean {
  if (result.rows.length === 0) return true
  return groups === 0 && result.rows.length === 1 && Object.values(result.rows[0]).every((v) => v === null || v === 0)
}
