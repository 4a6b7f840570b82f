// Writes the document of a server to a file.
import { writeFile } from 'node:fs/promises'

const [base, file] = process.argv.slice(2)
const response = await fetch(base + '/openapi.json')
if (!response.ok) throw new Error(`/openapi.json: status ${response.status}`)
await writeFile(file, await response.text())
