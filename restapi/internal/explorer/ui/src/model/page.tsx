// The model page: the objects, their relationships, where a metric's number
// comes from, and what its author should know.

import { useMemo, useState } from 'preact/hooks'
import { api, type Finding, type Relationship } from '../api.ts'
import { search, type Catalog } from '../catalog.ts'
import { useAnswer } from '../hooks.ts'
import { m } from '../messages/index.ts'
import { Problem } from '../parts.tsx'
import type { State } from '../state.ts'
import { DatasetPage } from './dataset.tsx'
import { Diagram } from './diagram.tsx'
import { subjectsOf, type Arrow, type Box } from './layout.ts'
import { MetricPage } from './metric.tsx'

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
}

/** From this on the diagram has its datasets in clusters. */
const manyBoxes = 40

export function ModelPage({ catalog, state, set }: Props) {
  const relationships = useAnswer<Relationship[]>('relationships' + catalog.model.revision, () => api.relationships())
  const focus = focusOf(catalog, state.focus)
  const { model } = catalog
  return (
    <main class="modelpage">
      <h1>{model.name}</h1>
      {model.description && <p>{model.description}</p>}
      <p class="quiet">{m.model.about(model, catalog.capabilities.engine_version)}</p>
      <p class="links">
        <button type="button" class="link" aria-current={!focus} onClick={() => set({ focus: '' })}>
          {m.model.overview}
        </button>
        <button type="button" class="link" aria-current={focus?.kind === 'findings'} onClick={() => set({ focus: 'findings' })}>
          {m.model.findings(catalog.findings.errors.length + catalog.findings.warnings.length)}
        </button>
      </p>
      {relationships.error && <Problem error={relationships.error} onAgain={relationships.again} />}
      {focus?.kind === 'findings' ? (
        <FindingList catalog={catalog} />
      ) : focus?.kind === 'metric' ? (
        <MetricPage key={focus.name} catalog={catalog} state={state} set={set} name={focus.name} relationships={relationships.data ?? []} />
      ) : (
        relationships.data && (
          <>
            <Datasets catalog={catalog} relationships={relationships.data} chosen={focus?.name} onPick={(name) => set({ focus: 'dataset:' + name })} />
            {focus && <DatasetPage key={focus.name} catalog={catalog} state={state} set={set} name={focus.name} relationships={relationships.data} />}
          </>
        )
      )}
      {!focus && <Metrics catalog={catalog} set={set} />}
    </main>
  )
}

type Focus = { kind: 'dataset' | 'metric'; name: string } | { kind: 'findings'; name?: undefined }

/** focusOf reads what the page is about; a bare name is a dataset or else a metric. */
function focusOf(catalog: Catalog, focus: string): Focus | undefined {
  if (focus === 'findings') return { kind: 'findings' }
  const name = focus.replace(/^(dataset|metric):/, '')
  const isDataset = catalog.datasets.some((d) => d.name === name)
  if (isDataset && !focus.startsWith('metric:')) return { kind: 'dataset', name }
  return catalog.metrics.has(name) && !focus.startsWith('dataset:') ? { kind: 'metric', name } : undefined
}

function FindingList({ catalog }: { catalog: Catalog }) {
  const all: (Finding & { severity: string })[] = [...catalog.findings.errors.map((f) => ({ ...f, severity: 'error' })), ...catalog.findings.warnings.map((f) => ({ ...f, severity: 'warning' }))]
  return (
    <section class="findings">
      <h2>{m.model.findings(all.length)}</h2>
      {all.length === 0 && <p class="quiet">{m.model.noFindings}</p>}
      <ul>
        {all.map((f, i) => (
          <li key={i} class={f.severity}>
            <code class="tag">{f.code}</code> {f.message} <span class="quiet">{[f.location, typeof f.line === 'number' && m.model.line(f.line)].filter(Boolean).join(', ')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const ends: Record<string, [string, string]> = {
  many_to_one: ['N', '1'],
  one_to_one: ['1', '1'],
  many_to_many: ['N', 'N'],
  one_to_many: ['1', 'N'],
}

function Datasets({ catalog, relationships, chosen, onPick }: { catalog: Catalog; relationships: Relationship[]; chosen?: string; onPick: (name: string) => void }) {
  const { boxes, arrows } = useMemo(() => {
    const many = catalog.datasets.length > manyBoxes
    const broken = brokenDatasets(catalog)
    const subjects = many ? subjectsOf(catalog.datasets.map((d) => d.name), relationships, subjectPaths(catalog)) : undefined
    const boxes: Box[] = catalog.datasets.map((d) => ({
      id: d.name,
      title: d.name,
      lines: many ? (broken.has(d.name) ? [`⚠ ${broken.get(d.name)}`] : []) : [m.model.fields(d.fields), d.primary_key.length > 0 ? `${m.model.key} ${d.primary_key.join(', ')}` : m.model.noKey, ...(broken.has(d.name) ? [`⚠ ${broken.get(d.name)}`] : [])],
      kind: 'dataset',
      about: [d.description, d.source].filter(Boolean).join('\n'),
      cluster: subjects?.get(d.name),
      broken: broken.has(d.name),
    }))
    const arrows: Arrow[] = relationships.map((r) => {
      const [start, end] = ends[r.cardinality] ?? ['?', '?']
      const on = r.from_columns.map((c, i) => `${r.from}.${c} = ${r.to}.${r.to_columns[i]}`).join(' and ')
      return { from: r.from, to: r.to, start, end, label: r.name, about: `${r.name}: ${on}${r.join_type === 'inner' ? ' (inner)' : ''}` }
    })
    return { boxes, arrows }
  }, [catalog, relationships])
  return (
    <>
      <h2>{m.model.datasets}</h2>
      <Diagram boxes={boxes} arrows={arrows} direction="LR" label={m.model.diagram} chosen={chosen} onPick={onPick} />
    </>
  )
}

/** brokenDatasets are those that findings name, with the code. */
function brokenDatasets(catalog: Catalog): Map<string, string> {
  const out = new Map<string, string>()
  for (const f of catalog.findings.errors) {
    const dataset = catalog.datasets[Number(/^datasets\[(\d+)\]/.exec(f.location)?.[1])]
    if (dataset) out.set(dataset.name, f.code)
  }
  return out
}

/** subjectPaths names the first part of the subject of each dataset's metrics. */
function subjectPaths(catalog: Catalog): Map<string, string> {
  const out = new Map<string, string>()
  for (const x of catalog.metricList) {
    const first = Array.isArray(x.subject_path) ? x.subject_path[0] : x.subject_path
    if (typeof first === 'string' && first !== '') for (const d of x.datasets) if (!out.has(d)) out.set(d, first)
  }
  return out
}

const mostMetrics = 200

function Metrics({ catalog, set }: Pick<Props, 'catalog' | 'set'>) {
  const [text, setText] = useState('')
  const found = useMemo(() => search(catalog.index, text, 'metric'), [catalog, text])
  return (
    <section>
      <h2>{m.picker.metrics}</h2>
      {catalog.metricList.length > 12 && <input type="search" class="narrow" placeholder={m.model.findMetric} aria-label={m.model.findMetric} value={text} onInput={(e) => setText(e.currentTarget.value)} />}
      <div class="scroll metrics" tabIndex={0} role="region" aria-label={m.picker.metrics}>
        <table>
          <thead>
            <tr>
              <th scope="col">{m.why.metric}</th>
              <th scope="col">{m.model.kind}</th>
              <th scope="col">{m.model.of}</th>
              <th scope="col">{m.model.description}</th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, mostMetrics).map((e) => {
              const x = catalog.metrics.get(e.name)!
              const broken = catalog.broken.get(x.name)
              return (
                <tr key={x.name}>
                  <th scope="row">
                    <button type="button" class="link" onClick={() => set({ focus: 'metric:' + x.name })}>
                      {x.name}
                    </button>
                  </th>
                  <td>{broken ? <code class="tag">{broken.code}</code> : [x.window_family ?? x.derive_family ?? x.kind, x.unit].filter(Boolean).join(', ')}</td>
                  <td>{x.derive_expr ?? x.datasets.join(', ')}</td>
                  <td>{x.description ?? ''}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {found.length > mostMetrics && <p class="quiet">{m.model.moreMetrics(found.length - mostMetrics)}</p>}
    </section>
  )
}
