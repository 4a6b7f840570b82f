// An HTTP server in front of chdb, ClickHouse's engine as a library, for tests where
// no ClickHouse can be installed. clickhouse-shim.sh fetches the engine into DIR and
// runs
//
//   node clickhouse-shim.mjs DIR [port]
//
// It answers what the executor asks: a statement in the body, settings in the URL,
// credentials in headers, FORMAT ArrowStream as a stream and other formats at once,
// exceptions as the server writes them before and behind the first bytes, KILL QUERY,
// settings of the user, and a client that hangs up. The engine cannot stop a statement, so each runs in one
// of a few processes, and stopping means killing that process. Statements that change
// data run in all of them.
import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { randomBytes } from 'node:crypto';

const WORKERS = 5;
const PASSWORD = 'secret';

if (process.send) worker();
else main(resolve(process.argv[2] ?? '.'), Number(process.argv[3] ?? 8123));

function worker() {
  const require = createRequire(join(process.argv[2], 'package.json'));
  const { Session } = require('chdb');
  const session = new Session(process.argv[3]);
  session.query('SET implicit_select = 0'); // which the library has, and servers have not
  let changed = [];
  const assign = list => { if (list.length) session.query(`SET ${list.join(', ')}`); };
  const set = (settings, own, database) => {
    // As DEFAULT first: a setting may be back at the user's own value now.
    assign(changed.map(name => `${name} = DEFAULT`));
    const all = { ...own, ...settings };
    changed = Object.keys(all);
    assign(changed.map(name => `${name} = '${all[name].replace(/['\\]/g, '\\$&')}'`));
    session.query(`USE "${database || 'default'}"`);
  };
  let proceed;
  process.on('message', async m => {
    if (m.proceed) return proceed();
    try {
      set(m.settings, m.own, m.database);
      if (m.format === 'ArrowStream') {
        let first = true;
        for await (const chunk of session.queryStream(m.text, { format: m.format })) {
          // Each chunk is a stream of its own: its schema and its end are cut off.
          const b = Buffer.from(chunk.raw());
          const schema = 8 + b.readInt32LE(4);
          const gone = new Promise(r => { proceed = r; });
          process.send({ bytes: b.subarray(first ? 0 : schema, b.length - 8) });
          await gone;
          first = false;
        }
        if (first) {
          const r = await session.queryAsync(m.text, { format: m.format });
          process.send({ bytes: Buffer.from(r.bytes()), done: true });
        } else {
          process.send({ bytes: Buffer.from([255, 255, 255, 255, 0, 0, 0, 0]), done: true });
        }
      } else {
        const r = await session.queryAsync(m.text, { format: m.format });
        process.send({ bytes: Buffer.from(r.bytes()), done: true });
      }
    } catch (e) {
      process.send({ error: { code: e.clickhouseCode ?? 1, text: e.message }, done: true });
    }
  });
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.send({ ready: true });
}

function main(dir, port) {
  const data = mkdtempSync(join(tmpdir(), 'clickhouse-shim-'));
  const script = []; // what changed data, for processes that start later
  let own = {}; // settings of the user: ALTER USER default SETTINGS name = 'value', …
  const cancelled = { code: 394, text: 'Code: 394. DB::Exception: Query was cancelled. (QUERY_WAS_CANCELLED)' };
  const idle = [], waiting = [], all = new Set(), running = new Map();

  async function start() {
    const w = fork(process.argv[1], [dir, mkdtempSync(join(data, 'w'))], { serialization: 'advanced' });
    await once(w, 'message');
    for (let i = 0; i < script.length; i++) await ask(w, script[i]);
    all.add(w);
    w.on('exit', () => all.delete(w));
    free(w);
  }
  const free = w => { const next = waiting.shift(); if (next) next(w); else idle.push(w); };
  const take = () => idle.length ? Promise.resolve(idle.pop()) : new Promise(r => waiting.push(r));
  const stop = w => { if (w.dead) return; w.dead = true; w.kill('SIGKILL'); start(); };

  // ask runs a statement after those that the process was given before, and hands
  // its bytes to sink, which says when to go on.
  function ask(w, m, sink = async () => {}) {
    w.last = (w.last ?? Promise.resolve()).then(() => w.dead ? cancelled : send(w, m, sink));
    return w.last;
  }

  function send(w, m, sink) {
    return new Promise(done => {
      const gone = () => finish(cancelled);
      const finish = error => { w.off('message', take); w.off('exit', gone); done(error); };
      const take = async r => {
        if (r.bytes) await sink(r.bytes);
        if (r.done) finish(r.error);
        else if (!w.dead) w.send({ proceed: true });
      };
      w.on('message', take);
      w.once('exit', gone);
      w.send(m);
    });
  }

  function refuse(response, code, text, status = 500) {
    response.writeHead(status, { 'X-ClickHouse-Exception-Code': code, 'Content-Type': 'text/plain' });
    response.end(text.startsWith('Code:') ? text : `Code: ${code}. DB::Exception: ${text} (version 26.7.2.1)\n`);
  }

  async function serve(request, response) {
    const url = new URL(request.url, 'http://shim');
    let text = '';
    for await (const part of request) text += part;
    const user = request.headers['x-clickhouse-user'] ?? 'default';
    if (user !== 'default' || (request.headers['x-clickhouse-key'] ?? '') !== PASSWORD)
      return refuse(response, 516, `${user}: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)`, 403);
    const p = url.searchParams;
    const kill = /^KILL QUERY WHERE query_id = '([^']*)'/.exec(text);
    if (kill) {
      const w = running.get(kill[1]);
      if (w) stop(w);
      return response.end();
    }
    const alter = /^ALTER USER default SETTINGS (.*)$/s.exec(text);
    if (alter) {
      own = alter[1] === 'NONE' ? {} : Object.fromEntries([...alter[1].matchAll(/(\w+) = '((?:[^'\\]|\\.)*)'/g)].map(m => [m[1], m[2].replace(/\\(.)/g, '$1')]));
      return response.end();
    }
    if (several(text)) return refuse(response, 62, 'Syntax error (Multi-statements are not allowed). (SYNTAX_ERROR)', 400);
    const reads = /^\s*(SELECT|WITH|DESCRIBE|SELEC |$)/i.test(text);
    if (p.get('readonly') && !reads) return refuse(response, 164, 'Cannot execute query in readonly mode. (READONLY)');
    const settings = {};
    for (const [k, v] of p)
      if (!['query_id', 'default_format', 'database', 'readonly', 'wait_end_of_query'].includes(k)) settings[k] = v;
    const message = { text, settings, own, database: p.get('database'), format: p.get('default_format') ?? 'TabSeparated' };
    if (!reads) {
      script.push(message);
      let failed;
      for (const w of [...all]) if (!w.dead) failed = (await ask(w, message)) ?? failed;
      if (failed) script.pop();
      return failed ? refuse(response, failed.code, failed.text) : response.end();
    }
    const w = await take();
    const tag = randomBytes(8).toString('hex');
    running.set(p.get('query_id'), w);
    response.on('close', () => { if (!response.writableFinished) stop(w); });
    const failed = await ask(w, message, async bytes => {
      if (!response.headersSent) response.writeHead(200, { 'X-ClickHouse-Format': message.format, 'X-ClickHouse-Exception-Tag': tag });
      if (!response.write(bytes) && !response.destroyed) await drained(response);
    });
    running.delete(p.get('query_id'));
    if (failed && !response.headersSent) refuse(response, failed.code, failed.text, failed.code === 60 ? 404 : failed.code === 62 ? 400 : 500);
    else if (failed) response.end(`\r\n__exception__\r\n${tag}\r\n${failed.text} (version 26.7.2.1)\n${failed.text.length} ${tag}\r\n__exception__\r\n`);
    else response.end();
    if (!w.dead) free(w);
  }

  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => {
      for (const w of all) w.kill('SIGKILL');
      rmSync(data, { recursive: true, force: true });
      process.exit(0);
    });
  Promise.all(Array.from({ length: WORKERS }, start)).then(() => {
    createServer((q, r) => serve(q, r).catch(e => refuse(r, 1001, String(e)))).listen(port, '127.0.0.1', () => console.log(`ready on ${port}`));
  });
}

// drained waits until the client has taken what was written, or has gone.
function drained(response) {
  return new Promise(done => {
    const over = () => { response.off('drain', over); response.off('close', over); done(); };
    response.on('drain', over);
    response.on('close', over);
  });
}

// several reports whether a statement follows a semicolon.
function several(text) {
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quote) {
      if (c === '\\') i++;
      else if (c === quote) quote = '';
    } else if (c === "'" || c === '"' || c === '`') quote = c;
    else if (c === ';' && text.slice(i + 1).trim() !== '') return true;
  }
  return false;
}
