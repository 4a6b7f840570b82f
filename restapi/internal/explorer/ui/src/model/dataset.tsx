// One dataset: its fields with values on request, and what it is joined to.

import { useState } from 'preact/hooks'
import { api, type Dimension, type Relationship } from '../api.ts'
import type { Catalog } from '../catalog.ts'
import { useAnswer } from '../hooks.ts'
import { m } from '../messages/index.ts'
import { datasetOf, fieldOf } from '../names.ts'
import type { State } from '../state.ts'

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
  name: string
  relationships: Relationship[]
}

export function DatasetPage({ catalog, state, set, name, relationships }: Props) {
  const dataset = catalog.datasets.find((d) => d.name === name)!
  const fields = catalog.dimensionList.filter((d) => datasetOf(d.name) === name)
  const joins = relationships.filter((r) => r.from === name || r.to === name)
  const metrics = catalog.metricList.filter((x) => x.datasets.includes(name))
  return (
    <section>
      <h2>{name}</h2>
      {dataset.description && <p>{dataset.description}</p>}
      <p class="quiet">
        {dataset.source && (
          <>
            {m.model.source} <code>{dataset.source}</code> ·{' '}
          </>
        )}
        {dataset.primary_key.length > 0 ? `${m.model.key} ${dataset.primary_key.join(', ')}` : m.model.noKey}
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label={m.model.fieldsOf(name)}>
        <table>
          <thead>
            <tr>
              <th scope="col">{m.model.field}</th>
              <th scope="col">{m.model.type}</th>
              <th scope="col">{m.model.role}</th>
              <th scope="col">{m.model.description}</th>
              <th scope="col">{m.model.values}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((f) => (
              <tr key={f.name}>
                <th scope="row">{fieldOf(f.name)}</th>
                <td>{f.datatype ?? ''}</td>
                <td>{f.is_time ? m.model.time : f.is_dimension ? m.model.dimension : f.source.replace('inferred:', '').replace('_', ' ')}</td>
                <td>{f.description ?? ''}</td>
                <td>
                  <SampleValues catalog={catalog} field={f} connection={state.connection} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {joins.length > 0 && (
        <>
          <h3>{m.model.relationships}</h3>
          <ul>
            {joins.map((r) => (
              <li key={r.name}>
                <code>{r.name}</code>: {r.from_columns.map((c, i) => `${r.from}.${c} = ${r.to}.${r.to_columns[i]}`).join(m.model.and)} ({r.cardinality.replaceAll('_', ' ')}
                {r.join_type === 'inner' ? `, ${m.model.inner}` : ''}){' '}
                <button type="button" class="link" onClick={() => set({ focus: 'dataset:' + (r.from === name ? r.to : r.from) })}>
                  {r.from === name ? r.to : r.from}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {metrics.length > 0 && (
        <>
          <h3>{m.picker.metrics}</h3>
          <p class="links">
            {metrics.map((x) => (
              <button type="button" class="link" key={x.name} onClick={() => set({ focus: 'metric:' + x.name })}>
                {x.label || x.name}
              </button>
            ))}
          </p>
        </>
      )}
    </section>
  )
}

/** SampleValues asks for values when a person wants them: each costs a query. */
function SampleValues({ catalog, field, connection }: { catalog: Catalog; field: Dimension; connection: string }) {
  const [open, setOpen] = useState(false)
  const answer = useAnswer(open ? field.name : undefined, (signal) => loadValues(catalog, field.name, '', connection, signal, 5))
  if (!open) {
    return (
      <button type="button" class="small" aria-label={m.model.valuesOf(field.name)} onClick={() => setOpen(true)}>
        {m.model.show}
      </button>
    )
  }
  if (answer.error) return <span class="quiet">{answer.error.message}</span>
  return <span>{answer.data?.map((v) => (v.value === null ? m.none : v.value === '' ? m.empty : String(v.value)) + (v.count === undefined ? '' : ` (${v.count.toLocaleString()})`)).join(', ') ?? '…'}</span>
}

export interface KnownValue {
  value: string | number | boolean | null
  count?: number
}

/** loadValues lists values of a field, the most frequent first where the service counts them. */
export async function loadValues(catalog: Catalog, field: string, like: string, connection: string, signal: AbortSignal, limit = 20): Promise<KnownValue[]> {
  if (catalog.capabilities.features.includes('values')) return (await api.values(field, like, connection, limit, signal)).values
  const result = await api.execute({ distinct: true, group_by: [{ field }], limit, ...(connection && { connection }) }, signal)
  return result.rows.map((r) => ({ value: r[result.columns[0]] })).filter((v) => like === '' || String(v.value).toLowerCase().includes(like.toLowerCase()))
}
