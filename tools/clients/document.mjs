// Writes the documents of a server into a folder.
import { writeFile } from 'node:fs/promises'

const [base, folder] = process.argv.slice(2)
for (const name of ['openapi.json', 'openapi-3.0.json']) {
	const response = await fetch(`${base}/${name}`)
	if (!response.ok) throw new Error(`/${name}: status ${response.status}`)
	await writeFile(`${folder}/${name}`, await response.text())
}
