// The query of the form as SQL, as a plan, and as a request for every client.

import { api, type Compiled, type Query, type RowKind } from '../api.ts'
import type { Catalog } from '../catalog.ts'
import { useAnswer } from '../hooks.ts'
import { m } from '../messages/index.ts'
import { Code, Copy, Problem, Tabs } from '../parts.tsx'
import { snippets, type Snippet } from '../requests.ts'
import type { State } from '../state.ts'
import { isSame, selectOf } from './select.ts'

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
  query: Query
  kind: RowKind
}

export function SQL({ catalog, state, set, query, kind }: Props) {
  const { connection: _, ...portable } = query
  const asked = state.dialect ? { ...portable, dialect: state.dialect, pretty: true } : { ...query, pretty: true }
  const sql = useAnswer<Compiled>(JSON.stringify(asked), (signal) => api.compile(asked, signal, kind))
  return (
    <div>
      <div class="bar">
        <label>
          {m.code.dialect}{' '}
          <select value={state.dialect} onChange={(e) => set({ dialect: e.currentTarget.value })}>
            <option value="">{m.code.asItRuns}</option>
            {catalog.capabilities.dialects.map((d) => (
              <option key={d.name}>{d.name}</option>
            ))}
          </select>
        </label>
        {sql.data && <Copy text={sql.data.sql} />}
      </div>
      {sql.error ? <Problem error={sql.error} onAgain={sql.again} /> : sql.data && <Code text={sql.data.sql} language="sql" />}
    </div>
  )
}

export function Plan({ query, kind }: Pick<Props, 'query' | 'kind'>) {
  const plan = useAnswer<{ plan: string }>(JSON.stringify(query), (signal) => api.explain(query, signal, kind))
  if (plan.error) return <Problem error={plan.error} onAgain={plan.again} />
  return plan.data ? (
    <div>
      <div class="bar">
        <span class="quiet">{m.code.plan}</span>
        <Copy text={plan.data.plan} />
      </div>
      <Code text={plan.data.plan} />
    </div>
  ) : null
}

export function Requests({ catalog, state, set, query, kind }: Props) {
  const statement = useStatement(catalog, query, kind)
  const all: Snippet[] = [...snippets(new URL('.', location.href).href.replace(/\/$/, ''), kind, query), ...(statement ? [{ name: 'SELECT', language: 'sql', text: statement, about: m.code.doors }] : [])]
  const shown = all.find((s) => s.name === state.client) ?? all[0]
  return (
    <div>
      <div class="bar">
        <Tabs names={all.map((s) => [s.name, s.name])} current={shown.name} onPick={(name) => set({ client: name === all[0].name ? '' : name })} label={m.code.language} />
        <Copy text={shown.text} />
      </div>
      {shown.about && <p class="quiet">{shown.about}</p>}
      <Code text={shown.text} language={shown.language} />
    </div>
  )
}

/** useStatement is the SELECT of a query, where the service reads it as the same query. */
function useStatement(catalog: Catalog, query: Query, kind: RowKind): string | undefined {
  const statement = kind === 'query' ? selectOf(wideRelation(catalog), query, (n) => catalog.metrics.has(n)) : undefined
  const checked = useAnswer<boolean>(statement, async (signal) => {
    const { query: compiled } = await api.compileStatement(statement!, query.connection, signal)
    if (!isSame(query, compiled)) return false
    // A statement has the time zone of the model and begins weeks on Monday: both have to be those of the query.
    const [own, other] = await Promise.all([query, { ...query, time_zone: compiled!.time_zone, week_start: compiled!.week_start }].map((q) => api.compile(q, signal)))
    return own.sql !== '' && own.sql === other.sql
  })
  return checked.data ? statement : undefined
}

/** wideRelation is the relation of every field and metric, which is named for the model. */
function wideRelation(catalog: Catalog): string {
  let name = catalog.model.name
  while (catalog.datasets.some((d) => d.name.toLowerCase() === name.toLowerCase())) name += '_all'
  return name
}
