// Whether a field has few values: only such fields are worth a list.

import { api } from './api.ts'

/** A field with more values than this has too many for a list. */
export const mostFew = 50

const asked = new Map<string, Promise<boolean>>()

/** hasFewValues asks once for each field. A request that fails is sent again. */
export function hasFewValues(revision: string, field: string, connection: string): Promise<boolean> {
  const key = JSON.stringify([revision, field, connection])
  let answer = asked.get(key)
  if (!answer) {
    answer = api.values(field, '', connection, mostFew).then((values) => values.complete)
    answer.catch(() => asked.delete(key))
    asked.set(key, answer)
  }
  return answer
}
