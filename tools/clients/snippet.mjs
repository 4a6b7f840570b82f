// Writes the TypeScript of a page to snippet.ts, and to wrong.ts with a misspelt key of
// an answer.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const [page, folder, read, misspelt] = process.argv.slice(2)
const blocks = [...(await readFile(page, 'utf8')).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((m) => m[1])
if (blocks.length !== 1) throw new Error(`${page} has ${blocks.length} blocks of TypeScript, not one`)
const [snippet] = blocks
if (!snippet.includes(read)) throw new Error(`the TypeScript of ${page} does not read ${read}`)
await writeFile(join(folder, 'snippet.ts'), snippet)
await writeFile(join(folder, 'wrong.ts'), snippet + `console.log(${misspelt})\n`)
