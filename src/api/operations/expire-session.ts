import type { ObjectSchema } from '../../domain/core/schema.ts'
import { removeAuthentication } from '../../domain/payments/authentications.ts'
import { requireNotProcessing } from '../../domain/payments/payment-processing.ts'
import { describeSession, expireSession, requireOpenSession } from '../../domain/sessions/sessions.ts'
import { effectiveTimeOf } from '../../engine/effective-time.ts'
import type { SessionCollection } from '../../engine/find-session.ts'
import { loadPendingAuthentication } from '../../engine/pending-authentication.ts'
import type { Collections } from '../../store/port/collections.ts'
import { defineMutation, type Operation } from '../core/operation.ts'
import { idParams, requireById } from '../core/retrieve.ts'
import { resourceNamed } from '../resources/catalog.ts'

/** Defines the operation that expires an open session. */
export function defineExpire<C extends SessionCollection>(
  name: C,
  schema: ObjectSchema<Collections[C]>,
  summary: string,
): Operation<{ readonly id: string }, Collections[C]> {
  return defineMutation({
    path: `/v1/${name}/:id/expire`,
    summary,
    description: `The hosted page then shows that the link has expired. Only an open session can be expired; for any other the response is \`${resourceNamed(name).object}_unexpected_state\`.`,
    params: idParams,
    response: schema,
    load: async (reader, { id }) => ({
      session: await requireById(reader, name, id),
      pending: await loadPendingAuthentication(reader, id),
    }),
    when: ({ session }) => effectiveTimeOf(session),
    decide: ({ session, pending: { payment, authentication } }, _params, context) => {
      requireNotProcessing(payment, `expire ${describeSession(session)}`)
      requireOpenSession(session, 'expire', context.now)
      const changes = expireSession(session, { reason: 'api', payment }, context)
      const result = changes.at(-1)?.after as Collections[C]
      return { changes: [...changes, ...removeAuthentication(authentication)], result }
    },
  })
}
