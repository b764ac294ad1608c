import { resolve } from 'node:path'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { string, textArg } from '../../src/cli/parse/flag-builders.ts'
import { findFlagText } from '../../src/cli/parse/params.ts'
import { writePrivateFileOrUsageError } from '../../src/cli/service/user-file.ts'
import { downloadReceipt } from '../../src/cli/sessions/receipt-download.ts'

export default class ReceiptsDownload extends BaseCommand {
  static override summary = 'Download the receipt of a payment as PDF'
  static override description =
    'The PDF shows the same as the page after the payment, and is downloaded from the hosted pages of the server. An existing file is replaced.'
  static override args = { id: textArg({ description: 'Id of a succeeded payment.', required: true }) }
  static override flags = {
    output: string({
      char: 'o',
      description: 'File to write (default: receipt-<id>.pdf).',
      helpValue: '<file>',
    }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> py_4bT9…',
    '<%= config.bin %> <%= command.id %> py_4bT9… --output receipt.pdf',
  ]

  override async run(): Promise<void> {
    const { id, flags } = await this.readInput()
    const file = findFlagText(flags['output']) ?? `receipt-${id}.pdf`
    const { url, bytes } = await downloadReceipt(this.client(), id)
    await writePrivateFileOrUsageError(resolve(file), bytes)
    this.print({ file, bytes: bytes.length, url })
  }
}
