import { addSandboxIdToKey } from '../../src/domain/sandboxes/api-keys.ts'
import { PRIVATE_SAMPLES } from '../store/private-samples.ts'
import { CARDS } from '../support/samples.ts'
import { at, type Corruption, objectOf } from './corruptions.ts'

const SANDBOX = 'sbx_9s6XGDTqBxzVbPRyfNQG1aB2'

/** Corruptions for the invariant about secrets. */
export const SECRET_CORRUPTIONS: readonly Corruption[] = [
  [
    'P40',
    'the number of a test card in a name',
    ({ customers }) => Object.assign(at(customers, 0), { name: `my ${CARDS.visa}` }),
  ],
  [
    'P40',
    'the number of a real card',
    ({ payments }) => (at(payments, 0).failure_message = 'Card 4539 1488 0343 6467 was declined'),
  ],
  ['P40', 'a CVC', ({ payment_methods }) => Object.assign(at(payment_methods, 0).card ?? {}, { cvc: '739' })],
  [
    'P40',
    'an API key',
    ({ events }) => (objectOf(at(events, 0)).description = 'paysk_test_0123456789abcdefghijABCDEFGHIJ01'),
  ],
  [
    'P40',
    'a webhook secret',
    ({ webhook_endpoints, webhook_secrets }) =>
      (at(webhook_endpoints, 0).description = at(webhook_secrets, 0).secret),
  ],
  [
    'P40',
    'a webhook secret in the wrong field of the sandbox',
    ({ sandbox_secrets, webhook_secrets }) => {
      const { secret } = at(webhook_secrets, 0)
      const own = { id: 'sandbox', object: 'sandbox_secrets', webhook_secret: secret } as const
      sandbox_secrets.push({ ...own, fingerprint_salt: 'salt', form_key: secret })
    },
  ],
  [
    'P40',
    'the API key of a sandbox in the record of that sandbox',
    ({ sandboxes }) =>
      sandboxes.push({
        ...PRIVATE_SAMPLES.sandboxes,
        name: addSandboxIdToKey(`paysk_test_${'0'.repeat(32)}`, SANDBOX),
      }),
  ],
  [
    'P40',
    'the webhook secret of a sandbox in the record of that sandbox',
    ({ sandboxes, webhook_secrets }) => {
      const { secret: webhook_secret } = at(webhook_secrets, 0)
      sandboxes.push(Object.assign({ ...PRIVATE_SAMPLES.sandboxes }, { webhook_secret }))
    },
  ],
]
