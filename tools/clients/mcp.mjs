// Uses the tools, prompts and resources of a server with the official TypeScript SDK of the Model Context Protocol, over
// both transports: node mcp.mjs SEMLAYER FOLDER
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"

const [semlayer, folder] = process.argv.slice(2)
const token = "mcp-check"

// A model with more saved queries than a page of prompts holds.
const queries = Array.from({ length: 60 }, (_, i) => ({ name: `again_${i}`, questions: [`How much, again ${i}?`], query: { metrics: ["revenue"] } }))
queries.push({
	name: "by_region", questions: ["What is the revenue by region?"], params: [{ name: "least", type: "int", min: 0, max: 100 }],
	query: { metrics: ["revenue"], group_by: [{ field: "sales.region" }], where_sql: "sales.amount >= :least", order_by: [{ key: "region" }] },
})
const expression = (text) => ({ dialects: [{ dialect: "ANSI_SQL", expression: text }] })
const model = join(folder, "sales.json")
writeFileSync(model, JSON.stringify({
	version: "0.2.0.dev0", name: "sales", custom_extensions: [{ vendor_name: "SEMLAYER", data: JSON.stringify({ v: "1.10", queries }) }],
	datasets: [{
		name: "sales", source: "SELECT * FROM (VALUES ('east', 10), ('east', 5), ('west', 2)) AS t(region, amount)",
		fields: [
			{ name: "region", datatype: "String", expression: expression("region") },
			{ name: "amount", datatype: "Integer", expression: expression("amount") },
		],
	}],
	metrics: [{ name: "revenue", expression: expression("SUM(sales.amount)") }],
}))

async function check(transport) {
	const client = new Client({ name: "check", version: "1" })
	await client.connect(transport)
	assert.match(client.getInstructions(), /Metrics: revenue\./)
	assert.ok(client.getInstructions().length <= 4000)
	assert.ok(client.getServerCapabilities().prompts)

	const { tools } = await client.listTools()
	assert.ok(new TextEncoder().encode(JSON.stringify(tools)).length <= 8000)
	assert.ok(tools.every((t) => t.annotations.readOnlyHint && t.inputSchema.additionalProperties === true))

	const call = async (name, args) => {
		const result = await client.callTool({ name, arguments: args })
		return { isError: result.isError ?? false, body: JSON.parse(result.content[0].text), structured: result.structuredContent }
	}
	const found = await call("find", { q: "revenue by region" })
	assert.deepEqual(found.body.hits.slice(0, 1).map((h) => h.name), ["by_region"])
	const refused = await call("run_query", { metrics: "revenue", group_by: ["sales.region"], order_by: "-revenue" })
	assert.equal(refused.isError, true)
	const repaired = await call("run_query", JSON.parse(refused.body.suggested_retry))
	assert.deepEqual(repaired.body.rows, [{ region: "east", revenue: 15 }, { region: "west", revenue: 2 }])
	assert.deepEqual(repaired.structured.rows, repaired.body.rows)

	const prompts = []
	let cursor
	do {
		const page = await client.listPrompts(cursor ? { cursor } : {})
		assert.ok(page.prompts.length <= 50)
		prompts.push(...page.prompts)
		cursor = page.nextCursor
	} while (cursor)
	assert.equal(prompts.length, 61)
	const prompt = await client.getPrompt({ name: "by_region", arguments: { least: "5" } })
	const [, tool, args] = prompt.messages[0].content.text.match(/Call the tool (\w+) with (.*)$/)
	const answered = await call(tool, JSON.parse(args))
	assert.deepEqual([answered.body.saved, answered.body.rows], ["by_region", [{ region: "east", revenue: 15 }]])
	await assert.rejects(client.getPrompt({ name: "by_region", arguments: { least: "101" } }), (e) => e.code === -32602 && e.data.code === "param_out_of_domain")

	const { resources } = await client.listResources()
	assert.deepEqual(resources.map((r) => r.uri), ["semlayer://instructions", "semlayer://keys"])
	const saved = await client.readResource({ uri: "semlayer://saved/by_region" })
	assert.deepEqual(JSON.parse(saved.contents[0].text).metrics, ["revenue"])
	const metric = await client.readResource({ uri: "semlayer://metrics/revenue" })
	assert.equal(JSON.parse(metric.contents[0].text).definition, "SUM(sales.amount)")
	await client.close()
}

await check(new StdioClientTransport({ command: semlayer, args: ["mcp", "--model", model], stderr: "ignore" }))

const server = spawn(semlayer, ["serve", "--model", model, "--bind", "127.0.0.1:0", "--auth-token", token], { stdio: ["ignore", "pipe", "pipe"] })
try {
	const base = await new Promise((resolve, reject) => {
		let log = ""
		const read = (part) => {
			log += part
			const address = log.match(/127\.0\.0\.1:[1-9][0-9]*/)
			if (address) resolve(`http://${address[0]}`)
		}
		server.stdout.on("data", read)
		server.stderr.on("data", read)
		server.on("exit", () => reject(new Error(log)))
	})
	await check(new StreamableHTTPClientTransport(new URL(base + "/mcp"), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }))
} finally {
	server.kill()
}
console.log("the TypeScript SDK of MCP: both transports work")
