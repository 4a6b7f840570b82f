// The first page: a question on the left, its answer on the right.

import { useEffect, useMemo, useState } from 'preact/hooks'
import { api, type Compiled, type Dimension, type ErrorBody, type Result } from './api.ts'
import type { Catalog } from './catalog.ts'
import { ResultChart } from './chart.tsx'
import { QueryForm } from './form.tsx'
import { useAnswer, useMedia } from './hooks.ts'
import { Busy, Code, Copy, Problem, Tabs } from './parts.tsx'
import { Picker, useAccepted } from './picker.tsx'
import { snippets } from './requests.ts'
import { fromQuery, merge, toQuery, type State, type Tab } from './state.ts'
import { ResultTable } from './table.tsx'

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
}

/** Typing is not a question yet. */
const pause = 250

export function Explore({ catalog, state, set }: Props) {
  const narrow = useMedia('(max-width: 760px)')
  const [compileOnly, setCompileOnly] = useState(false)
  const [stopped, setStopped] = useState('')
  const types = useTypes(catalog, state.metrics)
  const query = toQuery(state, { metrics: catalog.metrics, dimensions: types })
  const key = state.metrics.length === 0 ? undefined : JSON.stringify(query)

  const compiled = useAnswer<Compiled>(key, (signal) => api.compile(query, signal), pause)
  const run = useAnswer<Result>(compileOnly || key === undefined || stopped === key ? undefined : key, (signal) => api.execute(query, signal), pause)
  useEffect(() => {
    if (run.error?.code === 'forbidden') setCompileOnly(true)
  }, [run.error])

  const refusal = compileOnly ? compiled.error : run.error?.code === 'forbidden' ? undefined : run.error
  const columns = run.data?.columns ?? []
  const apply = (fragment: Record<string, unknown>) => set(fromQuery(state, merge(query, fragment), { metrics: catalog.metrics, dimensions: types }))
  return (
    <div class="explore">
      <aside>
        <details open={!narrow || state.metrics.length === 0}>
          <summary>Choose metrics and dimensions</summary>
          <Picker catalog={catalog} state={state} set={set} />
        </details>
      </aside>
      <main>
        {state.metrics.length === 0 ? (
          <Welcome catalog={catalog} set={set} />
        ) : (
          <>
            <QueryForm catalog={catalog} state={state} set={set} takes={types} columns={columns} />
            <Busy running={run.running} onCancel={() => setStopped(key!)} />
            {stopped === key && (
              <p class="note">
                Cancelled.{' '}
                <button type="button" class="small" onClick={() => setStopped('')}>
                  Run it again
                </button>
              </p>
            )}
            {refusal && <Problem error={refusal} onFragment={apply} onCandidate={replacement(refusal, state, set)} />}
            <Answer {...{ catalog, state, set, run, compiled, query, compileOnly }} />
          </>
        )}
      </main>
    </div>
  )
}

/** useTypes knows every name that a filter or a group-by may hold. */
function useTypes(catalog: Catalog, metrics: string[]): Map<string, Dimension> {
  const lists = useAccepted(metrics)
  return useMemo(() => {
    if (!lists || lists.length === 0) return new Map(catalog.dimensionList.filter((d) => metrics.length === 0 || d.is_dimension).map((d) => [d.name, d]))
    const [first, ...others] = lists
    const names = others.map((l) => new Set(l.map((d) => d.name)))
    return new Map(first.filter((d) => names.every((n) => n.has(d.name))).map((d) => [d.name, d]))
  }, [catalog, lists])
}

interface Shown extends Props {
  run: ReturnType<typeof useAnswer<Result>>
  compiled: ReturnType<typeof useAnswer<Compiled>>
  query: ReturnType<typeof toQuery>
  compileOnly: boolean
}

const tabs: [Tab, string][] = [
  ['chart', 'Chart'],
  ['table', 'Table'],
  ['sql', 'SQL'],
  ['plan', 'Plan'],
  ['request', 'Request'],
]

function Answer(p: Shown) {
  const { state, set, run, compiled, compileOnly, catalog, query } = p
  const tab = compileOnly && (state.tab === 'chart' || state.tab === 'table') ? 'sql' : state.tab
  const limited = run.data?.limited === true
  // A table of some rows is put in order by the service, which has them all.
  const onOrder = limited || state.order.length > 0 ? (order: State['order']) => set({ order }) : undefined
  const outputs = new Map((compiled.data?.outputs ?? []).map((o) => [o.column, o.metric]))
  const columns = (run.data?.columns ?? []).slice(state.groups.length).map((name) => ({ name, metric: catalog.metrics.get(outputs.get(name) ?? name) }))
  return (
    <section class={run.running ? 'answer stale' : 'answer'}>
      <div class="bar">
        <Tabs names={compileOnly ? tabs.slice(2) : tabs} current={tab} onPick={(tab) => set({ tab })} label="Result" />
        {run.took !== undefined && !run.running && <span class="quiet took">{run.took < 10 ? run.took.toFixed(1) : Math.round(run.took)} ms</span>}
      </div>
      {compileOnly && <p class="note">This service compiles and does not execute.</p>}
      <div role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'chart' && run.data && <ResultChart result={run.data} groups={state.groups} columns={columns} ordered={state.order.length > 0} />}
        {tab === 'table' && run.data && <ResultTable result={run.data} order={state.order} onOrder={onOrder} />}
        {tab === 'sql' && <SQL {...{ catalog, state, set, query }} />}
        {tab === 'plan' && <Plan query={query} />}
        {tab === 'request' && <Requests query={query} />}
      </div>
      {(tab === 'chart' || tab === 'table') && run.data && <Remarks result={run.data} state={state} set={set} first={columns[0]?.name} />}
    </section>
  )
}

/** Remarks says in words what a result does not show: that it is limited, and its warnings. */
function Remarks({ result, state, set, first }: { result: Result; state: State; set: Props['set']; first?: string }) {
  const limit = result.limit ?? state.limit
  const warnings = (result.warnings ?? []).filter((w) => w.code !== 'limit_clamped')
  const more = limit * 10
  return (
    <>
      {result.limited && (
        <p class="note limited">
          These are the first {limit.toLocaleString('en')} rows. The answer is limited, and there may be more.{' '}
          <button type="button" class="small" onClick={() => set({ limit: more })}>
            Ask for {more.toLocaleString('en')}
          </button>{' '}
          {first && state.order.length === 0 && (
            <button type="button" class="small" onClick={() => set({ order: [{ key: first, desc: true }] })}>
              Largest {first} first
            </button>
          )}
        </p>
      )}
      {warnings.map((w) => (
        <p class="note" key={w.code + w.message}>
          <span class="tag">{w.code}</span> {w.message}
        </p>
      ))}
    </>
  )
}

function SQL({ catalog, state, set, query }: Props & { query: Shown['query'] }) {
  const { connection: _, ...portable } = query
  const asked = state.dialect ? { ...portable, dialect: state.dialect, pretty: true } : { ...query, pretty: true }
  const sql = useAnswer<Compiled>(JSON.stringify(asked), (signal) => api.compile(asked, signal))
  return (
    <div>
      <div class="bar">
        <label>
          Dialect{' '}
          <select value={state.dialect} onChange={(e) => set({ dialect: e.currentTarget.value })}>
            <option value="">as it runs</option>
            {catalog.capabilities.dialects.map((d) => (
              <option key={d.name}>{d.name}</option>
            ))}
          </select>
        </label>
        {sql.data && <Copy text={sql.data.sql} />}
      </div>
      {sql.error ? <Problem error={sql.error} /> : sql.data && <Code text={sql.data.sql} language="sql" />}
    </div>
  )
}

function Plan({ query }: { query: Shown['query'] }) {
  const plan = useAnswer<{ plan: string }>(JSON.stringify(query), (signal) => api.explain(query, signal))
  if (plan.error) return <Problem error={plan.error} />
  return plan.data ? (
    <div>
      <div class="bar">
        <span class="quiet">What is computed, innermost first.</span>
        <Copy text={plan.data.plan} />
      </div>
      <Code text={plan.data.plan} />
    </div>
  ) : null
}

function Requests({ query }: { query: Shown['query'] }) {
  const all = snippets(new URL('.', location.href).href.replace(/\/$/, ''), '/v1/query/execute', query)
  const [name, setName] = useState(all[0].name)
  const shown = all.find((s) => s.name === name)!
  return (
    <div>
      <div class="bar">
        <Tabs names={all.map((s) => [s.name, s.name])} current={name} onPick={setName} label="Language" />
        <Copy text={shown.text} />
      </div>
      <Code text={shown.text} language={shown.language} />
    </div>
  )
}

function Welcome({ catalog, set }: { catalog: Catalog; set: Props['set'] }) {
  return (
    <section class="welcome">
      <h1>{catalog.model.name}</h1>
      {catalog.model.description && <p>{catalog.model.description}</p>}
      <p class="quiet">
        {catalog.model.metrics} metrics over {catalog.model.datasets} datasets. Pick a metric to see it, then break it down.
      </p>
      <p>
        {catalog.metricList.slice(0, 8).map((m) => (
          <button type="button" key={m.name} title={m.description} onClick={() => set({ metrics: [m.name] })}>
            {m.name}
          </button>
        ))}
      </p>
    </section>
  )
}

/** replacement says what picking a candidate changes; undefined when nothing would. */
function replacement(error: ErrorBody, state: State, set: (p: Partial<State>) => void): ((name: string) => void) | undefined {
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
