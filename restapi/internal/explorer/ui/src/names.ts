// Names of fields as the service writes them: parts between points, in quotes where a part
// is not a plain name.

const plain = /^[A-Za-z_][A-Za-z0-9_]*$/

/** partsOf reads the parts of a name: "odd name".kind has the parts odd name and kind. */
export function partsOf(path: string): string[] {
  const out: string[] = []
  for (const found of path.matchAll(/(?:"((?:[^"]|"")*)"|([^.]*))(?:\.|$)/g)) {
    if (found.index === path.length && found[0] === '' && !path.endsWith('.')) break
    out.push(found[1] === undefined ? found[2] : found[1].replaceAll('""', '"'))
  }
  return out
}

const quotedPart = (p: string) => (plain.test(p) ? p : `"${p.replaceAll('"', '""')}"`)

/** quoted writes a name so that every part that is not a plain name is in quotes. */
export const quoted = (path: string) => (path.includes('"') ? path : partsOf(path).map(quotedPart).join('.'))

/** datasetOf is the dataset or the role of a field; '' where the name has one part. */
export const datasetOf = (path: string) => partsOf(path).slice(0, -1).join('.')

/** fieldOf is the name of a field alone. */
export const fieldOf = (path: string) => partsOf(path).at(-1) ?? path

/** qualified is the name of a field of a dataset. */
export const qualified = (dataset: string, field: string) => `${quotedPart(dataset)}.${quotedPart(field)}`
