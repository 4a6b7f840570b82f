// The page of saved queries: their list, and one with its parameters and its result.

import { api, type Attribution, type SavedQuery } from './api.ts'
import { Change } from './why/change.tsx'
import { outputsOf, Rows } from './explore/answer.tsx'
import { useRows, type Props } from './explore/explore.tsx'
import { More, ParamControl } from './explore/form.tsx'
import type { Catalog } from './catalog.ts'
import { useAnswer } from './hooks.ts'
import { nameMetric } from './labels.ts'
import { m } from './messages/index.ts'
import { Busy, Problem } from './parts.tsx'
import { applyToSaved, groupsOf, openSaved, toSavedQuery } from './state.ts'

export function SavedPage(p: Props) {
  return <main class="listpage">{p.state.saved === '' ? <List {...p} /> : <Opened key={p.state.saved} {...p} />}</main>
}

function List({ catalog, state, set }: Props) {
  return (
    <>
      <h1>{m.saved.title}</h1>
      {catalog.saved.length === 0 && <p class="quiet">{m.saved.none}</p>}
      <ul class="cardlist">
        {catalog.saved.map((q) => (
          <li key={q.name} class="card">
            <button type="button" class="link" onClick={() => set(openSaved(q.name, state.connection, q.chart))}>
              {q.name}
            </button>
            <About catalog={catalog} saved={q} />
          </li>
        ))}
      </ul>
    </>
  )
}

const kinds: Record<SavedQuery['kind'], string> = m.saved.kinds

function About({ catalog, saved }: { catalog: Catalog; saved: SavedQuery }) {
  const params = Object.entries(saved.params ?? {}).map(([name, s]) => (s.default === undefined ? name : m.saved.withDefault(name, String(s.default))))
  const facts = [
    saved.metrics?.length ? `${kinds[saved.kind]}: ${saved.metrics.map((x) => nameMetric(catalog, x)).join(', ')}` : kinds[saved.kind],
    params.length > 0 && m.saved.parameters(params.join(', ')),
    saved.verified && m.saved.verified(saved.verified.by, saved.verified.on),
  ]
  return (
    <>
      {saved.description && <p>{saved.description}</p>}
      {saved.questions?.map((q) => (
        <p key={q} class="question">
          {q}
        </p>
      ))}
      <p class="quiet">{facts.filter(Boolean).join(' · ')}</p>
    </>
  )
}

/** Opened is one saved query; a name that the model does not hold is refused by the service. */
function Opened(p: Props) {
  const { catalog, state, set } = p
  const saved = catalog.saved.find((q) => q.name.toLowerCase() === state.saved.toLowerCase())
  const params = Object.entries(saved?.params ?? {})
  const missing = params.filter(([name, s]) => s.required && !state.params[name]).map(([name]) => name)
  return (
    <>
      <p>
        <button type="button" class="link" onClick={() => set(openSaved('', state.connection))}>
          {m.saved.all}
        </button>
      </p>
      <h1>{saved?.name ?? state.saved}</h1>
      {saved && <About catalog={catalog} saved={saved} />}
      <form class="form" onSubmit={(e) => e.preventDefault()}>
        {params.length > 0 && (
          <fieldset>
            <legend>{m.form.parameters}</legend>
            {params.map(([name, s]) => (
              <label key={name} title={s.description}>
                {name} <ParamControl name={name} schema={s} lists={false} value={state.params[name] ?? ''} onValue={(v) => set({ params: { ...state.params, [name]: v } })} />
              </label>
            ))}
          </fieldset>
        )}
        <More {...p} />
      </form>
      {missing.length > 0 ? <p class="note">{m.saved.missing(missing.join(', '))}</p> : saved?.kind === 'attribute' ? <SavedChange {...p} saved={saved} /> : <SavedRows {...p} saved={saved} />}
    </>
  )
}

function SavedRows(p: Props & { saved?: SavedQuery }) {
  const { catalog, state, set, saved } = p
  const kind = saved?.kind === 'select' ? 'select' : 'query'
  const query = toSavedQuery(state, saved?.params)
  const asked = useRows(catalog, JSON.stringify(query), query, kind)
  const { shown } = asked
  return (
    <Rows
      {...p}
      asked={asked}
      query={query}
      kind={kind}
      groups={groupsOf(shown?.result.columns ?? [], outputsOf(shown?.compiled), saved?.dimensions)}
      ordered={true}
      onFragment={(f) => set(applyToSaved(state, f))}
      onCandidate={(error) => (error.code === 'unknown_saved_query' ? (name) => set(openSaved(name, state.connection)) : undefined)}
      onLimit={(limit) => set({ rest: { ...state.rest, limit } })}
    />
  )
}

function SavedChange({ catalog, state, set, saved }: Props & { saved: SavedQuery }) {
  const query = toSavedQuery(state, saved.params)
  const answer = useAnswer<Attribution>(JSON.stringify(query), (signal) => api.attribute(query, signal))
  return (
    <>
      <Busy running={answer.running} />
      {answer.error && <Problem error={answer.error} connection={state.connection} onAgain={answer.again} onFragment={(f) => set(applyToSaved(state, f))} />}
      {answer.data && <Change catalog={catalog} a={answer.data} />}
    </>
  )
}
