import type { Recorded } from '../../src/cli/recorder.ts'
import { startRecording } from '../../src/cli/recording.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('cli/recording')

function id(kind: string, letter: string): string {
  return `${kind}_${letter.repeat(24)}`
}

function read(path: string, answer: object): Recorded {
  return { method: 'GET', path, params: {}, status: 200, answer }
}

function changed(path: string, params: object, answer: object): Recorded {
  return { method: 'POST', path, params, status: 200, answer }
}

function recordingOf(...recorded: readonly Recorded[]) {
  const recording = startRecording()
  for (const one of recorded) recording.note(one)
  return recording
}

function linesOf(...recorded: readonly Recorded[]): string[] {
  const { steps } = recordingOf(...recorded)
  return steps().map(({ name, method, path, params }) =>
    [name, method, path, JSON.stringify(params)].join(' '),
  )
}

const [SUBSCRIPTION, OLD, NEW] = [id('sub', 'S'), id('in', 'A'), id('in', 'B')]
const SOLD = changed('/v1/sales', {}, { id: id('cks', 'C'), subscription: SUBSCRIPTION })

test('what was read comes in where it told an id, and nothing else that was read does', () => {
  const lines = linesOf(
    SOLD,
    read(`/v1/subscriptions/${SUBSCRIPTION}`, { id: SUBSCRIPTION, latest_invoice: OLD }),
    read('/v1/customers', { data: [{ id: id('cus', 'D') }] }),
    read(`/v1/invoices?subscription=${SUBSCRIPTION}&limit=1`, { data: [{ id: NEW, lines: [OLD] }] }),
    changed(`/v1/invoices/${NEW}/pay`, { note: `for ${SUBSCRIPTION}` }, { id: NEW }),
  )
  assert.equal(lines, [
    'step1 POST /v1/sales {}',
    `step2 GET /v1/invoices?subscription=\${step1.subscription}&limit=1 {}`,
    `step3 POST /v1/invoices/\${step2.data[0].id}/pay {"note":"for \${step1.subscription}"}`,
  ])
})

test('what was read by an id that was read itself brings both in', () => {
  const card = id('pm', 'M')
  const lines = linesOf(
    read('/v1/invoices?limit=1', { data: [{ id: NEW }] }),
    read(`/v1/invoices/${NEW}`, { id: NEW, card }),
    changed('/v1/payments', { card }, { id: id('py', 'P') }),
  )
  assert.equal(lines, [
    'step1 GET /v1/invoices?limit=1 {}',
    `step2 GET /v1/invoices/\${step1.data[0].id} {}`,
    `step3 POST /v1/payments {"card":"\${step2.card}"}`,
  ])
})

test('what belongs to something recorded is surer than a list of all there is, and a change than both', () => {
  const all = read('/v1/invoices', { data: [{ id: OLD }, { id: NEW }] })
  const own = read(`/v1/invoices?subscription=${SUBSCRIPTION}`, { data: [{ id: NEW }] })
  const pay = changed(`/v1/invoices/${NEW}/pay`, {}, { id: NEW })
  const wanted = [
    'step1 POST /v1/sales {}',
    `step2 GET /v1/invoices?subscription=\${step1.subscription} {}`,
    `step3 POST /v1/invoices/\${step2.data[0].id}/pay {}`,
    `step4 POST /v1/invoices/\${step3.id}/pay {}`,
  ]
  assert.equal(linesOf(SOLD, all, own, pay, pay), wanted)
  assert.equal(linesOf(SOLD, own, all, pay, pay), wanted)
})

test('an id that no answer told of stays and is named, and what was read by it is no step', () => {
  const { steps, literals } = recordingOf(
    read(`/v1/invoices/${NEW}`, { id: NEW, lines: [OLD] }),
    changed(`/v1/invoices/${NEW}/pay`, { metadata: { of: OLD, key: id('whsec', 'K') } }, { id: NEW }),
    changed(`/v1/invoices/${NEW}/void`, {}, { id: NEW }),
  )
  assert.equal(
    steps().map(({ path }) => path),
    [`/v1/invoices/${NEW}/pay`, `/v1/invoices/\${step1.id}/void`],
  )
  assert.equal(literals(), [NEW, OLD])
})

test.run()
