// The attribution page: what moved a metric from one window to another.

import { useEffect, useMemo } from 'preact/hooks'
import { api, type Attribution, type Dimension, type Segment } from './api.ts'
import type { Catalog } from './catalog.ts'
import { number } from './format.ts'
import { useAnswer } from './hooks.ts'
import { Busy, Chip, Problem } from './parts.tsx'
import { useAccepted } from './picker.tsx'
import { fragmentOf, type State } from './state.ts'

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
}

export function Attribute({ catalog, state, set }: Props) {
  const metric = state.metrics[0] ?? ''
  const lists = useAccepted(metric ? [metric] : [])
  const choices = useMemo(() => {
    const usable = (lists?.[0] ?? []).filter((d) => d.is_dimension && !d.is_time && d.name !== 'metric_time')
    return [...usable.filter(named), ...usable.filter((d) => !named(d))]
  }, [lists])
  // A first look needs no form: the first three dimensions that have names for values.
  useEffect(() => {
    if (metric && state.dimensions.length === 0 && choices.length > 0) set({ dimensions: choices.slice(0, 3).map((d) => d.name) })
  }, [metric, choices])

  const ready = metric && state.dimensions.length > 0 && state.baseline.start && state.baseline.end && state.current.start && state.current.end
  const body = {
    metric,
    dimensions: state.dimensions,
    baseline: state.baseline,
    current: state.current,
    ...(state.where && { where_sql: state.where }),
    ...(state.connection && { connection: state.connection }),
  }
  const answer = useAnswer<Attribution>(ready ? JSON.stringify(body) : undefined, (signal) => api.attribute(body, signal), 250)
  const apply = (f: Record<string, unknown>) => {
    const dimensions = Array.isArray(f.dimensions) ? f.dimensions.map(String) : state.dimensions
    set({ dimensions, where: typeof f.where_sql === 'string' ? f.where_sql : f.where_sql === null ? '' : state.where })
  }
  const drill = (s: Segment) =>
    set({
      page: 'explore',
      metrics: [metric],
      groups: [{ field: 'metric_time', grain: 'day' }],
      filters: [],
      where: [state.where && `(${state.where})`, s.drill_down.where_sql].filter(Boolean).join(' AND '),
      start: state.baseline.start < state.current.start ? state.baseline.start : state.current.start,
      end: state.baseline.end > state.current.end ? state.baseline.end : state.current.end,
      timeDimension: '',
      order: [],
      rest: {},
      tab: 'chart',
    })
  return (
    <main class="attribution">
      <h1>What changed?</h1>
      <form class="form" onSubmit={(e) => e.preventDefault()}>
        <fieldset>
          <legend>Metric</legend>
          <select aria-label="Metric" value={metric} onChange={(e) => set({ metrics: e.currentTarget.value ? [e.currentTarget.value] : [], dimensions: [] })}>
            <option value="">choose…</option>
            {catalog.metricList.map((m) => (
              <option key={m.name} value={m.name}>
                {m.name}
                {m.attribution === 'unsupported' ? ' (totals only)' : ''}
              </option>
            ))}
          </select>
        </fieldset>
        <Window label="From" value={state.baseline} onValue={(baseline) => set({ baseline })} />
        <Window label="To" value={state.current} onValue={(current) => set({ current })} />
        <fieldset>
          <legend>Explained by</legend>
          {state.dimensions.map((d) => (
            <Chip key={d} name={d} onRemove={() => set({ dimensions: state.dimensions.filter((x) => x !== d) })}>
              {d}
            </Chip>
          ))}
          <select
            aria-label="Add a dimension"
            value=""
            onChange={(e) => {
              const d = e.currentTarget.value
              if (d && !state.dimensions.includes(d)) set({ dimensions: [...state.dimensions, d] })
            }}
          >
            <option value="">add…</option>
            {choices
              .filter((d) => !state.dimensions.includes(d.name))
              .map((d) => (
                <option key={d.name}>{d.name}</option>
              ))}
          </select>
          {state.where && (
            <Chip name="condition" onRemove={() => set({ where: '' })}>
              <code>{state.where}</code>
            </Chip>
          )}
        </fieldset>
      </form>
      <Busy running={answer.running} />
      {!ready && <p class="quiet">Choose a metric and the two windows to compare; the end of a window is not part of it.</p>}
      {answer.error && <Problem error={answer.error} onFragment={fragmentOf(answer.error.suggested_retry) && apply} onCandidate={answer.error.code === 'dimensions_required' ? (d) => set({ dimensions: [d] }) : undefined} />}
      {answer.data && <Change catalog={catalog} a={answer.data} onDrill={drill} />}
    </main>
  )
}

/** Texts and booleans explain more than keys and numbers do. */
const named = (d: Dimension) => d.datatype === 'String' || d.datatype === 'Boolean'

function Window({ label, value, onValue }: { label: string; value: { start: string; end: string }; onValue: (v: { start: string; end: string }) => void }) {
  return (
    <fieldset>
      <legend>{label}</legend>
      <input type="date" aria-label={`${label}: start`} value={value.start} onChange={(e) => onValue({ ...value, start: e.currentTarget.value })} />
      <span class="quiet">until</span>
      <input type="date" aria-label={`${label}: end, not included`} value={value.end} onChange={(e) => onValue({ ...value, end: e.currentTarget.value })} />
    </fieldset>
  )
}

const strategies: Record<string, string> = {
  term_wise: 'The metric is a sum: the changes of the segments add up to the change.',
  mix_shift: 'The metric is a ratio: each change is what a segment’s share (mix) and its own rate did.',
  factor_shapley: 'The metric is a product: each factor gets the part of the change that it made.',
  unsupported: 'This metric cannot be split without counting something twice; the segments are shown as they are.',
}

/** Change shows an attribution; a segment opens where its windows are known. */
export function Change({ catalog, a, onDrill }: { catalog: Catalog; a: Attribution; onDrill?: (s: Segment) => void }) {
  const metric = catalog.metrics.get(a.metric)
  const t = a.total_change
  return (
    <>
      <div class="cards">
        <div class="card">
          <div class="quiet">from</div>
          <div class="figure">{number(t.baseline_value, metric)}</div>
        </div>
        <div class="card">
          <div class="quiet">to</div>
          <div class="figure">{number(t.current_value, metric)}</div>
        </div>
        <div class={`card ${sign(t.delta)}`}>
          <div class="quiet">change</div>
          <div class="figure">
            {arrow(t.delta)} {number(t.delta, metric)}
          </div>
          {t.pct_change !== undefined && <div class="quiet">{t.pct_change.toFixed(1)} %</div>}
        </div>
      </div>
      <p class="quiet">
        {strategies[a.strategy] ?? a.strategy} {a.unsupported_reason?.message}
      </p>
      {a.warnings?.map((w, i) => (
        <p key={i} class="note">
          <code class="tag">{w.code}</code> {w.message}
        </p>
      ))}
      {a.factors && <Factors a={a} />}
      {a.dimension_ranking.map((d) => (
        <Segments key={d.dimension} name={d.dimension} a={a} onDrill={onDrill} catalog={catalog} />
      ))}
    </>
  )
}

function Factors({ a }: { a: Attribution }) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>factor</th>
            <th class="number">from</th>
            <th class="number">to</th>
            <th class="number">effect</th>
          </tr>
        </thead>
        <tbody>
          {a.factors!.map((f) => (
            <tr key={f.factor}>
              <td>{f.factor}</td>
              <td class="number">{number(f.baseline_value)}</td>
              <td class="number">{number(f.current_value)}</td>
              <td class="number">{number(f.effect)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Segments({ name, a, catalog, onDrill }: { name: string; a: Attribution; catalog: Catalog; onDrill?: (s: Segment) => void }) {
  const metric = catalog.metrics.get(a.metric)
  const all = [...(a.per_dimension[name]?.values ?? [])].sort((x, y) => Math.abs(y.delta ?? 0) - Math.abs(x.delta ?? 0))
  const shown = all.slice(0, 15)
  const largest = Math.max(...shown.map((s) => Math.abs(s.delta ?? 0)), 0) || 1
  return (
    <section class="segments" tabIndex={0} aria-label={`Segments by ${name}`}>
      <h2>{name}</h2>
      <table>
        <thead>
          <tr>
            <th>segment</th>
            <th class="number">from</th>
            <th class="number">to</th>
            <th class="number">change</th>
            <th class="bars">
              <span class="hidden">as a bar</span>
            </th>
            <th class="number">of the total</th>
            {onDrill && (
              <th>
                <span class="hidden">over time</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((s, i) => {
            const part = (Math.abs(s.delta ?? 0) / largest) * 50
            return (
              <tr key={i}>
                <td>
                  {s.value === null ? '(null)' : String(s.value)} {s.segment_kind !== 'normal' && <span class="mark">{s.segment_kind}</span>}
                </td>
                <td class="number">{number(s.baseline_value, metric)}</td>
                <td class="number">{number(s.current_value, metric)}</td>
                <td class="number">{number(s.delta, metric)}</td>
                <td class="bars" title={s.mix_effect !== undefined ? `mix ${number(s.mix_effect)}, rate ${number(s.rate_effect)}` : ''}>
                  <svg width="100%" height="14" aria-hidden="true">
                    <line x1="50%" x2="50%" y1="0" y2="14" class="zero" />
                    <rect class={sign(s.delta)} x={`${(s.delta ?? 0) < 0 ? 50 - part : 50}%`} y="2" width={`${part}%`} height="10" rx="2" />
                  </svg>
                </td>
                <td class="number">{s.contribution_pct === undefined ? '' : `${s.contribution_pct.toFixed(1)} %`}</td>
                {onDrill && (
                  <td>
                    <button type="button" class="small" aria-label={`Open ${String(s.value)} over time`} onClick={() => onDrill(s)}>
                      Open
                    </button>
                  </td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
      {all.length > shown.length && <p class="quiet">{all.length - shown.length} smaller ones.</p>}
    </section>
  )
}

const sign = (v: number | null | undefined) => ((v ?? 0) > 0 ? 'up' : (v ?? 0) < 0 ? 'down' : '')
const arrow = (v: number | null) => ((v ?? 0) > 0 ? '▲' : (v ?? 0) < 0 ? '▼' : '')
