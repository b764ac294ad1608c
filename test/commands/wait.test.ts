import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { openDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('commands/wait')

test('wait looks for the key once more after the first response, which a starting server sends after it stored its key', async () => {
  const daemon = await openDaemon()
  const { api_url, api_key } = daemon.location
  for (const isStored of [true, false]) {
    const [home, paths] = [newFolder(), Array.of<unknown>()]
    const server = createServer((incoming, response) => {
      paths.push(incoming.url)
      if (isStored) writeFileSync(join(home, 'daemon.json'), record, { mode: 0o600 })
      const headers = { ...incoming.headers, host: new URL(api_url).host }
      request(`${api_url}${incoming.url}`, { headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      }).end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const base = `http://127.0.0.1:${Object(server.address()).port}`
    const record = readFileSync(join(daemon.home, 'daemon.json'), 'utf8').replace(api_url, base)
    const { code, stdout } = await runCommand(['wait', '--json'], {
      PAYCLI_HOME: home,
      PAYCLI_API_BASE: base,
    })
    server.close()
    assert.equal([code, JSON.parse(stdout).api_key], [0, isStored ? api_key : null])
    assert.is(paths.filter((path) => path === '/readyz').length, 2)
  }
  await daemon.stop()
})

test('wait prints a note when no key of the server is known, and exits with 4 for --field api_key', async () => {
  const [daemon, home] = [await openDaemon({ home: newFolder() }), newFolder()]
  const { api_url, api_key } = daemon.location
  const env = { PAYCLI_HOME: home, PAYCLI_API_BASE: api_url }
  const run = (...words: string[]) => runCommand(['wait', '--timeout', '1s', ...words], env)
  const missing = `No key of the server at ${api_url} is stored in ${home}: it was started by another`
  for (const words of [[], ['--json']]) {
    const { code, stdout, stderr } = await run(...words)
    assert.equal([code, JSON.parse(stdout).api_key], [0, null])
    assert.match(stderr, missing)
  }
  const required = await run('--field', 'api_url', '--field', 'api_key')
  const keyless = await run('--field', 'api_url')
  const withKey = await run('--field', 'api_key', '--api-key', api_key)
  await daemon.stop()
  assert.equal([required.code, required.stdout], [4, ''])
  assert.match(required.stderr, missing)
  assert.equal([keyless.code, keyless.stdout, keyless.stderr], [0, `${api_url}\n`, ''])
  assert.equal([withKey.code, withKey.stdout], [0, `${api_key}\n`])
})

test('commands name the server that does not accept a key, its database, and how to get a key', async () => {
  const [home, other] = [newFolder(), newFolder()]
  const daemon = await openDaemon({ home })
  const { api_url, db } = daemon.location
  const errorOf = async (env: Readonly<Record<string, string>>, ...words: string[]) =>
    JSON.parse((await runCommand(['customers', 'list', '--json', ...words], env)).stderr).error.hint
  const database = db === null ? 'a database in memory' : `the database ${db}`
  const own = `The server at ${api_url}, with ${database}, has another key.`
  assert.match(
    await errorOf({ PAYCLI_HOME: home }, '--api-key', 'x'),
    `${own} To use that key, omit --api-key.`,
  )
  assert.match(
    await errorOf({ PAYCLI_HOME: home, PAYCLI_API_KEY: 'x' }),
    `${own} To use that key:\nunset PAYCLI_API_KEY`,
  )
  const localhost = await errorOf(
    { PAYCLI_HOME: home },
    '--api-base',
    api_url.replace('127.0.0.1', 'localhost'),
  )
  assert.is(
    localhost,
    `The stored key of this server is only sent to ${api_url}. Use that address, or omit --api-base.`,
  )
  const foreign = await errorOf({ PAYCLI_HOME: other }, '--api-base', api_url)
  await daemon.stop()
  assert.match(
    foreign,
    `No key of the server at ${api_url} is stored in ${other}: it was started by another user`,
  )
  assert.match(foreign, 'paycli status --field api_key. Then pass it with --api-key or PAYCLI_API_KEY.')
})

test('wait names the program that responds at the address instead of a paycli server', async () => {
  const server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${Object(server.address()).port}`
  const words = ['wait', '--timeout', '1s', '--api-base', base]
  const { code, stderr } = await runCommand(words, { PAYCLI_HOME: newFolder() })
  server.close()
  assert.is(code, 7)
  assert.match(stderr, `Error: ${base} responded 200 with no JSON object`)
  assert.match(stderr, 'so it is not a paycli server. Waited 1s.')
})

test('commands name the variable or flag of an address without a server', async () => {
  const base = 'http://127.0.0.1:9'
  const env = { PAYCLI_HOME: newFolder() }
  const fromVariable = await runCommand(['customers', 'list'], { ...env, PAYCLI_API_BASE: base })
  assert.is(
    fromVariable.stderr,
    `Error: No paycli server at ${base}.\nHint:  The address is the value of PAYCLI_API_BASE. Correct or unset it. Start a server: paycli serve\n`,
  )
  const fromFlag = await runCommand(['customers', 'list', '--api-base', base], env)
  assert.match(fromFlag.stderr, 'Hint:  Correct --api-base, or omit it for the local server.')
})

test('wait exits with 7 when no server responds in time', async () => {
  const env = { PAYCLI_HOME: newFolder() }
  const { code, stdout, stderr } = await runCommand(
    ['wait', '--timeout', '1s', '--api-base', 'http://127.0.0.1:9'],
    env,
  )
  assert.equal([code, stdout], [7, ''])
  assert.is(stderr, 'Error: No server responded within 1s.\nHint:  Check --api-base or PAYCLI_API_BASE.\n')
  const json = await runCommand(
    ['wait', '--timeout', '1s', '--api-base', 'http://127.0.0.1:9', '--json'],
    env,
  )
  assert.equal([json.code, json.stdout], [7, ''])
  const { type, code: errorCode, hint } = JSON.parse(json.stderr).error
  assert.equal(
    [type, errorCode, hint],
    ['assertion_error', 'timeout', 'Check --api-base or PAYCLI_API_BASE.'],
  )
})

test.run()
