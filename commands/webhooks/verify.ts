import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { Unmet } from '../../src/cli/errors/expectation-error.ts'
import { UsageError } from '../../src/cli/errors/usage-error.ts'
import { readBody } from '../../src/cli/parse/body-input.ts'
import { repeatable } from '../../src/cli/parse/flags.ts'
import { integer, string } from '../../src/cli/parse/options.ts'
import { textsOf } from '../../src/cli/parse/params.ts'
import { readSecret, secretFlag } from '../../src/cli/webhook-tools/webhook-secret.ts'
import { systemClock, unixSeconds } from '../../src/daemon/clock.ts'
import { signatureProblems } from '../../src/webhooks/verify.ts'

const TOLERANCE_SECONDS = 300

export default class WebhooksVerify extends BaseCommand {
  static override summary =
    'Says whether the signatures of a webhook are right, and what is wrong with them; exits with 8.'
  static override flags = {
    body: string({
      description: 'The file that holds the body, or - for standard input.',
      helpValue: '<file|->',
      default: '-',
    }),
    header: repeatable('A header as it came. Repeat for more.', '<name: value>'),
    ...secretFlag,
    tolerance: integer({ description: 'How old it may be, in seconds.', default: TOLERANCE_SECONDS, min: 0 }),
  }
  static override examples = [
    "<%= config.bin %> <%= command.id %> --body event.json --header 'webhook-id: evt_…' --header 'webhook-timestamp: 1767225600' --header 'webhook-signature: v1,…'",
    "<%= config.bin %> <%= command.id %> --body - --header 'Paycli-Signature: t=…,v1=…' --secret whsec_…",
  ]

  override async run(): Promise<void> {
    const { flags } = await this.given()
    const headers = headersOf(textsOf(flags['header']))
    const secret = readSecret(flags, process.env)
    const body = await readBody(String(flags['body']))
    const verifying = { secret, now: unixSeconds(systemClock), tolerance: Number(flags['tolerance']) }
    const problems = signatureProblems({ headers, body }, verifying)
    if (problems.length > 0) throw new Unmet('assertion', problems.join(' '))
    this.print({ object: 'webhook_verification', verified: true }, () => 'The signatures are right.')
  }
}

function headersOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(text) ?? []
      if (name !== undefined && value !== undefined) return [name.toLowerCase(), value.trim()]
      throw new UsageError('flag_invalid', `--header takes 'name: value', not '${text}'.`, {
        param: 'header',
      })
    }),
  )
}
