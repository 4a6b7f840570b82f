// An attribution: how much, in words, as waterfalls and as tables.

import { useMemo } from 'preact/hooks'
import type { Attribution, Metric, Segment } from '../api.ts'
import type { Catalog } from '../catalog.ts'
import { apart, difference, number } from '../format.ts'
import { metricLabel, nameField } from '../labels.ts'
import { m } from '../messages/index.ts'
import { moodOf } from './mood.ts'
import { dimensionsOf, findingsOf, type Finding } from './surprise.ts'
import { stepsOf, Waterfall } from './waterfall.tsx'

interface Props {
  catalog: Catalog
  a: Attribution
  /** Looks within a segment, or opens it over time. */
  onWithin?: (s: Segment) => void
  onOpen?: (s: Segment) => void
}

/** segmentName is a member as people read it: one without a value differs from a text that looks like it. */
export const segmentName = (s: Segment) => (/ IS NULL\)?$/.test(s.drill_down.where_sql) || s.value === null ? m.none : s.value === '' ? m.empty : String(s.value))

/** signed is a number with its sign. */
const signed = (v: number | null, metric?: Metric) => ((v ?? 0) > 0 ? '+' : '') + difference(v, metric)

export function Change({ catalog, a, onWithin, onOpen }: Props) {
  const metric = catalog.metrics.get(a.metric)
  const t = a.total_change
  return (
    <>
      <div class="cards">
        <Figure title={m.why.from} text={number(t.baseline_value, metric)} />
        <Figure title={m.why.to} text={number(t.current_value, metric)} />
        <div class={`card ${moodOf(t.delta, metric)}`}>
          <div class="quiet">{m.why.change}</div>
          <div class="figure">
            {arrow(t.delta)} {difference(t.delta, metric)}
          </div>
          {/* A percentage of a value below zero has the wrong sign. */}
          {t.pct_change !== undefined && Number(t.baseline_value) > 0 && <div class="quiet">{percent(t.pct_change)}</div>}
        </div>
      </div>
      <p class="words">
        {sentence(catalog, a, metric)} {m.why.words[a.strategy] ?? a.strategy} {a.unsupported_reason?.message}
      </p>
      {a.warnings?.map((w, i) => (
        <p key={i} class="note">
          {w.message} <code class="tag">{w.code}</code>
        </p>
      ))}
      <Story {...{ catalog, a, metric, onWithin }} />
      {a.factors && <Factors a={a} />}
      {dimensionsOf(a).map((name) => (
        <Segments key={name} title={nameField(catalog, name)} name={name} a={a} metric={metric} onWithin={onWithin} onOpen={onOpen} />
      ))}
    </>
  )
}

const Figure = ({ title, text }: { title: string; text: string }) => (
  <div class="card">
    <div class="quiet">{title}</div>
    <div class="figure">{text}</div>
  </div>
)

/** sentence describes what moved, and which segment moved in the most unexpected way. */
function sentence(catalog: Catalog, a: Attribution, metric?: Metric): string {
  const name = metric ? metricLabel(metric) : a.metric
  const delta = a.total_change.delta
  if (delta === null) return ''
  if (delta === 0) return m.why.same(name)
  const first = delta > 0 ? m.why.rose(name, difference(delta, metric)) : m.why.fell(name, difference(-delta, metric))
  const [found] = a.strategy === 'unsupported' ? [] : findingsOf(a)
  return found ? `${first} ${m.why.surprising(segmentText(catalog, found.segment), signed(found.segment.delta, metric), beyond(found, metric))}` : first
}

const segmentText = (catalog: Catalog, s: Segment) => apart(`${nameField(catalog, s.dimension)} ${segmentName(s)}`)

/** beyond is how far a change is from that of the whole. */
const beyond = ({ surprise }: Finding, metric?: Metric) => (surprise < 0 ? m.why.lessThanShare(difference(-surprise, metric)) : m.why.moreThanShare(difference(surprise, metric)))

const mostFindings = 3

/** Story are the most surprising segments of all dimensions. */
function Story({ catalog, a, metric, onWithin }: { catalog: Catalog; a: Attribution; metric?: Metric; onWithin?: (s: Segment) => void }) {
  const findings = a.strategy === 'unsupported' ? [] : findingsOf(a).slice(0, mostFindings).filter((f) => f.surprise !== 0)
  if (findings.length === 0) return null
  return (
    <ol class="story" aria-label={m.why.findings}>
      {findings.map((f) => {
        const s = f.segment
        const own = s.baseline_rate !== undefined && s.current_rate !== undefined ? m.why.ofRatio(number(s.baseline_rate, metric), number(s.current_rate, metric), number(s.baseline_share, fraction), number(s.current_share, fraction)) : ''
        const text = segmentText(catalog, s)
        return (
          <li key={s.dimension + segmentName(s)}>
            {onWithin ? (
              <button type="button" class="link" onClick={() => onWithin(s)}>
                {text}
              </button>
            ) : (
              <strong>{text}</strong>
            )}{' '}
            <span class={moodOf(s.delta, metric)}>{signed(s.delta, metric)}</span>, {beyond(f, metric)}
            {own && <span class="quiet"> ({own})</span>}
          </li>
        )
      })}
    </ol>
  )
}

function Factors({ a }: { a: Attribution }) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">{m.why.factor}</th>
            <th scope="col" class="number">{m.why.from}</th>
            <th scope="col" class="number">{m.why.to}</th>
            <th scope="col" class="number">{m.why.effect}</th>
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

const most = 15

const fraction = { format: 'percent:1' } as Metric

/** percent is a number that is one already. */
const percent = (v: number) => number(v, { format: 'number:1', unit: '%' } as Metric)

/** restOf is the part of the whole change that the shown segments leave, and 0 where rounding alone makes a difference. */
function restOf(shown: Segment[], delta: number): number {
  const rest = shown.reduce((left, s) => left - (s.delta ?? 0), delta)
  return Math.abs(rest) > 1e-9 * Math.max(1, Math.abs(delta)) ? rest : 0
}

function Segments({ name, title, a, metric, onWithin, onOpen }: { name: string; title: string; a: Attribution; metric?: Metric } & Pick<Props, 'onWithin' | 'onOpen'>) {
  const findings = useMemo(() => findingsOf(a, name), [a, name])
  const all = findings.map((f) => f.segment)
  const steps = useMemo(() => (a.strategy === 'unsupported' || a.total_change.delta === null || a.per_dimension[name]?.non_additive ? [] : stepsOf(all, a.total_change, segmentName)), [a, findings])
  const shown = all.slice(0, most)
  const delta = a.total_change.delta
  const rest = steps.length === 0 ? 0 : restOf(shown, delta!)
  const mixed = shown.some((s) => s.mix_effect !== undefined)
  const rated = shown.some((s) => s.baseline_rate !== undefined)
  const surprises = steps.length > 0
  return (
    <section class="segments">
      <h2 title={name}>{title}</h2>
      {steps.length > 1 && <Waterfall metric={metric} name={metric ? metricLabel(metric) : a.metric} dimension={title} steps={steps} onPick={onWithin} />}
      <div class="scroll" tabIndex={0} role="region" aria-label={m.why.segments(title)}>
        <table>
          <thead>
            <tr>
              <th scope="col">{m.why.segment}</th>
              <th scope="col" class="number">{m.why.from}</th>
              <th scope="col" class="number">{m.why.to}</th>
              <th scope="col" class="number">{m.why.change}</th>
              {rated && <th scope="col" class="number">{m.why.share}</th>}
              {mixed && <th scope="col" class="number">{m.why.mix}</th>}
              {mixed && <th scope="col" class="number">{m.why.rate}</th>}
              <th scope="col" class="number">{m.why.part}</th>
              {surprises && <th scope="col" class="number" title={m.why.surpriseHint}>{m.why.surprise}</th>}
              {onWithin && <td />}
            </tr>
          </thead>
          <tbody>
            {shown.map((s, i) => (
              <tr key={i}>
                <th scope="row">
                  {segmentName(s)} {s.segment_kind !== 'normal' && <span class="mark">{s.segment_kind}</span>}
                </th>
                <td class="number">{number(s.baseline_rate ?? s.baseline_value, metric)}</td>
                <td class="number">{number(s.current_rate ?? s.current_value, metric)}</td>
                <td class={`number ${moodOf(s.delta, metric)}`}>{difference(s.delta, metric)}</td>
                {rated && <td class="number">{s.baseline_share === undefined ? '' : m.why.fromTo(number(s.baseline_share, fraction), number(s.current_share, fraction))}</td>}
                {mixed && <td class="number">{s.mix_effect === undefined ? '' : difference(s.mix_effect, metric)}</td>}
                {mixed && <td class="number">{s.rate_effect === undefined ? '' : difference(s.rate_effect, metric)}</td>}
                <td class="number">{s.contribution_pct === undefined ? '' : percent(s.contribution_pct)}</td>
                {surprises && <td class="number">{signed(findings[i].surprise, metric)}</td>}
                {onWithin && (
                  <td class="tools">
                    <button type="button" class="small" aria-label={m.why.withinLabel(segmentName(s))} onClick={() => onWithin(s)}>
                      {m.why.within}
                    </button>
                    <button type="button" class="small" aria-label={m.why.openLabel(segmentName(s))} onClick={() => onOpen?.(s)}>
                      {m.why.open}
                    </button>
                  </td>
                )}
              </tr>
            ))}
            {rest !== 0 && (
              <tr class="rest">
                <th scope="row">{m.why.others(all.length - shown.length)}</th>
                <td />
                <td />
                <td class={`number ${moodOf(rest, metric)}`}>{difference(rest, metric)}</td>
                {rated && <td />}
                {mixed && <td />}
                {mixed && <td />}
                <td class="number">{delta ? percent((rest / delta) * 100) : ''}</td>
                {surprises && <td />}
                {onWithin && <td />}
              </tr>
            )}
          </tbody>
        </table>
      </div>
      {steps.length === 0 && all.length > shown.length && <p class="quiet">{m.why.others(all.length - shown.length)}</p>}
    </section>
  )
}

const arrow = (v: number | null) => ((v ?? 0) > 0 ? '▲' : (v ?? 0) < 0 ? '▼' : '')
