// Generates orval's default client, which calls axios, from the document of each version.
const folder = process.env.DOCUMENTS
const client = (name) => ({ input: `${folder}/${name}.json`, output: { target: `${folder}/orval-${name}.ts` } })
export default { newer: client('openapi'), older: client('openapi-3.0') }
