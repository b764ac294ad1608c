import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { paycli } from './paycli.ts'

const test = suite('commands/grade', {}, 120_000)

/** Node would store its compile cache in the temporary folder otherwise. */
const NODE_COMPILE_CACHE = newFolder()

const SHOP = [process.execPath, join(ROOT, 'dist', 'test', 'cli', 'grade', 'tiny-shop.js')]
const CONFIG = { access: '/access?customer={customer}', paid: '/paid?customer={customer}' }
const LOAD = ['--rate', '20', '--seconds', '1']
const SECRET = `whsec_${'a'.repeat(32)}`

/** Creates the folder of one run with its configuration, and the environment of the app. */
function createPlace(traits: string, config: object = CONFIG) {
  const folder = newFolder()
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  writeFileSync(join(folder, 'paycli.grade.json'), JSON.stringify(config))
  const env = {
    ...{ PAYCLI_HOME: join(folder, 'home'), TMPDIR: temporary, TINY_SHOP: traits, NODE_COMPILE_CACHE },
    ...{ DATABASE: join(folder, 'state'), STARTS: join(folder, 'starts'), GITHUB_STEP_SUMMARY: '' },
  }
  return { folder, temporary, env }
}

interface GradedClass {
  readonly class: string
  readonly state: string
}

test('finds the webhook path, passes a correct app, and writes each report', async () => {
  // The guide tests the sales of both types.
  const { folder, env, temporary } = createPlace('', { ...CONFIG, sells: ['subscriptions'] })
  const [summary, junit] = [join(folder, 'summary.md'), join(folder, 'junit.xml')]
  const files = ['--junit', junit, '--sarif', 'grade.sarif', '--badge', 'grade.svg']
  const flags = ['--only', 'authenticity,duplicates,load,money,life', '--time', '1s', ...files, ...LOAD]
  const options = { env: { ...env, GITHUB_STEP_SUMMARY: summary }, cwd: folder }
  const { code, stdout, stderr } = await paycli(['grade', ...flags, '--', ...SHOP], options)
  assert.equal([code, stdout], [0, ''], stderr)
  for (const name of ['authenticity', 'load', 'money', 'life of a subscription'])
    assert.match(stderr, new RegExp(`PASSED  ${name} \\(\\d+ checks`))
  // The time is too short for most runs with faults.
  assert.match(stderr, /PARTLY TRIED {2}duplicates and order \(\d+ checks/)
  assert.match(stderr, '0 findings. Classes: 0 failed, 4 passed, 1 partly tried, 0 not tried')
  assert.match(readFileSync(summary, 'utf8'), '| money | passed |')
  assert.match(stderr, 'Not explored: ')
  assert.match(readFileSync(junit, 'utf8'), /<testsuite name="paycli grade" tests="5" failures="0"/)
  assert.equal(JSON.parse(readFileSync(join(folder, 'grade.sarif'), 'utf8')).runs[0].results, [])
  assert.match(readFileSync(join(folder, 'grade.svg'), 'utf8'), 'integration: 4 of 6 classes passed')
  const stored = JSON.parse(readFileSync(join(folder, 'home', 'grade.json'), 'utf8'))
  assert.equal([stored.folder, stored.classes.length], [realpathSync(folder), 5])
  assert.match(stored.repeat, /^paycli grade --time 1s --rate 20 --seconds 1 --only \S+ -- /)
  assert.equal(readdirSync(temporary), [])
})

test('tries the runs with faults when only the database of the app is given', async () => {
  const { folder, env } = createPlace('', { database: '$SHOP', sells: ['payments'] })
  writeFileSync(join(folder, '.env'), `SHOP=sqlite:${env.DATABASE}.sqlite\n`)
  const app = [process.execPath, join(ROOT, 'dist', 'test', 'cli', 'explore', 'tiny-app.js')]
  const flags = ['--url', '/webhooks', '--only', 'duplicates', '--time', '3s', '--json']
  const options = { env: { ...env, TINY_APP: 'sqlite ignores-ids' }, cwd: folder }
  const { code, stdout, stderr } = await paycli(['grade', ...flags, '--', ...app], options)
  assert.is(code, 8, stderr)
  assert.match(stdout, /"id": ?"duplicates\/duplicate delivery[^"]*\/orders"/)
})

test('exits with 2 and names the missing configuration when no class can be tested', async () => {
  const { folder, env } = createPlace('', {})
  const flags = ['--url', '/api/webhooks/billing', '--only', 'money,life']
  const options = { env: { ...env, GITHUB_STEP_SUMMARY: join(folder, 'missing', 'summary.md') }, cwd: folder }
  const { code, stderr } = await paycli(['grade', ...flags, '--', ...SHOP], options)
  assert.is(code, 2, stderr)
  assert.match(stderr, /NOT TRIED {2}money\n {2}Add "paid": /)
  assert.match(stderr, 'The summary of the job cannot be written')
})

test('passes neither the order nor the load of an app whose effects are not compared', async () => {
  const { folder, env } = createPlace('', {})
  const flags = ['--url', '/api/webhooks/billing', '--only', 'duplicates,load', ...LOAD]
  const files = ['--badge', 'grade.svg', '--junit', 'junit.xml']
  const { code, stderr } = await paycli(['grade', ...flags, ...files, '--', ...SHOP], { env, cwd: folder })
  assert.is(code, 0, stderr)
  for (const name of ['duplicates and order', 'load']) assert.match(stderr, `PARTLY TRIED  ${name} (`)
  assert.is(stderr.split('Effects were not compared: add').length, 3)
  assert.match(stderr, 'Classes: 0 failed, 0 passed, 2 partly tried, 0 not tried')
  assert.match(readFileSync(join(folder, 'grade.svg'), 'utf8'), 'integration: 0 of 6 classes passed')
  assert.match(
    readFileSync(join(folder, 'junit.xml'), 'utf8'),
    'tests="2" failures="0" errors="0" skipped="2"',
  )
})

test('exits with 2 and names the output of the app when the scenario fails', async () => {
  const { folder, env } = createPlace('', { ...CONFIG, scenario: 'echo UNIQUE failed; exit 4' })
  const flags = ['--url', '/api/webhooks/billing', '--only', 'duplicates', '--junit', 'junit.xml']
  const { code, stderr } = await paycli(['grade', ...flags, '--', ...SHOP], { env, cwd: folder })
  assert.is(code, 2, stderr)
  assert.match(
    stderr,
    /NOT TRIED {2}duplicates and order .*The scenario failed: .*UNIQUE failed.*\{\{run\}\}/s,
  )
  assert.match(readFileSync(join(folder, 'junit.xml'), 'utf8'), 'tests="1" failures="1"')
})

test('exits with 2 when no app accepts connections at --url', async () => {
  const flags = ['--url', '1/webhooks', '--secret', SECRET]
  const { code, stderr } = await runCommand(['grade', ...flags], { PAYCLI_HOME: newFolder() })
  assert.is(code, 2, stderr)
  assert.match(stderr, 'No app accepts connections at http://localhost:1/webhooks.')
})

/** Grades an app that already runs, several times with other flags. */
async function gradeRunningShop(traits: string, flags: readonly (readonly string[])[]) {
  const { env } = createPlace(traits, {})
  const child = spawn(SHOP[0] ?? '', SHOP.slice(1), {
    env: { ...process.env, ...env, PAYCLI_WEBHOOK_SECRET: SECRET, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [address] = await once(child.stdout, 'data')
    const url = `${JSON.parse(address).port}/api/webhooks/billing`
    return await Promise.all(
      flags.map((one) => runCommand(['grade', '--url', url, '--secret', SECRET, ...one], env)),
    )
  } finally {
    child.kill()
  }
}

test('grades the responses of an app that already runs, and ignores the findings of a baseline', async () => {
  const known = join(newFolder(), 'known.json')
  const findings = [{ id: 'authenticity/bad_signature' }]
  writeFileSync(known, JSON.stringify({ object: 'grade', classes: [{ findings }] }))
  const [first, again] = await gradeRunningShop('trusts-everyone', [
    ['--json', ...LOAD],
    ['--only', 'authenticity', '--baseline', known],
  ])
  assert.is(first?.code, 8, first?.stderr)
  const states = JSON.parse(first?.stdout ?? '').classes.map((one: GradedClass) => [one.class, one.state])
  assert.equal(Object.fromEntries(states), {
    ...{ authenticity: 'failed', duplicates: 'partly_tried', load: 'partly_tried' },
    ...{ lost_responses: 'not_tried', money: 'not_tried', life: 'not_tried' },
  })
  assert.match(first?.stderr ?? '', /Repeat: (?:npx )?paycli grade .*--only authenticity/s)
  assert.is(again?.code, 0, again?.stderr)
  assert.match(again?.stderr ?? '', 'HIGH (known)  The handler verifies no signature.')
})

test('passes medium findings only with --fail-on high', async () => {
  const only = ['--only', 'authenticity']
  const graded = await gradeRunningShop('fails-on-forgeries', [only, [...only, '--fail-on', 'high']])
  assert.equal(
    graded.map(({ code }) => code),
    [8, 0],
  )
})

for (const [config, args, message] of [
  [{}, [], 'The command after -- that starts the app is missing.'],
  [{}, ['--only', 'mony', '--', 'true'], "Invalid --only 'mony': expected one of authenticity, "],
  [{}, ['--config', 'missing.json', '--', 'true'], "The file 'missing.json' does not exist."],
  [{ acess: '/a' }, ['--', 'true'], /is not a valid configuration: .*acess.*The keys are url, access, paid/s],
  [{ sells: ['cars'] }, ['--', 'true'], /is not a valid configuration: .*sells/s],
  [{}, ['--sarif', 'missing/grade.sarif', '--', 'true'], "missing/grade.sarif' cannot be written"],
  [{}, ['--baseline', 'missing.json', '--', 'true'], "The file 'missing.json' does not exist."],
] as const) {
  test(`rejects ${JSON.stringify(config)} with '${args.join(' ')}'`, async () => {
    const { folder, env } = createPlace('', config)
    const file = args.some((word) => word === '--config')
      ? []
      : ['--config', join(folder, 'paycli.grade.json')]
    const { code, stderr } = await runCommand(['grade', ...file, ...args], env)
    assert.match(stderr, message)
    assert.is(code, 2)
  })
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`leaves no process and no folder after ${signal}`, async () => {
    if (process.platform !== 'linux') return
    const { folder, env, temporary } = createPlace('')
    const words = [join(ROOT, 'bin', 'run.js'), 'grade', '--url', '/api/webhooks/billing', '--', ...SHOP]
    const child = spawn(process.execPath, words, {
      env: { ...process.env, ...env },
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const output = text(child.stderr)
    const ended = once(child, 'exit')
    while (!existsSync(env.STARTS) && child.exitCode === null) await setTimeout(5)
    child.kill(signal)
    const [code] = await ended
    assert.is(code, signal === 'SIGINT' ? 130 : 143, await output)
    assert.equal(readdirSync(temporary), [])
    while (hasProcess(folder)) await setTimeout(20)
  })
}

/** Returns whether a process has an environment variable that contains a text. Linux only. */
function hasProcess(text: string): boolean {
  return readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'utf8').includes(text)
    } catch {
      return false
    }
  })
}

test.run()
