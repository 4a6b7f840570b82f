// Views that a person keeps in this browser: addresses of the page under names.

import { remember, remembered } from './memory.ts'

export interface View {
  name: string
  hash: string
}

/** viewsOf lists the views of a model, the newest first. Values in another form, which another program wrote, are left out. */
export function viewsOf(model: string): View[] {
  try {
    const all = JSON.parse(remembered(`views.${model}`) ?? '[]')
    return Array.isArray(all) ? all.filter((v) => typeof v?.name === 'string' && v.name.trim() !== '' && typeof v?.hash === 'string' && v.hash.startsWith('#/')) : []
  } catch {
    return []
  }
}

/** keepView keeps an address under a name, in the place of another one of that name. It is whether the browser did. */
export const keepView = (model: string, view: View) => remember(`views.${model}`, JSON.stringify([view, ...viewsOf(model).filter((v) => v.name !== view.name)]))

export const dropView = (model: string, name: string) => remember(`views.${model}`, JSON.stringify(viewsOf(model).filter((v) => v.name !== name)))
