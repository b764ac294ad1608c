import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { quoteForShell } from '../../src/domain/text/shell-quote.ts'
import { ROOT } from '../support/root.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('commands/completion')

/** Typed words and their completions. */
const COMPLETED: readonly (readonly [typed: string[], words: string[]])[] = [
  [['cust'], ['customers']],
  [['customers', 'cr'], ['create']],
  [['checkout', 'op'], ['open']],
  [['li'], ['listen']],
  [['customers', 'create', '--em'], ['--email']],
  [['customers', 'ls', '--al'], ['--all']],
  [
    ['checkout', 'create', '--interval', ''],
    ['day', 'month', 'week', 'year'],
  ],
  [['payments', 'complete', 'py_sess_1', '--three-d-secure', 're'], ['reject']],
  [['customers', 'retrieve', 'cu'], []],
  [
    ['checkout', 'complete', 'cks_1', '--card', 'renewal_l'],
    ['renewal_last_chance', 'renewal_lost'],
  ],
  [['payments', 'complete', '--card', 'visa_'], ['visa_debit']],
  [['trigger', 'invoice.vo'], ['invoice.voided']],
  [['trigger', '--id', 'cus_1', 'invoice.vo'], ['invoice.voided']],
  [['trigger', 'invoice.paid', 'invoice.vo'], []],
  [['trigger', '--id', 'invoice.vo'], []],
  [['completion', 'z'], ['zsh']],
  [['events', 'wait', 'customer.cr'], ['customer.created']],
  [['events', 'tail', '--until', 'customer.cr'], ['customer.created']],
  [['listen', '-e', 'customer.cr'], ['customer.created']],
  [['webhooks', 'endpoints', 'recover', '--until', 'customer.cr'], []],
  [
    ['faults', 'add', 'd'],
    [
      ...['decline', 'delay_delivery', 'delay_request', 'delay_response', 'drop_attempt'],
      ...['drop_request', 'drop_response', 'duplicate'],
    ],
  ],
  [['faults', 'add', 'error', '--operation', 'refunds.c'], ['refunds.create']],
  [['faults', 'add', 'swap', '--events', 'refund.c'], ['refund.created']],
  [['no', 'such'], []],
]

for (const [typed, words] of COMPLETED) {
  test(`completes '${typed.join(' ')}' with ${words.join(' or ') || 'no word'}`, async () => {
    const { code, stdout } = await runCommand(['complete', '--', ...typed])
    assert.equal([code, stdout], [0, words.map((word) => `${word}\n`).join('')])
  })
}

test('prints a bash script that completes command names in bash', async () => {
  const { stdout: script } = await runCommand(['completion', 'bash'])
  const run = `paycli() { ${[process.execPath, join(ROOT, 'bin', 'run.js')].map(quoteForShell).join(' ')} "$@"; }
${script}
COMP_WORDS=(paycli customers cr) COMP_CWORD=2; _paycli; printf '%s,' "\${COMPREPLY[@]}"`
  assert.is(execFileSync('bash', ['-c', run], { encoding: 'utf8' }), 'create,')
})

test('prints scripts for zsh and fish, and rejects an unsupported shell', async () => {
  for (const shell of ['zsh', 'fish'])
    assert.match((await runCommand(['autocomplete', shell])).stdout, 'paycli complete --')
  // Without a start-up file, zsh has no compdef until compinit has run.
  assert.match(
    (await runCommand(['completion', 'zsh'])).stdout,
    /autoload -Uz compinit[\s\S]*compdef _paycli/,
  )
  const { code, stderr } = await runCommand(['completion', 'cmd'])
  assert.is(code, 2)
  assert.match(stderr, 'Supported shells: bash, zsh, fish')
})

test.run()
