// The texts and the locale of the browser.

import { de } from './de.ts'
import { en, type Messages } from './en.ts'

const languages: Record<string, Messages> = { en, de }

/** locale is how numbers and dates are written. */
export const locale: string = globalThis.navigator?.language ?? 'en'

const own = locale.split('-')[0]

/** language is that of the texts: that of the browser, or English. */
export const language = own in languages ? own : 'en'

/** m holds the texts. */
export const m: Messages = languages[language]
