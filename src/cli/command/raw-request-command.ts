import type { ArgInput, FlagInput } from '@oclif/core/interfaces'
import { findOperation } from '../../api/api.ts'
import type { HttpMethod } from '../../api/core/operation.ts'
import { addDataParams } from '../parse/data-flag.ts'
import { textArg } from '../parse/flag-builders.ts'
import { readFileParams } from '../parse/input-file.ts'
import { listFlagValues } from '../parse/params.ts'
import { sendWithPaging } from '../request/call.ts'
import { addUnknownTargetHint, parseRequestTarget } from '../request/object-paths.ts'
import { BaseCommand } from './base-command.ts'

/** Base class of the commands that send one request to an id or a path. */
export abstract class RawRequestCommand extends BaseCommand {
  static override args: ArgInput = {
    target: textArg({
      description: 'Object id such as cus_4bT9…, or path such as /v1/customers.',
      required: true,
    }),
  }
  static override flags: FlagInput = {}
  protected abstract readonly method: HttpMethod

  override async run(): Promise<void> {
    const { method } = this
    const { words, flags } = await this.readInput()
    const { path, data } = parseRequestTarget(words[0] ?? '')
    const pairs = [...data, ...listFlagValues(flags['data'])]
    // The types of --data values are known only for operations of this version. Values for other paths stay strings.
    const schema = findOperation(method, path)?.operation.params ?? {}
    const params = addDataParams(await readFileParams(flags), pairs, schema)
    const client = this.client()
    const response = sendWithPaging({ method, path }, params, flags, client)
    await this.printWithCustomer(await addUnknownTargetHint(words[0] ?? '', response), client)
  }
}
