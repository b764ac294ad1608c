import type { FlagInput } from '@oclif/core/interfaces'
import type { AnySession } from '../../domain/completion/any-session.ts'
import type { FlagValues } from '../parse/params.ts'
import { createFlags } from '../parse/update-flags.ts'
import { createAndFollow, followFlags, type RetrieveSession } from '../sessions/session-wait.ts'
import { sessionNote } from '../views/result-summary.ts'
import { BaseCommand } from './base-command.ts'

/** Base class of the commands that create a session. */
export abstract class SessionCommand extends BaseCommand {
  static override flags: FlagInput = { ...createFlags, ...followFlags }

  /** Creates and prints a session; with `--open` opens its page, with `--wait` waits until it is complete or expired. */
  protected async createSession<S extends AnySession>(
    flags: FlagValues,
    topic: string,
    create: () => Promise<S>,
    retrieve: RetrieveSession<S>,
  ): Promise<void> {
    const session = await createAndFollow(flags, create, retrieve)
    this.print(session, () => sessionNote(session, topic))
  }
}
