import { BaseCommand, toExamples } from '../../src/cli/command/base-command.ts'
import { integer, string } from '../../src/cli/parse/flag-builders.ts'
import { readInputFile } from '../../src/cli/parse/input-file.ts'
import { readSigningSecret, secretFlag } from '../../src/cli/webhook-tools/webhook-secret.ts'
import { getUnixSeconds, systemClock } from '../../src/daemon/system/clock.ts'
import { createIdGenerators } from '../../src/daemon/system/ids.ts'
import { createSignatureHeaders } from '../../src/webhooks/sign.ts'

export default class WebhooksSign extends BaseCommand {
  static override summary = 'Print the signature headers of a webhook body'
  static override flags = {
    body: string({
      description: 'File with the body, or - for standard input.',
      helpValue: '<file|->',
      default: '-',
    }),
    ...secretFlag,
    id: string({ description: 'Event id (default: a new id).', helpValue: '<evt_…>' }),
    timestamp: integer({ description: 'Time of the signature, in Unix seconds (default: now).', min: 0 }),
  }
  static override examples = toExamples([
    '--body event.json',
    '--body event.json --timestamp 1767225600 --secret whsec_…',
  ])

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    const id = flags['id'] === undefined ? createIdGenerators().newId('evt_') : String(flags['id'])
    const timestamp =
      flags['timestamp'] === undefined ? getUnixSeconds(systemClock) : Number(flags['timestamp'])
    const secrets = [readSigningSecret(flags, process.env)]
    const headers = createSignatureHeaders({
      id,
      secrets,
      body: await readInputFile(String(flags['body'])),
      timestamp,
    })
    this.printView(headers, () =>
      Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\n`)
        .join(''),
    )
  }
}
