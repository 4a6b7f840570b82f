// The first page: a question on the left, its answer on the right.

import { useEffect, useMemo, useState } from 'preact/hooks'
import { api, type Compiled, type Dimension, type ErrorBody, type Query, type Result, type RowKind } from './api.ts'
import type { Catalog } from './catalog.ts'
import { ResultChart } from './chart.tsx'
import { QueryForm } from './form.tsx'
import { useAnswer, useMedia } from './hooks.ts'
import { Busy, Code, Copy, Problem, Tabs } from './parts.tsx'
import { Picker, useAccepted } from './picker.tsx'
import { snippets } from './requests.ts'
import { fromQuery, merge, openSaved, toQuery, type Group, type State, type Tab } from './state.ts'
import { ResultTable } from './table.tsx'

export interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
}

/** Typing is not a question yet. */
const pause = 250

export function Explore({ catalog, state, set }: Props) {
  const narrow = useMedia('(max-width: 760px)')
  const types = useTypes(catalog, state.metrics)
  const query = toQuery(state, { metrics: catalog.metrics, dimensions: types })
  const key = state.metrics.length === 0 ? undefined : JSON.stringify(query)
  const asked = useRows(key, query, 'query')
  const columns = asked.run.data?.columns ?? []
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
          <Welcome catalog={catalog} state={state} set={set} />
        ) : (
          <>
            <h1 class="hidden">{state.metrics.join(', ')}</h1>
            <QueryForm catalog={catalog} state={state} set={set} takes={types} columns={columns} />
            <Rows
              {...{ catalog, state, set, asked, query }}
              kind="query"
              groups={state.groups}
              ordered={state.order.length > 0}
              onFragment={apply}
              onCandidate={(error) => replacement(error, state, set)}
              onLimit={(limit) => set({ limit })}
              onLargest={state.order.length === 0 ? (key) => set({ order: [{ key, desc: true }] }) : undefined}
            />
          </>
        )}
      </main>
    </div>
  )
}

/** useRows compiles a query and executes it, unless the service only compiles or a person has stopped it. */
export function useRows(key: string | undefined, query: Query, kind: RowKind) {
  const [compileOnly, setCompileOnly] = useState(false)
  const [stoppedKey, setStoppedKey] = useState('')
  const stopped = stoppedKey === key
  const compiled = useAnswer<Compiled>(key, (signal) => api.compile(query, signal, kind), pause)
  const run = useAnswer<Result>(compileOnly || stopped ? undefined : key, (signal) => api.execute(query, signal, kind), pause)
  useEffect(() => {
    if (run.error?.code === 'forbidden') setCompileOnly(true)
  }, [run.error])
  const refusal = compileOnly ? compiled.error : run.error?.code === 'forbidden' ? undefined : run.error
  return { compiled, run, refusal, compileOnly, stopped, stop: () => setStoppedKey(key ?? ''), resume: () => setStoppedKey('') }
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
  asked: ReturnType<typeof useRows>
  query: Query
  kind: RowKind
  groups: Group[]
  /** The rows have an order of their own, which a chart keeps. */
  ordered: boolean
  onFragment: (f: Record<string, unknown>) => void
  onCandidate: (error: ErrorBody) => ((name: string) => void) | undefined
  onLimit: (limit: number) => void
  onLargest?: (column: string) => void
}

/** Rows shows what a query returns: that it runs, why it was refused, or its answer. */
export function Rows(p: Shown) {
  const { run, refusal, stopped, stop, resume } = p.asked
  return (
    <>
      <Busy running={run.running} onCancel={stop} />
      {stopped && (
        <p class="note">
          Cancelled.{' '}
          <button type="button" class="small" onClick={resume}>
            Run it again
          </button>
        </p>
      )}
      {refusal && <Problem error={refusal} onFragment={p.onFragment} onCandidate={p.onCandidate(refusal)} />}
      <Answer {...p} />
    </>
  )
}

/** outputsOf names the metric of each column that holds one. */
export const outputsOf = (compiled?: Compiled) => new Map((compiled?.outputs ?? []).map((o) => [o.column, o.metric]))

const tabs: [Tab, string][] = [
  ['chart', 'Chart'],
  ['table', 'Table'],
  ['sql', 'SQL'],
  ['plan', 'Plan'],
  ['request', 'Request'],
]

function Answer(p: Shown) {
  const { state, set, catalog, query, kind, groups } = p
  const { run, compiled, compileOnly } = p.asked
  const names = tabs.slice(compileOnly ? 2 : kind === 'select' ? 1 : 0)
  const tab = names.some(([name]) => name === state.tab) ? state.tab : names[0][0]
  const limited = run.data?.limited === true
  // A table of some rows is put in order by the service, which has them all.
  const onOrder = limited || state.order.length > 0 ? (order: State['order']) => set({ order }) : undefined
  const outputs = outputsOf(compiled.data)
  const columns = (run.data?.columns ?? []).slice(groups.length).map((name) => ({ name, metric: catalog.metrics.get(outputs.get(name) ?? name) }))
  return (
    <section class={run.running ? 'answer stale' : 'answer'}>
      <div class="bar">
        <Tabs names={names} current={tab} onPick={(tab) => set({ tab })} label="Result" />
        {run.took !== undefined && !run.running && <span class="quiet took">{run.took < 10 ? run.took.toFixed(1) : Math.round(run.took)} ms</span>}
      </div>
      {compileOnly && <p class="note">This service compiles and does not execute.</p>}
      <div role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'chart' && run.data && <ResultChart result={run.data} groups={groups} columns={columns} ordered={p.ordered} />}
        {tab === 'table' && run.data && <ResultTable result={run.data} order={state.order} onOrder={onOrder} />}
        {tab === 'sql' && <SQL {...{ catalog, state, set, query, kind }} />}
        {tab === 'plan' && <Plan query={query} kind={kind} />}
        {tab === 'request' && <Requests query={query} kind={kind} />}
      </div>
      {(tab === 'chart' || tab === 'table') && run.data && <Remarks result={run.data} limit={run.data.limit ?? state.limit} onLimit={p.onLimit} onLargest={p.onLargest} first={columns[0]?.name} />}
    </section>
  )
}

/** Remarks says in words what a result does not show: that it is limited, and its warnings. */
function Remarks({ result, limit, onLimit, onLargest, first }: { result: Result; limit: number; first?: string } & Pick<Shown, 'onLimit' | 'onLargest'>) {
  const warnings = (result.warnings ?? []).filter((w) => w.code !== 'limit_clamped')
  const more = limit * 10
  return (
    <>
      {result.limited && (
        <p class="note limited">
          These are the first {limit.toLocaleString('en')} rows. The answer is limited, and there may be more.{' '}
          <button type="button" class="small" onClick={() => onLimit(more)}>
            Ask for {more.toLocaleString('en')}
          </button>{' '}
          {first && onLargest && (
            <button type="button" class="small" onClick={() => onLargest(first)}>
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

function SQL({ catalog, state, set, query, kind }: Props & Pick<Shown, 'query' | 'kind'>) {
  const { connection: _, ...portable } = query
  const asked = state.dialect ? { ...portable, dialect: state.dialect, pretty: true } : { ...query, pretty: true }
  const sql = useAnswer<Compiled>(JSON.stringify(asked), (signal) => api.compile(asked, signal, kind))
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

function Plan({ query, kind }: Pick<Shown, 'query' | 'kind'>) {
  const plan = useAnswer<{ plan: string }>(JSON.stringify(query), (signal) => api.explain(query, signal, kind))
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

function Requests({ query, kind }: Pick<Shown, 'query' | 'kind'>) {
  const all = snippets(new URL('.', location.href).href.replace(/\/$/, ''), kind, query)
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

function Welcome({ catalog, state, set }: Props) {
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
      {catalog.saved.length > 0 && (
        <>
          <p class="quiet">Or open a query that the model holds.</p>
          <p>
            {catalog.saved.slice(0, 8).map((q) => (
              <button type="button" key={q.name} title={q.description} onClick={() => set(openSaved(q.name, state.connection))}>
                {q.name}
              </button>
            ))}
          </p>
        </>
      )}
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
