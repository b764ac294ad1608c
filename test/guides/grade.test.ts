import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { paycli } from '../commands/paycli.ts'
import { assert, suite } from '../support/suite.ts'
import { codeBlocks } from './code-blocks.ts'
import { exampleFolder } from './example-process.ts'

const test = suite('guides/grade.md', {}, 600_000)

const GUIDE = '.github/guides/grade.md'
const PACKAGES = ['express', 'fastify', 'hono', '@hono/node-server', 'standardwebhooks']
/** Serves route handlers as Next.js does: passes them a Request with its parameters, and sends their Response. */
const ROUTE_SERVER = `
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import * as access from './app/access/[customer]/route.js'
import * as paid from './app/paid/[customer]/route.js'
import * as webhooks from './app/webhooks/route.js'
const params = (c) => ({ params: Promise.resolve(c.req.param()) })
const app = new Hono()
app.post('/webhooks', (c) => webhooks.POST(c.req.raw))
app.get('/paid/:customer', (c) => paid.GET(c.req.raw, params(c)))
app.get('/access/:customer', (c) => access.GET(c.req.raw, params(c)))
serve({ fetch: app.fetch, port: Number(process.env.PORT) })
`

const hasModules = (...names: readonly string[]) =>
  spawnSync('python3', ['-c', `import ${names.join(', ')}`]).status === 0
/** The commands of the apps, by framework. An app of a framework that is not installed is not tested. */
const APPS = {
  express: [process.execPath, 'express.js'],
  fastify: [process.execPath, 'fastify.js'],
  hono: [process.execPath, 'hono.js'],
  nextjs: [process.execPath, 'route-server.js'],
  ...(hasModules('flask') && { flask: ['python3', 'flask_app.py'] }),
  ...(hasModules('fastapi', 'uvicorn') && { fastapi: ['python3', 'fastapi_app.py'] }),
}

const FILE_NAME = /^(?:\/\/|#) ([\w./[\]-]+\.\w+)( \(naive\))?\n/

/** The sales for which a configuration has less to try. */
const SALES = ['payments', 'subscriptions'] as const

/** Returns the files of the naive or of the correct apps, by name. Files that both have are not marked. */
function filesOf(isNaive: boolean): ReadonlyMap<string, string> {
  const files = new Map([['route-server.js', ROUTE_SERVER]])
  for (const { code } of [...codeBlocks('.github/guides/webhooks.md'), ...codeBlocks(GUIDE)]) {
    const [, name, naive] = FILE_NAME.exec(code) ?? []
    if (name !== undefined && (naive !== undefined) === isNaive) files.set(name, code)
    else if (name !== undefined && !files.has(name)) files.set(name, code)
  }
  const config = codeBlocks(GUIDE).find(({ language }) => language === 'json')?.code ?? '{}'
  files.set('paycli.grade.json', config)
  files.set('responses.json', JSON.stringify({ url: '/webhooks' }))
  for (const sale of SALES)
    files.set(`${sale}.json`, JSON.stringify({ ...JSON.parse(config), url: '/webhooks', sells: [sale] }))
  return files
}

interface Finding {
  readonly severity: string
  readonly problem: string
}

/** Grades an app of the guide, and returns the exit code, the report and the findings by class. */
async function grade(command: readonly string[], isNaive: boolean, ...flags: readonly string[]) {
  const folder = exampleFolder(filesOf(isNaive), PACKAGES)
  const env = { PAYCLI_HOME: join(folder, 'home'), GITHUB_STEP_SUMMARY: '' }
  const ended = await paycli(['grade', '--json', ...flags, '--', ...command], { env, cwd: folder })
  const classes: { class: string; findings: Finding[] }[] =
    ended.stdout === '' ? [] : JSON.parse(ended.stdout).classes
  return { ...ended, findings: classes.flatMap((one) => one.findings), classes }
}

test('each correct app of the guide passes', async () => {
  // The apps of a language share their shop, so only one of them sells subscriptions.
  const complete = new Set(['express', 'flask'])
  const runs = Object.entries(APPS).map(async ([name, command]) => {
    const config = complete.has(name) ? [] : ['--config', 'payments.json']
    return [name, await grade(command, false, '--only', 'authenticity,money,life', ...config)] as const
  })
  for (const [name, { code, findings, stderr }] of await Promise.all(runs))
    assert.equal([name, code, findings], [name, 0, []], stderr)
})

test('each naive app has the findings that the guide explains', async () => {
  // A run mostly waits for the app, so the runs are concurrent.
  const express = (...flags: readonly string[]) => grade(APPS.express, true, ...flags)
  const detailed = Promise.all([
    express('--only', 'life', '--config', 'subscriptions.json'),
    express('--only', 'authenticity,money', '--config', 'payments.json'),
    express('--only', 'duplicates,load', '--seconds', '2', '--time', '1s'),
  ])
  // The naive apps of a language have the same effects, so the others are judged by their responses.
  const authenticate = (command: readonly string[]) =>
    grade(command, true, '--only', 'authenticity', '--config', 'responses.json')
  const runs = Object.entries(APPS)
    .slice(1)
    .map(async ([name, command]) => [name, await authenticate(command)] as const)
  for (const [name, { findings, stderr }] of await Promise.all(runs))
    assert.equal([name, findings[0]?.problem], [name, 'The handler verifies no signature.'], stderr)
  const results = await detailed
  const found = results.flatMap(({ findings }) =>
    findings.map(({ severity, problem }) => `${severity.toUpperCase()}  ${problem}`),
  )
  const printed = codeBlocks(GUIDE).flatMap(({ language, code }) =>
    language === 'text'
      ? code.split('\n').filter((line) => /^(?:HIGH|MEDIUM|LOW) {2}(?!.*ends differently)/.test(line))
      : [],
  )
  assert.ok(printed.length > 5)
  assert.equal(
    printed.filter((line) => !found.some((one) => one.startsWith(line))),
    [],
    found.join('\n'),
  )
  const failed = results.flatMap(({ classes }) => classes.filter((one) => one.findings.length > 0))
  assert.equal(failed.map((one) => one.class).sort(), ['authenticity', 'duplicates', 'life', 'load', 'money'])
})

test.run()
