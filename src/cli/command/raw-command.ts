import type { ArgInput, FlagInput } from '@oclif/core/interfaces'
import { operations } from '../../api/api.ts'
import type { Method } from '../../api/core/operation.ts'
import type { Schema } from '../../domain/core/schema.ts'
import { withData } from '../parse/data-flag.ts'
import { paramsFromFile } from '../parse/input-file.ts'
import { word } from '../parse/options.ts'
import { textsOf } from '../parse/params.ts'
import { sendPages } from '../request/call.ts'
import { explainUnknownTarget, parseTarget } from '../request/object-paths.ts'
import { BaseCommand } from './base-command.ts'

/** Base class of the commands that send one request to an id or a path. */
export abstract class RawCommand extends BaseCommand {
  static override args: ArgInput = {
    target: word({
      description: 'Object id such as cus_4bT9…, or path such as /v1/customers.',
      required: true,
    }),
  }
  static override flags: FlagInput = {}

  /** Sends one request to the target on the command line and prints the response. */
  protected async sendRequest(method: Method): Promise<void> {
    const { words, flags } = await this.readInput()
    const { path, data } = parseTarget(words[0] ?? '')
    const pairs = [...data, ...textsOf(flags['data'])]
    const params = withData(await paramsFromFile(flags), pairs, schemaAt(method, path))
    const client = this.client()
    const response = sendPages({ method, path }, params, flags, client)
    await this.printWithCustomer(await explainUnknownTarget(words[0] ?? '', response), client)
  }
}

// The types of --data values are known only for operations of this version. For other paths, values stay text.
function schemaAt(method: Method, path: string): Schema<unknown> {
  const found = operations.find(
    ({ operation }) =>
      operation.method === method && new RegExp(`^${operation.path.replace(':id', '[^/]+')}$`).test(path),
  )
  return found?.operation.params ?? {}
}
