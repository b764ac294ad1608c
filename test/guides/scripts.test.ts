import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Invoice } from '../../src/domain/billing/invoices.ts'
import { paycli } from '../commands/paycli.ts'
import { openDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'
import { openShellCommands } from '../support/shell-commands.ts'
import { assert, suite } from '../support/suite.ts'
import { codeBlocks, readDocument } from './code-blocks.ts'
import { runExample } from './example-process.ts'

const test = suite('guides: scripts')

const define = spawnSync('sh', ['-c', 'true']).status === 0 ? test : test.skip

/** Returns the first shell block below a heading. */
function scriptBelow(document: string, heading: string): string {
  const line = readDocument(document).split('\n').indexOf(heading) + 1
  assert.ok(line > 0, `${document} has no heading '${heading}'`)
  const script = codeBlocks(document).find((block) => block.language === 'sh' && block.line > line)
  return script?.code ?? ''
}

function withoutBrowser(script: string): string {
  return script.replace(/^(npx paycli \w+ open \S+)/gm, '$1 --no-browser')
}

/** Runs the script below a heading of a guide with a server of its own (default: in memory), until its first failing command. */
async function run(guide: string, heading: string, db: string | null = null): Promise<string> {
  const script = scriptBelow(`.github/guides/${guide}`, heading)
  const home = newFolder()
  const daemon = await openDaemon({ home, db })
  const { definition, errors, close } = await openShellCommands({ PAYCLI_HOME: home })
  const args = ['-e', '-c', definition + withoutBrowser(script)]
  const { code, output } = await runExample('sh', args, { folder: newFolder(), env: {} })
  await close()
  await daemon.stop()
  assert.is(code, 0, errors.join(''))
  return output
}

/** Counts the events of each type that a script printed. */
function countTypes(output: string, ...types: string[]): (number | undefined)[] {
  return types.map((type) => output.match(new RegExp(`"type": "${type}"`, 'g'))?.length)
}

define('the commands in the quick start of README succeed as processes', async () => {
  // `npx paycli` takes longer, so the script runs the compiled command of this repository.
  const npx = `npx() { shift; '${process.execPath}' '${join(ROOT, 'bin', 'run.js')}' "$@"; }\n`
  const script = npx + withoutBrowser(scriptBelow('README.md', '## Quick start'))
  const { code, stdout, stderr } = await paycli(['exec', '--', 'sh', '-e', '-c', script])
  assert.is(code, 0, stderr)
  assert.match(stdout, '"type": "checkout_session.completed"')
  assert.match(stdout, '/checkout/cks_')
})

define('the script of test-clocks.md cancels the subscription after its last retry', async () => {
  const output = await run('test-clocks.md', '## Advance a subscription through failed renewals')
  assert.is(output.match(/"invoice\.payment_failed"/g)?.length, 4)
  assert.match(output, '"subscription.canceled"')
})

define('the script of billing.md pauses two renewals and collects one of their drafts', async () => {
  const output = await run('billing.md', '## Pause collection for two periods')
  assert.equal(countTypes(output, 'invoice.created', 'invoice.finalized', 'invoice.paid'), [4, 3, 3])
})

define('the script of billing.md recovers a past due subscription, whose next renewal succeeds', async () => {
  const output = await run('billing.md', '## Recover a past due customer with a new card')
  assert.equal(
    countTypes(output, 'subscription.past_due', 'subscription.recovered', 'invoice.paid'),
    [1, 1, 3],
  )
})

define('the script of billing.md discounts the invoices of three months', async () => {
  const output = await run('billing.md', '## Discount three months with a promotion code')
  const amounts = [...output.matchAll(/^ {6}"discount_amount": (\d+)/gm)].map(([, amount]) => Number(amount))
  assert.equal(amounts, [0, 725, 725, 725])
  assert.equal(countTypes(output, 'invoice.paid', 'subscription.renewed', 'subscription.updated'), [4, 3, 1])
})

define('the script of billing.md ends a trial with a declined charge', async () => {
  const output = await run('billing.md', '## End a trial with a card that is declined')
  const types = [...output.matchAll(/"type": "([a-z_]+\.[a-z_]+)"/g)].map(([, type]) => type)
  assert.equal(types.filter((type) => type === 'invoice.paid').length, 1)
  assert.ok(types.indexOf('subscription.trial_will_end') < types.indexOf('subscription.started'))
  assert.ok(types.indexOf('subscription.started') < types.indexOf('subscription.past_due'))
})

define('the script of billing.md bills a fee, turns a credit into a balance and uses it up', async () => {
  const output = await run('billing.md', '## Bill a one-off fee, then use up credit')
  assert.match(output, /\{\s*"eur": ?-4645\s*\}/)
  const { data } = JSON.parse(output.slice(output.search(/\{\s*"object": ?"list"/)))
  assert.equal(
    data.map((invoice: Invoice) => [invoice.total, invoice.balance_applied, invoice.amount_due]),
    [
      [5355, 4645, 710],
      [-4645, -4645, 0],
      [8330, 0, 8330],
      [5355, 0, 5355],
    ],
  )
})

define('the script of billing.md charges a saved card after 3-D Secure', async () => {
  const output = await run('billing.md', '## Charge a saved card that requires 3-D Secure')
  assert.equal(
    countTypes(output, 'payment.failed', 'payment.requires_action', 'payment.succeeded'),
    [1, 2, 2],
  )
})

define('the script of billing.md recovers a debit that fails after three days', async () => {
  const output = await run('billing.md', '## Wait three days for a direct debit')
  const timeline = output.slice(output.lastIndexOf('\n['))
  assert.equal(
    countTypes(
      timeline,
      'invoice.payment_failed',
      'subscription.past_due',
      'invoice.paid',
      'subscription.recovered',
    ),
    [1, 1, 1, 1],
  )
  assert.match(output, /"payment_status": "unpaid"/)
})

define(
  'the script of billing.md captures a part of a reserved amount, and lets another reservation expire',
  async () => {
    const output = await run('billing.md', '## Reserve an amount and capture a part of it')
    assert.match(output, '"amount_captured": 3000')
    assert.equal(
      countTypes(
        output,
        'payment.authorized',
        'payment.succeeded',
        'payment_session.updated',
        'payment.canceled',
      ),
      [2, 1, 1, 1],
    )
  },
)

define('the script of billing.md upgrades for 5.95 EUR and goes back', async () => {
  const heading = '## Change the plan in the middle of a period'
  const output = await run('billing.md', heading)
  assert.match(output, '"amount_due": 595')
  assert.match(output, /^595$/m)
  assert.equal(countTypes(output, 'invoice.paid'), [3])
})

define('the script of billing.md wins a dispute and loses another', async () => {
  const output = await run('billing.md', '## Win a dispute and lose another')
  const types = ['dispute.created', 'dispute.funds_withdrawn', 'dispute.closed', 'dispute.funds_reinstated']
  assert.equal(countTypes(output, ...types, 'payment.refunded'), [2, 2, 2, 1, 1])
})

define('the script of billing.md does what the buttons of the customer portal do', async () => {
  const output = await run('billing.md', '## Let the customer manage a subscription')
  assert.match(output, '/portal/pt_sess_')
  const types = ['subscription.updated', 'payment.failed', 'invoice.paid', 'subscription.canceled']
  assert.equal(countTypes(output, ...types), [4, undefined, 2, undefined])
})

define('the script of sandboxes.md isolates a customer, and deletes the sandbox', async () => {
  const output = await run('sandboxes.md', '## Create and delete a sandbox')
  assert.is(output.match(/"email": ?"ada@example.com"/g)?.length, 2, output)
  assert.match(output, '"deleted": true')
})

define('the script of sandboxes.md copies the default sandbox and a saved state', async () => {
  const db = join(newFolder(), 'paycli.json')
  const output = await run('sandboxes.md', '## Copy a prepared state', db)
  assert.match(output, '"from": "default"')
  assert.match(output, '"from": "shop"')
})

define('the script of api.md pays a session with curl', async () => {
  const output = await run('api.md', '## Call the API')
  assert.match(output, /"url":"http:\/\/127\.0\.0\.1:\d+\/sessions\/py_sess_/)
})

define('the script of api.md saves a card and charges it again', async () => {
  const output = await run('api.md', '## Charge a saved card')
  assert.match(output, '"origin": "api"')
  assert.match(output, '"amount": 4500')
})

test.run()
