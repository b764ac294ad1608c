import { BaseCommand, toExamples } from '../../src/cli/command/base-command.ts'
import { ExpectationError } from '../../src/cli/errors/expectation-error.ts'
import { createInvalidFlagError } from '../../src/cli/errors/usage-error.ts'
import { integer, repeatable, string } from '../../src/cli/parse/flag-builders.ts'
import { readInputFile } from '../../src/cli/parse/input-file.ts'
import { listFlagValues } from '../../src/cli/parse/params.ts'
import { readSigningSecret, secretFlag } from '../../src/cli/webhook-tools/webhook-secret.ts'
import { getUnixSeconds, systemClock } from '../../src/daemon/system/clock.ts'
import { findSignatureProblems } from '../../src/webhooks/verify.ts'

const TOLERANCE_SECONDS = 300

export default class WebhooksVerify extends BaseCommand {
  static override summary = 'Verify the signatures of a webhook'
  static override description = 'If a signature is invalid, prints the reason and exits with 8.'
  static override flags = {
    body: string({
      description: 'File with the body, or - for standard input.',
      helpValue: '<file|->',
      default: '-',
    }),
    header: repeatable({
      description: 'Header of the request. Repeat for more headers.',
      helpValue: '<name: value>',
    }),
    ...secretFlag,
    tolerance: integer({
      description: 'Maximum age of the signature, in seconds.',
      default: TOLERANCE_SECONDS,
      min: 0,
    }),
  }
  static override examples = toExamples([
    "--body event.json --header 'webhook-id: evt_…' --header 'webhook-timestamp: 1767225600' --header 'webhook-signature: v1,…'",
    "--body - --header 'Paycli-Signature: t=…,v1=…' --secret whsec_…",
  ])

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    const headers = headersOf(listFlagValues(flags['header']))
    const secret = readSigningSecret(flags, process.env)
    const body = await readInputFile(String(flags['body']))
    const verifying = { secret, now: getUnixSeconds(systemClock), tolerance: Number(flags['tolerance']) }
    const problems = findSignatureProblems({ headers, body }, verifying)
    const text = problems.join(' ')
    if (text !== '') throw new ExpectationError('assertion', text, adviceFor(text))
    this.print({ object: 'webhook_verification', verified: true }, () => 'The signatures are valid.')
  }
}

function adviceFor(problems: string): string {
  if (problems.includes('is missing') || problems.includes('has no timestamp'))
    return "Repeat --header for each header of the request, such as --header 'webhook-signature: v1,…'."
  if (!problems.includes('does not match'))
    return 'Raise --tolerance for an old webhook, or send its event again with a new signature: paycli events resend <event>'
  return 'Give the exact bytes of the body, before any parser, and the secret of the endpoint. To print the secret of listen and serve, run paycli listen --print-secret. An endpoint that you create has its own secret.'
}

function headersOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(text) ?? []
      if (name !== undefined && value !== undefined) return [name.toLowerCase(), value.trim()]
      throw createInvalidFlagError('header', text, "'name: value'")
    }),
  )
}
