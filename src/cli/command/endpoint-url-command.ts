import type { FlagInput } from '@oclif/core/interfaces'
import { parseTargetUrl } from '../listen/forward-flags.ts'
import { string } from '../parse/flag-builders.ts'
import type { CommandInput, OperationWithParams } from '../request/call.ts'
import { type CommandTexts, defineOperationCommand, type OperationCommand } from './operation-command.ts'

/**
 * Returns the base class of a command that sets the URL of a webhook endpoint. `--url` accepts the same targets as
 * `--forward-to`.
 */
export function defineEndpointUrlCommand(
  operation: OperationWithParams,
  texts: CommandTexts,
): typeof OperationCommand {
  const base = defineOperationCommand(operation, texts)
  const isRequired = operation.params.required?.includes('url') === true
  return class extends base {
    static override flags: FlagInput = {
      ...base.flags,
      url: string({
        description: `${isRequired ? '(required) ' : ''}Target of the events: a URL, a port, or a port with a path, such as 3000/webhooks.`,
        helpValue: '<url|port>',
      }),
    }

    protected override async readInput(words?: readonly string[]): Promise<CommandInput> {
      const input = await super.readInput(words)
      const { url } = input.flags
      // The API validates complete URLs, so send a complete URL unchanged.
      if (typeof url !== 'string' || url.includes('://')) return input
      return { ...input, flags: { ...input.flags, url: parseTargetUrl(url, 'url') } }
    }
  }
}
