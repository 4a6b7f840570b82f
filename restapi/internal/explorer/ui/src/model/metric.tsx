// One metric: how it is made, what it can be asked by, and what uses it.

import { useMemo } from 'preact/hooks'
import { accepted, type Catalog } from '../catalog.ts'
import { api, type Dimension, type Lineage, type Metric, type Relationship } from '../api.ts'
import { useAnswer, useMedia } from '../hooks.ts'
import { m } from '../messages/index.ts'
import { Problem } from '../parts.tsx'
import { fresh, openSaved, type State } from '../state.ts'
import { Diagram } from './diagram.tsx'
import { among, fieldsAmong, linesOf, type Names } from './formula.ts'
import type { Arrow, Box } from './layout.ts'

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
  name: string
  relationships: Relationship[]
}

export function MetricPage({ catalog, state, set, name, relationships }: Props) {
  const metric = catalog.metrics.get(name)!
  const broken = catalog.broken.get(name)
  const lineage = useAnswer<Lineage>(name, (signal) => api.lineage(name, signal))
  const whole = useAnswer<Lineage>('all' + catalog.model.revision, (signal) => api.wholeLineage(signal))
  const dimensions = useAnswer<Dimension[]>(broken ? undefined : name, () => accepted(name))
  const users = (whole.data?.edges ?? []).filter((e) => e.from === 'metric:' + name && e.to.startsWith('metric:')).map((e) => e.to.slice('metric:'.length))
  const saved = catalog.saved.filter((q) => q.metrics?.includes(name))
  const grains = dimensions.data?.find((d) => d.name === 'metric_time')?.grains ?? []
  const pick = (focus: string) => set({ focus })
  const datasetOf = useMemo(() => fieldsAmong([...catalog.dimensions.keys()], relationships, catalog.metrics), [catalog, relationships])
  const facts: [string, string][] = [
    [m.model.kind, [metric.window_family ?? metric.derive_family ?? metric.kind, metric.additivity.replace('_', ' ')].join(', ')],
    [m.model.measures, lineage.data ? measuresOf(lineage.data) : metric.measures.join(', ')],
    [m.model.members, (metric.derive_members ?? []).map((x) => `${x.coefficient === undefined || x.coefficient === 1 ? '' : x.coefficient + ' · '}${x.metric}`).join(', ')],
    [m.model.axis, metric.time_dimension ?? ''],
    [m.model.grains, grains.map((g) => m.grains[g] ?? g).join(', ')],
    [m.model.unit, [metric.unit, metric.format].filter(Boolean).join(', ')],
    [m.model.better, metric.better ? m.home.better[metric.better] : ''],
    [m.model.dimensions, (dimensions.data ?? []).filter((d) => d.is_dimension && d.name !== 'metric_time').map((d) => d.name).join(', ')],
  ]
  return (
    <section>
      <h2>{metric.label || name}</h2>
      {metric.label && <p class="quiet">{name}</p>}
      {metric.description && <p>{metric.description}</p>}
      {broken && <Problem error={broken} />}
      {!broken && (
        <p>
          <button type="button" onClick={() => set({ ...fresh({ connection: state.connection, view: '' }, 'explore'), metrics: [name] })}>
            {m.pages.explore}
          </button>{' '}
          <button type="button" onClick={() => set({ ...fresh({ connection: state.connection, view: '' }, 'attribution'), metrics: [name] })}>
            {m.pages.attribution}
          </button>
        </p>
      )}
      <dl class="facts">
        <Definition label={m.model.formula} text={formulaOf(metric)} names={{ metricOf: among((metric.derive_members ?? []).map((x) => x.metric)) }} onPick={pick} />
        <Definition label={m.model.definition} text={metric.definition} names={{ metricOf: among([...catalog.metrics.keys()].filter((x) => x !== name)), datasetOf }} onPick={pick} />
        {facts
          .filter(([, v]) => v !== '')
          .map(([k, v]) => (
            <div key={k}>
              <dt>{k}</dt>
              <dd>{v}</dd>
            </div>
          ))}
        <div>
          <dt>{m.model.usedBy}</dt>
          <dd class="links">
            {users.map((u) => (
              <button type="button" class="link" key={u} onClick={() => set({ focus: 'metric:' + u })}>
                {u}
              </button>
            ))}
            {saved.map((q) => (
              <button type="button" class="link" key={'saved ' + q.name} onClick={() => set(openSaved(q.name, state.connection, q.chart))}>
                {m.model.savedQuery(q.name)}
              </button>
            ))}
            {whole.error ? lineage.error ? m.home.notLoaded : <span role="alert">{whole.error.message}</span> : whole.data ? users.length + saved.length === 0 && m.model.nothing : '…'}
          </dd>
        </div>
      </dl>
      {lineage.error ? <Problem error={lineage.error} onAgain={() => (whole.again(), lineage.again())} /> : lineage.data && <LineageGraph name={name} lineage={lineage.data} onPick={pick} />}
    </section>
  )
}

/** formulaOf is what a metric computes from the metrics that it names, where its definition has these expanded. */
const formulaOf = (metric: Metric) => (metric.derive_family === 'compose' && metric.derive_expr !== metric.definition ? metric.derive_expr : undefined)

/** Definition shows what a metric computes, with a link at each metric and each field that it names. */
function Definition({ label, text, names, onPick }: { label: string; text?: string; names: Names; onPick: (focus: string) => void }) {
  if (!text) return null
  return (
    <div class="formula">
      <dt>{label}</dt>
      <dd>
        {linesOf(text, names).map((line, i) => (
          <code key={i}>
            {line.map((piece, j) => {
              const focus = piece.metric !== undefined ? 'metric:' + piece.metric : piece.dataset !== undefined ? 'dataset:' + piece.dataset : undefined
              return focus === undefined ? (
                piece.text
              ) : (
                <button type="button" class="link" key={j} onClick={() => onPick(focus)}>
                  {piece.text}
                </button>
              )
            })}
          </code>
        ))}
      </dd>
    </div>
  )
}

/** measuresOf writes each measure as its aggregate over what it reads, with what it filters by. */
function measuresOf(lineage: Lineage): string {
  const names = (id: string, relation: string) => lineage.edges.filter((e) => e.to === id && e.relation === relation).map((e) => e.from.slice(e.from.indexOf(':') + 1))
  return lineage.nodes
    .filter((n) => n.kind === 'measure')
    .map((n) => {
      const filters = names(n.id, 'filters')
      return `${String(n.aggregate ?? '').replace('_', ' ')}(${names(n.id, 'reads').join(', ')})${filters.length > 0 ? ` where ${filters.join(', ')}` : ''}`
    })
    .join('; ')
}

/** leadsOn reports whether a node of the lineage has a page. */
const leadsOn = (id: string) => /^(metric|dataset):/.test(id)

function LineageGraph({ name, lineage, onPick }: { name: string; lineage: Lineage; onPick: (id: string) => void }) {
  const narrow = useMedia('(max-width: 900px)')
  const { boxes, arrows } = useMemo(() => {
    const boxes: Box[] = lineage.nodes.map((n) => ({ id: n.id, title: n.name, lines: [n.kind], kind: n.kind, broken: n.error !== undefined, still: !leadsOn(n.id) }))
    const arrows: Arrow[] = lineage.edges.map((e) => ({ from: e.from, to: e.to, about: String(e.relation ?? '') }))
    return { boxes, arrows }
  }, [lineage])
  return (
    <>
      <h3>{m.model.comesFrom(name)}</h3>
      <Diagram boxes={boxes} arrows={arrows} direction={narrow ? 'TB' : 'LR'} label={m.model.lineage(name)} onPick={onPick} />
    </>
  )
}
