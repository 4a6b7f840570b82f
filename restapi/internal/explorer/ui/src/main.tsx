import { render, type ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ApiError, hasToken, onResponse, scopeTo, setToken, type ModelEntry, type View } from './api.ts'
import { Attribute } from './why/attribute.tsx'
import { forget, inView, isUnauthorized, load, reload, type Catalog } from './catalog.ts'
import { embedder, isBare, takeTokens } from './embed.ts'
import { Explore } from './explore/explore.tsx'
import { isAsked, type Filter } from './filters.ts'
import { Records } from './explore/records.tsx'
import { StatementPage } from './explore/statement.tsx'
import { Held, openedElsewhere } from './held.tsx'
import { Home } from './home/home.tsx'
import { humanised, nameMetric } from './labels.ts'
import { language, m } from './messages/index.ts'
import { ModelPage } from './model/page.tsx'
import { isModelMissing, listModels, ModelList, ModelSwitch, rememberModel } from './models.tsx'
import { SavedPage } from './saved.tsx'
import { SearchBox } from './search.tsx'
import { fresh, fromHash, initial, leaveRecords, openSaved, toHash, type Page, type State } from './state.ts'
import { remember, remembered } from './memory.ts'

function App() {
  const [state, show] = useState<State>(() => fromHash(location.hash))
  // A late response changes the newest state, not that of its request.
  const newestState = useRef(state)
  const setState = (next: State) => {
    newestState.current = next
    show(next)
  }
  const [catalog, setCatalog] = useState<Catalog>()
  /** An address without a connection means this one. */
  const start = useRef('')
  const started = (s: State): State => (s.connection === '' ? { ...s, connection: start.current } : s)
  const [failure, setFailure] = useState<unknown>()
  const [held, setHeld] = useState(openedElsewhere)
  /** The part of the state that is being typed. */
  const typing = useRef('')

  const [models, setModels] = useState<ModelEntry[]>([])
  const [path, setPath] = useState(location.pathname)
  const newest = useRef(0)

  const open = async () => {
    const turn = ++newest.current
    const showModels = (models: ModelEntry[], catalog?: Catalog, failure?: unknown) => {
      if (turn !== newest.current) return // another model was chosen since
      start.current = catalog?.connection ?? ''
      setState(started(newestState.current))
      setModels(models)
      rememberModel(models)
      setCatalog(catalog)
      setFailure(failure)
    }
    let known: ModelEntry[] = []
    // Both are asked for at once; where no model is the default, there is no catalog.
    const loaded = load()
    loaded.catch(() => undefined)
    try {
      known = await listModels()
      showModels(known, isModelMissing(known) ? undefined : await loaded)
    } catch (e) {
      showModels(known, undefined, e)
    }
  }
  useLayoutEffect(() => {
    forget()
    setCatalog(undefined)
    setFailure(undefined)
    setState(fromHash(location.hash))
    open()
  }, [path])
  useLayoutEffect(() => {
    const read = () => setPath(location.pathname)
    addEventListener('popstate', read)
    return () => removeEventListener('popstate', read)
  }, [])
  // Another model is opened without loading the page again, which would forget the token.
  const openModel = (address: string) => {
    history.pushState(null, '', address)
    setPath(location.pathname)
  }
  useLayoutEffect(() => {
    const read = () => {
      typing.current = ''
      setState(started(fromHash(location.hash)))
    }
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  useEffect(() => {
    document.title = [state.saved || state.metrics.map((name) => (catalog ? nameMetric(catalog, name) : name)).join(', ') || (state.page === 'home' ? '' : m.pages[state.page]), catalog?.model.name, 'semlayer'].filter(Boolean).join(' – ')
  }, [state.saved, state.metrics, state.page, catalog])

  /** A change by the page itself is not a step of a person, and leaves no entry in the history. */
  const set = (p: Partial<State>, quietly = false) => {
    setHeld(false) // only a person comes here
    const before = newestState.current
    const next = { ...before, ...p }
    setState(next)
    const hash = toHash(next)
    // A deliberate change is a step back in the history; typing is not.
    const changed = (Object.keys(initial) as (keyof State)[]).filter((key) => JSON.stringify(next[key]) !== JSON.stringify(before[key]))
    const chosen = changed.some((key) => !(typed as readonly string[]).includes(key) || isStep(key, before, next))
    // The letters of one text are one step, which begins with its first.
    const text = chosen ? '' : changed.map((key) => typedPart(key, before, next)).join(' ')
    const begins = text !== '' && text !== typing.current && !isFirst(before, changed)
    if (!quietly) typing.current = text
    if (!quietly && (chosen || begins)) history.pushState(null, '', hash)
    else history.replaceState(null, '', hash)
  }
  /** enter asks with a token: for all that the page shows, or only for the catalog, where a page around renews a token that is still good. */
  const enter = (token: string, all = true) => {
    setToken(token)
    forget()
    if (all) {
      setCatalog(undefined)
      setFailure(undefined)
    }
    open()
  }
  // A model that was loaded again is read quietly: the state of the page stays.
  const [renewed, setRenewed] = useState('')
  useEffect(() => {
    if (!catalog) return
    let live = true
    const look = async () => {
      const next = document.visibilityState === 'visible' ? await reload(catalog).catch(() => undefined) : undefined
      if (!live || !next) return
      forget()
      setCatalog(next)
      if (next.model.revision !== catalog.model.revision) setRenewed(next.model.revision)
    }
    onResponse((status, revision) => {
      if (status === 401) setFailure(new ApiError(status, { code: 'unauthorized', message: m.tokenRefused })) // the token was revoked
      else if (revision && revision !== catalog.model.revision) look()
    })
    addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      live = false
      onResponse(() => {})
      removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [catalog])
  // The lists and the questions of the page follow its view. The model, its saved queries and statements are those of the whole model.
  const view = isOfView(state.page) ? state.view : ''
  const [ready, setReady] = useState<{ view: string; catalog?: Catalog; failure?: unknown }>()
  useLayoutEffect(() => {
    if (ready?.view !== view) forget()
    scopeTo(view)
    if (!catalog || view === '') return setReady({ view, catalog })
    let live = true
    const show = (part: { catalog?: Catalog; failure?: unknown }) => live && setReady({ view, ...part })
    inView(catalog, view).then((catalog) => show({ catalog }), (failure) => show({ failure }))
    return () => {
      live = false
    }
  }, [catalog, view])
  const shown = ready?.view === view ? ready.catalog : undefined
  const take = useRef(enter)
  take.current = (token) => enter(token, failure !== undefined)
  useEffect(() => takeTokens((token) => take.current(token)), [])
  return (
    <>
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('main')?.focus()}>
        {m.picker.skip}
      </button>
      {!isBare && <Header models={models} onModel={openModel} views={catalog?.views ?? []} catalog={shown} state={{ ...state, view }} set={set} onToken={enter} needsToken={isUnauthorized(failure)} />}
      {renewed && (
        <p class="note renewed" role="status">
          {m.renewed(renewed)}{' '}
          <button type="button" class="small" onClick={() => setRenewed('')}>
            {m.close}
          </button>
        </p>
      )}
      {shown ? (
        held && location.hash.length > 1 ? (
          <Held state={state} onRun={() => setHeld(false)} />
        ) : state.page === 'model' ? (
          <ModelPage catalog={shown} state={state} set={set} />
        ) : state.page === 'saved' ? (
          <SavedPage catalog={shown} state={state} set={set} />
        ) : state.page === 'attribution' ? (
          <Attribute key={view} catalog={shown} state={state} set={set} />
        ) : state.page === 'sql' ? (
          <StatementPage key={state.statement} catalog={shown} state={state} set={set} />
        ) : state.page === 'records' ? (
          <Records key={view} catalog={shown} state={state} set={set} />
        ) : state.page === 'home' ? (
          <Home key={view} catalog={shown} state={state} set={set} />
        ) : (
          <Explore key={view} catalog={shown} state={state} set={set} />
        )
      ) : (failure ?? (ready?.view === view && ready.failure)) ? (
        <Closed failure={failure ?? ready?.failure} onAgain={open} onToken={enter} />
      ) : isModelMissing(models) ? (
        <ModelList models={models} onOpen={openModel} />
      ) : (
        <Boot>{m.loading}</Boot>
      )}
    </>
  )
}

/** A filter that was added or removed is a step, and so is one of another field or comparison; one whose value is typed is not. */
const isStep = (key: keyof State, before: State, after: State) => key === 'filters' && JSON.stringify(before.filters.map(choiceOf)) !== JSON.stringify(after.filters.map(choiceOf))
const choiceOf = (f: Filter) => [f.field, f.op]

/** The parts of the state that are typed, letter by letter. */
const typed = ['where', 'context', 'filters'] as const satisfies (keyof State)[]

/** typedPart names what is being typed: a part of the state, and of filters the one. */
const typedPart = (key: keyof State, before: State, after: State) => (key === 'filters' ? `filter ${after.filters.findIndex((f, i) => f.value !== before.filters[i]?.value)}` : key)

/** isFirst is whether a filter that was just added gets its first value: that is the same step. */
const isFirst = (before: State, changed: (keyof State)[]) => changed.length === 1 && changed[0] === 'filters' && before.filters.some((f) => !isAsked(f))

const pages: Page[] = ['home', 'explore', 'saved', 'attribution', 'sql', 'model']

interface HeaderProps {
  views: View[]
  models: ModelEntry[]
  onModel: (address: string) => void
  catalog?: Catalog
  state: State
  set: (p: Partial<State>) => void
  onToken: (t: string) => void
  needsToken: boolean
}

function Header({ views, models, onModel, catalog, state, set, onToken, needsToken }: HeaderProps) {
  // A saved query and the first page leave nothing behind.
  const goTo = (page: Page) => set(state.saved || page === 'saved' || page === 'home' || state.page === 'home' || page === 'sql' || state.page === 'sql' ? fresh(state, page) : leaveRecords(state, page))
  return (
    <header class="top">
      <span class="brand">semlayer</span>
      {models.length > 1 ? <ModelSwitch models={models} onOpen={onModel} /> : catalog && <span class="modelname">{catalog.model.name}</span>}
      {views.length > 0 && isOfView(state.page) && <ViewSwitch views={views} state={state} set={set} />}
      {isModelMissing(models) ? (
        <span class="fill" />
      ) : (
        <nav aria-label={m.pages.label}>
          {pages
            .filter((page) => page !== 'saved' || state.page === page || catalog?.saved.length)
            .map((page) => (
              <button type="button" key={page} class="bare" aria-current={state.page === page ? 'page' : undefined} onClick={() => goTo(page)}>
                {m.pages[page]}
              </button>
            ))}
          <a href="docs">{m.pages.api}</a>
        </nav>
      )}
      {catalog && <SearchBox key={state.view} catalog={catalog} state={state} set={set} />}
      <Token onToken={onToken} wanted={needsToken} />
      <Theme />
    </header>
  )
}

/** isOfView is whether a page asks in a view of the model. */
const isOfView = (page: Page) => page !== 'model' && page !== 'saved' && page !== 'sql'

/** ViewSwitch chooses the part of the model that the page is about. */
const ViewSwitch = ({ views, state, set }: Pick<HeaderProps, 'views' | 'state' | 'set'>) => (
  <select class="switch" aria-label={m.header.view} title={views.find((v) => v.name === state.view)?.description} value={state.view} onChange={(e) => set(fresh({ ...state, view: e.currentTarget.value }, state.page === 'records' ? 'explore' : state.page))}>
    <option value="">{m.header.wholeModel}</option>
    {views.map((v) => (
      <option key={v.name} value={v.name}>
        {v.label ?? humanised(v.name)}
      </option>
    ))}
    {state.view && !views.some((v) => v.name === state.view) && <option>{state.view}</option>}
  </select>
)

/** Token is asked for where one is needed; it is kept in memory only. */
function Token({ onToken, wanted }: { onToken: (t: string) => void; wanted: boolean }) {
  const [open, setOpen] = useState(false)
  const shown = open || wanted
  const box = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => box.current?.focus(), [shown])
  return shown ? (
    <form
      class="token"
      onSubmit={(e) => {
        e.preventDefault()
        onToken(String(new FormData(e.currentTarget).get('token') ?? ''))
        e.currentTarget.reset() // a token that is refused is typed again
        setOpen(false)
      }}
    >
      <input ref={box} name="token" type="password" autocomplete="off" placeholder={m.header.tokenField} aria-label={m.header.tokenField} />
      <button type="submit" class="small">
        {m.header.use}
      </button>
    </form>
  ) : (
    <button type="button" class="bare" onClick={() => setOpen(true)}>
      {hasToken() ? m.header.tokenSet : m.header.token}
    </button>
  )
}

/** Theme follows the system until a person chooses; the choice stays with the browser. */
function Theme() {
  const next = () => {
    const root = document.documentElement
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
    root.dataset.theme = dark ? 'light' : 'dark'
    remember('theme', root.dataset.theme)
  }
  return (
    <button type="button" class="bare" aria-label={m.header.theme} title={m.header.themeHint} onClick={next}>
      ◐
    </button>
  )
}

/** Boot is the page before there is a model. */
const Boot = ({ children }: { children: ComponentChildren }) => (
  <main class="boot">
    <h1 class="hidden">semlayer</h1>
    {children}
  </main>
)

function Closed({ failure, onAgain, onToken }: { failure: unknown; onAgain: () => void; onToken: (t: string) => void }) {
  if (isUnauthorized(failure)) {
    // A page without a header has its own place for a token, unless the page around it has to hand one over.
    const handed = isBare && embedder() !== undefined
    const { wanted, refused } = handed ? m.handed : { wanted: m.tokenWanted, refused: m.tokenRefused }
    return (
      <Boot>
        {isBare && !handed && <Token onToken={onToken} wanted={true} />}
        {hasToken() ? <span role="alert">{refused}</span> : wanted}
      </Boot>
    )
  }
  return (
    <Boot>
      <span role="alert">{failure instanceof Error ? failure.message : String(failure)}</span>{' '}
      <button type="button" onClick={onAgain}>
        {m.again}
      </button>
    </Boot>
  )
}

document.documentElement.lang = language

// The theme is there before the first paint.
const theme = remembered('theme')
if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme

// Paper is light, also for the plots, which take the colours of the page when they are drawn.
let onScreen: string | undefined
addEventListener('beforeprint', () => {
  onScreen = document.documentElement.dataset.theme
  document.documentElement.dataset.theme = 'light'
})
addEventListener('afterprint', () => {
  if (onScreen === undefined) delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = onScreen
})

const root = document.getElementById('app')!
root.replaceChildren()
render(<App />, root)
