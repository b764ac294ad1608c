import { type Mutation, mutationsOf } from './mutation.ts'

const WORKER = 'test/webhooks/worker.test.ts'

/** Mutations of the rules on signing deliveries. */
export const signingMutations: readonly Mutation[] = [
  ...mutationsOf({ rule: 'webhooks 1', file: 'src/webhooks/sign.ts' }, [
    ['the time is not signed', '`${id}.${timestamp}.`', '`${id}.`', 'standardwebhooks accepts the signature'],
    [
      'the key is not decoded',
      "Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')",
      'Buffer.from(secret)',
      'svix accepts the signature',
    ],
    [
      'the own family is not hexadecimal',
      "digest('hex')",
      "digest('base64url')",
      'stripe accepts the signature',
    ],
    [
      'the own key leaves the prefix out',
      'createSecretKey(Buffer.from(secret))',
      'createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length)))',
      'stripe accepts the signature',
    ],
    ['a secret needs padding', 'SECRET_BYTES = 24', 'SECRET_BYTES = 25', 'creates a secret of whsec_ and 24'],
  ]),
  ...mutationsOf({ rule: 'webhooks 1', file: 'src/webhooks/delivery-request.ts', test: WORKER }, [
    [
      'each attempt has another id',
      'id: event.id,',
      'id: `${event.id}${timestamp}`,',
      'runs the default schedule with the same body',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 1', file: 'src/webhooks/delivery-attempts.ts', test: WORKER }, [
    [
      'all attempts carry one time',
      'getSignatureTime(fault, signedAt)',
      'getSignatureTime(fault, delivery.created)',
      'runs the default schedule with the same body',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 1', file: 'src/webhooks/send.ts' }, [
    [
      'other bytes are sent than signed',
      'request.end(body)',
      'request.end(`${body}\\n`)',
      'sends body and headers unchanged',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 2', file: 'src/webhooks/sign.ts' }, [
    [
      'other letters than ascii are signed wrongly',
      ".update(body).digest('base64')",
      ".update(String(body), 'latin1').digest('base64')",
      'standardwebhooks accepts the signature of a body with',
    ],
    ['only one secret signs', "standard.join(' ')", 'standard[0]', 'lists several signatures newest first'],
  ]),
  ...mutationsOf(
    {
      rule: 'webhooks 3',
      file: 'src/domain/events/webhook-secrets.ts',
      test: 'test/webhooks/worker.resends.test.ts',
    },
    [
      [
        'the previous secret is not used',
        '[secret, ...previous.filter(',
        '[secret, ...[].filter(',
        'signs with both secrets until the old one expires',
      ],
      [
        'it signs at its last second',
        'expires_at > now).map(',
        'expires_at >= now).map(',
        'signs with both secrets until the old one expires',
      ],
      [
        'the newest comes last',
        '[secret, ...previous.filter(({ expires_at }) => expires_at > now).map((one) => one.secret)]',
        '[...previous.filter(({ expires_at }) => expires_at > now).map((one) => one.secret), secret]',
        'signs with both secrets until the old one expires',
      ],
    ],
  ),
  ...mutationsOf(
    {
      rule: 'webhooks 3',
      file: 'src/domain/events/webhook-secrets.ts',
      test: 'test/api/operations/events.resending.test.ts',
    },
    [
      [
        'the default grace period is not a day',
        'default: 86_400',
        'default: 3600',
        'keeps the old one for a day',
      ],
      ['a grace period can be longer than a week', 'max: 7 *', 'max: 8 *', 'grace_seconds = 604801'],
    ],
  ),
]
