// The texts and the locale of the browser.

import { en, type Messages } from './en.ts'

const languages: Record<string, Messages> = { en }

/** locale is how numbers and dates are written. */
export const locale: string = globalThis.navigator?.language ?? 'en'

/** m holds the texts in the language of the browser, or in English. */
export const m: Messages = languages[locale.split('-')[0]] ?? en
