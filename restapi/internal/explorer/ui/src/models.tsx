// The models of a server of several: the list of them, and the switch from one to another.

import { api, type ModelEntry } from './api.ts'
import { isUnauthorized } from './catalog.ts'
import { remember, remembered } from './memory.ts'
import { m } from './messages/index.ts'

/** toRoot is the way from the page of a model, which is at m/NAME/, to the server's own paths. */
const toRoot = () => (/\/m\/[A-Za-z0-9_-]+\/$/.test(location.pathname) ? '../../' : '')

/** listModels lists the models of a server of several; of one that serves a single model the list is empty. */
export async function listModels(): Promise<ModelEntry[]> {
  try {
    return (await api.models(toRoot())).filter((x) => x.path !== '')
  } catch (e) {
    if (isUnauthorized(e)) throw e
    return [] // the switch is a convenience: the model itself may still answer
  }
}

/** modelHere is the model that this page shows; undefined where none is the default. */
export const modelHere = (models: ModelEntry[]) => models.find((x) => location.pathname.endsWith(x.path + '/')) ?? (toRoot() === '' ? models.find((x) => x.default) : undefined)

/** isModelMissing reports whether this is the page of no model: a person has to choose one. */
export const isModelMissing = (models: ModelEntry[]) => models.length > 0 && toRoot() === '' && !modelHere(models)

const addressOf = (x: ModelEntry) => toRoot() + x.path.slice(1) + '/'

/** rememberModel keeps which model was open last, so that the list of models can mark it. */
export function rememberModel(models: ModelEntry[]) {
  const here = modelHere(models)
  if (here) remember('model', here.name)
}

interface Props {
  models: ModelEntry[]
  onOpen: (address: string) => void
}

export function ModelSwitch({ models, onOpen }: Props) {
  const here = modelHere(models)
  return (
    <select
      class="switch"
      aria-label={m.header.model}
      value={here?.name ?? ''}
      onChange={(e) => {
        const chosen = models.find((x) => x.name === e.currentTarget.value)
        if (chosen) onOpen(addressOf(chosen))
      }}
    >
      {!here && <option value="">{m.header.chooseModel}</option>}
      {models.map((model) => (
        <option key={model.name}>{model.name}</option>
      ))}
    </select>
  )
}

export function ModelList({ models, onOpen }: Props) {
  const last = remembered('model')
  return (
    <main class="listpage">
      <h1>{m.models.title}</h1>
      <ul class="cardlist">
        {[...models].sort((a, b) => Number(b.name === last) - Number(a.name === last)).map((x) => (
          <li key={x.name} class="card">
            <a
              href={addressOf(x)}
              onClick={(e) => {
                if (e.ctrlKey || e.metaKey || e.shiftKey) return // a separate tab
                e.preventDefault()
                onOpen(addressOf(x))
              }}
            >
              {x.name}
            </a>{' '}
            {x.name === last && <span class="mark">{m.models.last}</span>}
            {x.description && <p>{x.description}</p>}
            <p class="quiet">{m.models.about(x.metrics, x.datasets, x.revision)}</p>
          </li>
        ))}
      </ul>
    </main>
  )
}
