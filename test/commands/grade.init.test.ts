import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'
import { paycli } from './paycli.ts'

const test = suite('commands/grade.init', {}, 60_000)

const SHOP = [process.execPath, join(ROOT, 'dist', 'test', 'cli', 'grade', 'tiny-shop.js')]

/** Returns the JSON value of a file. */
function readJson(folder: string, name: string) {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'))
}

/** Creates the folder of an Express app. */
function createFolder(): string {
  const folder = newFolder()
  writeFileSync(join(folder, 'package.json'), '{"dependencies":{"express":"5"}}')
  writeFileSync(join(folder, 'app.js'), `app.post('/api/webhooks/billing'); app.get('/paid/:customer')`)
  return folder
}

/** Records with an app until `end` ends the command, and returns its exit code and its notes. */
async function record(folder: string, end: (child: ReturnType<typeof spawn>) => void) {
  const words = [join(ROOT, 'bin', 'run.js'), 'grade', '--init', '--', ...SHOP]
  const env = { ...process.env, PAYCLI_HOME: join(folder, 'home'), TINY_SHOP: '', DATABASE: '', STARTS: '' }
  const child = spawn(process.execPath, words, { env, cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  let notes = ''
  for await (const chunk of child.stderr.setEncoding('utf8')) {
    notes += chunk
    const [, url] = /Open (http:\S+),/.exec(chunk) ?? []
    if (url === undefined) continue
    await (await fetch(`${url}/paid?customer=cus_1`)).text()
    end(child)
  }
  const [code] = await ended
  return { code, notes }
}

test('writes a configuration without a command, and keeps an existing file', async () => {
  const folder = createFolder()
  writeFileSync(join(folder, '.env'), 'DATABASE_URL=mysql://localhost/shop')
  const options = { cwd: folder, env: { PAYCLI_HOME: join(folder, 'home') } }
  const { code, stderr } = await paycli(['grade', '--init'], options)
  assert.is(code, 0, stderr)
  assert.match(stderr, "The database URL begins with 'mysql:', which is not supported.")
  const { $comment, url, database } = readJson(folder, 'paycli.grade.json')
  assert.equal([url, database], ['/api/webhooks/billing', undefined])
  assert.match($comment.join('\n'), /Detected: Express\..*"paid": "\/paid\/\{customer\}"/s)
  const again = await paycli(['grade', '--init'], options)
  assert.is(again.code, 2)
  assert.match(again.stderr, "The file 'paycli.grade.json' already exists.")
})

for (const [name, end] of [
  ['Enter', (child: ReturnType<typeof spawn>) => child.stdin?.write('\n')],
  ['^C', (child: ReturnType<typeof spawn>) => child.kill('SIGINT')],
] as const) {
  test(`records a scenario until ${name}`, async () => {
    const folder = createFolder()
    const { code, notes } = await record(folder, end)
    assert.is(code, 0, notes)
    assert.match(notes, '(1 step; no hosted page was completed, so the scenario pays nothing)')
    const { url, scenario } = readJson(folder, 'paycli.grade.json')
    assert.equal([url, scenario], ['/api/webhooks/billing', 'paycli.scenario.json'])
    const { requests } = readJson(folder, 'paycli.scenario.json')
    assert.equal(
      requests.map(({ method, path, status }: Record<string, unknown>) => [method, path, status]),
      [['GET', '/paid?customer=cus_1', 200]],
    )
    const files = readdirSync(folder).filter((name) => name !== 'home')
    assert.equal(files.sort(), ['app.js', 'package.json', 'paycli.grade.json', 'paycli.scenario.json'])
  })
}

test.run()
