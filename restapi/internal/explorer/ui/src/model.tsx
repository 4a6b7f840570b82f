// The model page: what there is, how it hangs together, where a metric's number
// comes from, and what its author should know.

import { useMemo, useState } from 'preact/hooks'
import { api, type Findings, type Lineage, type Relationship } from './api.ts'
import { search, type Catalog } from './catalog.ts'
import { Diagram, type Arrow, type Box } from './diagram.tsx'
import { useAnswer } from './hooks.ts'
import { Problem } from './parts.tsx'
import type { State } from './state.ts'

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
}

/** Above this a diagram of everything helps nobody: the chosen one and its neighbours are drawn. */
const mostBoxes = 40

export function ModelPage({ catalog, state, set }: Props) {
  const relationships = useAnswer<Relationship[]>('relationships', () => api.relationships())
  const findings = useAnswer<Findings>('findings', () => api.findings())
  const dataset = catalog.datasets.find((d) => d.name === state.focus)
  const metric = catalog.metrics.get(state.focus)
  return (
    <main class="modelpage">
      <h1>{catalog.model.name}</h1>
      {catalog.model.description && <p>{catalog.model.description}</p>}
      <p class="quiet">
        {catalog.model.datasets} datasets, {catalog.model.fields} fields, {catalog.model.relationships} relationships, {catalog.model.metrics} metrics · format {catalog.model.spec_version},{' '}
        {catalog.model.mode} mode · engine {catalog.capabilities.engine_version} · revision {catalog.model.revision}
        {catalog.model.loaded_at && ` of ${new Date(catalog.model.loaded_at).toLocaleString()}`}
      </p>
      <FindingList findings={findings.data} />
      <h2>Datasets</h2>
      {relationships.error && <Problem error={relationships.error} />}
      {relationships.data && <Datasets catalog={catalog} relationships={relationships.data} chosen={dataset?.name} onPick={(focus) => set({ focus })} />}
      {dataset && <Fields catalog={catalog} name={dataset.name} />}
      <h2>Metrics</h2>
      <Metrics catalog={catalog} state={state} set={set} />
      {metric && <MetricLineage name={metric.name} />}
    </main>
  )
}

function FindingList({ findings }: { findings?: Findings }) {
  const all = [...(findings?.compile_errors ?? []).map((f) => ({ ...f, severity: 'error' })), ...(findings?.warnings ?? []).map((f) => ({ ...f, severity: 'warning' }))]
  if (all.length === 0) return null
  return (
    <details class="findings" open={all.some((f) => f.severity === 'error')}>
      <summary>
        {all.length} {all.length === 1 ? 'finding' : 'findings'} about the model
      </summary>
      <ul>
        {all.map((f, i) => (
          <li key={i} class={f.severity}>
            <code class="tag">{f.code}</code> {f.message} <span class="quiet">{f.location}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

const ends: Record<string, [string, string]> = {
  many_to_one: ['N', '1'],
  one_to_one: ['1', '1'],
  many_to_many: ['N', 'N'],
  one_to_many: ['1', 'N'],
}

function Datasets({ catalog, relationships, chosen, onPick }: { catalog: Catalog; relationships: Relationship[]; chosen?: string; onPick: (name: string) => void }) {
  const { boxes, arrows, cut } = useMemo(() => {
    let shown = catalog.datasets
    const cut = shown.length > mostBoxes
    if (cut) {
      const near = new Set([chosen, ...relationships.flatMap((r) => (r.from === chosen ? [r.to] : r.to === chosen ? [r.from] : []))])
      shown = chosen ? shown.filter((d) => near.has(d.name)) : shown.slice(0, mostBoxes)
    }
    const boxes: Box[] = shown.map((d) => ({
      id: d.name,
      title: d.name,
      lines: [`${d.fields} fields`, d.primary_key.length > 0 ? `key ${d.primary_key.join(', ')}` : 'no key'],
      kind: 'dataset',
      about: [d.description, d.source].filter(Boolean).join('\n'),
    }))
    const arrows: Arrow[] = relationships.map((r) => {
      const [start, end] = ends[r.cardinality] ?? ['?', '?']
      const on = r.from_columns.map((c, i) => `${r.from}.${c} = ${r.to}.${r.to_columns[i]}`).join(' and ')
      return { from: r.from, to: r.to, start, end, about: `${r.name}: ${on}${r.join_type === 'inner' ? ' (inner)' : ''}` }
    })
    return { boxes, arrows, cut }
  }, [catalog, relationships, chosen])
  return (
    <>
      <Diagram boxes={boxes} arrows={arrows} direction="LR" label="Datasets and relationships" chosen={chosen} onPick={onPick} />
      {cut && <p class="quiet">{chosen ? `${chosen} and what it is joined to.` : `The first ${mostBoxes} of ${catalog.datasets.length} datasets; pick one to see its neighbours.`}</p>}
    </>
  )
}

function Fields({ catalog, name }: { catalog: Catalog; name: string }) {
  const fields = catalog.dimensionList.filter((d) => d.name.startsWith(name + '.'))
  return (
    <section>
      <h3>{name}</h3>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th>field</th>
              <th>type</th>
              <th>role</th>
              <th>description</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((f) => (
              <tr key={f.name}>
                <td>{f.name.slice(name.length + 1)}</td>
                <td>{f.datatype ?? ''}</td>
                <td>{f.is_time ? 'time' : f.is_dimension ? 'dimension' : f.source.replace('inferred:', '').replace('_', ' ')}</td>
                <td>{f.description ?? ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Metrics({ catalog, state, set }: Props) {
  const [text, setText] = useState('')
  const found = useMemo(() => search(catalog.index, text, 'metric'), [catalog, text])
  return (
    <section>
      {catalog.metricList.length > 12 && <input type="search" class="narrow" placeholder="Find a metric" aria-label="Find a metric" value={text} onInput={(e) => setText(e.currentTarget.value)} />}
      <div class="scroll metrics">
        <table>
          <thead>
            <tr>
              <th>metric</th>
              <th>kind</th>
              <th>of</th>
              <th>description</th>
              <th>
                <span class="hidden">to its page</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, 200).map((e) => {
              const m = catalog.metrics.get(e.name)!
              return (
                <tr key={m.name} class={state.focus === m.name ? 'chosen' : ''}>
                  <td>
                    <button type="button" class="link" aria-pressed={state.focus === m.name} onClick={() => set({ focus: m.name })}>
                      {m.name}
                    </button>
                  </td>
                  <td>{[m.window_family ?? m.derive_family ?? m.kind, m.unit].filter(Boolean).join(', ')}</td>
                  <td>{m.derive_expr ?? m.datasets.join(', ')}</td>
                  <td>{m.description ?? ''}</td>
                  <td>
                    <button type="button" class="small" onClick={() => set({ page: 'explore', metrics: [m.name], groups: [], filters: [], order: [], where: '', context: '', rest: {}, params: {} })}>
                      Explore
                    </button>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {found.length > 200 && <p class="quiet">{found.length - 200} more: type to find them.</p>}
    </section>
  )
}

function MetricLineage({ name }: { name: string }) {
  const lineage = useAnswer<Lineage>(name, (signal) => api.lineage(name, signal))
  const drawn = useMemo(() => {
    if (!lineage.data) return undefined
    const boxes: Box[] = lineage.data.nodes.map((n) => ({ id: n.id, title: n.name, lines: [n.kind], kind: n.kind }))
    return { boxes, arrows: lineage.data.edges.map((e) => ({ from: e.from, to: e.to })) }
  }, [lineage.data])
  if (lineage.error) return <Problem error={lineage.error} />
  return drawn ? (
    <section>
      <h3>Where {name} comes from</h3>
      <Diagram boxes={drawn.boxes} arrows={drawn.arrows} direction="LR" label={`Lineage of ${name}`} />
    </section>
  ) : null
}
