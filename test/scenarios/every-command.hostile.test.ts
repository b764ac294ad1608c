import { type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { paycli } from '../commands/paycli.ts'
import { asking, type ListedCommand, nowhere, others, withFlags } from '../support/every-command.ts'
import { assert, suite } from '../support/suite.ts'

/** What would set a terminal's title, turn text around and clear the screen. */
const HOSTILE = 'Ada\u001b]0;x\u0007\u202e\u009b2J'
// biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/
/** These go on until they are stopped; what they print is tested with their lines. */
const ENDLESS: ReadonlySet<string> = new Set(['events:tail', 'logs:tail', 'webhooks:listen'])
const OBJECT = {
  ...{ id: 'x_1', object: HOSTILE, name: HOSTILE, status: HOSTILE, type: HOSTILE, url: HOSTILE },
  ...{ customer: HOSTILE, created: 1704067200, metadata: { [HOSTILE]: HOSTILE }, data: [{ id: HOSTILE }] },
}
const ERROR = {
  error: { type: HOSTILE, code: HOSTILE, message: HOSTILE, param: HOSTILE, doc_url: HOSTILE, errors: [] },
}

let server: FakeServer
let answer: { readonly status: number; readonly body: object }

const test = suite('every command, with hostile text')

test.before(async () => {
  server = await startFakeServer(() => answer)
})

test.after(() => server.stop())

async function mustBeHarmless(args: readonly string[]): Promise<number | null> {
  const { code, stdout, stderr } = await paycli(args, { env: nowhere })
  assert.not.match(stdout, HARMFUL)
  assert.not.match(stderr, HARMFUL)
  return code
}

function nameOf({ id }: ListedCommand): string {
  return id.replaceAll(':', ' ')
}

for (const command of [...asking, ...others]) {
  test(`${nameOf(command)} refuses it as an argument and as a flag, and prints nothing harmful`, async () => {
    const words = [...command.id.split(':'), ...Object.keys(command.args).map(() => HOSTILE)]
    assert.is.not(await mustBeHarmless([...words, `--${HOSTILE}`]), 0)
    if (words.includes(HOSTILE)) await mustBeHarmless(words)
  })
}

for (const command of asking.filter(({ id }) => !ENDLESS.has(id))) {
  test(`${nameOf(command)} prints nothing harmful of what it is answered`, async () => {
    for (const given of [
      { status: 200, body: OBJECT },
      { status: 400, body: ERROR },
    ]) {
      answer = given
      await mustBeHarmless(withFlags(command, '--api-base', server.url, '--api-key', 'k'))
    }
  })
}

test.run()
