// Views that a person keeps in this browser: addresses of the page under names. Another person in the same browser does not see them: the
// name of a view, and the values of its filters, may be of fields that are hidden from this one.

import type { Catalog } from './catalog.ts'
import { remember, remembered } from './memory.ts'

export interface View {
  name: string
  hash: string
}

/** Owner is the model and the person whose views these are. */
export type Owner = Pick<Catalog, 'model' | 'identity'>

/** keyOf is the key of the views of a model. Without a name it is that of the model alone. */
export function keyOf({ model, identity }: Owner): `views.${string}` {
  if (!identity.name) return `views.${model.name}`
  return `views.${JSON.stringify([identity.issuer ?? '', identity.name, model.name])}`
}

/** viewsOf lists the views of a person, the newest first. Values in another form, which another program wrote, are left out. */
export function viewsOf(owner: Owner): View[] {
  try {
    const all = JSON.parse(remembered(keyOf(owner)) ?? '[]')
    return Array.isArray(all) ? all.filter((v) => typeof v?.name === 'string' && v.name.trim() !== '' && typeof v?.hash === 'string' && v.hash.startsWith('#/')) : []
  } catch {
    return []
  }
}

/** keepView keeps an address under a name, in the place of another one of that name. It is whether the browser did. */
export const keepView = (owner: Owner, view: View) => remember(keyOf(owner), JSON.stringify([view, ...viewsOf(owner).filter((v) => v.name !== view.name)]))

export const dropView = (owner: Owner, name: string) => remember(keyOf(owner), JSON.stringify(viewsOf(owner).filter((v) => v.name !== name)))
