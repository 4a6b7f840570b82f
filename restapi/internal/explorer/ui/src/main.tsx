import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { hasToken, setToken, type ModelEntry } from './api.ts'
import { Attribute } from './attribute.tsx'
import { forget, isUnauthorized, load, type Catalog } from './catalog.ts'
import { Explore } from './explore.tsx'
import { Held, openedElsewhere } from './held.tsx'
import { ModelPage } from './model.tsx'
import { isModelMissing, listModels, ModelList, ModelSwitch } from './models.tsx'
import { SavedPage } from './saved.tsx'
import { fromHash, openSaved, toHash, type Page, type State } from './state.ts'

function App() {
  const [state, setState] = useState<State>(() => fromHash(location.hash))
  const [catalog, setCatalog] = useState<Catalog>()
  const [failure, setFailure] = useState<unknown>()
  const [held, setHeld] = useState(openedElsewhere)

  const [models, setModels] = useState<ModelEntry[]>([])
  const [path, setPath] = useState(location.pathname)
  const newest = useRef(0)

  const open = async () => {
    const turn = ++newest.current
    const show = (models: ModelEntry[], catalog?: Catalog, failure?: unknown) => {
      if (turn !== newest.current) return // another model was chosen since
      setModels(models)
      setCatalog(catalog)
      setFailure(failure)
    }
    let known: ModelEntry[] = []
    try {
      known = await listModels()
      show(known, isModelMissing(known) ? undefined : await load())
    } catch (e) {
      show(known, undefined, e)
    }
  }
  useEffect(() => {
    forget()
    setCatalog(undefined)
    setFailure(undefined)
    setState(fromHash(location.hash))
    open()
  }, [path])
  useEffect(() => {
    const read = () => setPath(location.pathname)
    addEventListener('popstate', read)
    return () => removeEventListener('popstate', read)
  }, [])
  // Another model is opened without loading the page again, which would forget the token.
  const openModel = (address: string) => {
    history.pushState(null, '', address)
    setPath(location.pathname)
  }
  useEffect(() => {
    const read = () => setState(fromHash(location.hash))
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  useEffect(() => {
    document.title = [state.saved || state.metrics.join(', '), catalog?.model.name, 'semlayer'].filter(Boolean).join(' – ')
  }, [state.saved, state.metrics, catalog])

  const set = (p: Partial<State>) => {
    setHeld(false) // only a person comes here
    const next = { ...state, ...p }
    setState(next)
    const hash = toHash(next)
    // A deliberate change is a step back in the history; what is typed is not.
    if (deliberate.some((key) => JSON.stringify(next[key]) !== JSON.stringify(state[key]))) history.pushState(null, '', hash)
    else history.replaceState(null, '', hash)
  }
  const enter = (token: string) => {
    setToken(token)
    forget()
    open()
  }
  return (
    <>
      <Header models={models} onModel={openModel} catalog={catalog} state={state} set={set} onToken={enter} needsToken={isUnauthorized(failure)} />
      {catalog ? (
        held && location.hash.length > 1 ? (
          <Held state={state} onRun={() => setHeld(false)} />
        ) : state.page === 'model' ? (
          <ModelPage catalog={catalog} state={state} set={set} />
        ) : state.page === 'saved' ? (
          <SavedPage catalog={catalog} state={state} set={set} />
        ) : state.page === 'attribution' ? (
          <Attribute catalog={catalog} state={state} set={set} />
        ) : (
          <Explore catalog={catalog} state={state} set={set} />
        )
      ) : failure ? (
        <Closed failure={failure} onAgain={open} />
      ) : isModelMissing(models) ? (
        <ModelList models={models} onOpen={openModel} />
      ) : (
        <p class="boot">Loading the model…</p>
      )}
    </>
  )
}

/** The parts of the state that are picked and not typed. */
const deliberate = ['page', 'saved', 'metrics', 'groups', 'order', 'connection', 'tab', 'focus'] as const satisfies (keyof State)[]

const pages: [Page, string][] = [
  ['explore', 'Explore'],
  ['saved', 'Saved'],
  ['attribution', 'Attribution'],
  ['model', 'Model'],
]

function Header({
  models,
  onModel,
  catalog,
  state,
  set,
  onToken,
  needsToken,
}: {
  models: ModelEntry[]
  onModel: (address: string) => void
  catalog?: Catalog
  state: State
  set: (p: Partial<State>) => void
  onToken: (t: string) => void
  needsToken: boolean
}) {
  return (
    <header class="top">
      <span class="brand">semlayer</span>
      {models.length > 1 ? <ModelSwitch models={models} onOpen={onModel} /> : catalog && <span class="modelname">{catalog.model.name}</span>}
      {isModelMissing(models) ? (
        <span class="fill" />
      ) : (
        <nav aria-label="Pages">
          {pages.filter(([page]) => page !== 'saved' || state.page === page || catalog?.saved.length).map(([page, name]) => (
            <button type="button" key={page} class="bare" aria-current={state.page === page ? 'page' : undefined} onClick={() => set(state.saved || page === 'saved' ? { ...openSaved('', state.connection), page } : { page })}>
              {name}
            </button>
          ))}
          <a href="docs">API</a>
        </nav>
      )}
      <Token onToken={onToken} wanted={needsToken} />
      <Theme />
    </header>
  )
}

/** Token is asked for where one is needed; it is kept in memory only. */
function Token({ onToken, wanted }: { onToken: (t: string) => void; wanted: boolean }) {
  const [open, setOpen] = useState(false)
  const shown = open || wanted
  return shown ? (
    <form
      class="token"
      onSubmit={(e) => {
        e.preventDefault()
        onToken(String(new FormData(e.currentTarget).get('token') ?? ''))
        setOpen(false)
      }}
    >
      <input name="token" type="password" autocomplete="off" placeholder="access token" aria-label="Access token" />
      <button type="submit" class="small">
        Use
      </button>
    </form>
  ) : (
    <button type="button" class="bare" onClick={() => setOpen(true)}>
      {hasToken() ? 'Token set' : 'Token'}
    </button>
  )
}

function Theme() {
  const next = () => {
    const root = document.documentElement
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
    root.dataset.theme = dark ? 'light' : 'dark'
  }
  return (
    <button type="button" class="bare" aria-label="Switch between light and dark" title="Light or dark" onClick={next}>
      ◐
    </button>
  )
}

function Closed({ failure, onAgain }: { failure: unknown; onAgain: () => void }) {
  if (isUnauthorized(failure)) return <p class="boot">This service wants an access token. Enter it above; it is kept until the page is closed.</p>
  return (
    <p class="boot" role="alert">
      {failure instanceof Error ? failure.message : String(failure)}{' '}
      <button type="button" onClick={onAgain}>
        Try again
      </button>
    </p>
  )
}

const root = document.getElementById('app')!
root.replaceChildren()
render(<App />, root)
