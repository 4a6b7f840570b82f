// A saved query on the first page, with its result.

import { useLayoutEffect, useMemo } from 'preact/hooks'
import { api, type Compiled, type Result, type SavedQuery } from '../api.ts'
import { amountsIn, type Catalog } from '../catalog.ts'
import { ResultChart } from '../chart/chart.tsx'
import { cutsOf } from '../chart/cuts.ts'
import { withOrders } from '../chart/order.ts'
import type { Wish } from '../chart/panels.ts'
import { boundsOf, shapeOf } from '../chart/shape.ts'
import { outputsOf } from '../explore/answer.tsx'
import { endOfData } from '../explore/range.ts'
import { useAnswer } from '../hooks.ts'
import { m } from '../messages/index.ts'
import { Problem } from '../parts.tsx'
import { groupsOf, initial, openSaved, type Kind, type State } from '../state.ts'
import { ResultTable } from '../table/table.tsx'

interface Props {
  catalog: Catalog
  saved: SavedQuery
  connection: string
  /** How often a person has asked again for what failed. */
  attempt: number
  set: (p: Partial<State>) => void
  /** Whether the page names an error of this code elsewhere. */
  quiet: (code: string) => boolean
  onError: (code: string) => void
  onAgain: () => void
}

/** isTile is whether a saved query is drawn on the first page: it is marked, and runs without a choice of a person. */
export const isTile = (q: SavedQuery) => q.home === true && q.kind !== 'attribute' && Object.values(q.params ?? {}).every((p) => !p.required)

/** titleOf is how people name a saved query. */
export const titleOf = (q: SavedQuery) => q.questions?.[0] ?? q.name.replaceAll(/[_-]+/g, ' ')

export function Tile({ catalog, saved, connection, attempt, set, quiet, onError, onAgain }: Props) {
  const body = { saved: saved.name, ...(connection && { connection }) }
  const kind = saved.kind === 'select' ? 'select' : 'query'
  const key = JSON.stringify([catalog.model.revision, body, attempt])
  const answer = useAnswer<{ result: Result; compiled: Compiled }>(key, async (signal) => {
    const [result, compiled] = await Promise.all([api.execute(body, signal, kind), api.compile(body, signal, kind)])
    return { result, compiled }
  })
  const shape = useMemo(() => {
    if (!answer.data) return undefined
    const { result, compiled } = answer.data
    const shape = shapeOf(result, compiled.outputs, groupsOf(result.columns, outputsOf(compiled), saved.dimensions), catalog.metrics)
    return { ...shape, groups: withOrders(shape.groups, catalog) }
  }, [answer.data, catalog])
  // The range, or the end of the data, cuts a period of the axis, as it does in Explore.
  const timed = shape?.groups.some((g) => g.field === 'metric_time' && g.grain && g.grain !== 'day')
  const newest = useAnswer<string | undefined>(timed ? JSON.stringify([catalog.model.revision, saved.metrics, connection]) : undefined, (signal) => endOfData(catalog, { ...initial, metrics: saved.metrics ?? [], connection }, signal))
  const bounds = boundsOf(answer.data?.result)
  const start = bounds?.start ?? ''
  const end = [bounds?.end, newest.data].filter((e) => e !== undefined).sort()[0] ?? ''
  const cuts = useMemo<Wish['cutsOf']>(() => (timed ? (stops, grain) => cutsOf(stops, grain, { start, end }) : undefined), [timed, start, end])
  const titles = useMemo(() => new Map(shape?.groups.map((g, i): [string, string] => [shape.drawn.columns[i], g.label ?? g.field])), [shape])
  const title = titleOf(saved)
  const code = answer.error?.code ?? ''
  useLayoutEffect(() => onError(code), [code])
  return (
    <li class="tile" aria-busy={answer.running}>
      <h3>
        <button type="button" class="link" title={saved.description} onClick={() => set(openSaved(saved.name, connection, saved.chart))}>
          {title}
        </button>
      </h3>
      {answer.error && (quiet(answer.error.code) ? <p class="quiet">{m.home.notLoaded}</p> : <Problem error={answer.error} connection={connection} onAgain={onAgain} />)}
      {answer.data && shape && (kind === 'select' || saved.chart === 'table' || shape.columns.length === 0) && (
        <ResultTable result={answer.data.result} amounts={amountsIn(catalog, answer.data.result.columns)} name={saved.name} values={shape.columns} titles={titles} level={shape.level} order={[]} />
      )}
      {shape && kind === 'query' && saved.chart !== 'table' && shape.columns.length > 0 && (
        <ResultChart result={shape.drawn} groups={shape.groups} columns={shape.columns.filter((c) => c.kind === undefined || c.kind === 'previous')} ordered={true} cutsOf={cuts} kind={(saved.chart ?? 'auto') as Kind} />
      )}
    </li>
  )
}
