// The page of the question why: what moved a metric from one window to another.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useAccepted } from '../accepted.ts'
import { api, errorOf, type Attribution, type Dimension, type ErrorBody, type Segment } from '../api.ts'
import { isOfCalendar, type Catalog } from '../catalog.ts'
import { few } from '../explore/bar.tsx'
import { ConnectionChoice, hasParams, Params } from '../explore/form.tsx'
import { Printed } from '../explore/keep.tsx'
import { Popover } from '../explore/popover.tsx'
import { endOfData, keysOf, timeAxes } from '../explore/range.ts'
import { daysText } from '../explore/asked.ts'
import { metricLabel, nameField, nameMetric } from '../labels.ts'
import { hasFewValues } from '../few.ts'
import { condition } from '../filters.ts'
import { useAnswer, useSignal } from '../hooks.ts'
import { grainOf } from '../home/axes.ts'
import { lastPeriod } from '../home/newest.ts'
import { m } from '../messages/index.ts'
import { Busy, Cancelled, Chip, Problem } from '../parts.tsx'
import { addPeriods, lastDay } from '../periods.ts'
import { fieldType, fragmentOf, fresh, isOnPart, type State } from '../state.ts'
import { Change } from './change.tsx'
import { windowsOf, type Preset } from './presets.ts'

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>, quietly?: boolean) => void
}

const grains = ['day', 'week', 'month', 'quarter', 'year']

/** A first look needs no form: the first dimensions that have names for values. */
const first = 5

/** So many fields are asked whether they have few values. */
const mostAsked = 16

/** isFixed is whether a condition leaves one value of a field. */
function isFixed(name: string, { filters, where }: State, more: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return filters.some((f) => f.field === name && (f.op === '=' || f.op === 'is null' || f.op === 'is empty')) || new RegExp(`(^|[^\\w.])${escaped} (= |IS NULL)`).test(`${where} ${more}`)
}

export function Attribute({ catalog, state, set }: Props) {
  const metric = state.metrics[0] ?? ''
  const accepted = useAccepted(metric ? [metric] : [])
  const { lists } = accepted
  const isKnown = metric === '' || catalog.metrics.has(metric)
  const choices = useMemo(() => {
    const usable = (lists?.[0] ?? []).filter((d) => d.is_dimension && !d.is_time && d.name !== 'metric_time')
    return [...usable.filter(named), ...usable.filter((d) => !named(d))]
  }, [lists])
  const types = useMemo(() => ({ metrics: catalog.metrics, dimensions: new Map((lists?.[0] ?? []).map((d) => [d.name, d])) }), [catalog, lists])
  const signal = useSignal()
  const newest = useRef(metric)
  newest.current = metric
  const [failure, setFailure] = useState<{ metric: string; error?: ErrorBody }>()
  const axis = useMemo(() => timeAxes(catalog, state)[0], [catalog, metric])
  const choose = async (preset: Preset, wanted = state.grain, more: Partial<State> = {}) => {
    if (!axis) return
    const asked = signal.current
    const grain = grainOf(axis, wanted)
    const here = () => !asked.aborted && newest.current === metric
    try {
      const end = await endOfData(catalog, { ...state, ...more }, asked)
      const period = end && (await lastPeriod(axis.metrics[0], grain, end, keysOf(catalog, state), asked))
      if (!here()) return
      setFailure(period ? undefined : { metric })
      if (period) set({ ...more, grain, ...windowsOf(preset, grain, period) }, Object.keys(more).length > 0)
    } catch (e) {
      if (here()) setFailure({ metric, error: errorOf(e) })
    }
  }
  /** explaining are the dimensions of a first look: of few values, and none that the filters fix. */
  const explaining = async (more = ''): Promise<string[]> => {
    const names = choices.map((d) => d.name).filter((name) => !isFixed(name, state, more) && !isOfCalendar(catalog, name))
    const asked = names.slice(0, mostAsked)
    const few = await Promise.all(asked.map((name) => hasFewValues(catalog.model.revision, name, state.connection).catch(() => true)))
    const fitting = asked.filter((_, i) => few[i])
    return (fitting.length > 0 ? fitting : names).slice(0, first)
  }
  const opened = Boolean(state.baseline.start && state.current.start)
  useEffect(() => {
    if (!metric || choices.length === 0) return
    const open = async () => {
      const asked = signal.current
      const dimensions = state.dimensions.length > 0 ? {} : { dimensions: await explaining() }
      if (asked.aborted || newest.current !== metric) return
      if (!opened) choose('previous', state.grain, dimensions)
      else if (state.dimensions.length === 0) set(dimensions, true)
    }
    open()
  }, [metric, choices, JSON.stringify(state.params)])

  const where = [...state.filters.filter((f) => !isOnPart(state, f)).map((f) => condition(f, fieldType(f.field, types))).filter(Boolean), state.where && `(${state.where})`].filter(Boolean).join(' AND ')
  const ready = metric && state.dimensions.length > 0 && state.baseline.start && state.baseline.end && state.current.start && state.current.end
  const body = {
    metric,
    dimensions: state.dimensions,
    baseline: state.baseline,
    current: state.current,
    ...(where && { where_sql: where }),
    ...(state.context && { context_filter: state.context }),
    ...keysOf(catalog, state),
  }
  const key = ready ? JSON.stringify(body) : undefined
  const [stopped, setStopped] = useState('')
  const answer = useAnswer<Attribution>(key === stopped ? undefined : key, (signal) => api.attribute(body, signal), 100)
  const apply = (f: Record<string, unknown>) => {
    const dimensions = Array.isArray(f.dimensions) ? f.dimensions.map(String) : state.dimensions
    const changed = typeof f.where_sql === 'string' ? { where: f.where_sql, filters: [] } : f.where_sql === null ? { where: '', filters: [] } : {}
    set({ dimensions, ...changed })
  }
  const narrowed = (s: Segment) => [state.where && `(${state.where})`, s.drill_down.where_sql].filter(Boolean).join(' AND ')
  const within = async (s: Segment) => {
    const asked = signal.current
    const left = state.dimensions.filter((d) => d !== s.dimension)
    const dimensions = left.length > 0 ? left : await explaining(s.drill_down.where_sql)
    if (!asked.aborted) set({ where: narrowed(s), dimensions: dimensions.length > 0 ? dimensions : state.dimensions })
  }
  const open = (s: Segment) =>
    set({
      ...fresh(state, 'explore'),
      metrics: [metric],
      groups: [{ field: 'metric_time', grain: axis?.grains[0] ?? 'day' }],
      params: state.params,
      filters: state.filters,
      where: narrowed(s),
      context: state.context,
      start: state.baseline.start < state.current.start ? state.baseline.start : state.current.start,
      end: state.baseline.end > state.current.end ? state.baseline.end : state.current.end,
    })
  const failed = failure?.metric === metric ? failure : undefined
  return (
    <main class="attribution">
      <h1>{m.why.title}</h1>
      {metric && <Printed lines={[nameMetric(catalog, metric), opened ? m.why.windows(windowText(state.baseline), windowText(state.current)) : '', where, catalog.model.name]} />}
      <form class="querybar" aria-label={m.form.query} onSubmit={(e) => e.preventDefault()}>
        <select aria-label={m.why.metric} value={metric} onChange={(e) => set({ metrics: e.currentTarget.value ? [e.currentTarget.value] : [], dimensions: [], where: '', filters: [], params: {} })}>
          <option value="">{m.why.choose}</option>
          {catalog.metricList.map((x) => (
            <option key={x.name} value={x.name}>
              {metricLabel(x)}
              {x.attribution === 'unsupported' ? ` (${m.why.totalsOnly})` : ''}
            </option>
          ))}
        </select>
        {metric && (
          <Popover text={opened ? m.why.windows(windowText(state.baseline), windowText(state.current)) : m.why.presets} label={m.why.presets} on={opened}>
            <fieldset>
              <legend class="hidden">{m.why.presets}</legend>
              <select aria-label={m.why.per} value={state.grain} onChange={(e) => choose('previous', e.currentTarget.value)}>
                {grains.filter((g) => !axis || axis.grains.includes(g)).map((g) => (
                  <option key={g} value={g}>
                    {m.grains[g]}
                  </option>
                ))}
              </select>
              <button type="button" class="small" onClick={() => choose('previous')}>
                {m.why.previous(m.grains[state.grain] ?? state.grain)}
              </button>
              <button type="button" class="small" onClick={() => choose('year')}>
                {m.why.year(m.grains[state.grain] ?? state.grain)}
              </button>
            </fieldset>
            <Window label={m.why.baseline} value={state.baseline} onValue={(baseline) => set({ baseline })} />
            <Window label={m.why.current} value={state.current} onValue={(current) => set({ current })} />
          </Popover>
        )}
        {metric && (
          <Popover text={state.dimensions.length > 0 ? m.why.explainedBy(few(state.dimensions.map((d) => nameField(catalog, d)))) : m.why.explained} label={m.why.explained} on={state.dimensions.length > 0} title={state.dimensions.join('\n')}>
            <ul class="chosen">
              {state.dimensions.map((d) => (
                <li key={d}>
                  <Chip name={nameField(catalog, d)} title={d} onRemove={() => set({ dimensions: state.dimensions.filter((x) => x !== d) })}>
                    {nameField(catalog, d)}
                  </Chip>
                </li>
              ))}
            </ul>
            <select
              aria-label={m.why.add}
              value=""
              onChange={(e) => {
                const d = e.currentTarget.value
                if (d && !state.dimensions.includes(d)) set({ dimensions: [...state.dimensions, d] })
              }}
            >
              <option value="">{m.why.addOption}</option>
              {choices
                .filter((d) => !state.dimensions.includes(d.name))
                .map((d) => (
                  <option key={d.name} value={d.name}>
                    {nameField(catalog, d.name)}
                  </option>
                ))}
            </select>
          </Popover>
        )}
        {hasParams(catalog, state) && (
          <Popover text={m.form.parameters} label={m.form.parameters}>
            <Params catalog={catalog} state={state} set={set} />
          </Popover>
        )}
        {where && (
          <Chip name={m.why.conditions} title={m.why.conditions} onRemove={() => set({ where: '', filters: [] })}>
            <code>{where}</code>
          </Chip>
        )}
        <ConnectionChoice {...{ catalog, state, set }} />
      </form>
      <Busy running={answer.running} onCancel={() => setStopped(key ?? '')} />
      {key !== undefined && key === stopped && <Cancelled onAgain={() => setStopped('')} />}
      {failed?.error && <Problem error={failed.error} connection={state.connection} onAgain={() => choose('previous')} onElsewhere={() => set({ connection: '' })} />}
      {isKnown && accepted.error && <Problem error={accepted.error} onAgain={accepted.again} />}
      {!ready && !failed?.error && !(isKnown && accepted.error) && <p class="quiet">{!isKnown ? m.why.unknown(metric) : metric && !axis ? m.why.noAxis : failed && !failed.error ? m.home.noPeriod : catalog.metricList.length === 0 ? m.home.noMetrics : m.why.ready}</p>}
      {answer.error && <Problem error={answer.error} connection={state.connection} onAgain={answer.again} onElsewhere={() => set({ connection: '' })} onFragment={fragmentOf(answer.error.suggested_retry) && apply} onCandidate={answer.error.code === 'dimensions_required' ? (d) => set({ dimensions: [d] }) : undefined} />}
      {answer.data && <Change catalog={catalog} a={answer.data} onWithin={within} onOpen={open} />}
    </main>
  )
}

/** Texts and booleans explain more than keys and numbers do. */
const named = (d: Dimension) => d.datatype === 'String' || d.datatype === 'Boolean'

const windowText = (w: State['current']) => daysText(w.start, w.end)

/** Window is two days; people name the last one, and a window has the day after it. */
function Window({ label, value, onValue }: { label: string; value: { start: string; end: string }; onValue: (v: { start: string; end: string }) => void }) {
  return (
    <fieldset>
      <legend>{label}</legend>
      <input type="date" aria-label={m.why.start(label)} value={value.start} onChange={(e) => onValue({ ...value, start: e.currentTarget.value })} />
      <span class="quiet">{m.why.until}</span>
      <input type="date" aria-label={m.why.end(label)} value={value.end && lastDay(value.end)} onChange={(e) => onValue({ ...value, end: e.currentTarget.value && addPeriods(e.currentTarget.value, 1, 'day') })} />
    </fieldset>
  )
}
