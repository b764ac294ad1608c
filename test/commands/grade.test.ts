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
  readonly findings: readonly { readonly id: string; readonly problem: string }[]
}

/** Grades an app with traits, and returns the exit code and the classes of the report. */
async function grade(traits: string, flags: readonly string[], config: object = CONFIG) {
  const { folder, env } = createPlace(traits, config)
  const ended = await paycli(['grade', '--json', ...flags, '--', ...SHOP], { env, cwd: folder })
  const classes: readonly GradedClass[] = ended.stdout === '' ? [] : JSON.parse(ended.stdout).classes
  return { ...ended, classes, ids: classes.flatMap(({ findings }) => findings.map(({ id }) => id)) }
}

test('finds the webhook path, passes a correct app, and writes each report', async () => {
  const { folder, env, temporary } = createPlace('')
  const [summary, junit] = [join(folder, 'summary.md'), join(folder, 'junit.xml')]
  const files = ['--junit', junit, '--sarif', 'grade.sarif', '--badge', 'grade.svg']
  const flags = ['--only', 'authenticity,load,money,life', ...files, ...LOAD]
  const options = { env: { ...env, GITHUB_STEP_SUMMARY: summary }, cwd: folder }
  const { code, stdout, stderr } = await paycli(['grade', ...flags, '--', ...SHOP], options)
  assert.equal([code, stdout], [0, ''], stderr)
  for (const name of ['authenticity', 'load', 'money', 'life of a subscription'])
    assert.match(stderr, new RegExp(`PASSED  ${name} \\(\\d+ checks`))
  assert.match(stderr, '0 findings. Classes: 0 failed, 4 passed, 0 not tried')
  assert.match(readFileSync(summary, 'utf8'), '| money | passed |')
  assert.match(readFileSync(junit, 'utf8'), /<testsuite name="paycli grade" tests="4" failures="0"/)
  assert.equal(JSON.parse(readFileSync(join(folder, 'grade.sarif'), 'utf8')).runs[0].results, [])
  assert.match(readFileSync(join(folder, 'grade.svg'), 'utf8'), 'integration: 4 of 6 classes passed')
  const stored = JSON.parse(readFileSync(join(folder, 'home', 'grade.json'), 'utf8'))
  assert.equal([stored.folder, stored.classes.length], [realpathSync(folder), 4])
  assert.match(stored.repeat, /^paycli grade --rate 20 --seconds 1 --only \S+ -- /)
  assert.equal(readdirSync(temporary), [])
})

/** Wrong apps, the flags of their runs, and the ids of their findings. */
const WRONG_APPS = [
  ['no-return', ['--only', 'authenticity'], [/^authenticity\/forged_purchase$/]],
  [
    'ignores-refunds keeps-access trusts-status',
    ['--only', 'money,life'],
    [
      /^money\/pays\/a part was refunded$/,
      /^life\/debit\/paid by debit, still processing$/,
      /^life\/renews\/canceled at once$/,
    ],
  ],
  ['major-units', ['--only', 'money'], [/^money\/pays-yen\/paid$/]],
  ['crashes', ['--only', 'life'], [/^life\/crash$/]],
  ['slow', ['--only', 'load', '--fail-on', 'high', ...LOAD], [/^load\/slow$/]],
  ['counts-twice', ['--only', 'duplicates', '--time', '12s'], [/^duplicates\/duplicate delivery/]],
] as const

test('finds the problems of wrong apps, and waits for a correct app that works later', async () => {
  // A run mostly waits, so the runs are concurrent.
  const at = ['--url', '/api/webhooks/billing']
  const [correct, ...graded] = await Promise.all([
    grade('starts-slowly works-later', [...at, '--only', 'money'], {
      paid: CONFIG.paid,
      sells: ['payments'],
    }),
    ...WRONG_APPS.map(([traits, flags]) => grade(traits, [...at, ...flags])),
  ])
  assert.equal([correct.code, correct.ids], [0, []], correct.stderr)
  for (const [index, { code, stderr, ids }] of graded.entries()) {
    const [traits, , expected = []] = WRONG_APPS[index] ?? []
    // The finding about a slow app has a medium severity.
    assert.is(code, traits === 'slow' ? 0 : 8, `${traits}: ${stderr}`)
    for (const id of expected)
      assert.ok(
        ids.some((one) => id.test(one)),
        `${traits}: ${ids}`,
      )
    assert.match(stderr, /Repeat: (?:npx )?paycli grade .*--only /s)
  }
})

test('tries the runs with faults when only the database of the app is given', async () => {
  const { folder, env } = createPlace('', { database: '$SHOP', sells: ['payments'] })
  writeFileSync(join(folder, '.env'), `SHOP=sqlite:${env.DATABASE}.sqlite\n`)
  const app = [process.execPath, join(ROOT, 'dist', 'test', 'cli', 'explore', 'tiny-app.js')]
  const flags = ['--url', '/webhooks', '--only', 'duplicates', '--time', '5s', '--json']
  const options = { env: { ...env, TINY_APP: 'sqlite ignores-ids' }, cwd: folder }
  const { code, stdout, stderr } = await paycli(['grade', ...flags, '--', ...app], options)
  assert.is(code, 8, stderr)
  assert.match(stdout, /"id": ?"duplicates\/duplicate delivery[^"]*\/orders"/)
})

test('ignores the findings of a baseline', async () => {
  const { folder, env } = createPlace('trusts-everyone')
  const classes = [{ findings: [{ id: 'authenticity/bad_signature' }] }]
  writeFileSync(join(folder, 'known.json'), JSON.stringify({ object: 'grade', classes }))
  const words = ['grade', '--url', '/api/webhooks/billing', '--only', 'authenticity']
  const { code, stderr } = await paycli([...words, '--baseline', 'known.json', '--', ...SHOP], {
    env,
    cwd: folder,
  })
  assert.is(code, 0, stderr)
  assert.match(stderr, 'HIGH (known)  The handler verifies no signature.')
})

test('exits with 2 and names the missing configuration when nothing can be proved', async () => {
  const { folder, env } = createPlace('', {})
  const flags = ['--url', '/api/webhooks/billing', '--only', 'money,life']
  const options = { env: { ...env, GITHUB_STEP_SUMMARY: join(folder, 'missing', 'summary.md') }, cwd: folder }
  const { code, stderr } = await paycli(['grade', ...flags, '--', ...SHOP], options)
  assert.is(code, 2, stderr)
  assert.match(stderr, /NOT TRIED {2}money\n {2}Add "paid": /)
  assert.match(stderr, 'The summary of the job cannot be written')
})

test('exits with 2 when no app accepts connections at --url', async () => {
  const flags = ['--url', '1/webhooks', '--secret', `whsec_${'a'.repeat(32)}`]
  const { code, stderr } = await paycli(['grade', ...flags], { env: createPlace('', {}).env })
  assert.is(code, 2, stderr)
  assert.match(stderr, 'No app accepts connections at http://localhost:1/webhooks.')
})

test('grades the answers of an app that already runs', async () => {
  const secret = `whsec_${'a'.repeat(32)}`
  const { folder, env } = createPlace('trusts-everyone', {})
  const child = spawn(SHOP[0] ?? '', SHOP.slice(1), {
    env: { ...process.env, ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [address] = await once(child.stdout, 'data')
  const { port } = JSON.parse(address)
  const flags = ['--url', `${port}/api/webhooks/billing`, '--secret', secret, ...LOAD, '--json']
  const { code, stdout, stderr } = await paycli(['grade', ...flags], { env, cwd: folder }).finally(() =>
    child.kill(),
  )
  assert.is(code, 8, stderr)
  const states = JSON.parse(stdout).classes.map((one: GradedClass) => [one.class, one.state])
  assert.equal(Object.fromEntries(states), {
    ...{ authenticity: 'failed', duplicates: 'passed', load: 'passed' },
    ...{ lost_answers: 'not_tried', money: 'not_tried', life: 'not_tried' },
  })
})

for (const [config, args, message] of [
  [{}, [], 'The command after -- that starts the app is missing.'],
  [{}, ['--only', 'mony', '--', 'true'], "Invalid --only 'mony': expected one of authenticity, "],
  [{}, ['--config', 'missing.json', '--', 'true'], "The file 'missing.json' does not exist."],
  [{ acess: '/a' }, ['--', 'true'], /is not a valid configuration: .*acess.*The keys are url, access, paid/s],
  [{ sells: ['cars'] }, ['--', 'true'], /is not a valid configuration: .*sells/s],
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

test('names the given and the expected answer when --paid prints no number', async () => {
  const { code, stderr } = await grade('', [
    '--url',
    '/api/webhooks/billing',
    '--only',
    'money',
    '--paid',
    'echo lots',
  ])
  assert.is(code, 2, stderr)
  assert.match(stderr, "--paid printed 'lots': expected an integer in minor units")
})

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
