// The models of a server of several: the list of them, and the switch from one to another.

import { api, type ModelEntry } from './api.ts'
import { isUnauthorized } from './catalog.ts'

/** toRoot is the way from the page of a model, which is at m/NAME/, to the server's own paths. */
const toRoot = () => (/\/m\/[A-Za-z0-9_-]+\/$/.test(location.pathname) ? '../../' : '')

/** listModels lists the models of a server of several; of one that serves a single model the list is empty. */
export async function listModels(): Promise<ModelEntry[]> {
  try {
    return (await api.models(toRoot())).filter((m) => m.path !== '')
  } catch (e) {
    if (isUnauthorized(e)) throw e
    return [] // the switch is a convenience: the model itself may still answer
  }
}

/** modelHere is the model that this page shows; undefined where none is the default. */
export const modelHere = (models: ModelEntry[]) => models.find((m) => location.pathname.endsWith(m.path + '/')) ?? (toRoot() === '' ? models.find((m) => m.default) : undefined)

/** isModelMissing tells whether this is the page of no model: a person has to choose one. */
export const isModelMissing = (models: ModelEntry[]) => models.length > 0 && toRoot() === '' && !modelHere(models)

const addressOf = (m: ModelEntry) => toRoot() + m.path.slice(1) + '/'

interface Props {
  models: ModelEntry[]
  onOpen: (address: string) => void
}

export function ModelSwitch({ models, onOpen }: Props) {
  const here = modelHere(models)
  return (
    <select
      class="switch"
      aria-label="Model"
      value={here?.name ?? ''}
      onChange={(e) => {
        const chosen = models.find((m) => m.name === e.currentTarget.value)
        if (chosen) onOpen(addressOf(chosen))
      }}
    >
      {!here && <option value="">choose a model…</option>}
      {models.map((m) => (
        <option key={m.name}>{m.name}</option>
      ))}
    </select>
  )
}

export function ModelList({ models, onOpen }: Props) {
  return (
    <main class="listpage">
      <h1>Models</h1>
      <ul class="cardlist">
        {models.map((m) => (
          <li key={m.name} class="card">
            <a
              href={addressOf(m)}
              onClick={(e) => {
                if (e.ctrlKey || e.metaKey || e.shiftKey) return // a tab of its own
                e.preventDefault()
                onOpen(addressOf(m))
              }}
            >
              {m.name}
            </a>
            {m.description && <p>{m.description}</p>}
            <p class="quiet">
              {m.metrics} {m.metrics === 1 ? 'metric' : 'metrics'} over {m.datasets} {m.datasets === 1 ? 'dataset' : 'datasets'} · revision {m.revision}
            </p>
          </li>
        ))}
      </ul>
    </main>
  )
}
