// A statement over the model, as the doors of SQL take it, with its rows.

import { useMemo, useState } from 'preact/hooks'
import { api, type Result, type Row } from '../api.ts'
import { amountsIn } from '../catalog.ts'
import { ResultChart } from '../chart/chart.tsx'
import { withOrders } from '../chart/order.ts'
import type { Column } from '../chart/panels.ts'
import { calendar, grainOfTexts } from '../format.ts'
import { useAnswer } from '../hooks.ts'
import { m } from '../messages/index.ts'
import { Busy, Cancelled, Problem, Tabs } from '../parts.tsx'
import type { Group, Tab } from '../state.ts'
import { ResultTable } from '../table/table.tsx'
import { ConnectionChoice } from './form.tsx'
import { Fault } from './condition.tsx'
import type { Props } from './explore.tsx'

export function StatementPage({ catalog, state, set }: Props) {
  const [draft, setDraft] = useState(state.statement)
  const [stopped, setStopped] = useState('')
  const { statement, connection } = state
  const key = statement.trim() === '' ? undefined : JSON.stringify([catalog.model.revision, statement, connection])
  const answer = useAnswer<Result>(key === stopped ? undefined : key, (signal) => api.statement(statement, connection, signal))
  const run = () => {
    setStopped('')
    if (draft === statement) answer.again()
    else set({ statement: draft })
  }
  const result = answer.data
  const shape = useMemo(() => result && plotted(result, catalog.metrics), [result, catalog])
  const tabs: Tab[] = shape ? ['chart', 'table'] : ['table']
  const tab = state.tab === 'chart' && shape ? 'chart' : 'table'
  return (
    <main class="listpage" tabIndex={-1}>
      <h1>{m.pages.sql}</h1>
      <p class="quiet">{m.sql.about(catalog.model.name)}</p>
      <form
        class="condition"
        onSubmit={(e) => {
          e.preventDefault()
          run()
        }}
      >
        <textarea
          rows={6}
          spellcheck={false}
          aria-label={m.sql.statement}
          placeholder={m.sql.example(catalog.model.name, catalog.metricList[0]?.name ?? 'revenue')}
          value={draft}
          onInput={(e) => setDraft(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key !== 'Enter' || !(e.ctrlKey || e.metaKey)) return
            e.preventDefault()
            run()
          }}
        />
        <p class="tools">
          <button type="submit" class="primary" disabled={draft.trim() === ''}>
            {m.sql.run}
          </button>
          <ConnectionChoice {...{ catalog, state, set }} />
        </p>
      </form>
      <Busy running={answer.running} onCancel={() => setStopped(key ?? '')} />
      {key !== undefined && key === stopped && <Cancelled onAgain={() => setStopped('')} />}
      {answer.error && (answer.error.position ? <Fault text={statement} error={answer.error} onText={setDraft} /> : <Problem error={answer.error} connection={connection} onAgain={answer.again} />)}
      {result && (
        <section class={answer.running ? 'answer stale' : 'answer'}>
          {tabs.length > 1 && (
            <div class="bar">
              <Tabs names={tabs.map((t) => [t, m.tabs[t]])} current={tab} onPick={(tab) => set({ tab })} label={m.tabs.label} />
            </div>
          )}
          <div role={tabs.length > 1 ? 'tabpanel' : undefined} aria-labelledby={tabs.length > 1 ? `tab-${tab}` : undefined} class="rows">
            {tab === 'chart' && shape ? (
              <ResultChart result={shape.result} groups={withOrders(shape.groups, catalog)} columns={shape.columns} ordered={/\border\s+by\b/i.test(statement) && !shape.groups.some((g) => g.grain)} kind="auto" />
            ) : (
              <ResultTable result={result} name="rows" values={shape?.columns} amounts={amountsIn(catalog, result.columns)} order={[]} sort={state.sort} onSort={(sort) => set({ sort })} />
            )}
          </div>
        </section>
      )}
    </main>
  )
}

const grains = ['year', 'quarter', 'month', 'week', 'day']

/** grainOf is the coarsest grain that has all of some days; undefined where a value is not a day. */
function grainOf(values: Row[string][]): string | undefined {
  if (grainOfTexts(values) !== 'day') return undefined
  const sorted = [...new Set(values.flatMap((v) => (v === null ? [] : String(v).slice(0, 10))))].sort()
  return grains.find((grain) => isFirst(sorted[0], grain) && calendar(sorted, grain))
}

/** isFirst is whether a day is the first of a period. */
const isFirst = (day: string, grain: string) => grain === 'day' || grain === 'week' || (grain === 'year' ? day.endsWith('-01-01') : grain === 'quarter' ? /-(01|04|07|10)-01$/.test(day) : day.endsWith('-01'))

/** plotted are the groups and the values of rows that a chart can draw: texts and days first, then numbers; undefined for other rows. */
function plotted(result: Result, metrics: Props['catalog']['metrics']): { result: Result; groups: Group[]; columns: Column[] } | undefined {
  const isNumber = (c: string) => result.rows.some((r) => typeof r[c] === 'number') && result.rows.every((r) => typeof r[c] === 'number' || r[c] === null)
  const first = result.columns.findIndex(isNumber)
  const values = result.columns.slice(first)
  if (first <= 0 || !values.every(isNumber) || new Set(result.columns).size < result.columns.length) return undefined
  const groups = result.columns.slice(0, first).map((field) => ({ field, grain: grainOf(result.rows.map((r) => r[field])) }))
  const days = groups.filter((g) => g.grain).map((g) => g.field)
  const rows = result.rows.map((r) => ({ ...r, ...Object.fromEntries(days.map((d) => [d, r[d] === null ? null : String(r[d]).slice(0, 10)])) }))
  return {
    result: { ...result, rows },
    groups,
    columns: values.map((name) => ({ name, metric: metrics.get(name) })),
  }
}
