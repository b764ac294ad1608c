import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'
import { type Ended, paycli } from './paycli.ts'

const test = suite('commands/exec')

/** A program such as a project's tests: asks the service of its environment, and ends with a code of its own. */
const JOB = `
  const { PAYCLI_API_BASE: base, PAYCLI_API_KEY: key, PAYCLI_HOME: home } = process.env
  const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' }
  const post = (email) => fetch(base + '/v1/customers', { method: 'POST', headers, body: JSON.stringify({ email }) })
  await post(process.argv[1])
  const { data } = await (await fetch(base + '/v1/customers', { headers })).json()
  console.log(JSON.stringify({ base, home, emails: data.map(({ email }) => email) }))
  process.exit(7)
`

function exec(words: readonly string[], flags: readonly string[] = []): Promise<Ended> {
  const env = { PAYCLI_HOME: newFolder(), PAYCLI_API_KEY: 'elsewhere', PAYCLI_PROFILE: 'elsewhere' }
  return paycli(['exec', ...flags, '--', ...words], { env })
}

test('a command gets a fresh service of its own, twice at once, and its exit code is kept', async () => {
  const job = (email: string) => exec([process.execPath, '--input-type=module', '-e', JOB, email])
  const both = await Promise.all([job('ada@example.com'), job('bob@example.com')])
  assert.equal(
    both.map(({ code, stderr }) => [code, stderr]),
    [
      [7, ''],
      [7, ''],
    ],
  )
  const [ada, bob] = both.map(({ stdout }) => JSON.parse(stdout))
  assert.equal([ada.emails, bob.emails], [['ada@example.com'], ['bob@example.com']])
  assert.is.not(ada.base, bob.base)
  assert.equal([existsSync(ada.home), existsSync(bob.home)], [false, false])
})

test('paycli within it finds that service', async () => {
  const line = [
    join(ROOT, 'bin', 'run.js'),
    'customers',
    'create',
    '--email',
    'x@example.com',
    '--field',
    'email',
  ]
  const { code, stdout } = await exec([process.execPath, ...line], ['--db', join(newFolder(), 'kept.json')])
  assert.equal([code, stdout], [0, 'x@example.com\n'])
})

test('a signal that ends the command is told as a shell tells it', async () => {
  const { code } = await exec([process.execPath, '-e', "process.kill(process.pid, 'SIGTERM')"])
  assert.is(code, 143)
})

const WRONG: readonly (readonly [words: string[], flags: string[], said: RegExp])[] = [
  [[], [], /^Error: Give the command to run after --\.\n/],
  [['no-such-command'], [], /^Error: 'no-such-command' cannot be run: There is no such command\.\n/],
  [
    ['true'],
    ['--nope'],
    /^Error: The service did not start: There is no flag --nope\.\nHint: {2}See paycli serve --help\n/,
  ],
]

for (const [words, flags, said] of WRONG) {
  test(`exec ${[...flags, '--', ...words].join(' ')} is refused`, async () => {
    const { code, stdout, stderr } = await exec(words, flags)
    assert.match(stderr, said)
    assert.equal([code, stdout], [2, ''])
  })
}

test.run()
