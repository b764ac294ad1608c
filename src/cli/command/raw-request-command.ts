import type { ArgInput, FlagInput } from '@oclif/core/interfaces'
import { operations } from '../../api/api.ts'
import type { Method } from '../../api/core/operation.ts'
import type { Schema } from '../../domain/core/schema.ts'
import { addDataParams } from '../parse/data-flag.ts'
import { textArg } from '../parse/flag-builders.ts'
import { paramsFromFile } from '../parse/input-file.ts'
import { flagTexts } from '../parse/params.ts'
import { sendWithPaging } from '../request/call.ts'
import { explainUnknownTarget, parseTarget } from '../request/object-paths.ts'
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
  protected abstract readonly method: Method

  override async run(): Promise<void> {
    const { method } = this
    const { words, flags } = await this.readInput()
    const { path, data } = parseTarget(words[0] ?? '')
    const pairs = [...data, ...flagTexts(flags['data'])]
    const params = addDataParams(await paramsFromFile(flags), pairs, schemaAt(method, path))
    const client = this.client()
    const response = sendWithPaging({ method, path }, params, flags, client)
    await this.printWithCustomer(await explainUnknownTarget(words[0] ?? '', response), client)
  }
}

// The types of --data values are known only for operations of this version. Values for other paths stay strings.
function schemaAt(method: Method, path: string): Schema<unknown> {
  const found = operations.find(
    ({ operation }) =>
      operation.method === method && new RegExp(`^${operation.path.replace(':id', '[^/]+')}$`).test(path),
  )
  return found?.operation.params ?? {}
}
